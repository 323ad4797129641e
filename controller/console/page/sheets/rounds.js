// The last rounds from the journal, with search; and their figures.

import { Component, html } from "../html.js";
import { amount, articleWords, cardNames, clockTime, moment, place, reason, say, seatName, signed } from "../language.js";
import { answerOf, sign } from "../parts/felt.js";
import { Cards } from "../parts/pieces.js";
import { houseNet, Lines } from "../parts/settlement.js";
import { Sheet } from "../parts/sheet.js";
import { openSheet } from "../screen.js";
import { mayRead, recall } from "../session.js";
import { station } from "../station.js";
import { correctable, otherDecisions } from "./correct.js";
import { Figures } from "./figures.js";
import { correctionWords } from "./form.js";

const SHOWN = 100; // rounds, until more are asked for

export class RoundsSheet extends Component {
  state = { rounds: null, figures: false, find: "", open: null, picture: false, query: "", searching: false, more: null, readTo: null, refused: null };

  componentDidMount() {
    this.ask("");
  }

  componentWillUnmount() {
    this.asking = null;
  }

  // The last rounds, or those that a query takes, however old: the station searches some events at a time.
  async ask(query, more = null) {
    const asking = (this.asking = {});
    this.setState(({ rounds }) => ({ query, rounds: more ? rounds : null, more: null, refused: null, readTo: null, searching: true }));
    for (let [found, next] = [0, more]; ; ) {
      const answer = await recall(query ? `/rounds/found?${new URLSearchParams({ query, ...(next && { on: next }) })}` : `/rounds?last=${SHOWN}${next ? `&before=${next}` : ""}`);
      if (this.asking !== asking) return;
      if (!answer || answer.refused) return this.setState({ rounds: answer && [], refused: answer?.refused, searching: false });
      found += answer.rounds.length;
      next = query ? answer.on?.join() : answer.rounds.length === SHOWN ? answer.rounds.at(-1).round : null;
      const on = query && next && found < SHOWN;
      this.setState(({ rounds }) => ({ rounds: [...(rounds ?? []), ...answer.rounds], more: on ? null : next, searching: Boolean(on), readTo: query ? answer.read_to ?? {} : null }));
      if (!on) return;
    }
  }

  render(_, { rounds, figures, find, open, picture, query, searching, more, readTo, refused }) {
    const wanted = find === query ? "" : find.trim().toLowerCase(); // the station has searched for it
    const found = (rounds ?? []).filter((round) => roundText(round).includes(wanted));
    const shown = open && rounds?.find((round) => round.round === open);
    const back = html`<button class="plain back no-print" onClick=${() => this.setState(picture ? { picture: false } : { open: null, figures: false })}>← ${say("back")}</button>`;
    return html`<${Sheet} title=${shown ? say("round.number", { round: open }) : say(figures ? "figures" : "rounds")} wide>
      ${shown && picture ? html`<div class="no-print slip-tools">${back}<button class="main" data-print onClick=${() => print()}>${say("slip.print")}</button></div>
          <${RoundPicture} round=${shown} places=${placesOf(shown)} />`
        : shown ? html`${back} <button class="plain" data-picture onClick=${() => this.setState({ picture: true })}>${say("round.picture")}</button><${Round} round=${shown} />` : figures ? html`${back}<${Figures} />`
        : html`<button class="plain" data-figures onClick=${() => this.setState({ figures: true })}>${say("figures")}</button>
          ${" "}<button class="plain" data-register onClick=${() => openSheet("register")}>${say("register")}</button>
          <${Search} find=${find} refused=${refused} onFind=${(text) => this.setState({ find: text })} onAsk=${() => this.ask(find.trim())} />
          ${rounds === null && html`<p>${say(mayRead() ? "wait.rounds" : "log_in.to_see")}</p>`}
          ${found.length > 0 && html`<table class="lines rounds"><${Head} jackpot=${hasJackpot()} /><tbody>
            ${found.map((round) => html`<${Row} key=${round.round} round=${round} jackpot=${hasJackpot()} onOpen=${() => this.setState({ open: round.round })} />`)}
          </tbody></table>`}
          ${rounds && found.length === 0 && !searching && !refused && html`<p>${say(wanted && rounds.length ? "rounds.not_among" : "nothing_found")}</p>`}
          ${readTo && html`<p class="read-to" role="status">${searching || more ? readTo.round && say("query.read_to", { round: readTo.round, began: moment(readTo.began) }) : say("query.whole")}</p>`}
          ${more && html`<button class="plain" data-more onClick=${() => this.ask(query, more)}>${say(query ? "query.on" : "rounds.older")}</button>`}`}
    <//>`;
  }
}

// What is typed is looked for among the rounds shown; what is sent, by the station in all of them.
function Search({ find, refused, onFind, onAsk }) {
  const asked = (event) => {
    event.preventDefault();
    onAsk();
  };
  return html`<form class="search" onSubmit=${asked}>
    <input type="search" class="find" name="query" value=${find} onInput=${(event) => onFind(event.target.value)} aria-label=${say("query")}
      placeholder=${say("query")} maxlength="500" autocomplete="off" spellcheck="false" />
    <button class="plain">${say("query.go")}</button>
    ${refused && html`<p class="refusal" role="alert">${reason(refused)}</p>`}
    <details><summary>${say("query.how")}</summary><p>${say("query.help")}</p></details>
  </form>`;
}

function hasJackpot() {
  return station.table.meter !== null;
}

// The seats; at the banker's of Taiwan-Pai Kao are the lines of those who joined him.
function placesOf({ bank, seats }) {
  return seats.map((seat) => (bank?.seat === seat.seat ? { ...seat, lines: bank.joiners } : seat));
}

function Head({ jackpot }) {
  const columns = ["round", "confirmed", "seats", "by"].map((name) => html`<th scope="col" key=${name}>${say(`rounds.head.${name}`)}</th>`);
  const money = ["win", ...(jackpot ? ["with_jackpot"] : [])].map((name) => html`<th scope="col" class="money" key=${name}>${say(`rounds.head.${name}`)}</th>`);
  return html`<thead><tr>${columns}${money}</tr></thead>`;
}

function Row({ round, jackpot, onOpen }) {
  const { win, net } = houseNet(round);
  return html`<tr>
    <th scope="row"><button class="plain" onClick=${onOpen}>${round.round}</button></th>
    <td>${clockTime(round.confirmed)}</td>
    <td>${round.void ? say("outcome.void") : say("rounds.seats", { seats: round.seats.map((seat) => seat.seat).join(", ") })}</td>
    <td>${round.confirmed_by}</td>
    ${(jackpot ? [win, net] : [net]).map((sum, at) => html`<td key=${at} class=${`money ${sign(sum)}`}>${signed(sum)}</td>`)}
  </tr>`;
}

// Everything a person may look a round up by.
function roundText(round) {
  const seats = round.seats.map(({ seat, hand_name: hand, net }) => `${seatName(seat)} ${hand ? say(`hand.${hand}`) : ""} ${amount(net)}`);
  const further = [round.round, round.confirmed, round.confirmed_by, round.void?.article ?? "", round.void ? reason(round.void) : "",
    ...round.irregularities.map(irregularWords), ...round.corrections.map(correctionWords), ...round.complaints.map(complaintWords), ...round.shown_cards.map(({ cards }) => `${cards.join(" ")} ${cardNames(cards.join(" "))}`)];
  return [...seats, ...further].join(" ").toLowerCase();
}

function Round({ round }) {
  return html`<div class="round">
    <p>${clockTime(round.began)} – ${clockTime(round.confirmed)} · ${round.confirmed_by} · ${say("bank.net")} <b>${signed(houseNet(round).net)}</b></p>
    ${round.void && html`<p class="refusal">${say("outcome.void")}: ${reason(round.void)} (${articleWords(round.void.article)})</p>`}
    <div class="shown">${round.shown_cards.map(({ to, cards }, index) => html`<p key=${index}><span>${place(to)}</span><${Cards} open=${cards.join(" ")} /></p>`)}</div>
    ${placesOf(round).map(({ seat, net, lines }) => html`<section key=${seat}>
      <h3>${seatName(seat)} <span class=${`money ${sign(net)}`}>${signed(net)}</span></h3><${Lines} lines=${lines} taxed=${Boolean(round.tiles)} />
      <button class="plain" data-adjust=${seat} onClick=${() => openSheet("correct", { first: "adjust_round", given: { round: round.round, seat } })}>
        ${say("form.adjust_round")}</button></section>`)}
    ${round.irregularities.length > 0 && html`<h3>${say("irregular.made")}</h3><ul>${round.irregularities.map(
      (irregularity, at) => html`<li key=${at}>${place(irregularity.to)} · ${irregularWords(irregularity)} (${articleWords(irregularity.article)})</li>`)}</ul>`}
    ${round.complaints.length > 0 && html`<h3>${say("complaints.made")}</h3><${Complaints} of=${round} />`}
    ${round.corrections.length > 0 && html`<h3>${say("corrections.made")}</h3><ul>${round.corrections.map((correction, at) => html`<li key=${at}>${correctionWords(correction)}</li>`)}</ul>`}
    ${round.released
      ? html`<p>${say("key.released", { who: `${round.released.actor}, ${round.released.second}` })} · ${round.released.reason}</p>`
      : html`<button class="plain" data-release onClick=${() => openSheet("correct", { first: "release_key", given: { round: round.round } })}>
          ${say("form.release_key")}</button>`}
    ${round.adjustments.length > 0 && html`<h3>${say("adjustments.made")}</h3><ul>${round.adjustments.map(
      (adjustment, at) => html`<li key=${at}>${seatName(adjustment.seat)} ${signed(adjustment.amount)} · ${adjustment.actor} · ${adjustment.reason}${adjustment.after_claims ? ` · ${say("adjustment.after_claims")}` : ""}</li>`)}</ul>`}
  </div>`;
}

function irregularWords(irregularity) {
  const seen = irregularity.count > 1 ? ` × ${irregularity.count}` : "";
  return `${say(`irregular.${irregularity.kind}`)}${seen}`;
}

// A round as a picture: the felt with its cards and bets as they were, and what each came to; alone on what is printed.

function RoundPicture({ round, places }) {
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
function Complaints({ of: { complaints } }) {
  return complaints.length > 0 && html`<ul class="complaints">${complaints.map((complaint, at) => html`<li key=${at}>${complaintWords(complaint)}</li>`)}</ul>`;
}

function complaintWords({ complaint, seat, outcome, reason: why, what, by, actor }) {
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

// One seat: what it is paid, wager by wager, and why.

export function SeatSheet({ seat }) {
  const answer = answerOf(seat);
  const cards = station.table.round?.shown[`seat ${seat}`];
  const others = otherDecisions(seat);
  const pairs = Object.entries(station.table.round?.pairs?.[`seat ${seat}`] ?? {}).filter(([, pair]) => pair.cards);
  return html`<${Sheet} title=${seatName(seat)}>
    ${pairs.map(([name, pair]) => html`<p key=${name}>${say(`pair.${name}`)}: <b>${say(`pair.${pair.name}`)}</b>${pair.title ? ` · ${pair.title}` : ""} · ${pair.rank}</p>`)}
    ${cards && html`<p class="cardnames">${cardNames(cards)}${answer?.hand_name ? ` · ${say(`hand.${answer.hand_name}`)}` : ""}</p>`}
    ${answer
      ? html`<${Lines} lines=${answer.lines} taxed=${Boolean(station.table.round.places)} />`
      : html`<p>${say("seat.nothing")}</p>`}
    ${others.length > 0 && html`<h3>${say("form.correct_decision")}</h3>
      <p>${say("form.before")} <b>${say(`decision.${station.table.round.decisions[seat]}`)}</b> ${others.map((decision) => html`<button class="plain" key=${decision}
        data-correct-decision=${decision} onClick=${() => openSheet("correct", { first: "correct_decision", given: { seat, decision } })}>${say(`decision.${decision}`)}</button> `)}</p>`}
    <h3>${say("form.correct_wager")}</h3>
    <p>${correctable(seat).map((bet, at) => html`<button class="plain" key=${at} data-correct=${bet.wager}
      onClick=${() => openSheet("correct", { first: "correct_wager", given: { seat, ...bet } })}>${say(`wager.${bet.wager}`)}${bet.player ? ` · ${bet.player}` : ""} ${amount(bet.amount, true)}</button> `)}
      <button class="plain" data-correct onClick=${() => openSheet("correct", { given: { seat } })}>${say("correct")} …</button></p>
  <//>`;
}
