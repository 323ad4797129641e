// Figures and names in the language of this screen; each table has its own money, and its own word for a player's place.

import { amount, decimal as spelled, moneyHas, percent, say, signed, wordedAs } from "/page/language.js";

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

// What all tables won, by currency.
export function wins(tables) {
  const sums = new Map();
  for (const tile of tables) {
    if (tile.win === null) continue;
    const key = `${tile.currency}/${tile.exponent}`;
    sums.set(key, { ...tile, win: (sums.get(key)?.win ?? 0) + tile.win });
  }
  return [...sums.values()].map((tile) => `${tile.currency} ${won(tile, tile.win)}`);
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

// The words of each, and what it is.
export function figures(tile) {
  return [
    ["pit.figure.limits", limits(tile)], ["pit.figure.seats", taken(tile)], ...(tile.pot === null ? [] : [["pit.figure.pot", money(tile, tile.pot)]]),
    ["figure.rounds", tile.rounds ?? "–"], ["figure.per_hour", decimal(tile.per_hour)],
    ...(tile.hold ? [["figure.hold", hold(tile)]] : []), ...(tile.behind ? [["pit.figure.behind", tile.behind]] : []),
  ];
}

function hold(tile) {
  const { kept, sigmas } = tile.hold;
  return `${share(kept)} · ${sigmas > 0 ? "+" : ""}${decimal(sigmas)} σ`;
}
