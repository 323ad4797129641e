// Chips that are on the felt and are no bet: each is named until it is given back or corrected.

import { givenBack, refusedStacks } from "../betting.js";
import { html } from "../html.js";
import { amount, say, seatName } from "../language.js";
import { refusalWords } from "../refusals.js";

export function Stacks() {
  return refusedStacks().map(({ key, seat, wager, player, counts, amount: chips, refused }) => html`<p class="refusal stack" role="alert" key=${key}>
    <span><b>${say("stack", { seat: seatName(seat), wager: say(`wager.${wager}`), counts: amount(counts, true), amount: amount(chips, true) })}${player ? ` · ${player}` : ""}</b>
      ${" "}<small>${refusalWords(refused)}</small></span>
    <button class="plain" data-given-back=${`${seat}/${wager}`} onClick=${() => givenBack(key)}>${say("stack.given_back")}</button></p>`);
}
