// Ten faults, one after the other: what should happen, and what the station did, in its own words.

import { button, el } from "./elements.js";
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
  #seen = []; // of each: null before it is struck, then by key what came, and whether that was to be expected
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
        return el("li", {}, button(mark, () => this.#open(at), { "data-stop": at, "aria-pressed": at === this.#at, "aria-label": `${at + 1}. ${this.#named(fault)}${this.#seen[at]?.met ? ` (${say("tour.met")})` : ""}` }));
      }),
    );
    if (open) document.querySelector(`[data-stop="${open}"]`)?.focus();
    this.#draw();
  }

  show(now) {
    this.#now = now;
    const seen = this.#seen[this.#at];
    if (!seen || !this.#before) return;
    const came = this.#shown().filter(({ key }) => !this.#before.has(key) && !seen.came.has(key));
    if (!came.length) return;
    for (const sign of came) seen.came.set(sign.key, sign);
    if (!seen.met && came.some((sign) => sign.meets)) {
      seen.met = true;
      this.say();
    } else this.#draw();
  }

  // What the station shows now, in its words, and what the bench has filmed. A round asks so much that only what is looked for is listed.
  #shown() {
    const { alarms, notices, prompt, happened } = this.#now;
    const { alarm, words, filmed } = this.#stops[this.#at][1];
    return [
      ...alarms.map((raised) => ({ key: `alarm ${raised.name} ${raised.since}`, texts: raised.texts, meets: alarm?.test(raised.name) })),
      ...[...notices, prompt].filter((texts) => texts && words?.test(texts.en)).map((texts) => ({ key: `words ${texts.en}`, texts, meets: true })),
      ...happened.filter((event) => event.on).map(({ number, what }) => ({ key: `filmed ${number}`, what, meets: what === filmed })),
    ];
  }

  #open(at) {
    this.#at = at;
    this.#before = null;
    this.say();
  }

  #begin() {
    this.#seen[this.#at] = { came: new Map(), met: false };
    this.#before = new Set(this.#shown().map(({ key }) => key));
    this.#strike(this.#stops[this.#at][0]);
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
      el("p", { class: "row" }, button(say(seen ? "tour.again" : "tour.do"), () => this.#begin(), { class: "go", "data-strike": fault }),
        this.#at + 1 < this.#stops.length && button(say("tour.next"), () => this.#open(this.#at + 1), { "data-next": "" })),
    ];
    if (seen) {
      const lines = [...seen.came.values()].filter(({ texts, what }) => texts || has(`odd.${what}`)).slice(-6);
      parts.push(
        el("p", {}, el("b", {}, `${say("tour.did")} `), seen.met ? el("span", { class: "met" }, `✓ ${say("tour.met")}`) : say("tour.waits")),
        el("ul", {}, ...lines.map(({ texts, what }) => el("li", {}, texts ? textOf(texts) : say(`odd.${what}`)))),
      );
    }
    const focused = document.activeElement?.dataset?.strike;
    stop.replaceChildren(...parts);
    if (focused) stop.querySelector("[data-strike]")?.focus();
  }
}
