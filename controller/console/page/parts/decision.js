// Why an answer is not allowed now, as the station says it.

import { html } from "../html.js";
import { reason } from "../language.js";
import { station } from "../station.js";

// Of a seat's decision where all seats decide at once.
export function decisionOff(seat, decision) {
  return station.table.step.illegal?.[`${seat}/${decision}`];
}

// A seat that may not fold is obliged to play: a supervisor records that the player refuses.
export function decisionsOf(seat) {
  return ["play", decisionOff(seat, "fold") ? "refused" : "fold"];
}

export function OffWhy({ why }) {
  return why ? html`<small class="why">${reason(why)} (${why.rule})</small>` : null;
}
