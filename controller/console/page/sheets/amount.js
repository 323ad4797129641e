// Any amount, keyed in: it is in hand like a chip.

import { html } from "../html.js";
import { say } from "../language.js";
import { take } from "../parts/chips.js";
import { NumberPad } from "../parts/keypad.js";
import { Sheet } from "../parts/sheet.js";
import { closeSheet, screen } from "../screen.js";

export function AmountSheet() {
  const keyed = (value) => {
    screen.own = value;
    take(value);
    closeSheet();
  };
  return html`<${Sheet} title=${say("chip.any")}><${NumberPad} money done=${say("chip.any_set")} onDone=${keyed} /><//>`;
}
