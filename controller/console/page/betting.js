// Bets as they are laid: each tap puts a chip on a space and is sent at once; each can be undone.

import { station, send } from "./station.js";
import { changed, screen } from "./screen.js";

const STEPS = ["wagers", "increment", "deal"]; // black-jack takes bets until a seat's first card is due
const STANDARD = [1, 2, 5]; // chips are these times a power of ten
const CHIPS_SHOWN = 6;
const FIRST_PLAYER = "A";

const drafts = new Map(); // what was tapped and is not yet, or cannot be, on the table: key to {amount, refused}
let history = [];

export function isBetting() {
  const { table, setting } = station;
  if (!table.round) return false;
  return setting.has.asks ? STEPS.includes(table.step.kind) : table.step.kind === "wagers";
}

// The chips of the tray, minor units: from half the minimum up, as a rack has them.
export function tray() {
  const { minimum, maximum } = station.setting.terms;
  const least = station.setting.has.asks ? minimum : Math.ceil(minimum / 2);
  const values = [];
  for (let power = 1; values.length < CHIPS_SHOWN && power <= maximum; power *= 10) {
    for (const times of STANDARD) {
      const value = times * power;
      const fits = !station.setting.has.asks || value % minimum === 0;
      if (value >= least && value <= maximum && fits && values.length < CHIPS_SHOWN) values.push(value);
    }
  }
  return values;
}

export function chipInHand() {
  if (screen.chip === null || (screen.chip && !tray().includes(screen.chip))) {
    const { minimum } = station.setting.terms;
    screen.chip = tray().find((value) => value >= minimum) ?? tray()[0];
  }
  return screen.chip;
}

// Whose bets are laid: at a game whose wagers all have a name, somebody's from the start.
export function playerInHand() {
  if (!station.setting.has.shared) return "";
  return screen.player || (station.setting.has.arranges ? FIRST_PLAYER : "");
}

function keyOf(seat, wager, player) {
  return `${station.table.round.id}/${seat}/${wager}/${player}`;
}

function laid(seat, wager, player) {
  const { round } = station.table;
  if (station.setting.has.shared) {
    const bet = round.bets.find((one) => one.seat === seat && one.wager === wager && (one.player ?? "") === player);
    return bet ? bet.amount : 0;
  }
  return round.wagers[seat]?.[wager] ?? 0;
}

// What stands on a space for one player: {amount, state: "laid" | "going" | "refused", refused}.
export function onSpace(seat, wager, player = "") {
  const draft = drafts.get(keyOf(seat, wager, player));
  const amount = laid(seat, wager, player);
  if (!draft || (draft.amount === amount && !draft.going)) return { amount, state: "laid" };
  return { amount: draft.amount, state: draft.refused ? "refused" : "going", refused: draft.refused };
}

// A tap on a betting space with the chip in hand, for the player chosen; `whole` lays exactly that instead.
export function tapSpace(seat, wager, whole = null) {
  const player = playerInHand();
  const before = onSpace(seat, wager, player).amount;
  const chip = chipInHand();
  const after = whole ?? (chip === 0 ? 0 : before + chip);
  if (after === before) return;
  history.push({ round: station.table.round.id, seat, wager, player, before });
  lay(seat, wager, player, after);
}

export function canUndo() {
  return history.some((one) => one.round === station.table.round?.id);
}

export function undo() {
  history = history.filter((one) => one.round === station.table.round.id);
  const last = history.pop();
  if (last) lay(last.seat, last.wager, last.player, last.before);
}

async function lay(seat, wager, player, amount) {
  const key = keyOf(seat, wager, player);
  const draft = { amount, going: true, refused: null };
  drafts.set(key, draft);
  changed();
  // A space that is empty and stays so needs no word: what was tapped there was never taken.
  if (amount === 0 && laid(seat, wager, player) === 0) {
    drafts.delete(key);
    return;
  }
  const whose = player ? { player } : {};
  const answer = await send("wager", { seat, wager, amount, ...whose });
  draft.going = false;
  draft.refused = answer.refused ?? null;
  if (answer.refused && amount === 0) drafts.delete(key);
  changed();
}

// Taps that never became bets are gone with the betting.
export function forgetDrafts() {
  if (drafts.size && !isBetting()) drafts.clear();
}

// Everybody who bets in this round, by name.
export function playersNamed() {
  return [...new Set((station.table.round?.bets ?? []).map((bet) => bet.player).filter(Boolean))];
}
