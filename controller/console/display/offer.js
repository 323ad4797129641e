// What may be bet: limits, the jackpot's chip, and what the odds leave the house.

import { html } from "/page/html.js";
import { amount, decimal, say, seatName } from "/page/language.js";

export function Offer({ shown }) {
  const { limits, edges, chip, currency } = shown;
  const simulated = Object.values(edges).some((edge) => edge.simulated);
  const rows = Object.keys(limits).length + (chip > 0) + shown.without_limits.filter((wager) => wager !== "jackpot").length;
  const notes = simulated + (shown.basic_bets !== null && shown.basic_bets !== "either");
  return html`<section class="offer" data-fit style=${{ "--lines": rows + notes / 2 + (shown.banker === null ? 0 : 1) }}>
    <table><thead><tr><th>${say("display.limits", { currency })}</th><td>${Object.keys(edges).length > 0 && say("display.edge")}</td></tr></thead>
      <tbody>${Object.entries(limits).map(([wager, { min, max }]) => html`<tr key=${wager}><th>${say(`wager.${wager}`)}</th>
        <td>${amount(min, true)} – ${amount(max, true)}
          <span class="edge">${edges[wager] && `${edges[wager].simulated ? "≈ " : ""}${decimal(edges[wager].percent)} %`}</span></td></tr>`)}
      ${chip > 0 && html`<tr><th>${say("jackpot")}</th><td>${say("meter.chip")} ${amount(chip, true)} <span class="edge"></span></td></tr>`}
      ${shown.without_limits.filter((wager) => wager !== "jackpot").map((wager) => html`<tr key=${wager}><th>${say(`wager.${wager}`)}</th><td></td></tr>`)}
    </tbody></table>
    ${simulated && html`<p class="note">${say("display.simulated")}</p>`}
    ${shown.basic_bets && shown.basic_bets !== "either" && html`<p class="note">${say(`posted.basic_bets.${shown.basic_bets}`)}</p>`}
    ${shown.banker !== null && html`<p class="banker-now"><b>${say("place.banker")}</b> ${seatName(shown.banker)}</p>`}
  </section>`;
}
