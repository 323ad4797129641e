// Answers about the table and its cards before a round is dealt.

import { html } from "../html.js";
import { place, say, seatName } from "../language.js";
import { seats } from "../parts/choice.js";
import { NumberPad } from "../parts/keypad.js";
import { openSheet } from "../screen.js";
import { send } from "../inputs.js";
import { FURTHEST, keyOfAnswer } from "../keys.js";
import { Answer, isBack, OtherSource } from "./button.js";

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
