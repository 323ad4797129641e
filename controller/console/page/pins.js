// The PIN that an act of two persons is sent with: one person at the screen cannot do both halves.

import { html } from "./html.js";
import { say } from "./language.js";
import { PinPad } from "./parts/pinpad.js";
import { Sheet } from "./parts/sheet.js";
import { changed } from "./screen.js";

let asked = null; // {who, refused, answer, time}: whose PIN is asked for, and who gets it
let times = 0;

// Gives the PIN once it was keyed in, or null.
export function askPin(refused) {
  return new Promise((resolve) => {
    const answer = (pin) => {
      asked = null;
      changed();
      resolve(pin);
    };
    asked = { who: refused.who, refused: refused.error === "pin" ? null : refused, answer, time: (times += 1) };
    changed();
  });
}

export function PinAsked() {
  if (!asked) return null;
  const { who, refused, answer, time } = asked;
  return html`<${Sheet} key=${time} title=${say("pin.asked", { who })} onClose=${() => answer(null)}>
    <p>${say("pin.why")}</p>
    <${PinPad} name=${who} text=${say("pin.done")} refused=${refused} attempt=${async (_, pin) => answer(pin)} />
  <//>`;
}
