// What the house posts at the table: the regulation and its legal status, limits, how bets are offered, authorisations.

import { html } from "../html.js";
import { amount, cardsShown, has, say, textOf } from "../language.js";

function paid({ cards, to_one }) {
  return `${cardsShown(cards.join(" "))} ${to_one}:1`;
}

function authorised(subject) {
  return has(`posted.authorised.${subject}`) ? say(`posted.authorised.${subject}`) : say("posted.authorised.bet", { bet: subject });
}

export function Posted({ posted }) {
  return html`<h3>${say("posted")}</h3>
    <ul class="notices posted">
      <li>${textOf(posted.legal_status)}</li>
      ${Object.entries(posted.limits).map(
        ([wager, { min, max }]) => html`<li key=${wager}>${say("posted.limits", { wager: say(`wager.${wager}`), min: amount(min, true), max: amount(max, true) })}</li>`,
      )}
      ${posted.basic_bets && html`<li>${say(`posted.basic_bets.${posted.basic_bets}`)}</li>`}
      ${posted.bets.map((bet) => html`<li key=${`bet ${bet.name}`}>${bet.name}: ${bet.pays.map(paid).join("; ")}</li>`)}
      ${posted.authorisations.map((authorisation) => html`<li key=${`of ${authorisation.subject}`}>${authorised(authorisation.subject)}: ${authorisation.reference}, ${authorisation.date}</li>`)}
    </ul>`;
}
