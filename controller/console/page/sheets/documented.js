// A form of what is corrected or adjusted: it is sent with the reason for it.

import { html } from "../html.js";
import { cardNames, place, say } from "../language.js";
import { Choice, Reason } from "../parts/choice.js";
import { Form } from "./form.js";

const USUAL = ["reason.keyed", "reason.seat", "reason.misunderstood", "reason.surveillance"];

// Reason last, then the button: the same for all. A correction needs none: where it comes after a moment of the game, a
// supervisor gives it.
export function documented(kind, first, fields, draw, { optional = false } = {}) {
  return html`<${Form} kind=${kind} first=${{ reason: "", ...first }}
    fields=${(chosen) => ((optional || chosen.reason.trim()) && fields(chosen) ? { ...fields(chosen), reason: chosen.reason } : null)}
    draw=${(chosen, set) => html`${draw(chosen, set)}
      <${Reason} usual=${USUAL} text=${chosen.reason} onText=${(reason) => set({ reason })} label=${say(optional ? "reason.optional" : "reason")} />`} />`;
}

// `change` gives what is entered now, and what it becomes once that is chosen; null while it concerns nothing yet.
export function correction(kind, first, fields, draw, change) {
  return documented(kind, first, fields, (chosen, set) => html`${draw(chosen, set)}<${Change} of=${change(chosen)} />`, { optional: true });
}

function Change({ of }) {
  if (!of) return null;
  const [before, after] = of;
  return html`<p class="set before-after" role="status">${say("form.before")} <b>${before}</b>${after && html` · ${say("form.after")} <b>${after}</b>`}</p>`;
}

// Other cards or tiles are open at one of these places: `now` gives those that are entered there, and `pad` draws what
// they are keyed in with, given place and setter.
export function correctPieces(shown, now, pad) {
  return correction(
    "correct_cards",
    { to: null, cards: null },
    ({ to, cards }) => to && cards && { to, cards },
    (chosen, set) => html`
      <${Choice} label=${say("form.place")} options=${shown.map((value) => ({ value, text: place(value) }))} chosen=${chosen.to}
        onChoose=${(to) => set({ to, cards: null })} />
      ${chosen.to && (chosen.cards === null
        ? pad(chosen.to, (cards) => set({ cards }))
        : html`<p class="set">${cardNames(chosen.cards)} <button type="button" class="plain" onClick=${() => set({ cards: null })}>${say("change")}</button></p>`)}`,
    ({ to, cards }) => to && [cardNames(now(to)), cards && cardNames(cards)],
  );
}
