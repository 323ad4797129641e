// That the station is away, and since when.

import { html } from "../html.js";
import { moment, say } from "../language.js";
import { station } from "../station.js";

export function isAway() {
  return station.link === "away";
}

export function Away() {
  return isAway() && html`<p class="away" role="alert">
    <strong>${say("link.away")}</strong> ${say("link.since", { time: moment(station.since) })}</p>`;
}
