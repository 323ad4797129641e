// Corrections of what was entered, with their record, and what a supervisor documents after the round.

import { others } from "../acting.js";
import { ChangesWait } from "../answers/button.js";
import { betsOn } from "../betting.js";
import { ofGame, station } from "../station.js";
import { html } from "../html.js";
import { amount, say, seatName } from "../language.js";
import { Choice, seatOptions, seats } from "../parts/choice.js";
import { dealtTo } from "../parts/felt.js";
import { CardKeypad, NumberPad } from "../parts/keypad.js";
import { Sheet } from "../parts/sheet.js";
import { correction, correctionWords, correctPieces, documented, Forms } from "./form.js";
import { supervisors, voiding } from "./report.js";

// It starts from what it concerns where it was opened there: the form, and what of it is `given`.
export function CorrectSheet({ first, given }) {
  return html`<${Sheet} title=${say("correct")}>
    <${ChangesWait} /><${Record} /><${Forms} forms=${[...corrections(), voiding(), ...adjustments()]} first=${first} given=${given} />
  <//>`;
}

function corrections() {
  const { round } = station.table;
  const off = !round ? say("off.no_round") : round.void || round.phase === "claims" ? say("off.confirmed") : round.locked ? null : say("off.not_locked_correct");
  const decided = Object.keys(round?.decisions ?? {}).length;
  const answered = Object.keys(round?.hands ?? {}).length && round.dealt.length;
  const shown = shownPlaces(round);
  const forms = {
    correct_wager: { form: wager },
    correct_seat: { form: seat },
    correct_decision: { off: () => (decided || answered ? null : say("off.no_decision")), form: decision },
    correct_cards: { off: () => (shown.length ? null : say("off.nothing_shown")), form: () => cards(shown) },
  };
  return station.setting.offers.corrections.map(({ kind }) => {
    const form = { ...forms[kind], ...ofGame().forms[kind] };
    return { name: kind, off: off ?? form.off?.() ?? null, form: (given) => form.form(given, shown) };
  });
}

// What may be entered for one kind of correction.
function offeredOf(kind) {
  return station.setting.offers.corrections.find((offer) => offer.kind === kind);
}

function shownPlaces(round) {
  if (!round) return [];
  const hands = Object.entries(round.hands).filter(([, all]) => all.some((hand) => hand.cards)).map(([at]) => `seat ${at}`);
  return [...Object.keys(round.shown), ...hands, ...(round.bank ? ["bank"] : [])];
}

function adjustments() {
  const { table } = station;
  const off = supervisors();
  const overtaken = table.alarms.some(({ name, over }) => name === "older-copy" && !over);
  return [
    { name: "adjust_round", off, form: adjustRound },
    { name: "release_key", off, form: releaseKey },
    ...(overtaken ? [{ name: "begin_epoch", off: off ?? (table.round ? say("off.in_round") : null), form: beginEpoch }] : []),
    ...(table.jackpot?.claimed ? [{ name: "settle_on_paper", off: off ?? (table.devices.pit === "down" ? null : say("off.pit_connected")), form: settleOnPaper }] : []),
    ...(table.jackpot?.compared ? [{ name: "compare_grant", off, form: compareGrant }] : []),
    ...(table.jackpot?.pit_keys ? [{ name: "accept_pit", off, form: acceptPit }] : []),
    ...(table.jackpot?.doubted ? [{ name: "vouch", off, form: vouch }] : []),
    ...(table.jackpot ? [{ name: "adjust_meter", off: off ?? (table.round ? say("off.in_round") : null), form: adjustMeter }] : []),
  ];
}

// What is at a seat and can be corrected, each {wager, amount, player}.
export function correctable(seat) {
  const { round } = station.table;
  const bets = betsOn(round).filter((bet) => bet.seat === seat).map(({ wager, amount, player }) => ({ wager, amount, player: player ?? "" }));
  return corrections()[0].off ? [] : bets.filter(({ wager }) => offeredOf("correct_wager").wagers.includes(wager));
}

function wager(given) {
  return correction(
    "correct_wager",
    { seat: null, wager: null, amount: null, player: "", ...given },
    ({ seat, wager, amount, player }) => seat && wager && amount !== null && { seat, wager, amount, ...(player ? { player } : {}) },
    (chosen, set) => html`
      <${Choice} label=${say("form.seat")} options=${seatOptions()} chosen=${chosen.seat} onChoose=${(seat) => set({ seat })} />
      <${Choice} label=${say("form.wager")} options=${offeredOf("correct_wager").wagers.map((value) => ({ value, text: say(`wager.${value}`) }))}
        chosen=${chosen.wager} onChoose=${(wager) => set({ wager })} />
      ${station.setting.offers.named !== "none" && html`<label class="choose">${say("player.whose")}
        <input type="text" maxlength="40" value=${chosen.player} onInput=${(event) => set({ player: event.target.value })} /></label>`}
      ${chosen.amount === null
        ? html`<${NumberPad} money zero done=${say("form.amount_set")} onDone=${(amount) => set({ amount })} />`
        : html`<p class="set">${amount(chosen.amount)} <button type="button" class="plain" onClick=${() => set({ amount: null })}>${say("change")}</button></p>`}`,
    ({ seat, wager, amount: then, player }) => seat && wager && [amount(amountNow(seat, wager, player), true), then !== null && amount(then, true)],
  );
}

function amountNow(seat, wager, player) {
  const bets = betsOn(station.table.round).filter((bet) => bet.seat === seat && bet.wager === wager && (bet.player ?? "") === player);
  return bets.reduce((sum, bet) => sum + bet.amount, 0);
}

function seat(given) {
  const { wagers } = station.table.round;
  return correction(
    "correct_seat",
    { seat: null, to_seat: null, ...given },
    ({ seat, to_seat }) => seat && to_seat && { seat, to_seat },
    (chosen, set) => html`
      <${Choice} label=${say("form.from_seat")} options=${seatOptions((at) => wagers[at])} chosen=${chosen.seat} onChoose=${(seat) => set({ seat })} />
      <${Choice} label=${say("form.to_seat")} options=${seatOptions((at) => !wagers[at])} chosen=${chosen.to_seat} onChoose=${(to_seat) => set({ to_seat })} />`,
    ({ seat, to_seat }) => seat && [betsAt(seat), to_seat && seatName(to_seat)],
  );
}

function betsAt(seat) {
  const bets = betsOn(station.table.round).filter((bet) => bet.seat === seat);
  return `${seatName(seat)}: ${bets.map((bet) => `${say(`wager.${bet.wager}`)} ${amount(bet.amount, true)}`).join(", ")}`;
}

// The answer of a seat that gives one, as it is entered now.
function decisionNow(seat) {
  const now = station.table.round?.decisions?.[seat];
  return typeof now === "string" ? now : null;
}

// The other answers that a seat may have given; none where its decision cannot be corrected now.
export function otherDecisions(seat) {
  const offered = corrections().find((offer) => offer.name === "correct_decision");
  return offered && !offered.off && decisionNow(seat) ? offeredOf("correct_decision").answers.filter((answer) => answer !== decisionNow(seat)) : [];
}

function decision(given) {
  const { hands, decisions } = station.table.round;
  const decided = (at) => hands[at] ?? decisions[at];
  const { answers } = offeredOf("correct_decision");
  return correction(
    "correct_decision",
    { seat: null, decision: null, values: [], ...given },
    ({ seat, decision, values }) => {
      if (!seat || !decision || values.length < asked(seat, decision).length) return null;
      return { seat, decision: values.length ? `${decision} ${values.join(",")}` : decision };
    },
    (chosen, set) => html`
      <${Choice} label=${say("form.seat")} options=${seatOptions(decided)} chosen=${chosen.seat}
        onChoose=${(seat) => set({ seat, values: [] })} />
      <${Choice} label=${say("form.decision")} options=${answers.map((value) => ({ value, text: say(`decision.${value}`) }))}
        chosen=${chosen.decision} onChoose=${(decision) => set({ decision, values: [] })} />
      ${chosen.seat && chosen.decision && html`<${Values} chosen=${chosen} set=${set} />`}`,
    ({ seat, decision }) => seat && decisionNow(seat) && [say(`decision.${decisionNow(seat)}`), decision && say(`decision.${decision}`)],
  );
}

// Who is asked besides: of insurance the seat's own bet and every backer's, of a double or a split the backers.
function asked(seat, decision) {
  if (!["insure", "follow"].includes(decision)) return [];
  const here = station.table.round.bets.filter((bet) => bet.seat === seat);
  const beside = here.filter((bet) => ["backing", "vacant"].includes(bet.wager)).map((bet) => bet.player);
  // At a vacant seat one of them decides, and is the first who is asked.
  const backers = here.some((bet) => bet.wager === "bet") ? beside : beside.slice(1);
  return decision === "insure" ? [seatName(seat), ...backers] : backers;
}

function Values({ chosen, set }) {
  const { seat, decision, values } = chosen;
  const names = asked(seat, decision);
  if (!names.length) return null;
  const next = (value) => set({ values: [...values, value] });
  const shown = values.map((value, at) => `${names[at]}: ${decision === "insure" ? amount(value) : say(value ? "yes" : "no")}`);
  return html`<p class="set">${shown.join(" · ")}
      ${values.length > 0 && html` <button type="button" class="plain" onClick=${() => set({ values: [] })}>${say("change")}</button>`}</p>
    ${values.length < names.length && html`<p>${names[values.length]}</p>
      ${decision === "insure"
        ? html`<${NumberPad} key=${values.length} money zero done=${say("form.amount_set")} onDone=${next} />`
        : html`<div class="choose">${[1, 0].map((value) => html`<button type="button" class="plain" key=${value}
            onClick=${() => next(value)}>${say(value ? "yes" : "no")}</button>`)}</div>`}`}`;
}

function cards(shown) {
  const twice = station.setting.terms.decks > 1;
  return correctPieces(shown, cardsNow, (to, onDone) => html`<${CardKeypad} key=${to} count=${cardsShown(to)} twice=${twice} onDone=${onDone} />`);
}

function cardsNow(to) {
  const { round } = station.table;
  return round.shown[to] ?? (to === "bank" ? round.bank?.cards : round.hands[to.split(" ")[1]]?.map((hand) => hand.cards).join(" ")) ?? "";
}

function cardsShown(to) {
  return cardsNow(to).split(" ").filter(Boolean).length || dealtTo(to);
}

// One that is confirmed, asked for where none is chosen.
function roundOver(chosen, set) {
  const last = station.table.rounds_over;
  if (chosen.round === null) {
    return html`<${NumberPad} key="round" first=${last > 0 ? last : ""} done=${say("form.round_set")} onDone=${(round) => set({ round })} />`;
  }
  return html`<p class="set">${say("round.number", { round: chosen.round })} <button type="button" class="plain" onClick=${() => set({ round: null })}>${say("change")}</button></p>`;
}

function adjustRound(given) {
  return documented(
    "adjust_round",
    { round: null, seat: null, amount: null, second: null, ...given },
    ({ round, seat, amount, second }) => round && seat && amount && second && { round, seat, amount, second },
    (chosen, set) => html`
      ${roundOver(chosen, set)}
      <${Choice} label=${say("form.seat")} options=${seatOptions(undefined, seats())} chosen=${chosen.seat} onChoose=${(seat) => set({ seat })} />
      ${money(chosen, set, "form.adjust_round.what")}${secondPerson(chosen, set)}`,
  );
}

function releaseKey(given) {
  return documented(
    "release_key",
    { round: null, second: null, ...given },
    ({ round, second }) => round && second && { round, second },
    (chosen, set) => html`<p>${say("form.release_key.what")}</p>${roundOver(chosen, set)}${secondPerson(chosen, set)}`,
  );
}

function beginEpoch() {
  return documented(
    "begin_epoch",
    { second: null },
    ({ second }) => second && { second },
    (chosen, set) => html`<p>${say("form.begin_epoch.what")}</p>${secondPerson(chosen, set)}`,
  );
}

// Of the pot on the paper each winner's sum, one after the other.
function settleOnPaper() {
  const { claimed } = station.table.jackpot;
  const sumOf = ({ seat, player, tier }) =>
    say("form.settle_on_paper.sum", { whose: [seatName(seat), player].filter(Boolean).join(", "), hand: say(`hand.${tier}`) });
  return documented(
    "settle_on_paper",
    { pot: null, amounts: [], second: null },
    ({ pot, amounts, second }) => pot && amounts.length === claimed.length && second && { pot, amounts, second },
    (chosen, set) => {
      const { pot, amounts } = chosen;
      const asked = pot === null ? say("form.settle_on_paper.pot") : claimed[amounts.length] && sumOf(claimed[amounts.length]);
      const entered = pot === null ? [] : [[say("form.settle_on_paper.pot"), pot], ...amounts.map((sum, at) => [sumOf(claimed[at]), sum])];
      return html`<p>${say("form.settle_on_paper.what")}</p>
        ${entered.map(([what, value]) => html`<p class="set" key=${what}>${what}: ${amount(value)}</p>`)}
        ${entered.length > 0 && html`<button type="button" class="plain" onClick=${() => set({ pot: null, amounts: [] })}>${say("change")}</button>`}
        ${asked && html`<p>${asked}</p><${NumberPad} key=${entered.length} money zero=${pot !== null} done=${say("form.amount_set")}
          onDone=${(value) => set(pot === null ? { pot: value } : { amounts: [...amounts, value] })} />`}
        ${secondPerson(chosen, set)}`;
    },
  );
}

// What the pit has granted, all awards of a claim together; its page is looked at, not this screen.
function compareGrant() {
  const { compared } = station.table.jackpot;
  const shown = ({ round, why }) => say("form.compare_grant.round", { round, why: say(`doubt.${why}`) });
  return documented(
    "compare_grant",
    { claim: compared.length === 1 ? compared[0].claim : null, amount: null, second: null },
    ({ claim, amount, second }) => claim && amount && second && { claim, amount, second },
    (chosen, set) => html`<p>${say("form.compare_grant.what")}</p>
      <${Choice} label=${say("form.compare_grant.claim")} options=${compared.map((claim) => ({ value: claim.claim, text: shown(claim) }))}
        chosen=${chosen.claim} onChoose=${(claim) => set({ claim })} />
      ${chosen.amount === null
        ? html`<p>${say("form.compare_grant.sum")}</p><${NumberPad} key="amount" money done=${say("form.amount_set")} onDone=${(amount) => set({ amount })} />`
        : html`<p class="set">${amount(chosen.amount)} <button type="button" class="plain" onClick=${() => set({ amount: null })}>${say("change")}</button></p>`}
      ${secondPerson(chosen, set)}`,
  );
}

function acceptPit() {
  const { pit_keys: keys, pit_waits } = station.table.jackpot;
  return documented(
    "accept_pit",
    { second: null },
    ({ second }) => second && { keys, second },
    (chosen, set) => html`<p>${say("form.accept_pit.what")}</p>${pit_waits && html`<p>${say("form.accept_pit.waits")}</p>`}
      ${keys.map((key) => html`<p class="set" key=${key}>${key}</p>`)}${secondPerson(chosen, set)}`,
  );
}

function vouch() {
  const doubted = station.table.jackpot.doubted;
  return documented(
    "vouch",
    { which: doubted.length === 1 ? nameOf(doubted[0]) : null, outcome: null, second: null },
    ({ which, outcome, second }) => {
      const doubt = doubted.find((doubt) => nameOf(doubt) === which);
      return doubt && outcome && second && { journal: doubt.journal, entry: doubt.entry, outcome, second };
    },
    (chosen, set) => html`<p>${say("form.vouch.what")}</p>
      <${Choice} label=${say("form.vouch.entry")} options=${doubted.map((doubt) => ({ value: nameOf(doubt), text: doubtedWords(doubt) }))}
        chosen=${chosen.which} onChoose=${(which) => set({ which })} />
      <${Choice} label=${say("complaint.outcome")} options=${["counts", "never_was"].map((value) => ({ value, text: say(`vouch.${value}`) }))}
        chosen=${chosen.outcome} onChoose=${(outcome) => set({ outcome })} />
      ${secondPerson(chosen, set)}`,
  );
}

const nameOf = ({ journal, entry }) => `${journal}/${entry}`;

function doubtedWords({ journal, entry, round, chips, units }) {
  if (chips === null) return say("form.vouch.unknown", { journal, entry });
  return say(round === null ? "form.vouch.went_back" : "form.vouch.put_in", { round, chips: Math.abs(chips), units: amount(Math.abs(units)) });
}

function adjustMeter() {
  return documented(
    "adjust_meter",
    { part: null, amount: null, second: null },
    ({ part, amount, second }) => part && amount && second && { part, amount, second },
    (chosen, set) => html`
      <${Choice} label=${say("form.part")} options=${["pot", "reserve", "overflow"].map((value) => ({ value, text: say(`meter.${value}`) }))}
        chosen=${chosen.part} onChoose=${(part) => set({ part })} />
      ${money(chosen, set, "form.adjust_meter.what")}${secondPerson(chosen, set)}`,
  );
}

// An adjustment, a key, an epoch or a linked pot's entry is signed by two persons.
function secondPerson(chosen, set) {
  const options = others().map((name) => ({ value: name, text: name }));
  if (!options.length) return html`<p>${say("form.second.none")}</p>`;
  return html`<${Choice} label=${say("form.second")} options=${options} chosen=${chosen.second} onChoose=${(second) => set({ second })} />`;
}

function money(chosen, set, what) {
  if (chosen.amount !== null) {
    return html`<p class="set">${amount(chosen.amount)} <button type="button" class="plain" onClick=${() => set({ amount: null })}>${say("change")}</button></p>`;
  }
  return html`<p>${say(what)}</p><${NumberPad} key="amount" money either done=${say("form.amount_set")} onDone=${(value) => set({ amount: value })} />`;
}

// What was corrected in this round: before, after, who, why.
function Record() {
  const made = station.table.round?.corrections ?? [];
  if (!made.length) return null;
  return html`<section class="record"><h3>${say("corrections.made")}</h3><ul>
    ${made.map((correction, at) => html`<li key=${at}>${correctionWords(correction)}</li>`)}</ul></section>`;
}
