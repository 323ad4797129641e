// Answers that only Taiwan-Pai Kao has: the bank taken or passed on, how it deals, the dice, the tiles dealt and arranged.

import { Component, html } from "../html.js";
import { amount, say } from "../language.js";
import { bankAgain } from "../betting.js";
import { DicePad, NumberPad, TileKeypad } from "../parts/keypad.js";
import { openSheet } from "../screen.js";
import { send } from "../inputs.js";
import { FURTHEST } from "../keys.js";
import { Answer } from "./button.js";

// The place that is asked takes the bank with its capital, or passes it on; who must agree to a third round is ticked.
export class Bank extends Component {
  state = { capital: null, casino: 0, keying: null, agreed: [], other: null };

  render({ step }, { capital, casino, keying, agreed, other }) {
    if (!step.seat) return null;
    const money = keying ?? (capital === null ? "capital" : null);
    const waiting = step.waiting ?? [];
    const elsewhere = step.elsewhere ?? [];
    const place = other ?? (elsewhere.includes(step.seat) ? null : step.seat);
    const again = bankAgain(step.seat, step.least);
    const ready = capital !== null && place !== null && waiting.every((place) => agreed.includes(place));
    return html`<div class="takes">
      ${money
        ? html`<${NumberPad} key=${money} money first=${{ capital, casino }[money]} zero=${money === "casino"} done=${say(`bank.${money}_set`)}
            onDone=${(value) => this.setState({ [money]: value, keying: null })} />`
        : html`<div class="rows">
            ${Object.entries({ capital, casino }).map(([name, value]) => html`<div class="row" key=${name}><span class="who">${say(`wager.${name}`)}</span>
              <button class="plain" data-keying=${name} onClick=${() => this.setState({ keying: name })}>${amount(value, true)}</button></div>`)}
            ${waiting.length > 0 && html`<div class="row"><span class="who">${say("bank.agreed")}</span>
              ${waiting.map((place) => html`<button class="plain" key=${place} data-agreed=${place} aria-pressed=${agreed.includes(place)}
                onClick=${() => this.toggle(place)}>${place}</button>`)}</div>`}</div>`}
      ${elsewhere.length > 0 && html`<div class="row"><span class="who">${say("bank.elsewhere")}</span>
        ${elsewhere.map((place) => html`<button class="plain" key=${place} data-elsewhere=${place} aria-pressed=${place === other}
          onClick=${() => this.setState({ other: place === other ? null : place })}>${place}</button>`)}</div>`}
      <div class="row">
        ${again && capital === null && !waiting.length && html`<${Answer} of="take_bank-again" press=${FURTHEST}
          acts=${[["take_bank", { place: step.seat, ...again, agreed: [] }]]} text=${say("bank.again", { seat: step.seat, amount: amount(again.capital, true) })} />`}
        ${money === "capital" && step.least > 1 && html`<button class="plain" data-least
          onClick=${() => this.setState({ capital: step.least, keying: null })}>${say("bank.least", { amount: amount(step.least, true) })}</button>`}
        ${["refuse", "absent"].map((how) => html`<${Answer} key=${how} kind="pass_bank" of=${`pass_bank-${how}`}
          fields=${{ place: step.seat, absent: how === "absent" }} text=${say(`bank.${how}`)} />`)}
        ${!money && html`<${Answer} kind="take_bank" chosen=${{ place, capital, casino, agreed, bet_elsewhere: other !== null }} ready=${ready} main
          text=${say("input.take_bank", { seat: place ?? step.seat })} />`}
      </div></div>`;
  }

  toggle(place) {
    this.setState(({ agreed }) => ({ agreed: agreed.includes(place) ? agreed.filter((agreeing) => agreeing !== place) : [...agreed, place] }));
  }
}

// Who changes the order of the tiles before the dice is reported.
export function Moved() {
  return html`<div class="option"><button class="plain" data-moved onClick=${() => openSheet("report", { first: "tiles_moved" })}>
    ${say("form.tiles_moved")}</button></div>`;
}

// How the tiles are distributed, as the banker announces it; his words need not be written down.
export class Form extends Component {
  state = { form: "" };

  render({ step }, { form }) {
    return html`<div class="takes"><div class="row"><input type="text" maxlength="40" value=${form} aria-label=${say("form.words")} placeholder=${say("form.words")}
        onInput=${(event) => this.setState({ form: event.target.value })} /></div>
      <${Answer} kind="announce_form" fields=${{ by: step.seat, form }} main /></div>`;
  }
}

export function Dice({ step, table }) {
  const by = step.seat;
  return html`<div class="takes"><${DicePad} done=${say("input.dice")} onDone=${(dice) => send("dice", { by, dice })} />
    <div class="row"><${Answer} kind="dice_null" fields=${{ by }} />${!table.round.null_dice && html`<${Moved} />`}</div></div>`;
}

// A reader reports each tile; without one, all that are due are there at once.
export function DealTiles({ table }) {
  if (!("shoe" in table.devices)) return html`<${Answer} kind="tiles_dealt" main />`;
  return html`<p class="wait">${say("wait.tile")}</p><${Answer} kind="unreported_card" text=${say("input.unreported_tile")} />
    <${Answer} kind="tiles_dealt" />`;
}

export function Arrange() {
  return html`<${Answer} kind="arranged" main />`;
}

// Turned by the station as 6.º b) sets them, or keyed in as the player placed them.
export class RevealTiles extends Component {
  state = { keying: this.props.step.key_in };

  render({ step }, { keying }) {
    const to = step.to[0];
    if (keying) return html`<${TileKeypad} place=${to} onDone=${(cards) => send("reveal", { to, cards })} />`;
    return html`<${Answer} kind="reveal" fields=${{ to }} text=${say("input.reveal_tiles", { seat: to.split(" ")[1] })} main />
      <${Answer} kind="reveal_all" main press=${FURTHEST} />
      <div class="option"><button class="plain" data-as-placed onClick=${() => this.setState({ keying: true })}>${say("reveal.as_placed")}</button></div>`;
  }
}
