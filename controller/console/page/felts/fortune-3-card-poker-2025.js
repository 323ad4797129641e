// The felt of Fortune 3 Card Poker, 2025 and 2008.

import { enters } from "../answers/button.js";
import { html } from "../html.js";
import { amount, say } from "../language.js";
import { answer } from "../inputs.js";
import { station } from "../station.js";
import { seats } from "../parts/choice.js";
import { answerOf, Bank, Came, decisionOff, decisionsOf, Felt, lift, lineOf, OffWhy, PlaceCards, SeatHead, Space, StillSpace } from "../parts/felt.js";

export default { felt: Fortune3Felt };

function Fortune3Felt() {
  const { setting, table } = station;
  const bank = table.round?.settlement?.bank;
  const qualifies = bank?.hand_name ? `${say(`hand.${bank.hand_name}`)} · ${say(bank.qualifies ? "bank.plays" : "bank.does_not_play")}` : "";
  const community = setting.terms.additional.includes("jackpot");
  return html`<${Felt} game="fortune3" bankRow=${html`
    <${Bank} result=${qualifies} />
    ${community && html`<${Bank} name="community" />`}`}>
    ${seats().map((seat) => html`<${Seat} key=${seat} seat=${seat} />`)}
  <//>`;
}

function Seat({ seat }) {
  const { setting, table } = station;
  const { round, step } = table;
  const place = `seat ${seat}`;
  const waits = step.kind === "decisions" && step.waiting.includes(seat);
  const due = step.to?.includes(place) && ["deal", "reveal"].includes(step.kind);
  const decision = round?.decisions[seat];
  const hand = answerOf(seat)?.hand_name;
  const additional = setting.terms.additional;
  const classes = ["seat", waits || due ? "due" : "", ["fold", "refused"].includes(decision) ? "folded" : ""].join(" ");
  return html`<section class=${classes} style=${lift(seat)} data-seat=${seat} aria-label=${say("place.seat", { seat })}>
    <${SeatHead} seat=${seat}>${additional.includes("jackpot") && html`<${Slot} seat=${seat} />`}<//>
    <div class="hand"><${PlaceCards} name=${place} />
      <p class="result">${hand ? say(`hand.${hand}`) : decision ? say(`decision.${decision}.done`) : ""}</p></div>
    ${waits
      ? html`<div class="decide"><p class="stakes">${stakes(round.wagers[seat])}</p>
          ${decisionsOf(seat).map((choice) => html`<${Decide} key=${choice} seat=${seat} decision=${choice} />`)}</div>`
      : html`<div class="spaces">
          <${Space} seat=${seat} wager="ante" also="ante_bonus" />
          <${Double} seat=${seat} />
          <${Space} seat=${seat} wager="pair_plus" />
          ${additional.includes("six_card_bonus") && html`<${Space} seat=${seat} wager="six_card_bonus" />`}
        </div>`}
  </section>`;
}

function stakes(wagers = {}) {
  return Object.entries(wagers).map(([wager, stake]) => html`<span key=${wager}>${say(`wager.${wager}`)} ${amount(stake, true)}</span>`);
}

function Decide({ seat, decision }) {
  const why = decisionOff(seat, decision);
  return html`<div class="option"><button class=${decision} disabled=${why || station.sending > 0} data-decide=${`${seat}/${decision}`} ...${enters([["decide", { seat, decision }]])}
    onClick=${() => answer([["decide", { seat, decision }]])}>${say(`decision.${decision}`)}</button><${OffWhy} why=${why} /></div>`;
}

// The double: as much as the ante, placed by the decision to play (12.º 2; 2008: 9.º 2).
function Double({ seat }) {
  const { round } = station.table;
  const double = round?.decisions[seat] === "play" ? round.wagers[seat]?.ante : 0;
  return html`<${StillSpace} seat=${seat} wager="play" stake=${double} />`;
}

// The jackpot slot of a seat: its sensor reports, no one taps; lit once its chip counts.
function Slot({ seat }) {
  const { table } = station;
  const lit = table.lamps.lit_seats.includes(seat);
  const chip = table.slots[seat];
  const state = lit ? "lit" : chip ?? "empty";
  const label = say(`slot.${state}`);
  const outcome = lineOf(seat, "jackpot");
  return html`<div class=${`slot ${state}`} role="img" aria-label=${say("slot", { state: label })}>
    <span class="label">${label}</span>${outcome && html`<${Came} outcome=${outcome} />`}<span class="bulb"></span>
  </div>`;
}
