// Corrections and reports that only Taiwan-Pai Kao has.

import { html } from "../html.js";
import { place, say } from "../language.js";
import { Choice, seatsInPlay } from "../parts/choice.js";
import { DicePad, TileKeypad } from "../parts/keypad.js";
import { station } from "../station.js";
import { correction, correctPieces, Form } from "./form.js";

export function correctDice() {
  return correction(
    "correct_dice",
    { dice: null },
    ({ dice }) => dice && { dice },
    (chosen, set) => chosen.dice === null
      ? html`<${DicePad} done=${say("input.dice")} onDone=${(dice) => set({ dice })} />`
      : html`<p class="set">${chosen.dice.join(" ")} <button type="button" class="plain" onClick=${() => set({ dice: null })}>${say("change")}</button></p>`,
    ({ dice }) => [station.table.round.dice.join(" "), dice?.join(" ")],
  );
}

// The dice are final once a tile is shown: the places follow from them.
export function diceOff() {
  const { round } = station.table;
  if (Object.keys(round.shown).length) return say("off.tiles_shown");
  return round.dice ? null : say("off.no_dice");
}

export function correctTiles(_, shown) {
  return correctPieces(shown, (to) => station.table.round.shown[to] ?? "", (to, onDone) => html`<${TileKeypad} key=${to} place=${to} onDone=${onDone} />`);
}

// Reports that only Taiwan-Pai Kao has: who changed the order of the tiles before the dice (2.º f)).

const STEPS = ["wagers", "dice"];

export function movedOff() {
  const { round, step } = station.table;
  if (!STEPS.includes(step.kind)) return say("off.not_before_dice");
  return round.moved.includes("bank") ? say("off.banker_moved") : null;
}

export function tilesMoved() {
  const { round } = station.table;
  const players = seatsInPlay().filter((seat) => seat !== round.banker.place).map((seat) => `seat ${seat}`);
  const options = [...players, "bank"].filter((by) => !round.moved.includes(by)).map((value) => ({ value, text: place(value) }));
  return html`<${Form} kind="tiles_moved" first=${{ by: null }} fields=${({ by }) => by && { by }}
    draw=${(chosen, set) => html`<p>${say("form.tiles_moved.what")}</p>
      <${Choice} label=${say("form.by")} options=${options} chosen=${chosen.by} onChoose=${(by) => set({ by })} />`} />`;
}
