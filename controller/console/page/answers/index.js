// The answers to each kind of step, one function a kind.

import { html } from "../html.js";
import { own } from "../games.js";
import { say } from "../language.js";
import { station } from "../station.js";
import { Ask } from "./ask.js";
import { Count, Deal, Decisions, Reveal } from "./cards.js";
import { ChangesWait } from "./changes.js";
import { Begin, Cut, Deck, Extract, Load, Open, Shuffle, Warning } from "./deck.js";
import { Arrange, Bank, Dice, Form } from "./places.js";
import { Announce, Claims, Confirm, Grant, Increment, Wagers } from "./round.js";

const OF_STEP = {
  open: Open,
  load: Load,
  extract: Extract,
  begin: Begin,
  shuffle: Shuffle,
  deck: Deck,
  cut: Cut,
  warning: Warning,
  burn: Deal,
  bank: Bank,
  wagers: Wagers,
  form: Form,
  dice: Dice,
  increment: Increment,
  announce: Announce,
  deal: Deal,
  count: Count,
  decisions: Decisions,
  ask: Ask,
  arrange: Arrange,
  reveal: Reveal,
  grant: Grant,
  confirm: Confirm,
  claims: Claims,
};

export function Answers() {
  const { kind } = station.table.step;
  const OfStep = own().answers[kind] ?? OF_STEP[kind];
  if (!OfStep) return html`<p class="refusal">${say("step.unknown", { kind: station.table.step.kind })}</p>`;
  return html`<${ChangesWait} /><${OfStep} step=${station.table.step} table=${station.table} setting=${station.setting} />`;
}

