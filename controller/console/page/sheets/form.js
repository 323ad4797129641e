// A small form in a sheet: its text, its fields, and one button; it closes once it was taken.

import { acting, role } from "../acting.js";
import { Component, html } from "../html.js";
import { send, sendSigned } from "../inputs.js";
import { amount, cardNames, place, refusalWords, say, wantsPin } from "../language.js";
import { Choice, Reason } from "../parts/choice.js";
import { PinPad } from "../parts/pinpad.js";
import { guard } from "../presses.js";
import { closeSheet } from "../screen.js";
import { session } from "../session.js";
import { station } from "../station.js";

// `fields` gives the input's fields from what was chosen, or null while something is wanting; `draw` draws the choices,
// given what was chosen and a setter. `ask`, where it is given, draws what is asked once before the input is sent.
export class Form extends Component {
  state = { chosen: { ...this.props.first }, refused: null, asking: false };

  render({ kind, fields, draw, text, ask }, { chosen, refused, asking }) {
    const ready = fields(chosen);
    if (asking) {
      return html`<form class="form" data-asking=${kind} onSubmit=${(event) => event.preventDefault()}>
        ${ask(chosen)}
        ${refused && html`<p class="refusal" role="alert">${refusalWords(refused)}</p>`}
        <div class="sure"><button type="button" class="plain" data-not onClick=${() => this.setState({ asking: false, refused: null })}>${say("form.not")}</button>
        <button type="button" class="main" key="sure" data-kind=${kind} data-sure ...${guard(kind)} disabled=${station.sending > 0} onClick=${() => this.post(kind, ready)}>${say(`form.${kind}.sure`)}</button></div>
      </form>`;
    }
    const set = (change) => this.setState(({ chosen: before }) => ({ chosen: { ...before, ...change }, refused: null }));
    return html`<form class="form" onSubmit=${(event) => event.preventDefault()}>
      ${draw(chosen, set)}
      ${refused && html`<p class="refusal" role="alert">${refusalWords(refused)}</p>`}
      <button type="button" class="main" data-kind=${kind} ...${guard(kind)} disabled=${!ready || station.sending > 0}
        onClick=${() => (ask ? this.setState({ asking: true }) : this.post(kind, ready))}>${text ?? say(`input.${kind}`)}</button>
    </form>`;
  }

  async post(kind, ready) {
    if (station.sending) return;
    const answer = await send(kind, ready, { quietly: true });
    if (answer.refused) this.setState({ refused: answer.refused });
    else closeSheet();
  }
}

// One form of several, chosen first; `given` is what it starts with.
export class Forms extends Component {
  state = { open: this.props.first ?? null };

  render({ forms, given = {} }, { open }) {
    const shown = forms.find((form) => form.name === open && !form.off);
    if (shown) {
      return html`<button class="plain back" onClick=${() => this.setState({ open: null })}>← ${say("back")}</button>
        <h3>${say(`form.${shown.name}`)}</h3>${shown.form(given)}`;
    }
    return html`<div class="choices">
      ${forms.map(
        ({ name, off }) => html`<div class="option" key=${name}><button class="choice" data-form=${name} disabled=${Boolean(off)}
          onClick=${() => this.setState({ open: name })}><strong>${say(`form.${name}`)}</strong></button>
          ${off && html`<small class="why">${off}</small>`}</div>`,
      )}
    </div>`;
  }
}

// A form of what is corrected or adjusted: it is sent with the reason for it.

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

// Corrections in words: what was entered, and what replaces it.

export function correctionWords(correction) {
  return say("correction", { place: place(correction.at), ...correctedWords(correction), who: correction.actor, why: correction.reason || "–" });
}

// What is corrected, from what to what, each in words.
export function correctedWords({ what, wager, before, after, amount_before: less, amount_after: more }) {
  if (what === "wager") return { what: say(`wager.${wager}`), before: less === null ? "–" : amount(less), after: amount(more) };
  const value = (entered) => {
    if (entered === null) return "–";
    if (what === "cards") return cardNames(String(entered));
    if (what === "seat") return place(String(entered));
    if (what === "dice") return String(entered);
    const [answer, numbers] = String(entered).split(" ");
    const values = answer === "insure" ? numbers.split(",").map((number) => amount(Number(number))).join(", ") : numbers;
    return [say(`decision.${answer}`), values].filter(Boolean).join(" ");
  };
  return { what: say(wager ? `wager.${wager}` : `corrected.${what}`), before: value(before), after: value(after) };
}

// An act that two persons sign in the sheet where it is: the second one is chosen, and each keys in the own PIN.

const CLOSED = { open: false, other: null, pins: {}, refused: null };
const AT_THE_TABLE = ["dealer", "supervisor"];

// Who may sign beside the person who acts: one of the two is a supervisor.
function others() {
  const wanted = role() === "supervisor" ? AT_THE_TABLE : ["supervisor"];
  return Object.entries(station.setting.people).filter(([name, kind]) => name !== acting() && wanted.includes(kind)).map(([name]) => name);
}

// `acts` are what is sent, given who acts and who signs too; `signers` names those whose PINs are wanted. `other` is who
// signs too where that is settled, `candidates` are those who may; `name` distinguishes this act from others of the sheet. `off`
// says what is wanting before anyone signs.
export class Signing extends Component {
  state = { ...CLOSED, tries: 0 };

  render({ name, text, other, off, candidates = other ? [other] : others() }, { open, refused }) {
    if (!open || off) {
      return html`<div class="option"><button type="button" class="main" data-sign=${name} disabled=${Boolean(off)} onClick=${() => this.setState({ open: true })}>${text}</button>
        ${off && html`<small class="why">${off}</small>`}</div>`;
    }
    const chosen = this.chosen(candidates);
    return html`<section class="signing" data-signing=${name}>
      ${candidates.length > 1 && html`<${Choice} label=${this.props.candidates ? say("sign.who") : say("sign.with", { who: acting() })} chosen=${chosen}
        options=${candidates.map((value) => ({ value, text: value }))} onChoose=${(value) => this.choose(value)} />`}
      ${refused && !wantsPin(refused) && html`<p class="refusal" role="alert">${refusalWords(refused)}</p>`}
      ${candidates.length === 0 ? html`<p>${say("sign.none")}</p>` : chosen && this.pad(chosen)}
      <button type="button" class="plain" data-sign-not onClick=${() => this.setState(CLOSED)}>${say("back")}</button>
    </section>`;
  }

  chosen(candidates) {
    return this.state.other ?? (candidates.length === 1 ? candidates[0] : null);
  }

  choose(other) {
    this.setState({ other, pins: {}, refused: null });
  }

  pad(other) {
    if (!session.pins) {
      const who = this.props.signers(acting(), other).join(" + ");
      return html`<p>${say("sign.no_pins", { who })}</p><button type="button" class="main" data-sign-done ...${guard("confirm_hit")} disabled=${station.sending > 0} onClick=${() => this.post(other, {})}>${say("pin.done")}</button>`;
    }
    const { pins, refused, tries } = this.state;
    const signer = this.props.signers(acting(), other).find((name) => !(name in pins));
    return signer && html`<h3>${say("pin.asked", { who: signer })}</h3>
      <${PinPad} key=${`${signer} ${tries}`} name=${signer} text=${say("pin.done")} attempt=${(who, pin) => this.signed(other, who, pin)}
        refused=${refused?.who === signer && wantsPin(refused) && refused.error !== "pin" ? refused : null} />`;
  }

  // The last PIN sends the act.
  signed(other, who, pin) {
    const pins = { ...this.state.pins, [who]: pin };
    this.setState({ pins, refused: null });
    return this.props.signers(acting(), other).every((name) => name in pins) ? this.post(other, pins) : null;
  }

  async post(other, pins) {
    const { refused } = await sendSigned(this.props.acts(acting(), other), pins);
    if (refused) {
      const { [refused.who]: wrong, ...right } = pins;
      this.setState(({ tries }) => ({ refused, tries: tries + 1, pins: wantsPin(refused) && wrong ? right : {} }));
    } else {
      this.setState(CLOSED);
      this.props.onDone?.();
    }
    return null;
  }
}
