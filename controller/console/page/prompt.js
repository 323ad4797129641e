// What the dealer does next: one prompt, and below it the answers that may be given to it.

import { ChangesWait } from "./answers/button.js";
import { Ask, Count, Deal, Decisions, Reveal } from "./answers/cards.js";
import { Arrange, Bank, Dice, Form } from "./answers/places.js";
import { Announce, Begin, Claims, Confirm, Cut, Deck, Extract, Grant, Increment, Load, Open, Shuffle, Wagers, Warning } from "./answers/round.js";
import { isBetting, refusedStacks } from "./betting.js";
import { html } from "./html.js";
import { amount, has, refusalWords, say, textOf } from "./language.js";
import { AlarmLine } from "./parts/alarm.js";
import { isAway } from "./parts/sheet.js";
import { ChipTray, PlayerTray, Stacks } from "./parts/tray.js";
import { changed, screen } from "./screen.js";
import { ofGame, station } from "./station.js";

const NOTICES_SHOWN = 2;
const LONG = 76; // characters; a longer prompt is set smaller

export function Prompt() {
  const { table } = station;
  return html`<section class="prompt" inert=${isAway()} aria-label=${say("prompt")}>
    <div class="words" tabindex="0">
      <p class=${nextWords(table).length > LONG ? "next long" : "next"} role="status" aria-live="polite">${nextWords(table)}</p>
      <${Refusal} />
      <${Stacks} />
      <${AlarmLine} />
      <${Notices} />
    </div>
    ${isBetting() && html`<div class="betting"><${PlayerTray} /><${ChipTray} /></div>`}
    <div class="answers" tabindex="-1" aria-busy=${station.sending > 0}><${Answers} key=${table.step.id} /></div>
  </section>`;
}

// The station's own words; a question with amounts in it is put here, where they are shown as amounts.
function nextWords({ step }) {
  if (step.kind === "ask" && step.waiting.length > 1) return say(`sweep.${step.question}`);
  if (step.kind === "ask" && has(`ask.${step.question}`)) {
    const most = step.most?.[0] ?? 0;
    return say(`ask.${step.question}`, { seat: step.seat, hand: step.hand, most: amount(most, true) });
  }
  return textOf(step.prompt);
}

// The last answer that was not taken: whose, why, under which article. A sheet shows that of its own `kinds`.
export function Refusal({ kinds }) {
  const { refusal } = screen;
  if (!refusal || (kinds && !kinds.includes(refusal.kind))) return null;
  if (refusal.kind === "wager" && refusedStacks().length) return null; // shown at each stack
  return html`<p class="refusal" role="alert">${refusalWords(refusal)}
    <button class="close" aria-label=${say("close")} onClick=${() => { screen.refusal = null; changed(); }}>✕</button></p>`;
}

// Between two rounds they are those of the last one.
function Notices() {
  const { notices, round, step } = station.table;
  const last = notices.slice(-NOTICES_SHOWN).reverse();
  const of = step.kind === "begin" && round ? `${say("round.number", { round: round.id })} · ` : "";
  return html`<ul class="notice-list" aria-live="polite" aria-label=${say("notices")}>
    ${last.map((words) => html`<li class="notice" key=${words.en}>${of}${textOf(words)}</li>`)}
  </ul>`;
}

// The answers to each kind of step, one function a kind.

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

function Answers() {
  const { kind } = station.table.step;
  const OfStep = ofGame().answers[kind] ?? OF_STEP[kind];
  if (!OfStep) return html`<p class="refusal">${say("step.unknown", { kind: station.table.step.kind })}</p>`;
  return html`<${ChangesWait} /><${OfStep} step=${station.table.step} table=${station.table} setting=${station.setting} />`;
}
