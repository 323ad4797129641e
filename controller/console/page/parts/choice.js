// One of several, chosen by tapping: places, reasons, any named things.

import { Component, html } from "../html.js";
import { place, say } from "../language.js";
import { station } from "../station.js";

export function Choice({ label, options, chosen, onChoose }) {
  return html`<fieldset class="choose"><legend>${label}</legend>
    ${options.map(
      ({ value, text, off }) => html`<button key=${value} type="button" class="plain" aria-pressed=${chosen === value}
        disabled=${off} data-value=${value} onClick=${() => onChoose(value)}>${text}</button>`,
    )}
    ${options.map(({ value, text, off, why }) => off && why && html`<small class="why" key=${value}>${text}: ${why}</small>`)}
  </fieldset>`;
}

export function seats() {
  return Array.from({ length: station.setting.terms.seat_count }, (_, at) => at + 1);
}

// The seats of this round: tiles may be dealt to fewer places than the table has.
export function seatsInPlay() {
  const most = station.table.round?.places ?? station.setting.terms.seat_count;
  return seats().filter((seat) => seat <= most);
}

export function seatOptions(wanted = () => true, among = seatsInPlay()) {
  return among.filter(wanted).map((seat) => ({ value: seat, text: String(seat) }));
}

// Whose bets are at a seat of this round, the player of the seat first; no one where no name was entered.
export function personsAt(seat) {
  const { players = {}, bets = [] } = station.table.round ?? {};
  return [...new Set([players[seat], ...bets.filter((bet) => bet.seat === seat).map((bet) => bet.player)])].filter(Boolean);
}

export function placeOptions(names) {
  return names.map((name) => ({ value: name, text: place(name) }));
}

// Every place that has cards in this round, in the order they came.
export function placesDealt() {
  const found = new Set();
  for (const dealt of station.table.round?.dealt ?? []) for (const to of dealt.to) found.add(to);
  return [...found].filter((to) => !["discard", "uncounted", "pending"].includes(to));
}

// A reason in words: one of the usual ones, or written; or a name, one of those given or another.
export class Reason extends Component {
  render({ usual = [], names = [], text, onText, label = say("reason") }) {
    const own = usual.length > 0 ? say("reason.own") : label;
    return html`<fieldset class="choose reason"><legend>${label}</legend>
      ${[...names, ...usual.map((key) => say(key))].map((choice) => html`<button key=${choice} type="button" class="plain" aria-pressed=${text === choice}
        onClick=${() => onText(choice)}>${choice}</button>`)}
      <input type="text" maxlength="200" value=${text} aria-label=${own} placeholder=${own}
        onInput=${(event) => onText(event.target.value)} />
    </fieldset>`;
  }
}
