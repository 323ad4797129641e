// Answers that lead a round from its bets to its end.

import { html } from "../html.js";
import { amount, say } from "../language.js";
import { NumberPad } from "../parts/keypad.js";
import { sign } from "../parts/seat.js";
import { send } from "../station.js";
import { Answer } from "./button.js";

export function Wagers() {
  return html`<${Answer} kind="lock_in" main />`;
}

export function Increment() {
  return html`<${NumberPad} money zero done=${say("input.increment")} onDone=${(value) => send("increment", { amount: value })} />`;
}

export function Announce({ setting }) {
  return ["every_space", "spaces_with_bets"].map(
    (deal) => html`<${Answer} key=${deal} kind="announce" fields=${{ deal }} text=${say(`deal.${deal}`)} main=${deal === setting.terms.deal} />`,
  );
}

export function Confirm({ table }) {
  const { settlement, void: broken } = table.round;
  const bank = settlement ? -Object.values(settlement.seats).reduce((sum, seat) => sum + seat.net, 0) : 0;
  return html`${!broken && settlement && html`<span class=${`who total ${sign(bank)}`}>${say("bank.net")} <b>${amount(bank, true)}</b></span>`}
    <${Answer} kind="confirm" text=${say(broken ? "input.confirm_void" : "input.confirm")} main />`;
}

export function Claims({ table, setting }) {
  return html`<${Answer} kind="close_claims" main />
    ${setting.has.asks && table.source === "shuffler" && html`<${Answer} kind="hold_cards" />`}`;
}
