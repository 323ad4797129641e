// The felt of black-jack/21: hands that are played card by card, backers, the chip for the accumulated prize.

import { RevealOne } from "../answers/cards.js";
import { isBetting, playerInHand, tapSpace } from "../betting.js";
import { html } from "../html.js";
import { place as placeName, say } from "../language.js";
import { Cards } from "../parts/pieces.js";
import { seats } from "../parts/choice.js";
import { answerOf, Came, dealtTo, Felt, lift, lineOf, SeatHead, Space } from "../parts/felt.js";
import { station } from "../station.js";

const SHOWN = ["hand", "bet", "backing", "vacant", "jackpot"]; // elsewhere than under the hands

export default { felt: BlackjackFelt, answers: { reveal: RevealOne } };

function BlackjackFelt() {
  const { round, step } = station.table;
  const bank = round?.bank;
  const open = bank?.cards ?? "";
  const down = Math.max(0, dealtTo("bank") - open.split(" ").filter(Boolean).length);
  const due = step.to?.includes("bank") && ["deal", "reveal"].includes(step.kind);
  return html`<${Felt} game="blackjack" bankRow=${html`<section class=${due ? "bank due" : "bank"} aria-label=${placeName("bank")}>
      <h2>${placeName("bank")}</h2>
      <${Cards} open=${open} down=${down} />
      <p class="result">${bank ? say("points", { points: bank.total }) : ""}</p>
    </section>
    ${round?.pending_cards ? html`<section class="bank pending"><h2>${say("pending_cards")}</h2>
      <${Cards} down=${round.pending_cards} /></section>` : null}`}>
    ${seats().map((seat) => html`<${Seat} key=${seat} seat=${seat} />`)}
  <//>`;
}

function Seat({ seat }) {
  const { round, step } = station.table;
  const place = `seat ${seat}`;
  const asked = step.kind === "ask" && step.seat === seat;
  const due = asked || (step.to?.includes(place) && ["deal", "reveal"].includes(step.kind));
  const hands = (round?.hands[seat] ?? []).filter((hand) => hand.cards);
  return html`<section class=${due ? "seat due" : "seat"} style=${lift(seat)} data-seat=${seat} aria-label=${say("place.seat", { seat })}>
    <${SeatHead} seat=${seat}>${station.setting.terms.additional.includes("jackpot") && html`<${Chip} seat=${seat} />`}<//>
    <div class=${["hands", "hands", "hands split"][hands.length] ?? "hands split many"} style=${{ "--hands": Math.max(1, hands.length) }}>
      ${hands.map((hand, at) => html`<${Hand} key=${at} hand=${hand}
        asked=${due && (step.hand ?? 1) === at + 1} line=${hands.length > 1 && lineOf(seat, "hand", (line) => isOwn(line) && line.hand === at + 1)} />`)}
      <${Others} seat=${seat} />
    </div>
    <div class="spaces">
      ${["bet", "backing", "vacant"].map((wager) => (wager === "bet" || isBetting() || hasBet(seat, wager))
        && html`<${Space} key=${wager} seat=${seat} wager=${wager} came=${cameOf(seat, wager, hands.length)} />`)}
    </div>
  </section>`;
}

function hasBet(seat, wager) {
  return Boolean(station.table.round?.wagers[seat]?.[wager]);
}

const isOwn = (line) => !line.player;

// What came of the hands for the seat's own bet, unless each of several hands shows it, and for those who bet along.
// Where no one sits, all of them are on the vacant seat's space.
function cameOf(seat, wager, hands) {
  const own = wager === (hasBet(seat, "bet") ? "bet" : "vacant") && hands < 2;
  const others = wager === (hasBet(seat, "backing") ? "backing" : "vacant");
  return [own && lineOf(seat, "hand", isOwn), others && lineOf(seat, "hand", (line) => !isOwn(line))];
}

// Insurance, a special prize: what has no space of its own.
function Others({ seat }) {
  const lines = answerOf(seat)?.lines.filter((line) => !SHOWN.includes(line.wager)) ?? [];
  return lines.map((line, at) => html`<p class="others" key=${at}>${line.player ?? ""} ${say(`wager.${line.wager}`)} <${Came} outcome=${line} /></p>`);
}

function Hand({ hand, asked, line }) {
  const state = ["asked", "waiting"].includes(hand.state) ? "" : say(`hand_state.${hand.state}`);
  return html`<div class=${asked ? "onehand asked" : "onehand"}>
    <${Cards} open=${hand.cards} />
    <p class="result"><b>${hand.total}</b> <span>${hand.doubled ? `×2 ` : ""}${state}</span>
      ${line && html`<${Came} outcome=${line} />`}</p>
  </div>`;
}

// The chip: on a slot's sensor, or where it is marked by hand placed like a bet, one for each player who bets there (47).
function Chip({ seat }) {
  const { table, setting } = station;
  const counts = table.round?.chips.includes(seat);
  const marks = table.round?.bets.filter((bet) => bet.seat === seat && bet.wager === "jackpot") ?? [];
  const his = marks.some((bet) => (bet.player ?? "") === playerInHand());
  const state = counts || marks.length ? "lit" : table.slots[seat] ?? "empty";
  const outcome = lineOf(seat, "jackpot");
  const inside = html`<span class="label">${say(`slot.${state}`)}</span>${marks.length > 1 && html`<b>×${marks.length}</b>`}${outcome && html`<${Came} outcome=${outcome} />`}<span class="bulb"></span>`;
  const label = say("slot", { state: say(`slot.${state}`) }) + (marks.length > 1 ? ` ×${marks.length}` : "");
  if (setting.terms.manual && table.step.kind === "wagers") {
    return html`<button class=${`slot ${state}`} aria-label=${label} data-space=${`${seat}/jackpot`}
      onClick=${() => tapSpace(seat, "jackpot", his ? 0 : setting.terms.chip)}>${inside}</button>`;
  }
  return html`<div class=${`slot ${state}`} role="img" aria-label=${label}>${inside}</div>`;
}
