// What every felt shows of a seat: its number, player, what it won or lost; and a betting space.

import { isBetting, placed, onSpace, playerInHand, repeat, repeatable, tapSpace } from "../betting.js";
import { html } from "../html.js";
import { amount, say, seatName, signed } from "../language.js";
import { openSheet } from "../screen.js";
import { station } from "../station.js";

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
