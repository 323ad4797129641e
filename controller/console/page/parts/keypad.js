// Keying in: cards by rank and suit, and whole numbers.

import { Component, html } from "../html.js";
import { amount, cardGlyphs, cardName, say } from "../language.js";
import { guard } from "../presses.js";
import { station } from "../station.js";
import { Card, copiesOf, FACES, Tile } from "./pieces.js";

const RANKS = "A23456789TJQK";
const SUITS = "shdc";

// Keys in `count` cards, in the order on the table; `onDone` is given them as text.
export class CardKeypad extends Component {
  state = { cards: [], suit: SUITS[0] }; // a phone shows the keys of one suit

  render({ count, onDone, twice = false }, { cards, suit: shown }) {
    const full = cards.length === count;
    return html`<div class="keypad">
      <div class="entered" aria-live="polite">
        ${cards.map((card, at) => html`<${Card} key=${at} card=${card} />`)}
        ${Array.from({ length: count - cards.length }, (_, at) => html`<span class="card empty" key=${`e${at}`}></span>`)}
        <button class="plain" disabled=${!cards.length} onClick=${() => this.setState({ cards: cards.slice(0, -1) })}>
          ⌫ ${say("keypad.back")}</button>
        <button class="main" disabled=${!full || station.sending > 0} onClick=${() => onDone(cards.join(" "))}>${say("keypad.cards_done")}</button>
      </div>
      <div class="ranks" role="group" aria-label=${say("keypad.cards")}>
        <div class="suits">${[...SUITS].map((suit) => html`<button class="plain" key=${suit} data-suit=${suit} aria-pressed=${suit === shown}
          aria-label=${say(`suit.${suit}`)} onClick=${() => this.setState({ suit })}>${cardGlyphs(RANKS[0] + suit).suit}</button>`)}</div>
        ${[...SUITS].map((suit) => html`<div class=${suit === shown ? "suit shown" : "suit"} key=${suit} role="group" aria-label=${say(`suit.${suit}`)}>
          ${[...RANKS].map((rank) => this.key(rank + suit, full || (!twice && cards.includes(rank + suit))))}</div>`)}
      </div>
    </div>`;
  }

  key(card, off) {
    const { rank, suit, red } = cardGlyphs(card);
    return html`<button key=${card} class=${red ? "rank red" : "rank"} disabled=${off} aria-label=${cardName(card)}
      data-card=${card} onClick=${() => this.setState(({ cards }) => ({ cards: [...cards, card] }))}>
      ${rank}<i>${suit}</i></button>`;
  }
}

// Keys in a whole number, at most `most`; with `money` it is an amount in minor units, with `either` it may be negative.
// `kind` is the input that it is keyed in for.
export class NumberPad extends Component {
  state = { digits: this.props.first === undefined || this.props.first === null ? "" : String(this.props.first), minus: false };

  render({ onDone, done, money = false, either = false, most = 1e12, whole = money, kind }, { digits, minus }) {
    const value = (minus ? -1 : 1) * Number(digits || 0);
    const shown = money ? amount(value) : `${minus ? "−" : ""}${digits || "–"}`;
    const bad = !digits || Math.abs(value) > most || (whole && value === 0 && !this.props.zero);
    return html`<div class="numberpad" onKeyDown=${(event) => this.key(event)}>
      <output class="value" aria-live="polite">${shown}</output>
      <div class="digits" role="group" aria-label=${say("keypad.number")}>
        ${[..."1234567890"].map((digit) => html`<button key=${digit} class="digit" data-digit=${digit}
          onClick=${() => this.type(digit)}>${digit}</button>`)}
        ${money && html`<button class="digit" onClick=${() => this.type("00")}>00</button>`}
        ${either && html`<button class="digit" aria-pressed=${minus} aria-label=${say("keypad.minus")}
          onClick=${() => this.setState({ minus: !minus })}>±</button>`}
        <button class="digit" aria-label=${say("keypad.back")} onClick=${() => this.back()}>⌫</button>
      </div>
      <button class="main" ...${guard(kind)} disabled=${bad || station.sending > 0} onClick=${() => onDone(value)}>${done ?? say("keypad.done")}</button>
    </div>`;
  }

  // The keys of a keyboard count too, once one of its buttons has the focus.
  key(event) {
    if (/^\d$/.test(event.key)) this.type(event.key);
    else if (event.key === "Backspace") this.back();
  }

  back() {
    this.setState(({ digits }) => ({ digits: digits.slice(0, -1) }));
  }

  type(digit) {
    // What is proposed is replaced by the first digit typed.
    this.setState(({ digits, typed }) => ({ digits: `${typed ? digits : ""}${digit}`.replace(/^0+(?=\d)/, "").slice(0, 12), typed: true }));
  }
}

// The four dice: drawn as they fell, and keyed in.

const DICE = 4;
const DIE_FACES = [1, 2, 3, 4, 5, 6];
const [NEAR, MIDDLE, FAR] = [9, 18, 27];
const PIPS = {
  1: [[MIDDLE, MIDDLE]],
  2: [[NEAR, NEAR], [FAR, FAR]],
  3: [[NEAR, NEAR], [MIDDLE, MIDDLE], [FAR, FAR]],
  4: [[NEAR, NEAR], [FAR, NEAR], [NEAR, FAR], [FAR, FAR]],
  5: [[NEAR, NEAR], [FAR, NEAR], [MIDDLE, MIDDLE], [NEAR, FAR], [FAR, FAR]],
  6: [[NEAR, NEAR], [NEAR, MIDDLE], [NEAR, FAR], [FAR, NEAR], [FAR, MIDDLE], [FAR, FAR]],
};

export function Die({ shows }) {
  const red = shows === 1 || shows === 4;
  return html`<svg class="die" viewBox="0 0 36 36" role="img" aria-label=${String(shows)}>
    <rect class="ground" x="1" y="1" width="34" height="34" rx="7" />
    ${PIPS[shows].map(([x, y], at) => html`<circle key=${at} class=${red ? "dot red" : "dot"} cx=${x} cy=${y} r=${shows === 1 ? 6 : 3.6} />`)}
  </svg>`;
}

// Keys in what the four dice show; `onDone` is given the numbers.
export class DicePad extends Component {
  state = { dice: [] };

  render({ onDone, done }, { dice }) {
    const full = dice.length === DICE;
    return html`<div class="keypad dicepad">
      <div class="entered" aria-live="polite">
        ${Array.from({ length: DICE }, (_, at) => dice[at]
          ? html`<${Die} key=${at} shows=${dice[at]} />` : html`<span class="die empty" key=${at}></span>`)}
        <button type="button" class="plain" disabled=${!dice.length} onClick=${() => this.setState({ dice: dice.slice(0, -1) })}>
          ⌫ ${say("keypad.back")}</button>
        <button type="button" class="main" disabled=${!full || station.sending > 0} onClick=${() => onDone(dice)}>${done}</button>
      </div>
      <div class="faces" role="group" aria-label=${say("keypad.dice")}>
        ${DIE_FACES.map((shows) => html`<button type="button" key=${shows} class="face" data-die=${shows} disabled=${full}
          onClick=${() => this.setState({ dice: [...dice, shows] })}><${Die} shows=${shows} /></button>`)}
      </div>
    </div>`;
  }
}

// Keying in the four tiles of a place as they are: the front pair, then the rear pair.

const COUNT = 4;
const IN_FRONT = 2;

// `place` is whose tiles they are: those that are open elsewhere cannot be keyed in. `onDone` is given text.
export class TileKeypad extends Component {
  state = { tiles: [] };

  render({ place, onDone }, { tiles }) {
    const out = [...openElsewhere(place), ...tiles];
    const full = tiles.length === COUNT;
    return html`<div class="keypad tilepad">
      <div class="entered" aria-live="polite">
        ${["front", "rear"].map((pair, at) => html`<span class="pairname" key=${pair}>${say(`pair.${pair}`)}</span>
          ${[0, 1].map((column) => this.entered(at * IN_FRONT + column))}`)}
        <button class="plain" disabled=${!tiles.length} onClick=${() => this.setState({ tiles: tiles.slice(0, -1) })}>
          ⌫ ${say("keypad.back")}</button>
        <button type="button" class="main" disabled=${!full || station.sending > 0} onClick=${() => onDone(tiles.join(" "))}>${say("keypad.cards_done")}</button>
      </div>
      <div class="faces" role="group" aria-label=${say("keypad.tiles")}>
        ${FACES.map((tile) => html`<button type="button" key=${tile} class="face" data-card=${tile}
          disabled=${full || out.filter((other) => other === tile).length >= copiesOf(tile)}
          onClick=${() => this.setState({ tiles: [...tiles, tile] })}><${Tile} tile=${tile} /></button>`)}
      </div>
    </div>`;
  }

  entered(at) {
    const tile = this.state.tiles[at];
    return tile ? html`<${Tile} key=${at} tile=${tile} />` : html`<span class="tile empty" key=${at}></span>`;
  }
}

function openElsewhere(place) {
  const { shown, used } = station.table.round;
  const others = Object.entries(shown).filter(([at]) => at !== place).map(([, tiles]) => tiles);
  return [used, ...others].join(" ").split(" ").filter(Boolean);
}
