// Bets as they are placed: each tap puts a chip on a space and is sent at once; each can be undone.

import { send } from "./inputs.js";
import { station } from "./station.js";
import { changed, screen } from "./screen.js";

const FIRST_PLAYER = "A";

const drafts = new Map(); // what was tapped and is not yet, or cannot be, on the table: key to {amount, refused}
let history = []; // the taps of this round, the last one last: each the bets that it changed, {seat, wager, player, before, after}
let seen = null; // the bets on the felt: {round, bets}
let before = []; // those of the last round in which someone bet
let banked = null; // who had the bank last, with how much

export function isBetting() {
  const { table, setting } = station;
  if (!table.round) return false;
  return setting.offers.betting.includes(table.step.kind);
}

// The chips of the tray, minor units, and the amount that was keyed in.
export function tray() {
  const { chips } = station.setting;
  return screen.own && !chips.includes(screen.own) ? [...chips, screen.own] : chips;
}

export function chipInHand() {
  if (screen.chip === null || (screen.chip && !tray().includes(screen.chip))) {
    const { minimum } = station.setting.terms;
    screen.chip = tray().find((value) => value >= minimum) ?? tray()[0];
  }
  return screen.chip;
}

// Whose bets are placed: where every wager must have a name, the first player's from the start.
export function playerInHand() {
  const { named } = station.setting.offers;
  if (named === "none") return "";
  return screen.player || (named === "must" ? FIRST_PLAYER : "");
}

function keyOf(seat, wager, player) {
  return `${station.table.round.id}/${seat}/${wager}/${player}`;
}

// What a player has on a space, as the station has it; minor units.
export function placed(seat, wager, player) {
  const bet = betsOn(station.table.round).find((candidate) => candidate.seat === seat && candidate.wager === wager && (candidate.player ?? "") === player);
  return bet ? bet.amount : 0;
}

// Every bet that is placed, each {seat, wager, amount, player}: of several players at a box, or of the one at a seat.
export function betsOn(round) {
  if (round.bets.length) return round.bets;
  return Object.entries(round.wagers).flatMap(([seat, wagers]) =>
    Object.entries(wagers).map(([wager, amount]) => ({ seat: Number(seat), wager, amount })));
}

// The same with the double of each hand that plays, which is as much as the ante.
export function stakesOn(round) {
  const bets = betsOn(round);
  const doubled = bets.filter(({ seat, wager }) => wager === "ante" && round.decisions[seat] === "play");
  return [...bets, ...doubled];
}

// What is on a space for one player: {amount, state: "placed" | "going" | "refused", refused}.
export function onSpace(seat, wager, player = "") {
  const draft = drafts.get(keyOf(seat, wager, player));
  const amount = placed(seat, wager, player);
  if (!draft || (draft.amount === amount && !draft.going)) return { amount, state: "placed" };
  return { amount: draft.amount, state: draft.refused ? "refused" : "going", refused: draft.refused };
}

// A tap on a betting space with the chip in hand, for the player chosen; `whole` places exactly that instead.
export function tapSpace(seat, wager, whole = null) {
  const player = playerInHand();
  const there = onSpace(seat, wager, player).amount;
  const chip = chipInHand();
  const after = whole ?? (chip === 0 ? 0 : there + chip);
  if (after === there) return;
  change([{ seat, wager, player, before: there, after }]);
}

function change(bets) {
  const round = station.table.round.id;
  history = [...history.filter(([tapped]) => tapped.round === round), bets.map((bet) => ({ ...bet, round }))];
  for (const { seat, wager, player, after } of bets) placeBet(seat, wager, player, after);
}

// What of a tap is still as the tap left it: what was given back, or changed on another screen, is not taken back.
function leftOf(bets) {
  return bets.filter(({ round, seat, wager, player, after }) => round === station.table.round?.id && onSpace(seat, wager, player).amount === after);
}

export function canUndo() {
  return history.some((bets) => leftOf(bets).length > 0);
}

// Takes the last tap back whose bets are there.
export function undo() {
  while (history.length) {
    const left = leftOf(history.pop());
    for (const { seat, wager, player, before: earlier } of left) placeBet(seat, wager, player, earlier);
    if (left.length) return;
  }
}

async function placeBet(seat, wager, player, amount) {
  const key = keyOf(seat, wager, player);
  changed();
  // What the table has already needs no input, unless another amount is on its way.
  if (amount === placed(seat, wager, player) && !drafts.get(key)?.going) {
    drafts.delete(key);
    return;
  }
  const draft = { round: station.table.round.id, seat, wager, player, amount, going: true, refused: null };
  drafts.set(key, draft);
  const whose = player ? { player } : {};
  const answer = await send("wager", { seat, wager, amount, ...whose });
  draft.going = false;
  draft.refused = answer.refused ?? null;
  if (answer.refused && amount === 0) drafts.delete(key);
  changed();
}

// The table has it: what it has from now on, another screen may have placed.
function isOver(draft) {
  return !draft.going && !draft.refused && draft.amount === placed(draft.seat, draft.wager, draft.player);
}

// Chips that are on the felt and are no bet, each as {key, seat, wager, player, counts, amount, refused}, until they are given back.
export function refusedStacks() {
  return [...drafts].filter(([, draft]) => draft.refused && draft.round === station.table.round?.id)
    .map(([key, draft]) => {
      const counts = placed(draft.seat, draft.wager, draft.player);
      return { ...draft, key, counts, amount: draft.amount - counts };
    })
    .filter((stack) => stack.amount > 0);
}

export function givenBack(key) {
  drafts.delete(key);
  changed();
}

// Follows a round's betting: its bets are kept, to be placed again; what became no bet is forgotten with it.
export function followBets() {
  const { round } = station.table;
  for (const [key, draft] of drafts) {
    if (draft.round !== round?.id || (!isBetting() && !draft.refused) || isOver(draft)) drafts.delete(key);
  }
  banked = round?.banker ?? banked;
  if (station.table.step.kind !== "wagers") return;
  if (seen && seen.round !== round.id && seen.bets.length) before = seen.bets;
  seen = { round: round.id, bets: betsOf(round) };
}

function betsOf(round) {
  return betsOn(round).filter((bet) => bet.seat !== round.banker?.place);
}

// Whether anybody has bet in this round.
export function anyLaid() {
  return betsOf(station.table.round).length > 0;
}

// The bets of the last round whose spaces are there and empty, of one seat or of all.
export function repeatable(seat = null) {
  const { round, step } = station.table;
  if (step.kind !== "wagers") return [];
  const seats = round.places ?? station.setting.terms.seat_count;
  return before.filter((bet) => (seat === null || bet.seat === seat) && bet.seat <= seats && bet.seat !== round.banker?.place
    && onSpace(bet.seat, bet.wager, bet.player ?? "").amount === 0);
}

export function repeat(seat = null) {
  const bets = repeatable(seat).map((bet) => ({ seat: bet.seat, wager: bet.wager, player: bet.player ?? "", before: 0, after: bet.amount }));
  if (bets.length) change(bets);
}

// What the last bank had, and the least that it needs: with that a place takes the bank by one tap. Null where no one had it.
export function bankAgain(place, least) {
  const capital = Math.max(banked?.capital ?? 0, least > 1 ? least : 0);
  return capital ? { capital, casino: banked?.place === place ? banked.casino : 0 } : null;
}

// Everybody who bets in this round, by name.
export function playersNamed() {
  return [...new Set((station.table.round?.bets ?? []).map((bet) => bet.player).filter(Boolean))];
}
