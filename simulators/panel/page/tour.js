// Ten faults, one after the other: what should happen, and what the station did, in its own words.

import { button, el } from "./bench.js";
import { has, say, textOf } from "./words.js";

const MOST = 10;
// By fault: how it is seen that the station noticed. An alarm's name, words of its prompts in English, or what the bench filmed.
const STOPS = [
  ["shuffler:unplug", { alarm: /^device-shuffler/ }],
  ["shuffler:lid_open", { alarm: /^shuffler-lid/ }],
  ["shuffler:jam", { alarm: /^shuffler-jam/ }],
  ["shuffler:misread", { words: /not read/ }],
  ["slots:unplug", { alarm: /^device-slots/ }],
  ["slots:storm", { alarm: /^slots-seat/ }],
  ["sign:unplug", { alarm: /^device-sign/ }],
  ["players:late_chip", { words: /chip/, filmed: "late_chip" }],
  ["dealer:slip_wager", { filmed: "slip_wager" }],
  ["deck:missing", { words: /not whole/, alarm: /^shuffler-deck/ }],
  ["shoe:unplug", { alarm: /^device-shoe/ }],
  ["shoe:unreadable", { words: /not read/ }],
  ["dealer:complaint", { filmed: "complaint" }],
  ["dealer:number", { filmed: "number" }],
  ["dealer:order", { filmed: "order" }],
  ["dealer:no_bets", { filmed: "no_bets" }],
  ["sign:memory_lost", { filmed: "sign:memory_lost" }],
];

export class Tour {
  #stops;
  #named;
  #strike;
  #at = -1; // which is open
  #seen = []; // of each: null before it is struck, then the texts that came, and whether that was to be expected
  #before = null; // what was there before it was struck
  #now = null;

  // `offered` are the faults of this table, `strike` lets one happen, `named` gives its name.
  constructor(offered, named, strike) {
    this.#named = named;
    this.#strike = strike;
    this.#stops = STOPS.filter(([fault]) => offered.some((kind) => `${kind.device}:${kind.kind}` === fault)).slice(0, MOST);
    this.#seen = this.#stops.map(() => null);
    this.say();
  }

  say() {
    const open = document.activeElement?.dataset?.stop;
    document.querySelector("#steps").replaceChildren(
      ...this.#stops.map(([fault], at) => {
        const mark = this.#seen[at]?.met ? "✓" : at + 1;
        return el("li", {}, button(() => this.#open(at), { "data-stop": at, "aria-pressed": at === this.#at, "aria-label": `${at + 1}. ${this.#named(fault)}${this.#seen[at]?.met ? ` (${say("tour.met")})` : ""}` }, mark));
      }),
    );
    if (open) document.querySelector(`[data-stop="${open}"]`)?.focus();
    this.#draw();
  }

  show(now) {
    this.#now = now;
    const seen = this.#seen[this.#at];
    if (!seen || !this.#before) return;
    let changed = false;
    for (const [name, text] of this.#texts()) {
      if (this.#before.has(name) || seen.texts.has(name)) continue;
      seen.texts.set(name, text);
      changed = true;
    }
    const met = this.#met(seen);
    if (met && !seen.met) {
      seen.met = changed = true;
      this.say();
    } else if (changed) this.#draw();
  }

  // What the station shows now, and what the bench has filmed: name and words. A round asks so much that only what is looked for is listed.
  #texts() {
    const { alarms, notices, prompt, happened } = this.#now;
    const words = [...notices, ...(prompt ? [prompt] : [])].filter((one) => this.#stops[this.#at][1].words?.test(one.en));
    return [
      ...alarms.map((one) => [`alarm ${one.name} ${one.since}`, one.texts]),
      ...words.map((one) => [`words ${one.en}`, one]),
      ...happened.filter((one) => one.on).map((one) => [`filmed ${one.number} ${one.what}`, null]),
    ];
  }

  #met(seen) {
    const { alarm, words, filmed } = this.#stops[this.#at][1];
    return [...seen.texts.keys()].some((name) => {
      const [kind, ...rest] = name.split(" ");
      const text = rest.join(" ");
      return (kind === "alarm" && alarm?.test(text)) || (kind === "words" && words?.test(text)) || (kind === "filmed" && filmed && rest[1] === filmed);
    });
  }

  #open(at) {
    this.#at = at;
    this.#before = null;
    this.say();
  }

  #begin() {
    this.#seen[this.#at] = { texts: new Map(), met: false };
    this.#before = new Set(this.#texts().map(([name]) => name));
    const kind = this.#stops[this.#at][0];
    this.#strike(kind);
    this.#draw();
  }

  #draw() {
    const stop = document.querySelector("#stop");
    if (this.#at < 0) return stop.replaceChildren();
    const [fault] = this.#stops[this.#at];
    const seen = this.#seen[this.#at];
    const parts = [
      el("h3", {}, `${this.#at + 1}. ${this.#named(fault)}`),
      el("p", {}, el("b", {}, `${say("tour.should")} `), say(`tour.${fault}`)),
      el("p", { class: "row" }, button(() => this.#begin(), { class: "go", "data-strike": fault }, say(seen ? "tour.again" : "tour.do")),
        ...(this.#at + 1 < this.#stops.length ? [button(() => this.#open(this.#at + 1), { "data-next": "" }, say("tour.next"))] : [])),
    ];
    if (seen) {
      const lines = [...seen.texts].filter(([name, texts]) => texts || has(`odd.${name.split(" ")[2]}`)).slice(-6);
      parts.push(
        el("p", {}, el("b", {}, `${say("tour.did")} `), seen.met ? el("span", { class: "met" }, `✓ ${say("tour.met")}`) : say("tour.waits")),
        el("ul", {}, ...lines.map(([name, texts]) => el("li", {}, texts ? textOf(texts) : say(`odd.${name.split(" ")[2]}`)))),
      );
    }
    const focused = document.activeElement?.dataset?.strike;
    stop.replaceChildren(...parts);
    if (focused) stop.querySelector("[data-strike]")?.focus();
  }
}
