// What the house posts at the table: the regulation and its standing, limits, how bets are offered, authorisations.

import { html } from "../html.js";
import { amount, say, told } from "../language.js";

export function Posted({ posted }) {
  return html`<h3>${say("posted")}</h3>
    <ul class="notices posted">
      <li>${told(posted.standing)}</li>
      ${Object.entries(posted.limits).map(
        ([wager, { min, max }]) => html`<li key=${wager}>${say("posted.limits", { wager: say(`wager.${wager}`), min: amount(min, true), max: amount(max, true) })}</li>`,
      )}
      ${posted.basic_bets && html`<li>${say(`posted.basic_bets.${posted.basic_bets}`)}</li>`}
      ${posted.authorisations.map(
        (one) => html`<li key=${one.of}>${say(`posted.authorised.${one.of}`)}: ${one.reference}, ${one.date}</li>`,
      )}
    </ul>`;
}
