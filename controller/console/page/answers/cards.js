// Answers while cards are dealt, counted, decided on and turned.

import { html } from "../html.js";
import { place, say, seatName } from "../language.js";
import { decisionOff, decisionsOf } from "../parts/decision.js";
import { dealtTo } from "../parts/furniture.js";
import { CardKeypad, NumberPad } from "../parts/keypad.js";
import { send } from "../inputs.js";
import { FURTHEST } from "../keys.js";
import { Answer } from "./button.js";

// Cards come by themselves; one that the shoe did not report is keyed in.
export function Deal({ table }) {
  const untold = table.round.pending_cards > 0 && html`<${Unasked} />`;
  if (table.source !== "shoe") return html`${untold}<p class="wait">${say("wait.card")}</p>`;
  return html`${untold}<p class="wait">${say("wait.card")}</p><${Answer} kind="unreported_card" />`;
}

// A card came that no one asked for: seen or not.
export function Unasked() {
  return [true, false].map(
    (seen) => html`<${Answer} key=${seen} kind="unasked_card" of=${`unasked-${seen}`} fields=${{ seen }}
      text=${say(seen ? "unasked.seen" : "unasked.unseen")} />`,
  );
}

export function Count({ step, table }) {
  const dealt = table.round.dealt.reduce((sum, deal) => sum + deal.to.length, 0);
  return html`<${NumberPad} kind="cards_counted" first=${step.cards ?? dealt} zero done=${say("input.cards_counted")}
    onDone=${(count) => send("cards_counted", { count })} />`;
}

// Of the first seat that waits, and of all that do; every seat has its own buttons on the felt.
export function Decisions({ step }) {
  const [seat] = step.waiting;
  const playing = step.waiting.filter((place) => !decisionOff(place, "play"));
  return html`<span class="who">${seatName(seat)}</span>
    ${decisionsOf(seat).map(
      (decision) => html`<${Answer} key=${decision} kind="decide" of=${`decide-${decision}`} fields=${{ seat, decision }}
        text=${say(`decision.${decision}`)} main=${decision === "play"} why=${decisionOff(seat, decision)} />`,
    )}
    ${playing.length > 1 && html`<${Answer} of="decide-all" acts=${playing.map((place) => ["decide", { seat: place, decision: "play" }])}
      text=${say("decision.all_play", { seats: playing.join(", ") })} main press=${FURTHEST} />`}`;
}

export function Reveal({ step, setting }) {
  const to = step.to[0];
  if (step.key_in) return html`<${KeyIn} to=${to} count=${dealtTo(to)} setting=${setting} />`;
  return html`<${Turn} to=${to} /><${Answer} kind="reveal_all" main press=${FURTHEST} />`;
}

// One card of several that are there.
export function RevealOne({ step, setting }) {
  const to = step.to[0];
  return step.key_in ? html`<${KeyIn} to=${to} count=${1} setting=${setting} />` : html`<${Turn} to=${to} />`;
}

function Turn({ to }) {
  return html`<${Answer} kind="reveal" fields=${{ to }} text=${say("input.reveal", { place: place(to) })} main />`;
}

function KeyIn({ to, count, setting }) {
  return html`<${CardKeypad} count=${count} twice=${setting.terms.decks > 1} onDone=${(cards) => send("reveal", { to, cards })} />`;
}
