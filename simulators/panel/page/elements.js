// What the pages are made of: elements, buttons, and cards in writing.

const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };

export const find = (selector) => document.querySelector(selector);

// An attribute that is false is left out, and so is a child that is null, false or empty.
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== false) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== false && child !== ""));
  return element;
}

export function button(words, onTap, attributes = {}) {
  const made = el("button", { type: "button", ...attributes }, ...[words].flat());
  made.addEventListener("click", onTap);
  return made;
}

export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// "Th" is 10♥; a tile, "6-5", stays as it is.
export function glyphs(card) {
  const suit = SUITS[card[1]];
  return suit ? `${card[0] === "T" ? "10" : card[0]}${suit}` : card;
}

export function isRed(card) {
  return "dh".includes(card[1]);
}
