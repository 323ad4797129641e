// Corrections that only Taiwan-Pai Kao has: the dice, and four tiles as they are.

import { html } from "../html.js";
import { say } from "../language.js";
import { DicePad } from "../parts/dice.js";
import { TileKeypad } from "../parts/tile_keypad.js";
import { station } from "../station.js";
import { correction, correctPieces } from "./documented.js";

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
