// The last ten rounds, the newest at the right.

import { html } from "/page/html.js";
import { say } from "/page/language.js";

const BOXES = [["low", /[2-7]/], ["eight", /8/], ["high", /[9TJQKA]/]];

export function Past({ rounds }) {
  return html`<section class="past"><h2>${say("display.last_rounds")}</h2>
    <ol>${rounds.map((one) => html`<li key=${one.round}>
      ${one.void ? html`<b>${say("outcome.void")}</b>` : html`<${Outcome} of=${one} />`}</li>`)}</ol></section>`;
}

function Outcome({ of }) {
  const cards = Object.values(of.cards).flat();
  if (cards.length) {
    return html`<p class="boxes">${BOXES.map(([box, ranks]) => html`<b key=${box} data-box=${box}>${say(`box.${box}`)} ${cards.filter((card) => ranks.test(card[0])).length}</b>`)}</p>`;
  }
  return html`${of.points !== null && html`<b>${of.points}</b>`}
    <span class="counts"><i class="up">▲ ${of.won}</i> <i class="down">▼ ${of.lost}</i></span>`;
}
