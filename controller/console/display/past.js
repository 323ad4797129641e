// The last ten rounds, the newest at the right.

import { html } from "/page/html.js";
import { say } from "/page/language.js";
import { Road } from "./road.js";

export function Past({ rounds }) {
  if (rounds.some(({ cards }) => Object.keys(cards).length > 0)) return html`<${Road} rounds=${rounds} />`;
  return html`<section class="past"><h2>${say("display.last_rounds")}</h2>
    <ol>${rounds.map((round) => html`<li key=${round.round}>
      ${round.void ? html`<b>${say("outcome.void")}</b>` : html`<${Outcome} of=${round} />`}</li>`)}</ol></section>`;
}

function Outcome({ of }) {
  return html`${of.points !== null && html`<b>${of.points}</b>`}
    <span class="counts"><i class="up">▲ ${of.won}</i> <i class="down">▼ ${of.lost}</i></span>`;
}
