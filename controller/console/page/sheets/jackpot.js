// The pot, its tiers, and the hits: those that wait for their two confirmations, and the last that were paid.

import { acting } from "../acting.js";
import { Component, html } from "../html.js";
import { amount, say, seatName } from "../language.js";
import { Answer } from "../answers/button.js";
import { Sheet } from "../parts/sheet.js";
import { openSheet } from "../screen.js";
import { station } from "../station.js";

export class JackpotSheet extends Component {
  state = { find: "" };

  render(_, { find }) {
    const { jackpot } = station.table;
    if (!jackpot) return html`<${Sheet} title=${say("jackpot")}><p>${say("jackpot.none")}</p><//>`;
    const waiting = jackpot.hits.filter((hit) => hit.state !== "paid");
    const paid = jackpot.hits.filter((hit) => hit.state === "paid").reverse();
    const found = paid.filter((hit) => hitText(hit).includes(find.trim().toLowerCase()));
    return html`<${Sheet} title=${say("jackpot")} wide>
      <p class="big money">${amount(jackpot.pot)} <small>${station.setting.currency}</small></p>
      ${waiting.map((hit) => html`<${Waiting} key=${hit.hit} hit=${hit} />`)}
      <dl class="meter">
        ${["minimum", "reserve", "overflow", "pending"].map((part) => html`<div key=${part}><dt>${say(`meter.${part}`)}</dt><dd>${amount(jackpot[part])}</dd></div>`)}
        ${Object.entries(jackpot.fixed).map(([tier, fixed]) => html`<div key=${tier}><dt>${say(`hand.${tier}`)}</dt><dd>${amount(fixed)}</dd></div>`)}
        <div><dt>${say("meter.chip")}</dt><dd>${amount(jackpot.chip)}</dd></div>
      </dl>
      <h3>${say("hits.paid")}</h3>
      ${paid.length > 0 && html`<${Find} find=${find} onFind=${(text) => this.setState({ find: text })} />`}
      <table class="lines"><tbody>${found.map(
        (hit) => html`<tr key=${hit.hit}><th scope="row">${hit.hit}</th><td>${say("round.number", { round: hit.round })}</td><td>${seatName(hit.seat)}</td>
          <td>${say(`hand.${hit.tier}`)}</td><td class="money">${amount(hit.amount)}</td><td>${hit.confirmed_by.join(", ")}</td>
          <td>${hit.slip > 0 && html`<button class="plain" data-slip-of=${hit.hit} onClick=${() => openSheet("slip", { number: hit.slip })}>${say("slip.number", { number: hit.slip })}</button>`}</td></tr>`,
      )}</tbody></table>
      ${found.length === 0 && html`<p>${say(paid.length ? "nothing_found" : "hits.none")}</p>`}
    <//>`;
  }
}

function hitText(hit) {
  return [hit.hit, hit.round, seatName(hit.seat), say(`hand.${hit.tier}`), amount(hit.amount), hit.amount, ...hit.confirmed_by].join(" ").toLowerCase();
}

export function Find({ find, onFind }) {
  return html`<input type="search" class="find" value=${find} aria-label=${say("find")} placeholder=${say("find")}
    onInput=${(event) => onFind(event.target.value)} />`;
}

// A hit that is not paid: the dealer's confirmation and a supervisor's, each once.
function Waiting({ hit }) {
  const mine = hit.confirmed_by.includes(acting());
  const why = hit.state !== "payable"
    ? { reason: say("hit.locked"), rule: "" }
    : mine ? { reason: say("hit.another"), rule: "" } : undefined;
  return html`<article class="hit">
    <p><b>${say("hit.number", { hit: hit.hit })}</b> · ${say("round.number", { round: hit.round })} · ${seatName(hit.seat)} · ${say(`hand.${hit.tier}`)}</p>
    <p class="big money">${amount(hit.amount)}</p>
    <p>${say("hit.confirmed", { count: hit.confirmed_by.length, who: hit.confirmed_by.join(", ") || "–" })} · ${hit.article}</p>
    <${Answer} kind="confirm_hit" fields=${{ hit: hit.hit }} stepId=${`hit/${hit.hit}`} text=${say("input.confirm_hit", { who: acting() || "–" })} main why=${why} />
  </article>`;
}
