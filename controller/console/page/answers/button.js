// A button that answers the step.

import { html } from "../html.js";
import { reason, say } from "../language.js";
import { send, station } from "../station.js";

// `why` is the station's reason why it may not be given now: the button is there, off, and says so.
export function Answer({ kind, fields = {}, text, main = false, why, of }) {
  const off = Boolean(why) || station.sending > 0;
  return html`<div class="option">
    <button class=${main ? "main" : "plain"} disabled=${off} data-kind=${of ?? kind} data-fields=${JSON.stringify(fields)}
      onClick=${() => send(kind, fields)}>${text ?? say(`input.${kind}`)}</button>
    ${why && html`<small class="why">${reason(why)}${why.rule ? ` (${why.rule})` : ""}</small>`}
  </div>`;
}

// The other source of cards, if the table has one.
export function OtherSource() {
  const { table } = station;
  return table.sources
    .filter((source) => source !== table.source)
    .map((source) => html`<${Answer} key=${source} kind="use_source" fields=${{ source }} text=${say(`use.${source}`)} />`);
}
