// Figures and names in the language of this screen; each table has its own money, and its own word for a player's place.

import { amount, decimal as spelled, moneyHas, percent, say, signed, wordedAs } from "/page/language.js";
import { pit } from "./feed.js";

export const BASIS_POINTS = 10_000;

// What is worded inside is of this table.
export function of(tile, wording) {
  moneyHas(tile.exponent);
  wordedAs(tile.own_words);
  return wording();
}

export function money(tile, minor) {
  return minor === null || minor === undefined ? "–" : of(tile, () => `${tile.currency} ${amount(minor, true)}`);
}

export function won(tile, minor) {
  return of(tile, () => signed(minor));
}

// What a hit of the jackpot waits for.
export function hitWords(tile, { state, seat, amount: prize }) {
  return of(tile, () => say(`pit.hit.${state}`, { seat, amount: money(tile, prize) }));
}

// What all tables won, in the order of the currencies: its name, and the same in words; with the jackpot too where there is one.
export function wins(tables) {
  const sums = new Map();
  for (const tile of tables) {
    if (tile.win === null) continue;
    const key = `${tile.currency}/${tile.exponent}`;
    const sum = sums.get(key) ?? { ...tile, win: 0, win_with_jackpot: 0, pot: null };
    sums.set(key, { ...sum, win: sum.win + tile.win, win_with_jackpot: sum.win_with_jackpot + tile.win_with_jackpot, pot: sum.pot ?? tile.pot });
  }
  return [...sums.keys()].sort().map((key) => sums.get(key)).flatMap((sum) => winFigures(sum).map(([name, value]) => [name, `${sum.currency} ${value}`]));
}

// What a table won on its day.
export function winFigures(tile) {
  if (tile.win === null) return [];
  return [["figure.win", won(tile, tile.win)], ...(tile.pot === null ? [] : [["figure.win_with_jackpot", won(tile, tile.win_with_jackpot)]])];
}

export function decimal(value, digits = 1) {
  if (value === null || value === undefined) return "–";
  return spelled(Number(value).toFixed(digits));
}

// 0.0519 is 5.2 %.
export function share(part) {
  return part === null || part === undefined ? "–" : percent(Math.round((part * BASIS_POINTS) / 10) * 10);
}

export function gameName(tile) {
  return tile.game ? say(`game.${tile.game}`) : "–";
}

// Wagers with the same limits are named together.
function limits(tile) {
  const ranges = Object.values(tile.limits).map(({ min, max }) => of(tile, () => `${amount(min, true)}–${amount(max, true)}`));
  return [...new Set(ranges)].join(" · ") || "–";
}

function taken(tile) {
  return tile.seats === null ? `${tile.taken.length}` : say("pit.taken", { taken: tile.taken.length, seats: tile.seats });
}

// The pot that this table shares with others, if it does.
export function linkOf(tile) {
  return pit.links.find(({ tables }) => tables.includes(`${tile.site}/${tile.table}`));
}

// The jackpot that the guests of this table see: its own meter, or the pot that it shares.
function pot(tile) {
  if (tile.pot === null) return [];
  const link = linkOf(tile);
  return [link ? ["pit.figure.shared_pot", money(tile, link.pot)] : ["pit.figure.pot", money(tile, tile.pot)]];
}

// The words of each, and what it is.
export function figures(tile) {
  return [
    ["pit.figure.limits", limits(tile)], ["pit.figure.seats", taken(tile)], ...pot(tile),
    ["figure.rounds", tile.rounds ?? "–"], ["figure.per_hour", decimal(tile.per_hour)],
    ...(tile.hold ? [["figure.hold", hold(tile)]] : []), ...(tile.behind ? [["pit.figure.behind", tile.behind]] : []),
  ];
}

function hold(tile) {
  const { kept, sigmas } = tile.hold;
  return `${share(kept)} · ${sigmas > 0 ? "+" : ""}${decimal(sigmas)} σ`;
}
