// A button that answers the step.

import { html } from "../html.js";
import { answer } from "../inputs.js";
import { keyed, keyOfAnswer } from "../keys.js";
import { articleWords, reason, say } from "../language.js";
import { guard } from "../presses.js";
import { openSheet } from "../screen.js";
import { station } from "../station.js";

// `why` is the station's reason why it may not be given now: the button is there, off, and says so. `chosen` are fields
// that a person has set beside the button, which is off until it is `ready`. `acts` are what one tap says, where it is
// more than one thing; `press` is the key of a keyboard.
export function Answer({ kind, fields = {}, chosen, ready = true, acts = [[kind, { ...fields, ...chosen }]], text, main = false, why, of = kind, press = keyOfAnswer(of) }) {
  const off = Boolean(why) || !ready || station.sending > 0;
  return html`<div class="option">
    <button class=${main ? "main" : "plain"} disabled=${off} data-kind=${of} data-fields=${JSON.stringify(fields)} ...${enters(chosen ? [[kind, fields]] : acts)}
      ...${keyed(press)} ...${guard(...acts.map(([act]) => act))} onClick=${() => answer(acts)}>${text ?? say(`input.${kind}`)}</button>
    ${why && html`<small class="why">${reason(why)}${why.rule ? ` (${articleWords(why.rule)})` : ""}</small>`}
  </div>`;
}

// The attribute of a button that enters one thing: the frame of the simulator's panel names the button by it.
export function enters(acts) {
  return acts.length === 1 ? { "data-enters": JSON.stringify(acts[0]) } : {};
}

// Whether the source that the table is set up for is another than that in use, and answers again: it is to be used.
export function isBack(source) {
  const { table, setting } = station;
  return source !== table.source && source === setting.terms.source && table.devices[source] === "up";
}

// The other source of cards, if the table has one: it is asked for, and changed in its sheet.
export function OtherSource() {
  const { table } = station;
  return table.sources
    .filter((source) => source !== table.source)
    .map((source) => html`<div class="option" key=${source}><button class=${isBack(source) ? "main" : "plain"} data-kind="use_source" data-fields=${JSON.stringify({ source })}
      ...${enters([["use_source", { source }]])} onClick=${() => openSheet("source", { source })}>${say(`use.${source}`)}</button></div>`);
}

// What leads to the changes that wait for a supervisor, from the answers of any step.

// A round has none before it begins.
export function waitingChanges() {
  return station.table.round?.changes_waiting ?? [];
}

export function ChangesWait() {
  const count = waitingChanges().length;
  return count > 0 && html`<div class="option"><button class="main" data-changes onClick=${() => openSheet("changes")}>${say("changes.open", { count })}</button></div>`;
}
