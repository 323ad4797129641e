// The round with its open cards: each place's cards, the name of its hand, and what its seat won or lost.

import { html } from "/page/html.js";
import { place, say, signed } from "/page/language.js";
import { Card } from "/page/parts/card.js";
import { isTile } from "/page/parts/tile.js";
import { PaidRows } from "./pays.js";
import { Piece } from "./pieces.js";

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
