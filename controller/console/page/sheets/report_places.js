// Reports that only Taiwan-Pai Kao has: who changed the order of the tiles before the dice (2.º f)).

import { html } from "../html.js";
import { place, say } from "../language.js";
import { Choice, seatsInPlay } from "../parts/choice.js";
import { station } from "../station.js";
import { Form } from "./form.js";

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
