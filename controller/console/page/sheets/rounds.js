// The last rounds from the journal, with search; rounds per hour, occupancy and what each wager held.

import { Component, html } from "../html.js";
import { amount, cardNames, clockTime, place, reason, say, seatName, signed } from "../language.js";
import { Cards } from "../parts/card.js";
import { Find } from "../parts/find.js";
import { houseNet } from "../parts/house.js";
import { sign } from "../parts/seat.js";
import { Sheet } from "../parts/sheet.js";
import { articleWords } from "../prompt.js";
import { openSheet } from "../screen.js";
import { mayRead } from "../session.js";
import { recall } from "../station.js";
import { correctionWords } from "./correct.js";
import { Lines } from "./lines.js";

export class RoundsSheet extends Component {
  state = { rounds: null, figures: null, find: "", open: null, more: false };

  componentDidMount() {
    this.ask("/rounds?last=100");
  }

  async ask(address) {
    const answer = await recall(address);
    this.setState((before) => ({
      rounds: answer && [...(before.rounds ?? []), ...answer.rounds],
      figures: before.figures ?? answer?.figures,
      more: answer?.rounds.length === 100,
    }));
  }

  render(_, { rounds, figures, find, open, more }) {
    const wanted = find.trim().toLowerCase();
    const found = (rounds ?? []).filter((round) => roundText(round).includes(wanted));
    const shown = open && rounds?.find((round) => round.round === open);
    return html`<${Sheet} title=${shown ? say("round.number", { round: open }) : say("rounds")} wide>
      ${shown
        ? html`<button class="plain back" onClick=${() => this.setState({ open: null })}>← ${say("back")}</button><${Round} round=${shown} />`
        : html`<button class="plain" data-register onClick=${() => openSheet("register")}>${say("register")}</button>
          ${figures && html`<${Figures} figures=${figures} />`}
          <${Find} find=${find} onFind=${(text) => this.setState({ find: text })} />
          ${rounds === null && html`<p>${say(mayRead() ? "wait.rounds" : "log_in.to_see")}</p>`}
          <table class="lines rounds"><tbody>
            ${found.map((round) => html`<${Row} key=${round.round} round=${round} onOpen=${() => this.setState({ open: round.round })} />`)}
          </tbody></table>
          ${rounds && found.length === 0 && html`<p>${say("nothing_found")}</p>`}
          ${more && html`<button class="plain" onClick=${() => this.ask(`/rounds?last=100&before=${rounds.at(-1).round}`)}>${say("rounds.older")}</button>`}`}
    <//>`;
  }
}

function netOf(round) {
  return houseNet(round).net;
}

// A place of Taiwan-Pai Kao; the banker's has no lines of its own.
function placesOf(round) {
  const { banker } = round;
  return Object.entries(round.seats).map(([seat, answer]) => {
    const own = banker?.place === Number(seat) ? { net: banker.net, lines: banker.joiners ?? [] } : {};
    return [seat, { net: 0, lines: [], ...answer, ...own }];
  });
}

function Row({ round, onOpen }) {
  return html`<tr>
    <th scope="row"><button class="plain" onClick=${onOpen}>${round.round}</button></th>
    <td>${clockTime(round.confirmed)}</td>
    <td>${round.void ? say("outcome.void") : say("rounds.seats", { seats: Object.keys(round.seats).join(", ") })}</td>
    <td>${round.confirmed_by}</td>
    <td class=${`money ${sign(netOf(round))}`}>${signed(netOf(round))}</td>
  </tr>`;
}

// Everything a person may look a round up by.
function roundText(round) {
  const seats = placesOf(round).map(([seat, answer]) => `${seatName(seat)} ${answer.hand ? say(`hand.${answer.hand}`) : ""} ${amount(answer.net)}`);
  const told = [round.round, round.confirmed, round.confirmed_by, round.void?.article ?? "", round.void ? reason(round.void) : "",
    ...round.irregularities.map(irregularWords), ...round.corrections.map(correctionWords), ...shownCards(round).map(([, cards]) => `${cards} ${cardNames(cards)}`)];
  return [...seats, ...told].join(" ").toLowerCase();
}

// The cards the rules showed, place by place.
function shownCards(round) {
  const found = [];
  if (round.dealer?.cards) found.push(["bank", round.dealer.cards]);
  if (round.community) found.push(["community", round.community]);
  for (const [seat, answer] of Object.entries(round.seats)) if (answer.cards) found.push([`seat ${seat}`, answer.cards]);
  for (const [at, cards] of Object.entries(round.cards ?? round.tiles ?? {})) {
    const name = at === "bank" ? "bank" : `seat ${at}`;
    for (const hand of [cards].flat()) found.push([name, hand]);
  }
  return found;
}

function Round({ round }) {
  return html`<div class="round">
    <p>${clockTime(round.began)} – ${clockTime(round.confirmed)} · ${round.confirmed_by} · ${say(round.banker ? "house.net" : "bank.net")} <b>${signed(netOf(round))}</b></p>
    ${round.void && html`<p class="refusal">${say("outcome.void")}: ${reason(round.void)} (${articleWords(round.void.article)})</p>`}
    <div class="shown">${shownCards(round).map(([at, cards], index) => html`<p key=${index}><span>${place(at)}</span><${Cards} open=${cards} /></p>`)}</div>
    ${placesOf(round).map(([seat, answer]) => html`<section key=${seat}>
      <h3>${seatName(seat)} <span class=${`money ${sign(answer.net)}`}>${signed(answer.net)}</span></h3><${Lines} lines=${answer.lines} />
      <button class="plain" data-adjust=${seat} onClick=${() => openSheet("correct", { first: "adjust_round", given: { round: round.round, seat: Number(seat) } })}>
        ${say("form.adjust_round")}</button></section>`)}
    ${round.irregularities.length > 0 && html`<h3>${say("irregular.made")}</h3><ul>${round.irregularities.map(
      (one, at) => html`<li key=${at}>${place(one.to)} · ${irregularWords(one)} (${articleWords(one.article)})</li>`)}</ul>`}
    ${round.corrections.length > 0 && html`<h3>${say("corrections.made")}</h3><ul>${round.corrections.map((one, at) => html`<li key=${at}>${correctionWords(one)}</li>`)}</ul>`}
    ${round.released
      ? html`<p>${say("key.released", { who: `${round.released.actor}, ${round.released.second}` })} · ${round.released.reason}</p>`
      : html`<button class="plain" data-release onClick=${() => openSheet("correct", { first: "release_key", given: { round: round.round } })}>
          ${say("form.release_key")}</button>`}
    ${round.adjustments.length > 0 && html`<h3>${say("adjustments.made")}</h3><ul>${round.adjustments.map(
      (one, at) => html`<li key=${at}>${seatName(one.seat)} ${signed(one.amount)} · ${one.actor} · ${one.reason}${one.after_claims ? ` · ${say("adjustment.after_claims")}` : ""}</li>`)}</ul>`}
  </div>`;
}

function irregularWords(one) {
  const seen = one.count > 1 ? ` × ${one.count}` : "";
  return `${say(`irregular.${one.kind}`)}${seen}`;
}

function Figures({ figures }) {
  const one = (key, value) => html`<div key=${key}><dt>${say(`figure.${key}`)}</dt><dd>${value}</dd></div>`;
  return html`<dl class="meter figures">
    ${one("rounds", figures.rounds)} ${one("void", figures.void)}
    ${one("per_hour", figures.per_hour ?? "–")} ${one("occupancy", figures.occupancy ? `${figures.occupancy} %` : "–")}
    ${one("hold", hold(figures.total))}
    ${Object.entries(figures.hold).map(([wager, kept]) => html`<div key=${wager}><dt>${say(`wager.${wager}`)}</dt><dd>${hold(kept)}</dd></div>`)}
  </dl>`;
}

function hold(kept) {
  return html`${signed(kept.held)}<small>${kept.percent === null ? "" : ` ${kept.percent} %`}</small>`;
}
