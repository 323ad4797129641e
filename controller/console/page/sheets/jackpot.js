// The pot, its tiers, its parameters, and the hits: those that wait for two confirmations, and the last that were paid.

import { acting } from "../acting.js";
import { Answer } from "../answers/button.js";
import { Component, html } from "../html.js";
import { amount, articleWords, cardNames, cardsShown, percent, reason, say, seatName } from "../language.js";
import { Find } from "../parts/log.js";
import { Sheet } from "../parts/sheet.js";
import { Refusal } from "../prompt.js";
import { openSheet } from "../screen.js";
import { station } from "../station.js";
import { Signing } from "./form.js";

export class JackpotSheet extends Component {
  state = { find: "" };

  render(_, { find }) {
    const { jackpot } = station.table;
    if (!jackpot) return html`<${Sheet} title=${say("jackpot")}><p>${say("jackpot.none")}</p><//>`;
    const waiting = jackpot.hits.filter((hit) => hit.state !== "paid");
    const paid = jackpot.hits.filter((hit) => hit.state === "paid").reverse();
    const found = paid.filter((hit) => hitText(hit).includes(find.trim().toLowerCase()));
    const shown = jackpot.linked ?? jackpot;
    return html`<${Sheet} title=${say("jackpot")} wide>
      <p class="big money">${shown.pot === null ? "–" : amount(shown.pot)} <small>${station.setting.currency}</small></p>
      ${shown.fault && html`<p>${say("pot.link_down")}</p>`}
      <${Refusal} kinds=${["approve_parameters"]} />
      <${Witnessing} />
      ${waiting.map((hit) => html`<${Waiting} key=${hit.hit} hit=${hit} />`)}
      ${jackpot.proposed && html`<${Proposed} proposed=${jackpot.proposed} />`}
      <dl class="meter">
        ${jackpot.linked && html`<div><dt>${say("meter.own")}</dt><dd>${amount(jackpot.pot)}</dd></div>`}
        ${["minimum", "reserve", "overflow", "pending"].map((part) => html`<div key=${part}><dt>${say(`meter.${part}`)}</dt><dd>${amount(jackpot[part])}</dd></div>`)}
        ${Object.entries(jackpot.fixed).map(([tier, fixed]) => html`<div key=${tier}><dt>${say(`hand.${tier}`)}</dt><dd>${amount(fixed)}</dd></div>`)}
        <div><dt>${say("meter.chip")}</dt><dd>${amount(jackpot.chip)}</dd></div>
      </dl>
      ${jackpot.scheduled && html`<${Scheduled} scheduled=${jackpot.scheduled} />`}
      <h3>${say("hits.paid")}</h3>
      ${paid.length > 0 && html`<${Find} find=${find} onFind=${(text) => this.setState({ find: text })} />`}
      <table class="lines hits"><tbody>${found.map(
        (hit) => html`<tr key=${hit.hit} data-hit=${hit.hit}><th scope="row">${hit.hit}</th><td>${say("round.number", { round: hit.round })}</td><td>${whose(hit)}</td>
          <td>${say(`hand.${hit.tier}`)} <span class="article">${articleWords(hit.article)}</span><br /><span aria-label=${cardNames(hit.cards.join(" "))}>${cardsShown(hit.cards.join(" "))}</span></td>
          <td class="money">${amount(hit.amount)}</td><td>${hit.confirmed_by.join(", ")}</td>
          <td>${hit.slip > 0 && html`<button class="plain" data-slip-of=${hit.hit} onClick=${() => openSheet("slip", { number: hit.slip })}>${say("slip.number", { number: hit.slip })}</button>`}</td></tr>`,
      )}</tbody></table>
      ${found.length === 0 && html`<p>${say(paid.length ? "nothing_found" : "hits.none")}</p>`}
    <//>`;
  }
}

// What is shown of a hit, and its cards by their names: whatever a person may look it up by.
function hitText(hit) {
  const slip = hit.slip > 0 ? say("slip.number", { number: hit.slip }) : "";
  const shown = [hit.hit, say("round.number", { round: hit.round }), whose(hit), say(`hand.${hit.tier}`), articleWords(hit.article), cardsShown(hit.cards.join(" "))];
  const further = [hit.cards.join(" "), cardNames(hit.cards.join(" ")), amount(hit.amount), hit.amount, hit.confirmed_by.join(", "), slip];
  return [...shown, ...further].join(" ").toLowerCase();
}

// The seat, and who bets along there if the chip is his.
function whose(hit) {
  return hit.player ? `${seatName(hit.seat)}, ${hit.player}` : seatName(hit.seat);
}

// The hits that keep the cards of the round on the table: a supervisor and a second person may have seen those.
function Witnessing() {
  const { step, round, jackpot } = station.table;
  const why = step.kind === "claims" ? step.illegal?.close_claims : undefined;
  if (why?.code !== "hit_unpaid_or_seen") return null;
  const hits = jackpot.hits.filter((hit) => hit.round === round.id && hit.state !== "paid" && !hit.witnessed_by.length).map(({ hit }) => hit);
  const supervisor = (me, other) => (station.setting.people[me] === "supervisor" ? [me, other] : [other, me]);
  const acts = (me, other) => {
    const [actor, second] = supervisor(me, other);
    return [["witness_cards", { hits, actor, second }]];
  };
  return html`<article class="hit" data-witness>
    <p>${say("witness.what", { hits: hits.join(", ") })} (${why.rule})</p>
    <${Signing} name="witness" text=${say("witness.sign")} acts=${acts} signers=${supervisor} />
  </article>`;
}

// A hit that is not paid: two persons sign the payment, each once.
function Waiting({ hit }) {
  const order = station.table.jackpot.turns[hit.hit];
  const why = hit.state !== "payable" ? { reason: say("hit.locked"), rule: "" } : station.table.jackpot.blocked[hit.hit];
  const confirmed = hit.confirmed_by;
  const signers = (me, other) => [me, other].filter((name) => !confirmed.includes(name));
  const acts = (me, other) => signers(me, other).map((actor) => ["confirm_hit", { hit: hit.hit, actor }]);
  const other = confirmed.find((name) => name !== acting());
  return html`<article class="hit" data-waiting=${hit.hit}>
    <p><b>${say("hit.number", { hit: hit.hit })}</b> · ${say("round.number", { round: hit.round })} · ${whose(hit)} · ${say(`hand.${hit.tier}`)}</p>
    ${order && html`<p><b>${say("hit.turn", order)}</b></p>`}
    <p class="big money">${amount(hit.amount)}</p>
    <p>${say("hit.confirmed", { count: confirmed.length, who: confirmed.join(", ") || "–" })} · ${articleWords(hit.article)}</p>
    <p>${cardsShown(hit.cards.join(" "))}${hit.witnessed_by.length > 0 && ` · ${say("hit.witnessed", { who: hit.witnessed_by.join(", ") })}`}</p>
    ${why
      ? html`<small class="why">${reason(why)}${why.rule ? ` (${why.rule})` : ""}</small>`
      : html`<${Signing} name=${`hit/${hit.hit}`} text=${say("sign.pay")} other=${other} acts=${acts} signers=${signers} />`}
  </article>`;
}

// New parameters of the jackpot: what is proposed and by whom approved, and what is agreed on and waits for the pot.

const IN_WORDS = {
  chip: amount,
  minimum: amount,
  increment_bp: percent,
  reserve_bp: percent,
  ceiling: amount,
  overflow_to: (part) => say(`meter.${part}`),
  unreasonable_chips: String,
};

// One by one, as a person reads them: name, words.
function listed({ fixed, ...parameters }) {
  const own = Object.entries(parameters).map(([name, value]) => [say(`parameter.${name}`), IN_WORDS[name](value)]);
  const tiers = Object.entries(fixed).map(([tier, value]) => [say("parameter.fixed", { prize: say(`hand.${tier}`) }), amount(value)]);
  return [...own, ...tiers];
}

// Name, before, after, of each that changes.
function changes(before, after) {
  const [then, now] = [new Map(listed(before)), new Map(listed(after))];
  const names = [...new Set([...then.keys(), ...now.keys()])];
  return names.map((name) => [name, then.get(name) ?? "–", now.get(name) ?? "–"]).filter(([, was, is]) => was !== is);
}

// Two persons approve, each once, a supervisor among them.
function Proposed({ proposed }) {
  const { number, parameters_before: before, parameters_after: after, approved_by: approved } = proposed;
  const why = approved.includes(acting()) ? { reason: say("proposal.another"), rule: "" } : undefined;
  return html`<article class="hit proposal" data-proposal=${number}>
    <p><b>${say("proposal.title", { number })}</b></p>
    <table class="lines"><tbody>${changes(before, after).map(([name, was, is]) => html`<tr key=${name}>
      <th scope="row">${name}</th><td class="money">${was} → <b>${is}</b></td></tr>`)}</tbody></table>
    <p>${say("proposal.approved", { count: approved.length, who: approved.join(", ") || "–" })}</p>
    <p class="why">${say("proposal.until")}</p>
    <${Answer} kind="approve_parameters" fields=${{ number }}
      text=${say("input.approve_parameters", { who: acting() || "–" })} main why=${why} />
  </article>`;
}

function Scheduled({ scheduled }) {
  return html`<section class="record" data-scheduled><h3>${say("scheduled.title")}</h3>
    <dl class="meter">${listed(scheduled).map(([name, words]) => html`<div key=${name}><dt>${name}</dt><dd>${words}</dd></div>`)}</dl></section>`;
}
