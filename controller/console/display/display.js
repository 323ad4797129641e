// The players' display: what everybody at the table may know, read from two metres, with nothing to tap.
// `?language=pt` holds it in one language; otherwise it speaks one after the other.

import { html, render } from "/page/html.js";
import { amount, cardGlyphs, LANGUAGES, loadWords, moneyHas, place, say, seatName, signed, speak, wordedAs } from "/page/language.js";
import { changed, whenChanged } from "/page/screen.js";
import { follow } from "/page/stream.js";

const TURN_MILLISECONDS = 8000;

const root = document.getElementById("display");
let shown = null; // nothing while the station is away: what was true then may not be now
let turn = 0;

function Display() {
  if (!shown) return html`<main class="away"><h1>${say("display.away")}</h1></main>`;
  return html`<main data-stage=${shown.stage}>
    <header><h1>${say(`game.${shown.game}`)}</h1><p>${shown.table}${shown.round ? ` · ${say("round.number", { round: shown.round })}` : ""}</p></header>
    <p class="stage">${say(`display.${shown.stage}`)}</p>
    ${shown.last_round && html`<p class="last">${say("display.last_round")}</p>`}
    ${Object.keys(shown.nets).length ? html`<${Results} />` : html`<${Offer} />`}
    ${shown.pot !== null && html`<p class="pot">${say("jackpot")} <b>${money(shown.pot)}</b></p>`}
    ${shown.pot_fault && html`<p class="pot">${say("pot.link_down")}</p>`}
  </main>`;
}

function Offer() {
  return html`<section class="offer">
    <dl class="limits">${Object.entries(shown.limits).map(([wager, { min, max }]) => html`<div key=${wager}>
      <dt>${say(`wager.${wager}`)}</dt><dd><b>${money(min)} – ${amount(max, true)}</b></dd></div>`)}</dl>
    ${shown.basic_bets && shown.basic_bets !== "either" && html`<p>${say(`posted.basic_bets.${shown.basic_bets}`)}</p>`}
    ${shown.without_limits.length > 0 && html`<p>${shown.without_limits.map((name) => say(`wager.${name}`)).join(" · ")}</p>`}
    ${shown.chip > 0 && html`<p>${say("jackpot")}: ${say("meter.chip")} <b>${money(shown.chip)}</b></p>`}
    ${Object.keys(shown.fixed).length > 0 && html`<dl>${Object.entries(shown.fixed).map(
      ([tier, fixed]) => html`<div key=${tier}><dt>${say(`hand.${tier}`)}</dt><dd>${money(fixed)}</dd></div>`)}</dl>`}
  </section>`;
}

function Results() {
  const others = Object.keys(shown.cards).filter((name) => !(name.split(" ")[1] in shown.nets));
  return html`<section class="results">
    ${others.map((name) => html`<p class="bank" key=${name}>${place(name)} <${Cards} text=${shown.cards[name]} /></p>`)}
    <ul>${Object.entries(shown.nets).map(([seat, net]) => html`<li key=${seat}><span>${seatName(seat)}</span>
      <${Cards} text=${shown.cards[`seat ${seat}`]} /> <b class=${net > 0 ? "won" : ""}>${signed(net)}</b></li>`)}</ul>
  </section>`;
}

function Cards({ text = "" }) {
  return html`<span>${text.split(" ").map((card, at) => {
    if (!/^[2-9TJQKA][cdhs]$/.test(card)) return html`<i key=${at}>${card}</i>`;
    const { rank, suit, red } = cardGlyphs(card);
    return html`<i key=${at} class=${red ? "red" : ""}>${rank}${suit}</i>`;
  })}</span>`;
}

function money(minor) {
  return `${shown.currency} ${amount(minor, true)}`;
}

function show(display) {
  shown = display;
  if (shown) {
    moneyHas(shown.exponent);
    wordedAs(shown.own_words);
  }
  changed();
}

function next() {
  speak(spoken[turn % spoken.length], false);
  turn += 1;
}

await loadWords();
const wished = new URLSearchParams(location.search).get("language");
const spoken = wished in LANGUAGES ? [wished] : Object.keys(LANGUAGES);
whenChanged(() => render(html`<${Display} />`, root));
next();
setInterval(next, TURN_MILLISECONDS);
follow("/display/stream", show, () => show(null));
