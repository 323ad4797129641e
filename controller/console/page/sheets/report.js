// What went wrong at the table, reported to the station.

import { acting, role } from "../acting.js";
import { stakesOn } from "../betting.js";
import { ofGame, station } from "../station.js";
import { html } from "../html.js";
import { amount, articleWords, say, seatName } from "../language.js";
import { Choice, personsAt, placeOptions, placesDealt, Reason, seatOptions, seats } from "../parts/choice.js";
import { dealtTo } from "../parts/felt.js";
import { Sheet } from "../parts/sheet.js";
import { closeSheet } from "../screen.js";
import { send } from "../inputs.js";
import { Form, Forms } from "./form.js";

const COMPLAINTS = ["complaint.count", "complaint.payment", "complaint.bet", "complaint.decision"];
const DECISIONS = ["complaint.counted", "complaint.recording", "complaint.withdrawn"];
const BY_SUPERVISOR = "policy: supervisor's void";
const UNTAKEN = /^message-(\d+)-untaken$/;
const USUAL = ["reason.power", "reason.dispute", "reason.equipment", "reason.inspector"];

export function ReportSheet({ first }) {
  return html`<${Sheet} title=${say("report")}><${Forms} forms=${reports()} first=${first} /><//>`;
}

function reports() {
  const { table, setting } = station;
  const { round, step } = table;
  const open = round && !round.void && round.phase !== "claims";
  const noRound = open ? null : say("off.no_round");
  const dealt = placesDealt();
  const noCards = noRound ?? (dealt.length ? null : say("off.no_cards"));
  const dealing = open && step.kind === "deal" && table.source === "shuffler";
  const raised = (name) => table.alarms.some((alarm) => alarm.name === name && !alarm.over);
  const [damaged, untold] = [raised("damaged-card"), raised("inspection-not-informed")];
  const known = {
    tiles_moved: { off: noRound },
    exposed: { off: noCards, form: ({ which }) => exposed(dealt, which) },
    misdealt: { off: noRound ?? (round.locked ? null : say("off.not_locked")), form: misdealt },
    deal_corrected: { off: noCards, form: ({ errors }) => dealCorrected(dealt, errors) },
    to_empty_seat: { off: noCards, form: () => toEmptySeat(dealt) },
    unasked_card: { off: noRound ?? (round.pending_cards ? null : say("off.no_pending")), form: unasked },
    cut_card: { off: table.source === "shoe" ? null : say("off.not_shoe"), form: () => plain("cut_card") },
    shuffler_failed: { off: dealing ? null : say("off.not_dealing_shuffler"), form: () => withReason("shuffler_failed", USUAL, { optional: true }) },
    damaged_card: { off: damaged ? say("off.damaged") : null, form: () => damagedCard(dealt) },
    card_replaced: { off: supervisors() ?? (damaged ? null : say("off.no_damaged")), form: cardReplaced },
    inform_inspection: {
      off: supervisors() ?? (untold ? null : say("off.nothing_to_report")),
      form: () => withReason("inform_inspection", ["reason.by_telephone", "reason.in_writing"]),
    },
    jam_cleared: {
      off: supervisors() ?? (raised("clearing-not-entered") ? null : say("off.no_jam_cleared")),
      form: jamCleared,
    },
    acts_done: { off: null, form: () => actsDone(table.acts) },
  };
  const forms = setting.offers.reports.map((offer) => {
    const { off, form } = { ...known[offer.kind], ...ofGame().forms[offer.kind] };
    const why = known[offer.kind]?.off ?? (typeof off === "function" ? off() : off);
    return { name: offer.kind, off: why, form: () => form(offer) };
  });
  const rounds = [...table.pending_claims, ...(round ? [round.id] : [])];
  forms.push({ name: "complaint", off: rounds.length ? null : say("off.no_complaint"), form: () => complaint(rounds) });
  if (table.complaints.length) forms.push({ name: "decide_complaint", off: supervisors(), form: decideComplaint });
  const untaken = table.alarms.filter((alarm) => !alarm.over).map(({ name }) => UNTAKEN.exec(name)).find(Boolean);
  if (untaken) forms.push({ name: "set_aside", off: supervisors(), form: () => setAside(Number(untaken[1])) });
  const between = ["begin", "load"].includes(step.kind);
  forms.push({ name: "close_table", off: between ? null : say("off.in_round"), form: () => plain("close_table") });
  forms.push(voiding());
  return forms;
}

// A supervisor voids the round in play, once it was shown what becomes of its bets and cards.
export function voiding() {
  const { round } = station.table;
  const open = round && !round.void && round.phase !== "claims";
  return {
    name: "void_round",
    off: open ? supervisors() : say("off.no_round"),
    form: () => withReason("void_round", USUAL, { ask: ({ reason }) => html`<${WhatVoids} round=${round} reason=${reason} />` }),
  };
}

function WhatVoids({ round, reason }) {
  return html`<p><b>${say("form.void_round.ask", { round: round.id })}</b></p>
    <p>${say("form.void_round.why", { reason, article: articleWords(BY_SUPERVISOR) })}</p>
    <p>${say("form.void_round.bets")}</p>
    ${!Object.keys(round.hands).length && html`<${Returned} bets=${stakesOn(round)} />`}
    <p>${station.table.jackpot && `${say("form.void_round.chips")} `}${say("form.void_round.cards")}</p>`;
}

function Returned({ bets }) {
  const seats = [...new Set(bets.map((bet) => bet.seat))].sort((seat, other) => seat - other);
  const sum = (of) => amount(of.reduce((all, bet) => all + bet.amount, 0), true);
  return html`<table class="lines" data-returned><tbody>
    ${seats.map((seat) => html`<tr key=${seat}><th scope="row">${seatName(seat)}</th><td class="money">${sum(bets.filter((bet) => bet.seat === seat))}</td></tr>`)}
    <tr><th scope="row">${say("form.void_round.sum")}</th><td class="money"><b>${sum(bets)}</b></td></tr></tbody></table>`;
}

function setAside(message) {
  return html`<${Form} kind="set_aside" stepId="table" first=${{ reason: "" }}
    fields=${({ reason }) => reason.trim() && { message, reason }}
    draw=${(chosen, set) => html`<p>${say("form.set_aside.what", { number: message })}</p>
      <${Reason} usual=${["reason.too_long"]} text=${chosen.reason} onText=${(reason) => set({ reason })} />`} />`;
}

export function supervisors() {
  return role() === "supervisor" ? null : say("off.supervisor");
}

function plain(kind) {
  return html`<${Form} kind=${kind} fields=${() => ({})} draw=${() => html`<p>${say(`form.${kind}.what`)}</p>`} />`;
}

function withReason(kind, usual, { optional = false, ask = null } = {}) {
  return html`<${Form} kind=${kind} first=${{ reason: "" }} ask=${ask}
    fields=${({ reason }) => (optional || reason.trim()) && { reason }}
    draw=${(chosen, set) => html`<p>${say(`form.${kind}.what`)}</p>
      <${Reason} usual=${usual} text=${chosen.reason} onText=${(reason) => set({ reason })} label=${say(optional ? "reason.optional" : "reason")} />`} />`;
}

// Of what went wrong in the deal: a dealer needs none; once cards decide, a supervisor gives it.
function WhyVoid({ chosen, set }) {
  return html`<${Reason} usual=${USUAL} text=${chosen.reason} onText=${(reason) => set({ reason })} label=${say("reason.optional")} />`;
}

// At the places in `which` the form asks which cards were seen: those are left out.
function exposed(dealt, which = []) {
  const leftOut = (to) => which.includes(to);
  return html`<${Form} kind="exposed" first=${{ to: null, count: 1, which: [], reason: "" }}
    fields=${({ to, count, which, reason }) => {
      if (!to) return null;
      if (leftOut(to)) return which.length ? { to, which, reason } : null;
      return { to, count, reason };
    }}
    draw=${(chosen, set) => html`
      <${Choice} label=${say("form.place")} options=${placeOptions(dealt)} chosen=${chosen.to}
        onChoose=${(to) => set({ to, which: [], count: 1 })} />
      ${chosen.to && (leftOut(chosen.to)
        ? html`<fieldset class="choose"><legend>${say("form.which")}</legend>
            ${upTo(dealtTo(chosen.to)).map((at) => html`<button type="button" key=${at} class="plain" aria-pressed=${chosen.which.includes(at)}
              data-value=${at} onClick=${() => set({ which: toggled(chosen.which, at) })}>${at}</button>`)}</fieldset>`
        : html`<${Choice} label=${say("form.count")} chosen=${chosen.count} onChoose=${(count) => set({ count })}
            options=${upTo(dealtTo(chosen.to)).map((count) => ({ value: count, text: String(count) }))} />`)}
      <${WhyVoid} chosen=${chosen} set=${set} />`} />`;
}

// Of a shoe one card alone is replaced if the inspection authorised it (black-jack 5).
function cardReplaced() {
  const shoe = station.table.source === "shoe";
  return html`<${Form} kind="card_replaced" stepId="table" first=${{ reason: "", authorised_by: "" }}
    fields=${({ reason, authorised_by: by }) => reason.trim() && (!shoe || by.trim()) && { reason, authorised_by: by }}
    draw=${(chosen, set) => html`<p>${say("form.card_replaced.what")}</p>
      <${Reason} usual=${["reason.damaged"]} text=${chosen.reason} onText=${(reason) => set({ reason })} label=${say("reason")} />
      ${shoe && html`<${Reason} usual=${[]} text=${chosen.authorised_by} onText=${(by) => set({ authorised_by: by })} label=${say("form.authorised_by")} />`}`} />`;
}

function jamCleared() {
  const roles = [["supervisor", false], ["technician", true]];
  return html`<${Form} kind="jam_cleared" stepId="table" first=${{ cleared_by: "", technician: null }}
    fields=${({ cleared_by: by, technician }) => by.trim() && technician !== null && { cleared_by: by, technician }}
    draw=${(chosen, set) => html`<p>${say("form.jam_cleared.what")}</p>
      <${Choice} label=${say("form.cleared_as")} options=${roles.map(([role, value]) => ({ value, text: say(`role.${role}`) }))}
        chosen=${chosen.technician} onChoose=${(technician) => set({ technician })} />
      <${Reason} usual=${[]} text=${chosen.cleared_by} onText=${(by) => set({ cleared_by: by })} label=${say("who.cleared_by")} />`} />`;
}

// Where it is, if it is anywhere.
function damagedCard(dealt) {
  return html`<${Form} kind="damaged_card" stepId="table" first=${{ to: null }}
    fields=${({ to }) => (to ? { to } : {})}
    draw=${(chosen, set) => html`<p>${say("form.damaged_card.what")}</p>
      <${Choice} label=${say("form.place")} options=${placeOptions(dealt)} chosen=${chosen.to}
        onChoose=${(to) => set({ to: to === chosen.to ? null : to })} />`} />`;
}

// What was done with the cards by hand, ticked by each who was there.
function actsDone(ticked) {
  const mine = (act) => !station.setting.offers.acts_again?.includes(act) && ticked[act]?.includes(acting());
  return html`<${Form} kind="acts_done" stepId="table" first=${{ acts: [] }}
    fields=${({ acts }) => acts.length > 0 && { acts }}
    draw=${(chosen, set) => html`<div class="choices">${station.setting.offers.acts.map(
      (act) => html`<button type="button" class="choice" key=${act} data-act=${act} disabled=${mine(act)}
        aria-pressed=${chosen.acts.includes(act)} onClick=${() => set({ acts: toggled(chosen.acts, act) })}>
        <strong>${say(`act.${act}`)}</strong>${ticked[act] && html` <span>✓ ${ticked[act].join(", ")}</span>`}</button>`,
    )}</div>`} />`;
}

function upTo(count) {
  return Array.from({ length: count }, (_, at) => at + 1);
}

function toggled(list, item) {
  return list.includes(item) ? list.filter((other) => other !== item) : [...list, item].sort();
}

function misdealt() {
  return html`<${Form} kind="misdealt" first=${{ what: null, reason: "" }}
    fields=${({ what, reason }) => what && { what, reason }}
    draw=${(chosen, set) => html`<p>${say("form.misdealt.what")}</p>
      <${Choice} label=${say("form.what")} chosen=${chosen.what} onChoose=${(what) => set({ what })}
        options=${["order", "number"].map((what) => ({ value: what, text: say(`misdealt.${what}`) }))} />
      <${WhyVoid} chosen=${chosen} set=${set} />`} />`;
}

function dealCorrected(dealt, errors) {
  return html`<${Form} kind="deal_corrected" first=${{ what: null, to: null }}
    fields=${({ what, to }) => what && to && { what, to }}
    draw=${(chosen, set) => html`
      <${Choice} label=${say("form.what")} chosen=${chosen.what} onChoose=${(what) => set({ what })}
        options=${errors.map((what) => ({ value: what, text: say(`misdealt.${what}`) }))} />
      <${Choice} label=${say("form.place")} options=${placeOptions(dealt)} chosen=${chosen.to} onChoose=${(to) => set({ to })} />`} />`;
}

function toEmptySeat(dealt) {
  const empty = (seat) => !station.table.round.wagers[seat];
  return html`<${Form} kind="to_empty_seat" first=${{ meant_for: null, seat: null, reason: "" }}
    fields=${({ meant_for, seat, reason }) => meant_for && seat && { meant_for, seat, reason }}
    draw=${(chosen, set) => html`
      <${Choice} label=${say("form.meant_for")} options=${placeOptions(dealt)} chosen=${chosen.meant_for}
        onChoose=${(meant_for) => set({ meant_for })} />
      <${Choice} label=${say("form.are_at")} options=${seatOptions(empty)} chosen=${chosen.seat} onChoose=${(seat) => set({ seat })} />
      <${WhyVoid} chosen=${chosen} set=${set} />`} />`;
}

// Of the round in play, or of one whose cards wait until the shuffler takes them; its seats are no longer known here.
function complaint(rounds) {
  const { round: now } = station.table;
  const inPlay = (round) => round === now?.id && Object.keys(now.wagers).length > 0;
  const bets = (round) => (seat) => !inPlay(round) || seat in now.wagers;
  const persons = ({ round, seat }) => (inPlay(round) && seat ? personsAt(seat) : []);
  const options = (round) => seatOptions(bets(round), seats()).map((option) => {
    const text = [option.text, ...persons({ round, seat: option.value })].join(" · ");
    return { ...option, text };
  });
  return html`<${Form} kind="complaint" first=${{ round: rounds.at(-1), seat: null, by: "", what: "" }}
    fields=${({ round, seat, by, what }) => seat && what.trim() && { round, seat, by, what }}
    draw=${(chosen, set) => html`<p>${say("form.complaint.what")}</p>
      ${rounds.length > 1 && html`<${Choice} label=${say("who.round")} chosen=${chosen.round} onChoose=${(round) => set({ round, seat: null, by: "" })}
        options=${rounds.map((value) => ({ value, text: say("round.number", { round: value }) }))} />`}
      <${Choice} label=${say("form.seat")} options=${options(chosen.round)} chosen=${chosen.seat}
        onChoose=${(seat) => set({ seat, by: "" })} />
      <${Reason} label=${say("complaint.by")} names=${persons(chosen)} text=${chosen.by} onText=${(by) => set({ by })} />
      <${Reason} label=${say("complaint.what")} usual=${COMPLAINTS} text=${chosen.what} onText=${(what) => set({ what })} />`} />`;
}

function decideComplaint() {
  return station.table.complaints.map((complaint) => html`<article class="complaint" key=${complaint.complaint} data-complaint=${complaint.complaint}>
    <p><b>${say("complaint.number", { number: complaint.complaint })}</b> · ${say("round.number", { round: complaint.round })} · ${seatName(complaint.seat)}${complaint.by ? ` · ${complaint.by}` : ""}</p>
    <p>${complaint.what}</p>
    <${Form} kind="decide_complaint" first=${{ outcome: null, reason: "" }}
      fields=${({ outcome, reason }) => outcome && reason.trim() && { complaint: complaint.complaint, outcome, reason }}
      draw=${(chosen, set) => html`<${Choice} label=${say("complaint.outcome")} chosen=${chosen.outcome} onChoose=${(outcome) => set({ outcome })}
          options=${["unchanged", "adjusted"].map((value) => ({
            value, text: say(`complaint.${value}`), off: value === "adjusted" && !complaint.adjusted, why: say("off.not_adjusted"),
          }))} />
        <${Reason} usual=${DECISIONS} text=${chosen.reason} onText=${(reason) => set({ reason })} />`} />
  </article>`);
}

function unasked() {
  return html`<div class="choices">${[true, false].map(
    (seen) => html`<button class="choice" key=${seen} data-kind=${`unasked-${seen}`}
      onClick=${() => { send("unasked_card", { seen }); closeSheet(); }}>
      <strong>${say(seen ? "unasked.seen" : "unasked.unseen")}</strong></button>`,
  )}</div>`;
}
