// Corrections that only Taiwan-Pai Kao has: the dice, and four tiles as they lie.

import { html } from "../html.js";
import { cardNames, place, say } from "../language.js";
import { Choice } from "../parts/choice.js";
import { DicePad } from "../parts/dice.js";
import { TileKeypad } from "../parts/tile_keypad.js";
import { station } from "../station.js";
import { documented } from "./documented.js";

export function correctDice() {
  return documented(
    "correct_dice",
    "correct",
    { dice: null },
    ({ dice }) => dice && { dice },
    (chosen, set) => chosen.dice === null
      ? html`<${DicePad} done=${say("input.dice")} onDone=${(dice) => set({ dice })} />`
      : html`<p class="set">${chosen.dice.join(" ")} <button type="button" class="plain" onClick=${() => set({ dice: null })}>${say("change")}</button></p>`,
  );
}

// The dice stand once a tile is shown: the places follow from them.
export function diceOff() {
  const { round } = station.table;
  if (Object.keys(round.shown).length) return say("off.tiles_shown");
  return round.dice ? null : say("off.no_dice");
}

export function correctTiles(shown) {
  return documented(
    "correct_cards",
    "correct",
    { to: null, cards: null },
    ({ to, cards }) => to && cards && { to, cards },
    (chosen, set) => html`
      <${Choice} label=${say("form.place")} options=${shown.map((value) => ({ value, text: place(value) }))} chosen=${chosen.to}
        onChoose=${(to) => set({ to, cards: null })} />
      ${chosen.to && (chosen.cards === null
        ? html`<${TileKeypad} key=${chosen.to} place=${chosen.to} onDone=${(cards) => set({ cards })} />`
        : html`<p class="set">${cardNames(chosen.cards)} <button type="button" class="plain" onClick=${() => set({ cards: null })}>${say("change")}</button></p>`)}`,
  );
}
