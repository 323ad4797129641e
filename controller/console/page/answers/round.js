// Answers that lead a round from its bets to its end.

import { refusedStacks } from "../betting.js";
import { html } from "../html.js";
import { amount, say } from "../language.js";
import { NumberPad } from "../parts/keypad.js";
import { houseNet } from "../parts/house.js";
import { sign } from "../parts/seat.js";
import { send } from "../station.js";
import { Answer } from "./button.js";
import { Moved } from "./places.js";

export function Wagers({ table, setting }) {
  return html`${refusedStacks().length
      ? html`<div class="option"><button class="main" data-kind="lock_in" disabled>${say("input.lock_in")}</button><small class="why">${say("stack.first")}</small></div>`
      : html`<${Answer} kind="lock_in" main />`}${setting.has.arranges && html`<${Moved} />`}
    ${setting.has.asks && !Object.keys(table.round.wagers).length && html`<${NoBets} table=${table} />`}`;
}

// Nobody bets (black-jack 12): no round, and the cards of a shoe may be spread out.
export function NoBets({ table }) {
  return html`<${Answer} kind="no_bets" />
    ${table.source === "shoe" && html`<${Answer} kind="no_bets" of="no_bets-spread" fields=${{ spread: true }} text=${say("no_bets.spread")} />`}`;
}

export function Increment() {
  return html`<${NumberPad} money zero done=${say("input.increment")} onDone=${(value) => send("increment", { amount: value })} />`;
}

const DEALS = ["every_space", "spaces_with_bets"];

export function Announce({ step, setting }) {
  const usual = setting.has.arranges ? step.legal[0] : setting.terms.deal;
  return (setting.has.arranges ? step.legal : DEALS).map(
    (deal) => html`<${Answer} key=${deal} kind="announce" fields=${{ deal }} text=${say(`deal.${deal}`)} main=${deal === usual} />`,
  );
}

export function Confirm({ table, setting }) {
  const { settlement, void: broken } = table.round;
  const bank = settlement ? houseNet(settlement).net : 0;
  return html`${settlement && (!broken || bank !== 0) && html`<span class=${`who total ${sign(bank)}`}>${say(setting.has.arranges ? "house.net" : "bank.net")} <b>${amount(bank, true)}</b></span>`}
    <${Answer} kind="confirm" text=${say(broken ? "input.confirm_void" : "input.confirm")} main />`;
}

export function Claims({ table, setting }) {
  return html`<${Answer} kind="close_claims" text=${setting.has.arranges ? say("input.tiles_gathered") : undefined} main />
    ${setting.has.asks && table.source === "shuffler" && html`<${Answer} kind="hold_cards" />`}`;
}
