// What the robot would enter, in plain words, for the person who has taken over.

import { button, el, glyphs, write } from "./elements.js";
import { amount, has, say } from "./words.js";

// Of these the name of the button does not say everything.
const SAY_MORE = ["decide", "give_up", "even_money", "insure", "follow", "take_bank", "pass_bank", "unasked_card"];

// `at` is the furnishing: how amounts are written, what a player's place is called, the dealer's name.
export class Wanted {
  #list;
  #at;
  #leaveOut;
  #lines = new Map();

  // The buttons on the dealer's screen that each enter one thing, {kind, fields, text}.
  buttons = [];

  constructor(list, at, leaveOut) {
    this.#list = list;
    this.#at = at;
    this.#leaveOut = leaveOut;
  }

  // A line stays the same element as long as it is wanted: the focus on its button stays there.
  show(wanted) {
    const numbers = new Set(wanted.map((item) => item.number));
    for (const [number, line] of this.#lines) {
      if (numbers.has(number)) continue;
      line.remove();
      this.#lines.delete(number);
    }
    for (const item of wanted) {
      if (!this.#lines.has(item.number)) this.#lines.set(item.number, this.#line(item));
      const line = this.#lines.get(item.number);
      const what = this.words(item.input, item.void);
      line.classList.toggle("entered", item.entered);
      write(line.firstChild, item.entered ? `${what} ✓ ${say("wanted.entered")}` : what);
      const leave = line.querySelector("button");
      if (!leave) continue;
      write(leave, say("leave_out"));
      leave.setAttribute("aria-label", say("leave_out.named", { what }));
    }
  }

  #line(item) {
    const leave = item.may_be_left_out && button([], () => this.#leaveOut(item.number));
    const line = el("li", { "data-kind": item.input.kind }, el("span"), leave);
    this.#list.append(line);
    return line;
  }

  words(input, isVoid) {
    const key = variant(input);
    const sentence = say(isVoid && has(`wanted.${key}.void`) ? `wanted.${key}.void` : `wanted.${key}`, this.#values(input));
    const whole = sentence.charAt(0).toUpperCase() + sentence.slice(1);
    const button = buttonOf(input, this.buttons);
    const text = button && (SAY_MORE.includes(input.kind) ? `${whole} → ${button}` : button) || whole;
    return input.actor === this.#at.dealer ? text : `${text} (${say("wanted.by", { name: input.actor })})`;
  }

  #values(input) {
    const values = { ...input };
    const put = (key, words) => {
      if (input[key] !== undefined) values[key] = words(input[key]);
    };
    for (const key of ["seat", "to_seat"]) put(key, (seat) => this.place(seat));
    for (const key of ["to", "by", "meant_for", "place"]) put(key, (place) => this.place(place));
    for (const key of ["amount", "capital", "casino"]) put(key, (minor) => amount(minor, this.#at.exponent));
    put("amounts", (all) => all.map((minor) => amount(minor, this.#at.exponent)).join(", "));
    put("who", (all) => all.map((yes) => say(yes ? "yes" : "no")).join(", "));
    put("agreed", (all) => all.map((seat) => this.place(seat)).join(", ") || say("no_one"));
    put("wager", (wager) => say(`wager.${wager}`));
    put("decision", decision);
    put("deal", (deal) => say(`deal.${deal}`));
    put("source", (source) => say(`source.${source}`));
    put("what", (what) => say(`error.${what}`));
    put("seen", (seen) => say(seen ? "seen.seen" : "seen.unseen"));
    for (const key of ["which", "changes", "hits"]) put(key, (numbers) => numbers.join(", "));
    put("dice", (dice) => dice.join(" "));
    if (typeof input.cards === "string") values.cards = input.cards.split(" ").map(glyphs).join(" ");
    if (input.kind === "warning_card") values.where = say(`cutcard.${input.place}`);
    return values;
  }

  // The line where nothing is to be entered: the table may wait for persons at these seats.
  nothing(asked) {
    return asked.length ? say("wanted.asked", { seats: asked.map((seat) => this.place(seat)).join(", ") }) : say("wanted.none");
  }

  // 3, "seat 3", "bank".
  place(named) {
    const number = /^(?:seat )?(\d+)$/.exec(named)?.[1];
    if (number) return say(this.#at.seats, { seat: number });
    return has(`place.${named}`) ? say(`place.${named}`) : named;
  }
}

// What the button that enters this is called: of several the one that has most in common with it.
function buttonOf(input, buttons) {
  const like = (offer) => Object.keys(offer.fields).filter((key) => String(offer.fields[key]) === String(input[key])).length;
  const fitting = buttons.filter((offer) => offer.kind === input.kind
    && Object.keys(offer.fields).every((key) => input[key] === undefined || String(offer.fields[key]) === String(input[key])));
  return fitting.sort((offer, other) => like(other) - like(offer))[0]?.text;
}

function variant(input) {
  const { kind } = input;
  if (kind === "give_up" || kind === "even_money") return `${kind}.${input.yes ? "yes" : "no"}`;
  if (kind === "pass_bank") return `${kind}.${input.absent ? "absent" : "refused"}`;
  if (kind === "no_bets") return `${kind}.${input.spread ? "spread" : "kept"}`;
  if (kind === "pass_cut") return `${kind}.${input.vacant ? "vacant" : "declined"}`;
  if (kind === "decide" && input.hand) return `${kind}.hand`;
  if (kind === "reveal" && input.cards) return `${kind}.cards`;
  if (kind === "exposed" && input.which?.length) return `${kind}.which`;
  return kind;
}

// "fold", or as a correction says it: "insure 100,0".
function decision(answer) {
  const [name, ...rest] = answer.split(" ");
  return [say(`decision.${name}`), ...rest].join(" ");
}
