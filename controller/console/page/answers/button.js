// A button that answers the step.

import { html } from "../html.js";
import { reason, say } from "../language.js";
import { keyed, keyOfAnswer } from "../keys.js";
import { sendAll } from "../inputs.js";
import { guard } from "../presses.js";
import { articleWords } from "../refusals.js";
import { station } from "../station.js";

// `why` is the station's reason why it may not be given now: the button is there, off, and says so. `acts` are what one
// tap says, where it is more than one thing; `press` is the key of a keyboard.
export function Answer({ kind, fields = {}, acts = [[kind, fields]], text, main = false, why, of = kind, press = keyOfAnswer(of) }) {
  const off = Boolean(why) || station.sending > 0;
  return html`<div class="option">
    <button class=${main ? "main" : "plain"} disabled=${off} data-kind=${of} data-fields=${JSON.stringify(fields)}
      ...${keyed(press)} ...${guard(...acts.map(([act]) => act))} onClick=${() => sendAll(acts)}>${text ?? say(`input.${kind}`)}</button>
    ${why && html`<small class="why">${reason(why)}${why.rule ? ` (${articleWords(why.rule)})` : ""}</small>`}
  </div>`;
}

// The other source of cards, if the table has one.
export function OtherSource() {
  const { table } = station;
  return table.sources
    .filter((source) => source !== table.source)
    .map((source) => html`<${Answer} key=${source} kind="use_source" fields=${{ source }} text=${say(`use.${source}`)} />`);
}
