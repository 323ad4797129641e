// What is on every felt: where the cards come from, the bank and the pot; of a seat its spaces, result and decisions.

import { isBetting, onSpace, placed, playerInHand, repeat, repeatable, tapSpace } from "../betting.js";
import { html } from "../html.js";
import { amount, place, reason, say, seatName, signed } from "../language.js";
import { openSheet } from "../screen.js";
import { station } from "../station.js";
import { Cards } from "./pieces.js";
import { isAway } from "./sheet.js";

export function Felt({ game, children, bankRow }) {
  const seats = station.setting.terms.seat_count;
  return html`<main class=${`felt ${game}`} inert=${isAway()} aria-label=${say("felt")}>
    <div class="seats" style=${{ "--seats": seats }}>${children}</div>
    <div class="bankrow"><${Source} />${bankRow}<${Pot} /></div>
  </main>`;
}

// How far a seat is back on the curve of the table, from 0 at its ends to 1 in the middle.
export function lift(seat) {
  const half = (station.setting.terms.seat_count - 1) / 2;
  const aside = (seat - 1 - half) / half;
  return { "--lift": (1 - aside * aside).toFixed(3) };
}

function Source() {
  const { table } = station;
  const link = table.devices[table.source];
  // The shoe of a table at which no one reports the cut card is filled for each round.
  const kept = station.setting.offers.reports.some(({ kind }) => kind === "cut_card");
  const shoe = table.source === "shoe" && kept;
  const state = shoe ? say(table.shoe.cut_card_out ? "shoe.cut_card_out" : table.shoe.loaded ? "shoe.loaded" : "shoe.empty") : "";
  return html`<button class="source" onClick=${() => openSheet("devices")}>
    <span class=${`lamp ${link ?? "none"}`} aria-hidden="true"></span>
    <span class="what">${say(station.setting.sources.length ? `source.${table.source}` : "source.by_hand")}</span>
    <span class="state">${link && link !== "up" ? say(`link.${link}`) : state || (link ? say("link.up") : "")}</span>
    ${table.lid_open !== null && html`<span class="state">${say(table.lid_open ? "lid.open" : "lid.shut")}</span>`}
  </button>`;
}

function Pot() {
  const { jackpot } = station.table;
  if (!jackpot) return html`<div class="pot none"></div>`;
  const unpaid = jackpot.hits.filter((hit) => hit.state !== "paid");
  const shown = jackpot.linked ?? jackpot;
  const state = shown.fault ? say("pot.link_down") : station.setting.currency;
  return html`<button class=${unpaid.length ? "pot unpaid" : "pot"} onClick=${() => openSheet("jackpot")}>
    <span class="what">${say("pot")}</span>
    <span class="amount">${shown.pot === null ? "–" : amount(shown.pot)}</span>
    <span class="state">${unpaid.length ? say("pot.pending", { hits: unpaid.length, amount: amount(jackpot.pending) }) : state}</span>
  </button>`;
}

// How many cards are at a place, turned or not; null ones and those left out are none of its own.
export function dealtTo(name) {
  const { dealt, aside } = station.table.round ?? { dealt: [], aside: [] };
  let draw = 0;
  let count = 0;
  for (const deal of dealt) {
    for (const to of deal.to) {
      draw += 1;
      if (to === name && !deal.null && !aside.includes(draw)) count += 1;
    }
  }
  return count;
}

// The cards of a place: turned ones open, the others face down.
export function PlaceCards({ name, open = station.table.round?.shown[name] ?? "" }) {
  const shown = open.split(" ").filter(Boolean).length;
  const unread = station.table.round?.unread.includes(name) ?? false;
  const down = Math.max(0, dealtTo(name) - shown);
  return html`<${Cards} open=${open} down=${down} unread=${unread} label=${place(name)} />`;
}

// The bank's cards and what they come to.
export function Bank({ name = "bank", open, result }) {
  const due = station.table.step.to?.includes(name) && ["deal", "reveal"].includes(station.table.step.kind);
  return html`<section class=${due ? "bank due" : "bank"} aria-label=${place(name)}>
    <h2>${place(name)}</h2>
    <${PlaceCards} name=${name} ...${open === undefined ? {} : { open }} />
    <p class="result">${result ?? ""}</p>
  </section>`;
}

// What every felt shows of a seat: its number, player, what it won or lost; and a betting space.

const LATER = 0.55; // how large what is paid later is written beside what is paid now

// The seat's answer in the settlement, or what is won and lost already; its net is that of all who bet there.
export function answerOf(seat) {
  const { round } = station.table;
  const { bank, seats } = round?.settlement ?? {};
  const settled = seats?.find((shown) => shown.seat === seat);
  if (bank?.seat === seat) return { ...settled, ...atTheBank(bank) };
  const lines = settled?.lines ?? round?.lines[seat];
  return lines?.length || (lines && !settled) ? { ...settled, lines, net: lines.reduce((sum, line) => sum + line.net, 0) } : null;
}

// The banker's own net, and the lines of those who are behind him.
function atTheBank({ net, joiners, casino }) {
  if (!casino) return { net, lines: joiners };
  const outcome = casino.net > 0 ? "win" : casino.net < 0 ? "lose" : "push";
  return { net, lines: [...joiners, { wager: "casino", stake: casino.share, outcome, net: casino.net, commission: 0, article: casino.article }] };
}

export function SeatHead({ seat, children }) {
  const answer = answerOf(seat);
  const player = station.table.round?.players[seat];
  const payout = station.table.round?.payouts?.[seat]; // with a prize that is paid later
  const now = payout ? payout.now : answer?.net;
  const later = payout && say("seat.later", { amount: signed(payout.later) });
  const net = answer && html`<span class=${`net ${sign(now)}`} style=${{ "--chars": Math.max(signed(now).length, LATER * (later ?? "").length) }}>${signed(now)}${later && html`<small class="later">${later}</small>`}</span>`;
  const label = answer ? say(payout ? "seat.lines_later" : "seat.lines", { seat: seatName(seat), net: signed(now), later }) : seatName(seat);
  const inside = html`<span class="number">${seat}</span><span class="player">${player ?? ""}</span>${children}${net}`;
  if (repeatable(seat).length) {
    return html`<button class="head" data-again=${seat} aria-label=${say("bets.again_at", { seat: seatName(seat) })}
      onClick=${() => repeat(seat)}>${inside}<span class="again">↻</span></button>`;
  }
  return answer
    ? html`<button class="head" aria-label=${label} onClick=${() => openSheet("seat", { seat })}>${inside}</button>`
    : html`<div class="head" role="img" aria-label=${label}>${inside}</div>`;
}

export function sign(net) {
  return net > 0 ? "won" : net < 0 ? "lost" : "even";
}

// A betting space: a button while bets are taken, with what is there and, once settled, what it came to.
// `also` names a wager whose outcome is shown here too; `came` has what came of it where it is reported under another name.
export function Space({ seat, wager, label, also, came }) {
  const player = playerInHand();
  const total = station.table.round?.wagers[seat]?.[wager] ?? 0;
  const here = station.table.round ? onSpace(seat, wager, player) : { amount: 0, state: "placed" };
  const others = station.table.round ? total - placed(seat, wager, player) : 0;
  const shown = here.amount + others;
  const outcomes = (came ?? [wager, also].map((bet) => lineOf(seat, bet))).filter(Boolean);
  const classes = ["space", `w-${wager}`, shown ? "full" : "", here.state].join(" ");
  const inside = html`<span class="label">${label ?? say(`wager.${wager}`)}</span>
    <${Stake} minor=${shown} />
    ${outcomes.map((outcome, at) => html`<${Came} key=${at} outcome=${outcome} />`)}`;
  const called = say("space", { seat: seatName(seat), wager: say(`wager.${wager}`), amount: amount(shown, true) });
  if (!isBetting()) return html`<div class=${classes} data-space=${`${seat}/${wager}`} role="img" aria-label=${called}>${inside}</div>`;
  return html`<button class=${classes} data-space=${`${seat}/${wager}`} aria-label=${called}
    onClick=${() => tapSpace(seat, wager)}>${inside}</button>`;
}

// A space on which nothing is tapped: what is there follows from something else.
export function StillSpace({ seat, wager, stake }) {
  const outcome = lineOf(seat, wager);
  const called = say("space", { seat: seatName(seat), wager: say(`wager.${wager}`), amount: amount(stake || 0, true) });
  return html`<div class=${`space still w-${wager} ${stake ? "full" : ""}`} role="img" aria-label=${called}>
    <span class="label">${say(`wager.${wager}`)}</span><${Stake} minor=${stake} />
    ${outcome && html`<${Came} outcome=${outcome} />`}</div>`;
}

// What is longer than its place is wide is set smaller.
function Stake({ minor }) {
  const text = minor ? amount(minor, true) : "";
  return html`<span class="stake" style=${{ "--chars": text.length }}>${text}</span>`;
}

export function Came({ outcome }) {
  const text = outcomeText(outcome);
  return html`<span class=${`came ${sign(outcome.net)}`} style=${{ "--chars": text.length }}>${text}</span>`;
}

// A wager's lines taken together, those that are wanted: where several share a box there are several. The outcome of
// the lines together is that of their sum.
export function lineOf(seat, wager, wanted = () => true) {
  const lines = answerOf(seat)?.lines.filter((line) => line.wager === wager && wanted(line)) ?? [];
  if (!lines.length) return null;
  const net = lines.reduce((sum, line) => sum + line.net, 0);
  return { outcome: lines.every((line) => line.outcome === lines[0].outcome) ? lines[0].outcome : "push", net };
}

export function outcomeText({ outcome, net }) {
  return net ? signed(net) : say(`outcome.${outcome}`);
}

// Why an answer is not allowed now, as the station says it.

// Of a seat's decision where all seats decide at once.
export function decisionOff(seat, decision) {
  return station.table.step.illegal?.[`${seat}/${decision}`];
}

// A seat that may not fold is obliged to play: a supervisor records that the player refuses.
export function decisionsOf(seat) {
  return ["play", decisionOff(seat, "fold") ? "refused" : "fold"];
}

export function OffWhy({ why }) {
  return why ? html`<small class="why">${reason(why)} (${why.rule})</small>` : null;
}
