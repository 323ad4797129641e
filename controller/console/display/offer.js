// What may be bet: limits, the jackpot's chip, and what the odds leave the house.

import { html } from "/page/html.js";
import { amount, decimal, say, seatName } from "/page/language.js";
import { Piece } from "./pieces.js";

export function Offer({ shown: { limits, edges, chip, currency, without_limits, basic_bets, banker } }) {
  return html`<${Piece} tag="section" class="offer" of=${{ limits, edges, chip, currency, without_limits, basic_bets, banker }} draw=${offered} />`;
}

function offered({ limits, edges, chip, currency, without_limits, basic_bets, banker }) {
  const simulated = Object.values(edges).some((edge) => edge.simulated);
  const rows = Object.keys(limits).length + (chip > 0) + without_limits.filter((wager) => wager !== "jackpot").length;
  const notes = simulated + (basic_bets !== null && basic_bets !== "either");
  return html`<section class="offer" data-fit style=${{ "--lines": rows + notes / 2 + (banker === null ? 0 : 1) }}>
    <table><thead><tr><th>${say("display.limits", { currency })}</th><td>${Object.keys(edges).length > 0 && say("display.edge")}</td></tr></thead>
      <tbody>${Object.entries(limits).map(([wager, { min, max }]) => html`<tr key=${wager}><th>${say(`wager.${wager}`)}</th>
        <td>${amount(min, true)} – ${amount(max, true)}
          <span class="edge">${edges[wager] && `${edges[wager].simulated ? "≈ " : ""}${decimal(edges[wager].percent)} %`}</span></td></tr>`)}
      ${chip > 0 && html`<tr><th>${say("jackpot")}</th><td>${say("meter.chip")} ${amount(chip, true)} <span class="edge"></span></td></tr>`}
      ${without_limits.filter((wager) => wager !== "jackpot").map((wager) => html`<tr key=${wager}><th>${say(`wager.${wager}`)}</th><td></td></tr>`)}
    </tbody></table>
    ${simulated && html`<p class="note">${say("display.simulated")}</p>`}
    ${basic_bets && basic_bets !== "either" && html`<p class="note">${say(`posted.basic_bets.${basic_bets}`)}</p>`}
    ${banker !== null && html`<p class="banker-now"><b>${say("place.banker")}</b> ${seatName(banker)}</p>`}
  </section>`;
}
