// A result: the round with its open cards, its greatest win, and the last ten rounds.

import { PaidRows } from "./offer.js";
import { Piece } from "./pieces.js";
import { html } from "/page/html.js";
import { amount, place, say, seatName, signed } from "/page/language.js";
import { Card, isTile } from "/page/parts/pieces.js";

const MOST_IN_A_ROW = 4;
const LONGEST_BESIDE = "+9,999".length; // an amount beside the number of its seat

export function Results({ shown: { cards, nets, hands, paid, pays, banker, bank_plays } }) {
  return html`<${Piece} tag="section" class="results" of=${{ cards, nets, hands, paid, pays, banker, bank_plays }} draw=${drawnResults} />`;
}

function drawnResults(shown) {
  const seats = Object.keys(shown.nets);
  const others = Object.keys(shown.cards).filter((name) => !(name.split(" ")[1] in shown.nets));
  const [bare, common] = [others.filter((name) => name.startsWith("seat ")), others.filter((name) => !name.startsWith("seat "))];
  const places = [...seats.map((seat) => `seat ${seat}`), ...bare].sort(bySeat);
  const tiles = isTile(shown.cards[places[0]] ?? "");
  const rows = Math.ceil(places.length / MOST_IN_A_ROW);
  return html`<section class=${tiles ? "results of-tiles" : "results"} style=${{ "--columns": Math.ceil(places.length / rows), "--rows": rows, "--tall-columns": tiles || rows === 1 ? 2 : 3 }}>
    ${common.length + shown.paid.length > 0 && html`<div class="common">
      ${common.length > 0 && html`<div class="bank-row">${common.map((name) => html`<${Place} key=${name} name=${name} shown=${shown} />`)}</div>`}
      <${PaidRows} shown=${shown} /></div>`}
    <ul class=${Object.values(shown.nets).some((net) => signed(net).length > LONGEST_BESIDE) ? "long" : ""}>${places.map((name) => html`<${Place} key=${name} name=${name} shown=${shown} />`)}</ul>
  </section>`;
}

function bySeat(name, other) {
  return name.split(" ")[1] - other.split(" ")[1];
}

function Place({ name, shown }) {
  const seat = name.split(" ")[1];
  const of = {
    name, seat, net: shown.nets[seat], banker: seat !== undefined && Number(seat) === shown.banker, cards: shown.cards[name],
    hands: shown.hands[name] ?? [], plays: name !== "bank" || shown.bank_plays,
  };
  return html`<${Piece} tag=${seat ? "li" : "div"} class="place" of=${of} draw=${drawnPlace} />`;
}

function drawnPlace({ name, seat, net, banker, cards, hands, plays }) {
  const outcome = net === undefined ? "" : net > 0 ? "won" : net < 0 ? "lost" : "even";
  const called = [...hands.map(handName), ...(plays === false ? [say("bank.does_not_play")] : [])];
  return html`<${seat ? "li" : "div"} class=${["place", outcome, banker ? "banker" : ""].join(" ")} data-fit data-place=${name}>
    <p class="who">${seat ? html`<span class="number" role="img" aria-label=${place(name)}>${seat}</span>` : html`<span>${place(name)}</span>`}${banker && html`<em>${say("place.banker")}</em>`}
      ${net !== undefined && html`<b class="net" data-fit>${signed(net)}</b>`}</p>
    <${Cards} text=${cards} />
    <p class="called">${called.join(" · ")}</p>
  <//>`;
}

function handName({ name, points }) {
  return points === null ? say(name) : say("points", { points });
}

// Cards are beside each other where there is room, else those of a hand overlap evenly; the pairs of four tiles are behind
// each other.
function Cards({ text = "" }) {
  const hands = text.split(" · ").map((hand) => hand.split(" ").filter(Boolean));
  const cards = hands.flat();
  return html`<span class="cards-shown"><span class="row" style=${{ "--count": Math.max(1, cards.length), "--hands": hands.length }}>${hands.map((hand, at) => html`<span class="hand" key=${at}>
    ${hand.map((card, number) => html`<span class="slot" key=${number} style=${{ "--at": number }}><${Card} card=${card} /></span>`)}</span>`)}</span></span>`;
}

// The greatest win of a round, to be noticed across the room, under the article that pays it.

export function Win({ paid, currency }) {
  const wager = say(`wager.${paid.wager}`);
  const named = paid.name ? say(paid.name) : wager;
  const by = [paid.name ? wager : "", paid.odds?.replace(":", " : "), paid.article].filter(Boolean).join(" · ");
  return html`<section class="win" key=${`${paid.seat}/${paid.article}`}>
    <p class="hand-won" data-fit><span>${seatName(paid.seat)}</span> <b>${named}</b><small>${by}</small></p>
    <p class="won-amount" data-fit><small>${currency}</small> +${amount(paid.amount, true)}</p>
  </section>`;
}

// The last ten rounds, the newest at the right.

export function Past({ rounds }) {
  if (rounds.some(({ cards }) => Object.keys(cards).length > 0)) return html`<${Road} rounds=${rounds} />`;
  return html`<section class="past"><h2>${say("display.last_rounds")}</h2>
    <ol>${rounds.map((round) => html`<li key=${round.round}>
      ${round.void ? html`<b>${say("outcome.void")}</b>` : html`<${Outcome} of=${round} />`}</li>`)}</ol></section>`;
}

function Outcome({ of }) {
  return html`${of.points !== null && html`<b>${of.points}</b>`}
    <span class="counts"><i class="up">▲ ${of.won}</i> <i class="down">▼ ${of.lost}</i></span>`;
}

// The road of the last ten rounds, as players of Macau read one: cards in the order of the deal, alike cards downwards,
// another outcome in the next column. An eight takes the bets in both other boxes, so it is an outcome and no tie.

const ROWS = 6;
const COLUMNS = 36; // the newest; older ones leave at the left
const BOXES = [["low", /[2-7]/], ["eight", /8/], ["high", /[9TJQKA]/]];

function Road({ rounds }) {
  const outcomes = rounds.flatMap((round) => Object.values(round.cards).flat().map((card) => ({ box: boxOf(card), last: round === rounds.at(-1) })));
  const cells = laidOut(outcomes.map(({ box }) => box)).map((cell, at) => ({ ...cell, ...outcomes[at] }));
  const left = Math.max(0, Math.max(0, ...cells.map(({ column }) => column + 1)) - COLUMNS);
  const counts = BOXES.map(([box]) => [box, outcomes.filter((outcome) => outcome.box === box).length]);
  const words = counts.map(([box, count]) => `${say(`box.${box}`)} ${count}`).join(", ");
  return html`<section class="past road" data-count=${outcomes.length}><h2>${say("display.road")}</h2>
    <p class="counts">${counts.map(([box, count]) => html`<b key=${box} data-box=${box}><i class="bead"></i>${say(`box.${box}`)} ${count}</b>`)}</p>
    <div class="grid" role="img" aria-label=${words}>${cells.filter(({ column }) => column >= left).map(({ box, last, column, row }) => html`<i key=${`${column} ${row}`}
      class=${last ? "bead last" : "bead"} data-box=${box} style=${{ gridColumn: column - left + 1, gridRow: row + 1 }}></i>`)}</div></section>`;
}

function boxOf(card) {
  return BOXES.find(([, ranks]) => ranks.test(card[0]))[0];
}

// The column and row of each outcome: a run goes down; where the column ends, or another run is below, it turns right.
export function laidOut(outcomes) {
  const taken = new Set();
  let [head, column, row, turned] = [-1, -1, 0, false];
  return outcomes.map((outcome, at) => {
    if (outcome !== outcomes[at - 1]) {
      head += 1;
      while (taken.has(`${head} 0`)) head += 1;
      [column, row, turned] = [head, 0, false];
    } else {
      turned ||= row + 1 === ROWS || taken.has(`${column} ${row + 1}`);
      if (turned) column += 1;
      else row += 1;
    }
    taken.add(`${column} ${row}`);
    return { column, row };
  });
}
