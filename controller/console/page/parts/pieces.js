// Cards and tiles, open or face down.

import { html } from "../html.js";
import { cardGlyphs, cardName, say } from "../language.js";

const TWICE = "6-6 1-1 4-4 3-1 5-5 3-3 2-2 6-5 6-4 6-1 5-1".split(" ");
const ONCE = "5-4 6-3 5-3 6-2 4-3 5-2 4-2 4-1 3-2 2-1".split(" ");
export const FACES = [...TWICE, ...ONCE]; // as Table I has them
const WIDTH = 30;
const HEIGHT = 60;
// Where the dots of the upper half are; the lower half is the same turned around.
const DOTS = {
  1: [[15, 15]],
  2: [[9, 8], [21, 8]],
  3: [[8, 7], [15, 14.5], [22, 22]],
  4: [[9, 9], [21, 9], [9, 21], [21, 21]],
  5: [[8, 7], [22, 7], [15, 14.5], [8, 22], [22, 22]],
  6: [[9, 6], [9, 14.5], [9, 23], [21, 6], [21, 14.5], [21, 23]],
};

export function isTile(piece) {
  return piece[1] === "-";
}

export function copiesOf(tile) {
  return TWICE.includes(tile) ? 2 : 1;
}

export function Tile({ tile }) {
  const [larger, smaller] = tile.split("-").map(Number);
  const dots = [
    ...DOTS[larger].map(([x, y]) => ({ x, y, red: isRed(tile, larger, x) })),
    ...DOTS[smaller].map(([x, y]) => ({ x: WIDTH - x, y: HEIGHT - y, red: isRed(tile, smaller, x) })),
  ];
  return html`<svg class="tile" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${say("tile", { tile })} data-tile=${tile}>
    <rect class="ground" x="0.75" y="0.75" width=${WIDTH - 1.5} height=${HEIGHT - 1.5} rx="4" />
    ${dots.map(({ x, y, red }, at) => html`<circle key=${at} class=${red ? "dot red" : "dot"} cx=${x} cy=${y} r=${tile === "1-1" ? 5.5 : 3.6} />`)}
  </svg>`;
}

function isRed(tile, number, x) {
  return number === 1 || number === 4 || (tile === "6-6" && x > WIDTH / 2);
}

function TileBack({ unread = false }) {
  const name = say(unread ? "tile.unread" : "tile.down");
  return html`<span class=${unread ? "tile back unread" : "tile back"} role="img" aria-label=${name}>${unread ? "?" : ""}</span>`;
}

// Tiles as text ("6-6 5-4"), then so many face down.
export function Tiles({ open = "", down = 0, unread = false, label = undefined }) {
  const tiles = open.split(" ").filter(Boolean);
  return html`<span class="tiles" role=${label && "group"} aria-label=${label}>
    ${tiles.map((tile, at) => html`<${Tile} key=${at} tile=${tile} />`)}
    ${Array.from({ length: down }, (_, at) => html`<${TileBack} key=${`down${at}`} unread=${unread} />`)}
  </span>`;
}

// A playing card, open or face down; a tile where it is one.

export function Card({ card }) {
  if (isTile(card)) return html`<${Tile} tile=${card} />`;
  const { rank, suit, red } = cardGlyphs(card);
  return html`<span class=${red ? "card red" : "card"} data-suit=${suit} role="img" aria-label=${cardName(card)}>
    <b>${rank}</b><i>${suit}</i>
  </span>`;
}

function CardBack({ unread = false }) {
  const name = say(unread ? "card.unread" : "card.down");
  return html`<span class=${unread ? "card back unread" : "card back"} role="img" aria-label=${name}>${unread ? "?" : ""}</span>`;
}

// Cards as text ("As Kd"), then so many face down; their number says how far they overlap.
export function Cards({ open = "", down = 0, unread = false, label = undefined }) {
  const cards = open.split(" ").filter(Boolean);
  return html`<span class="cards" style=${{ "--count": cards.length + down }} role=${label && "group"} aria-label=${label}>
    ${cards.map((card, at) => html`<${Card} key=${at} card=${card} />`)}
    ${Array.from({ length: down }, (_, at) => html`<${CardBack} key=${`down${at}`} unread=${unread} />`)}
  </span>`;
}
