// A round as a picture: the felt with its cards and bets as they were, and what each came to; alone on what is printed.

import { html } from "../html.js";
import { amount, clockTime, place, reason, say, seatName, signed } from "../language.js";
import { Cards } from "../parts/card.js";
import { articleWords } from "../refusals.js";
import { station } from "../station.js";

export function RoundPicture({ round, places }) {
  const { setting } = station;
  const house = [...new Set(round.shown_cards.map(({ to }) => to))].filter((to) => !places.some(({ seat }) => isAt(to, seat)));
  const seats = [...places].sort((seat, other) => seat.seat - other.seat);
  return html`<article class="slip picture">
    <h1>${say("round.number", { round: round.round })}</h1>
    ${setting.mode !== "live" && html`<p class="worthless">${say(setting.mode)}</p>`}
    <p>${setting.site} · ${setting.table} · ${say(`game.${setting.terms.game}`)} · ${clockTime(round.began)} – ${clockTime(round.confirmed)} · ${round.confirmed_by}</p>
    ${round.void && html`<p><b>${say("outcome.void")}</b>: ${reason(round.void)} (${articleWords(round.void.article)})</p>`}
    <${Complaints} of=${round} />
    <div class="as-it-was">
      ${house.length > 0 && html`<div class="house">${house.map((to) => html`<section key=${to}><h2>${place(to)}</h2><${Cards} open=${shownAt(round, (target) => target === to)} /></section>`)}</div>`}
      <div class="around">${seats.map((seat) => html`<${Place} key=${seat.seat} shown=${seat} round=${round} />`)}</div>
    </div>
  </article>`;
}

// That there was a complaint, and how it ended.
export function Complaints({ of: { complaints } }) {
  return complaints.length > 0 && html`<ul class="complaints">${complaints.map((complaint, at) => html`<li key=${at}>${complaintWords(complaint)}</li>`)}</ul>`;
}

export function complaintWords({ complaint, seat, outcome, reason: why, what, by, actor }) {
  const words = outcome ? [say(`complaint.${outcome}`), why] : [by, what];
  return [say("complaint.number", { number: complaint }), seatName(seat), ...words, actor].filter(Boolean).join(" · ");
}

function Place({ shown: { seat, net, lines }, round }) {
  return html`<section data-place=${seat}><h2>${seatName(seat)}</h2>
    <${Cards} open=${shownAt(round, (to) => isAt(to, seat))} />
    <ul>${lines.map((line, at) => html`<li key=${at}>${say(`wager.${line.wager}`)}${line.hand ? ` ${line.hand}` : ""}${line.player ? ` · ${line.player}` : ""}${" "}
      <b>${amount(line.stake)}</b> <span>${signed(line.net)}</span></li>`)}</ul>
    <p>${signed(net)}</p></section>`;
}

// "seat 3", and what a hand of it is called after a split.
function isAt(to, seat) {
  return to === `seat ${seat}` || to.startsWith(`seat ${seat} `);
}

function shownAt(round, here) {
  return round.shown_cards.filter(({ to }) => here(to)).flatMap(({ cards }) => cards).join(" ");
}
