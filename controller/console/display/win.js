// The greatest win of a round, to be noticed across the room, under the article that pays it.

import { html } from "/page/html.js";
import { amount, say, seatName } from "/page/language.js";

export function Win({ paid, currency }) {
  const wager = say(`wager.${paid.wager}`);
  const named = paid.name ? say(paid.name) : wager;
  const by = [paid.name ? wager : "", paid.odds?.replace(":", " : "), paid.article].filter(Boolean).join(" · ");
  return html`<section class="win" key=${`${paid.seat}/${paid.article}`}>
    <p class="hand-won" data-fit><span>${seatName(paid.seat)}</span> <b>${named}</b><small>${by}</small></p>
    <p class="won-amount" data-fit><small>${currency}</small> +${amount(paid.amount, true)}</p>
  </section>`;
}
