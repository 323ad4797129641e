// Answers about the table and its cards before a round is dealt.

import { anyLaid, refusedStacks, repeatable } from "../betting.js";
import { html } from "../html.js";
import { send } from "../inputs.js";
import { FURTHEST, keyOfAnswer } from "../keys.js";
import { amount, place, say, seatName } from "../language.js";
import { seats } from "../parts/choice.js";
import { sign } from "../parts/felt.js";
import { NumberPad } from "../parts/keypad.js";
import { houseNet } from "../parts/settlement.js";
import { openSheet } from "../screen.js";
import { Answer, isBack, OtherSource } from "./button.js";
import { Moved } from "./places.js";

// Whether something may be done beside the answer of a step.
function offered(setting, step, what) {
  return setting.offers.beside[step]?.includes(what);
}

export function Open({ setting }) {
  return html`<${Answer} kind="open_table" main=${!isBack(setting.terms.source)} />${offered(setting, "open", "use_source") && html`<${OtherSource} />`}
    ${offered(setting, "open", "acts_done") && html`<${Acts} />`}`;
}

// The acts of opening and closing, to be ticked (black-jack 5, 7, 53, 55, 58).
function Acts() {
  return html`<div class="option"><button class="plain" data-acts onClick=${() => openSheet("report", { first: "acts_done" })}>
    ${say("form.acts_done")}</button></div>`;
}

export function Begin({ table, setting }) {
  return html`<${Answer} kind="begin_round" main=${!isBack(setting.terms.source)} />
    <${OtherSource} />
    ${offered(setting, "begin", "shuffler_replaced") && table.shuffler_failures > 0 && html`<${Answer} kind="shuffler_replaced" />`}
    ${offered(setting, "begin", "no_bets") && table.shoe.loaded && html`<${Answer} kind="no_bets" of="no_bets-spread" fields=${{ spread: true }} text=${say("no_bets.spread")} />`}`;
}

export function Load() {
  return html`<${Answer} kind="loaded" main /><${Acts} />`;
}

export function Extract({ setting }) {
  const whole = setting.offers.pieces;
  return html`<${NumberPad} first=${whole} done=${say("input.extracted")} onDone=${(cards) => send("extracted", { cards })} /><${Acts} />`;
}

export function Shuffle({ step, table, setting }) {
  if (table.source === "shuffler") return html`<p class="wait">${say("wait.shuffler")}</p><${OtherSource} />`;
  const whole = setting.offers.pieces;
  const cutNext = offered(setting, "shuffle", "cut") && step.id === `${table.round.id}/shuffle`;
  return html`<${Answer} kind="shuffled" main />
    ${cutNext && html`<${Answer} of="shuffled-cut" acts=${[["shuffled"], ["cut", { by: "bank" }]]} text=${say("input.shuffled_cut")} main press=${FURTHEST} />`}
    <${Answer} kind="shuffled" press="" fields=${{ count: whole }} text=${say("input.shuffled_counted", { cards: whole })} />
    <${OtherSource} />`;
}

export function Deck() {
  return html`<${Answer} kind="deck_complete" main /><${OtherSource} />`;
}

// Whose turn it is, if it is someone's, and everybody else who may cut now; a table inspector by name (black-jack 8).
export function Cut({ step, setting }) {
  const { seat: turn, illegal = {} } = step;
  const may = (by) => !illegal[by] && by !== `seat ${turn}`;
  const inspectors = offered(setting, "cut", "inspector") ? Object.keys(setting.people).filter((name) => setting.people[name] === "inspector") : [];
  const players = offered(setting, "cut", "seat") ? seats().map((seat) => `seat ${seat}`) : [];
  return html`${turn && html`
      <${Answer} kind="cut" fields=${{ by: `seat ${turn}` }} text=${say("cut.by", { who: seatName(turn) })} main />
      <${Answer} kind="pass_cut" press="N" fields=${{ seat: turn, vacant: false }} text=${say("cut.declined")} />
      <${Answer} kind="pass_cut" press="V" fields=${{ seat: turn, vacant: true }} text=${say("cut.vacant")} />`}
    ${may("bank") && inspectors.map((name) => html`<${Answer} key=${name} kind="cut" of=${`cut-${name}`} fields=${{ by: "bank", name }}
      text=${say("cut.by", { who: name })} main />`)}
    ${may("bank") && !inspectors.length && html`<${Answer} kind="cut" fields=${{ by: "bank" }} text=${say("cut.by", { who: say("place.bank") })} main />`}
    ${offered(setting, "cut", "shuffled") && html`<${Answer} of="cut-shuffled" acts=${[["cut", { by: "bank" }], ["shuffled"]]} text=${say("input.cut_shuffled")} main press=${FURTHEST} />`}
    ${players.filter(may).map((by) => html`<${Answer} key=${by} kind="cut" press=${by.split(" ")[1]} fields=${{ by }} text=${place(by)} />`)}
    <${OtherSource} />`;
}

export function Warning({ step }) {
  return step.legal.map(
    (at, place) => html`<${Answer} key=${at} kind="warning_card" press=${keyOfAnswer(`warning_card-${at}`)} fields=${{ place: at }} text=${say(`warning.${at}`)} main=${place === 0} />`,
  );
}

// Answers that lead a round from its bets to its end.

export function Wagers({ table, setting }) {
  const beside = setting.offers.beside.wagers ?? [];
  return html`${refusedStacks().length
      ? html`<div class="option"><button class="main" data-kind="lock_in" disabled>${say("input.lock_in")}</button><small class="why">${say("stack.first")}</small></div>`
      : html`<${Answer} kind="lock_in" main />${anyLaid() ? html`<${LockedAnd} setting=${setting} />` : html`<${SameBets} setting=${setting} />`}`}${beside.includes("tiles_moved") && html`<${Moved} />`}
    ${beside.includes("no_bets") && !Object.keys(table.round.wagers).length && html`<${NoBets} table=${table} />`}`;
}

// No more bets, and the usual deal announced.
function LockedAnd({ setting }) {
  const { deal } = setting.terms;
  return announcesNext(setting) && html`<${Answer} of="lock_in-announce" acts=${locked(setting)}
    text=${say("lock_in.and", { then: say(`deal.${deal}`) })} main press=${FURTHEST} />`;
}

// Where everybody leaves the bets where they are: those of the last round, and no more.
function SameBets({ setting }) {
  const bets = repeatable().map(({ seat, wager, amount: placed, player }) => ["wager", { seat, wager, amount: placed, ...(player && { player }) }]);
  return bets.length > 0 && html`<${Answer} of="same_bets" acts=${[...bets, ...locked(setting)]} text=${say("bets.again_locked")} press=${FURTHEST} />`;
}

function announcesNext({ offers }) {
  return offers.beside.wagers?.includes("announce");
}

function locked(setting) {
  return [["lock_in"], ...(announcesNext(setting) ? [["announce", { deal: setting.terms.deal }]] : [])];
}

// No one bets (black-jack 12): no round, and the cards of a shoe may be spread out.
function NoBets({ table }) {
  return html`<${Answer} kind="no_bets" />
    ${table.source === "shoe" && html`<${Answer} kind="no_bets" of="no_bets-spread" fields=${{ spread: true }} text=${say("no_bets.spread")} />`}`;
}

export function Increment() {
  return html`<${NumberPad} money zero done=${say("input.increment")} onDone=${(value) => send("increment", { amount: value })} />`;
}

// The pit alone answers. While it is away, two persons do by the paper; what is doubted of its grant, they compare.
export function Grant({ table }) {
  const open = (first) => () => openSheet("correct", { first });
  return html`${table.jackpot?.compared && html`<div class="option"><button class="plain" data-compare
      onClick=${open("compare_grant")}>${say("form.compare_grant")}</button></div>`}
    ${table.devices.pit === "down" && html`<div class="option"><button class="plain" data-paper
      onClick=${open("settle_on_paper")}>${say("form.settle_on_paper")}</button></div>`}`;
}

export function Announce({ setting }) {
  const { deals } = setting.offers;
  const usual = deals.includes(setting.terms.deal) ? setting.terms.deal : deals[0];
  return deals.map(
    (deal) => html`<${Answer} key=${deal} kind="announce" press=${keyOfAnswer(`announce-${deal}`)} fields=${{ deal }} text=${say(`deal.${deal}`)} main=${deal === usual} />`,
  );
}

export function Confirm({ table }) {
  const { settlement, void: broken } = table.round;
  const bank = settlement ? houseNet(settlement).net : 0;
  const why = table.step.illegal?.confirm;
  return html`${settlement && (!broken || bank !== 0) && html`<span class=${`who total ${sign(bank)}`}>${say("bank.net")} <b>${amount(bank, true)}</b></span>`}
    <${Answer} kind="confirm" text=${say(broken ? "input.confirm_void" : "input.confirm")} main why=${why} />
    ${!why && html`<${NextRound} table=${table} after=${["confirm", "close_claims"]} text=${say(broken ? "next.void" : "next.confirmed")} />`}`;
}

// All that is left of a round and the begin of the next one: where no machine counts the cards that go in, and nothing
// keeps them on the table.
function NextRound({ table, after, text }) {
  const kept = table.source === "shuffler" || table.step.illegal?.close_claims;
  return !kept && html`<${Answer} of="next_round" acts=${[...after, "begin_round"].map((kind) => [kind])} text=${text} main press=${FURTHEST} />`;
}

export function Claims({ table, setting }) {
  const why = table.step.illegal?.close_claims;
  return html`${why?.code.startsWith("hit_unpaid") && html`<div class="option"><button class="main" data-prize
      onClick=${() => openSheet("jackpot")}>${say("prize.open")}</button></div>`}
    <${Answer} kind="close_claims" main why=${why} />
    <div class="option"><button class="plain" data-complaint onClick=${() => openSheet("report", { first: table.complaints.length ? "decide_complaint" : "complaint" })}>
      ${say(`form.${table.complaints.length ? "decide_complaint" : "complaint"}`)}</button></div>
    <${NextRound} table=${table} after=${["close_claims"]} text=${say("next.cleared")} />
    ${setting.offers.beside.claims?.includes("hold_cards") && table.source === "shuffler" && html`<${Answer} kind="hold_cards" why=${why} />`}`;
}
