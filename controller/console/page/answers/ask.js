// Answers to what a seat or a hand is asked (black-jack/21).

import { Component, html } from "../html.js";
import { amount, say, seatName } from "../language.js";
import { FURTHEST } from "../keys.js";
import { NumberPad } from "../parts/keypad.js";
import { Answer } from "./button.js";
import { Unasked } from "./cards.js";

const DECISIONS = ["hit", "stand", "double", "split"];

export function Ask({ step, table }) {
  const untold = table.round.pending_cards > 0 && html`<${Unasked} />`;
  const swept = step.waiting.length > 1 && html`<${Sweep} step=${step} />`;
  const Asked = { decision: Decision, insurance: Insurance, follow: Follow }[step.question] ?? (swept ? null : YesNo);
  return html`${untold}${swept}${Asked && html`<${Asked} step=${step} table=${table} />`}`;
}

// What every seat is asked before play: those that do are tapped, and all others decline at once (33, 34, 36).
class Sweep extends Component {
  state = { but: [] };

  render({ step }, { but }) {
    return html`<div class="rows"><div class="row" role="group" aria-label=${say(`sweep.${step.question}.but`)}>
        <span class="who">${say(`sweep.${step.question}.but`)}</span>
        ${step.waiting.map((seat) => html`<button class="plain" key=${seat} data-but=${seat} aria-pressed=${but.includes(seat)}
          aria-label=${seatName(seat)} onClick=${() => this.toggle(seat)}>${seat}</button>`)}</div></div>
      <${Answer} kind="decline_all" fields=${{ but }} main press=${FURTHEST}
        text=${but.length ? say("sweep.others") : say(`sweep.${step.question}.none`)} />`;
  }

  toggle(seat) {
    this.setState(({ but }) => ({ but: but.includes(seat) ? but.filter((excepted) => excepted !== seat) : [...but, seat] }));
  }
}

function Decision({ step, table }) {
  const fields = { seat: step.seat, hand: step.hand };
  const hands = Object.entries(table.round.hands).flatMap(([seat, of]) => of.map(({ state }, at) => ({ seat: Number(seat), hand: at + 1, state })));
  const left = hands.slice(hands.findIndex(({ state }) => state === "asked")).filter(({ state }) => ["asked", "waiting"].includes(state));
  const stand = left.map(({ seat, hand }) => ["decide", { seat, hand, decision: "stand" }]);
  return html`${DECISIONS.map(
    (decision) => html`<${Answer} key=${decision} kind="decide" of=${`decide-${decision}`} fields=${{ ...fields, decision }}
      text=${say(`decision.${decision}`)} main=${step.legal.includes(decision)}
      why=${step.legal.includes(decision) ? undefined : step.illegal?.[decision]} />`,
  )}${step.legal.includes("stand") && html`<${Answer} of="decide-stand-reveal" acts=${[...stand, ["reveal", { to: "bank" }]]}
    text=${say(left.length > 1 ? "decision.all_stand_reveal" : "decision.stand_reveal")} press=${FURTHEST} />`}`;
}

function YesNo({ step }) {
  return [true, false].map(
    (yes) => html`<${Answer} key=${yes} kind=${step.question} of=${`${step.question}-${yes}`} fields=${{ seat: step.seat, yes }}
      text=${say(yes ? "yes" : "no")} main />`,
  );
}

// What each insures: nothing, all that may be, or an amount keyed in. Backers are asked once the seat does (15).
class Insurance extends Component {
  state = { amounts: this.props.step.most.map(() => 0), keying: null };

  render({ step }, { amounts, keying }) {
    if (keying !== null) {
      return html`<${NumberPad} money zero most=${step.most[keying]} done=${say("insurance.set")}
        onDone=${(value) => this.set(keying, value)} />`;
    }
    const names = [seatName(step.seat), ...(step.backers ?? [])];
    return html`<div class="rows">
      ${step.most.map(
        (most, at) => (at === 0 || amounts[0] > 0) && html`<div class="row" key=${at}><span class="who">${names[at]}</span>
          ${[0, most].map((value) => html`<button class="plain" key=${value} aria-pressed=${amounts[at] === value}
            onClick=${() => this.set(at, value)}>${value ? amount(value, true) : say("no")}</button>`)}
          <button class="plain" aria-pressed=${![0, most].includes(amounts[at])} onClick=${() => this.setState({ keying: at })}>
            ${[0, most].includes(amounts[at]) ? say("insurance.other") : amount(amounts[at], true)}</button></div>`,
      )}</div>
      <${Answer} kind="insure" fields=${{ seat: step.seat }} chosen=${{ amounts }} main />`;
  }

  set(at, value) {
    this.setState(({ amounts }) => {
      const set = amounts.with(at, value);
      return { amounts: set[0] ? set : set.map(() => 0), keying: null };
    });
  }
}

// Which backers follow, each yes or no.
class Follow extends Component {
  state = { who: this.props.step.backers.map(() => true) };

  render({ step }, { who }) {
    return html`<div class="rows">
      ${step.backers.map(
        (name, at) => html`<div class="row" key=${name}><span class="who">${name}</span>
          ${[true, false].map((yes) => html`<button class="plain" key=${yes} aria-pressed=${who[at] === yes}
            onClick=${() => this.setState({ who: who.with(at, yes) })}>${say(yes ? "yes" : "no")}</button>`)}</div>`,
      )}</div>
      <${Answer} kind="follow" fields=${{ seat: step.seat, hand: step.hand }} chosen=${{ who }} main />`;
  }
}
