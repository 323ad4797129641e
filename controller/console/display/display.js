// The players' display: what everyone at the table may know, read from five metres, with nothing to tap.
// `?language=pt` keeps it in one language; otherwise the languages take turns.

import { html, render } from "/page/html.js";
import { articleWords, LANGUAGES, loadWords, moneyHas, reason, say, speak, wordedAs } from "/page/language.js";
import { changed, whenChanged } from "/page/screen.js";
import { follow } from "/page/stream.js";
import { fit, Turns } from "./pieces.js";
import { Offer, pagesOf, PayTable } from "./offer.js";
import { Past, Results, Win } from "./results.js";
import { Pot } from "./pot.js";

const LOOK_SECONDS = 0.5; // between two looks at whose turn it is

const root = document.getElementById("display");
let rehearsed = false;
let last = null; // the last result, until the next bets
let shown = null; // nothing while the station is away: what was true then may not be now

function Display({ shown }) {
  if (!shown) return html`<main class="away"><h1>${say("display.away")}</h1></main>`;
  const open = Object.keys(shown.cards).length > 0;
  const seen = shown.stage === "waiting" && last ? last : shown; // a result stays until the next bets
  const over = open || seen === last;
  const past = !over && shown.past?.length > 0;
  const won = shown.paid.find((win) => win.odds !== "1:1");
  return html`<main data-stage=${shown.stage} class=${[over ? "over" : "", shown.pot === null ? "" : "has-pot", past ? "with-past" : ""].join(" ")}>
    <header><h1>${say(`game.${shown.game}`)}</h1><p>${shown.table}${shown.round ? ` · ${say("round.number", { round: shown.round })}` : ""}</p></header>
    ${shown.pot !== null && html`<${Pot} pot=${shown.pot} currency=${shown.currency} fault=${shown.pot_fault} changed=${shown.pot_changed} />`}
    ${shown.stage === "result" && won ? html`<${Win} paid=${won} currency=${shown.currency} />` : html`<p class="stage">
      <b>${say(`display.${shown.stage}`)}</b>${shown.last_round && html`<small>${say("display.last_round")}</small>`}</p>`}
    ${why(shown) && html`<p class="why" data-fit>${why(shown)}</p>`}
    ${over ? html`<${Results} shown=${seen} />` : html`<div class="body"><${Offer} shown=${shown} />
      <${PayTable} pays=${shown.pays} page=${turns.page} /></div>`}
    ${past && html`<${Past} rounds=${shown.past} />`}
  </main>`;
}

// Why the game waits, or the round is void; a reason that a person wrote is not for the guests.
function why({ stage, fault, void: broken }) {
  if (broken) return `${broken.why ? `${reason(broken.why)} ` : ""}(${articleWords(broken.article)})`;
  return fault && stage !== "closed" ? say("display.interrupted", { why: say(`display.fault.${fault}`) }) : "";
}

function show(display) {
  if (display && !rehearsed) rehearse(display);
  shown = display;
  if (shown?.stage === "result") last = shown;
  else if (shown?.stage !== "waiting") last = null;
  if (shown) {
    moneyHas(shown.exponent);
    wordedAs(shown.own_words);
    pass(0);
  }
  changed();
}

function pass(seconds) {
  if (shown && turns.pass(seconds, shown.stage, pagesOf(shown.pays).length)) speak(turns.language, false);
}

function draw() {
  render(html`<${Display} shown=${shown} />`, root);
  fit();
}

// A result is drawn once, unseen, before there is one: its first has no scripts to compile and no glyphs to look for.
function rehearse(display) {
  rehearsed = true;
  const unseen = document.body.appendChild(document.createElement("div"));
  unseen.className = "rehearsal";
  unseen.ariaHidden = "true";
  const { wager, name } = display.pays[0] ?? { wager: "ante", name: "" };
  const seats = [1, 2, 3, 4, 5, 6, 7];
  const result = {
    ...display, stage: "result", past: null, nets: Object.fromEntries(seats.map((seat) => [seat, seat * 10 ** display.exponent])),
    cards: Object.fromEntries(["bank", ...seats.map((seat) => `seat ${seat}`)].map((place) => [place, "As Kh Qd Jc"])),
    paid: [{ seat: 1, wager, name, odds: "2:1", amount: 1000, article: "" }],
  };
  const end = () => {
    if (root.hasAttribute("data-drawing")) return requestAnimationFrame(end);
    render(null, unseen);
    unseen.remove();
  };
  requestAnimationFrame(() => {
    render(html`<${Display} shown=${result} />`, unseen);
    fit();
    end();
  });
}

await loadWords();
const wished = new URLSearchParams(location.search).get("language");
const turns = new Turns(wished in LANGUAGES ? [wished] : Object.keys(LANGUAGES));
whenChanged(draw);
addEventListener("resize", () => fit());
speak(turns.language, false);
setInterval(() => pass(LOOK_SECONDS), LOOK_SECONDS * 1000);
follow("/display/stream", show, () => show(null));
