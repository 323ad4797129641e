// The felt of Taiwan-Pai Kao: the places in a ring, counter-clockwise, and in its middle the bank and the dice.

import { DealTiles, RevealTiles } from "../answers/places.js";
import { html } from "../html.js";
import { amount, place as placeName, say, seatName, signed } from "../language.js";
import { Die } from "../parts/keypad.js";
import { answerOf, dealtTo, Felt, SeatHead, Space } from "../parts/felt.js";
import { houseNet } from "../parts/settlement.js";
import { Tiles } from "../parts/pieces.js";
import { correctDice, correctTiles, diceOff, movedOff, tilesMoved } from "../sheets/places.js";
import { station } from "../station.js";

const PAIRS = ["front", "rear"];
const ROW_BEHIND = 1;
const ROW_BEFORE = 3; // the middle is between

export default {
  felt: PaiKaoFelt,
  answers: { deal: DealTiles, reveal: RevealTiles },
  forms: {
    correct_dice: { off: diceOff, form: correctDice },
    correct_cards: { form: correctTiles },
    tiles_moved: { off: movedOff, form: tilesMoved },
  },
};

function PaiKaoFelt() {
  const places = station.table.round?.places ?? station.setting.terms.seat_count;
  return html`<${Felt} game=${`paikao of-${places}`} bankRow=${html`<${Middle} />`}>
    ${Array.from({ length: places }, (_, at) => html`<${Place} key=${at + 1} place=${at + 1} places=${places} />`)}
  <//>`;
}

// From the dealer's left along the near side, and back along the far one.
function inRing(place, places) {
  const half = places / 2;
  return place <= half ? { "--column": place, "--row": ROW_BEFORE } : { "--column": places - place + 1, "--row": ROW_BEHIND };
}

function Place({ place, places }) {
  const { round, step } = station.table;
  const name = `seat ${place}`;
  const banker = round?.banker?.place === place;
  const due = step.seat === place || (step.to?.includes(name) && ["deal", "reveal"].includes(step.kind));
  const turn = round?.order.indexOf(place) ?? -1;
  const classes = ["seat", due ? "due" : "", banker ? "banker" : ""].join(" ");
  return html`<section class=${classes} style=${inRing(place, places)} data-seat=${place} aria-label=${seatName(place)}>
    <${SeatHead} seat=${place}>
      ${banker && html`<span class="mark">${say("place.banker")}</span>`}
      ${turn >= 0 && html`<span class="turn" aria-label=${say("places.turn", { turn: turn + 1 })}>${turn + 1}</span>`}<//>
    <${Space} seat=${place} wager="place" also="bank" label=${say(banker ? "wager.bank" : "wager.place")} />
    <div class="pairs">${round?.pairs[name] ? PAIRS.map((pair) => html`<${Pair} key=${pair} pair=${pair} is=${round.pairs[name][pair]} />`)
      : html`<${Tiles} down=${dealtTo(name)} unread=${round?.unread.includes(name)} label=${placeName(name)} />`}</div>
    <p class="bettors">${banker && html`<${Behind} />`}<${Bettors} place=${place} />
      ${round?.pairs[name]?.rearranged && html` <b class="corrected">${say("places.rearranged")}</b>`}</p>
  </section>`;
}

function Pair({ pair, is }) {
  return html`<div class="pair" data-pair=${pair}>
    <${Tiles} open=${is.cards.join(" ")} label=${say(`pair.${pair}`)} />
    <p><b>${say(`pair.${is.name}`)}</b>${is.title && html`<span class="title">${is.title}</span>`}</p></div>`;
}

// What is behind the bank: the banker's capital and the casino's share.
function Behind() {
  const { capital, casino } = station.table.round.banker;
  return html`<span class="behind">${say("wager.capital")} <b>${amount(capital, true)}</b></span>
    ${casino > 0 && html`<span class="behind">${say("wager.casino")} <b>${amount(casino, true)}</b></span>`}`;
}

// Everybody who has bet there; of several, who may hold the tiles (3.º b)).
function Bettors({ place }) {
  const { round } = station.table;
  const here = (round?.bets ?? []).filter((bet) => bet.seat === place);
  const holder = here.length > 1 ? round.holders[place] : null;
  const lines = answerOf(place)?.lines ?? [];
  const came = ({ player, amount: placed }) => {
    const line = lines.find((line) => line.player === player);
    return line ? signed(line.net) : amount(placed, true);
  };
  return here.map((bet) => html`<span class="bettor" key=${bet.player}>${bet.player} ${came(bet)}${bet.player === holder
    && html` <i>${say("places.holds")}</i>`}</span>`);
}

function Middle() {
  const { round, step } = station.table;
  if (!round) return html`<section class="middle"></section>`;
  const { dice, first_place: first, order, banker, settlement } = round;
  const lines = [
    banker && say("places.bank", { seat: banker.place, rounds: banker.rounds }),
    round.form && say("places.form", { form: round.form }),
    round.null_dice > 0 && say("places.null_dice", { count: round.null_dice }),
    round.moved.length > 0 && say("places.moved", { who: round.moved.map(placeName).join(", ") }),
    order.length > 0 && say("places.order", { first, order: order.join(" · ") }),
    settlement?.outcome === "settled" && say("places.commission", { amount: amount(houseNet(settlement).commission, true) }),
  ].filter(Boolean);
  return html`<section class=${step.kind === "dice" ? "middle due" : "middle"}>
    <div class="dice" role="group" aria-label=${say("keypad.dice")}>${(dice ?? []).map((shows, at) => html`<${Die} key=${at} shows=${shows} />`)}</div>
    <p class="lines">${lines.map((line) => html`<span key=${line}>${line}</span>`)}
      ${settlement?.bank?.limited && html`<b class="corrected">${say("places.limited")}</b>`}</p>
    ${round.used && html`<div class="used"><span>${say("places.used")}</span><${Tiles} open=${round.used} /></div>`}
  </section>`;
}
