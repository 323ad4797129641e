// One seat: what it is paid, wager by wager, and why.

import { html } from "../html.js";
import { amount, cardNames, say, seatName } from "../language.js";
import { answerOf } from "../parts/seat.js";
import { Sheet } from "../parts/sheet.js";
import { station } from "../station.js";
import { openSheet } from "../screen.js";
import { correctable, otherDecisions } from "./correct.js";
import { Lines } from "./lines.js";

export function SeatSheet({ seat }) {
  const answer = answerOf(seat);
  const cards = station.table.round?.shown[`seat ${seat}`];
  const others = otherDecisions(seat);
  const pairs = Object.entries(station.table.round?.pairs?.[`seat ${seat}`] ?? {}).filter(([, pair]) => pair.cards);
  return html`<${Sheet} title=${seatName(seat)}>
    ${pairs.map(([name, pair]) => html`<p key=${name}>${say(`pair.${name}`)}: <b>${say(`pair.${pair.name}`)}</b>${pair.title ? ` · ${pair.title}` : ""} · ${pair.rank}</p>`)}
    ${cards && html`<p class="cardnames">${cardNames(cards)}${answer?.hand_name ? ` · ${say(`hand.${answer.hand_name}`)}` : ""}</p>`}
    ${answer
      ? html`<${Lines} lines=${answer.lines} taxed=${Boolean(station.table.round.places)} />`
      : html`<p>${say("seat.nothing")}</p>`}
    ${others.length > 0 && html`<h3>${say("form.correct_decision")}</h3>
      <p>${say("form.before")} <b>${say(`decision.${station.table.round.decisions[seat]}`)}</b> ${others.map((decision) => html`<button class="plain" key=${decision}
        data-correct-decision=${decision} onClick=${() => openSheet("correct", { first: "correct_decision", given: { seat, decision } })}>${say(`decision.${decision}`)}</button> `)}</p>`}
    <h3>${say("form.correct_wager")}</h3>
    <p>${correctable(seat).map((bet, at) => html`<button class="plain" key=${at} data-correct=${bet.wager}
      onClick=${() => openSheet("correct", { first: "correct_wager", given: { seat, ...bet } })}>${say(`wager.${bet.wager}`)}${bet.player ? ` · ${bet.player}` : ""} ${amount(bet.amount, true)}</button> `)}
      <button class="plain" data-correct onClick=${() => openSheet("correct", { given: { seat } })}>${say("correct")} …</button></p>
  <//>`;
}
