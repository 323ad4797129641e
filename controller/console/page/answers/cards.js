// Answers while cards are dealt, counted, decided on and turned.

import { Component, html } from "../html.js";
import { send } from "../inputs.js";
import { FURTHEST } from "../keys.js";
import { amount, place, say, seatName } from "../language.js";
import { dealtTo, decisionOff, decisionsOf } from "../parts/felt.js";
import { CardKeypad, NumberPad } from "../parts/keypad.js";
import { Answer } from "./button.js";

// Cards come by themselves; one that the shoe did not report is keyed in.
export function Deal({ table }) {
  const untold = table.round.pending_cards > 0 && html`<${Unasked} />`;
  if (table.source !== "shoe") return html`${untold}<p class="wait">${say("wait.card")}</p>`;
  return html`${untold}<p class="wait">${say("wait.card")}</p><${Answer} kind="unreported_card" />`;
}

// A card came that no one asked for: seen or not.
function Unasked() {
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

// Answers to what a seat or a hand is asked (black-jack/21).

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
