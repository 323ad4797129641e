// A playing card, open or face down; a tile where it is one.

import { html } from "../html.js";
import { cardGlyphs, cardName, say } from "../language.js";
import { isTile, Tile } from "./tile.js";

export function Card({ card }) {
  if (isTile(card)) return html`<${Tile} tile=${card} />`;
  const { rank, suit, red } = cardGlyphs(card);
  return html`<span class=${red ? "card red" : "card"} data-suit=${suit} role="img" aria-label=${cardName(card)}>
    <b>${rank}</b><i>${suit}</i>
  </span>`;
}

export function CardBack({ unread = false }) {
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
