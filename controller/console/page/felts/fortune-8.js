// The felt of Fortune 8: seven spaces of three boxes, and one for each bet that was authorised beside them.

import { html } from "../html.js";
import { has, say, signed } from "../language.js";
import { seats } from "../parts/choice.js";
import { answerOf, Felt, lift, PlaceCards, SeatHead, Space } from "../parts/felt.js";
import { station } from "../station.js";

const BOXES = ["low", "eight", "high"];

export default { felt: Fortune8Felt };

function Fortune8Felt() {
  const deal = station.table.round?.deal;
  const announced = html`<section class="bank announced"><p class="result">${deal ? say(`deal.${deal}`) : ""}</p></section>`;
  return html`<${Felt} game="fortune8" bankRow=${announced}>
    ${seats().map((seat) => html`<${SpaceOfBoxes} key=${seat} seat=${seat} />`)}
  <//>`;
}

function SpaceOfBoxes({ seat }) {
  const { step, round, posted } = station.table;
  const boxes = [...BOXES, ...posted.bets.map((bet) => bet.name)];
  const room = { "--boxes": boxes.length };
  const place = `seat ${seat}`;
  const due = step.to?.includes(place) && ["deal", "reveal"].includes(step.kind);
  return html`<section class=${due ? "seat due" : "seat"} style=${lift(seat)} data-seat=${seat} aria-label=${say("place.seat", { seat })}>
    <${SeatHead} seat=${seat} />
    <div class="hand" style=${room}><${PlaceCards} name=${place} /></div>
    <div class="spaces" style=${room}>
      ${boxes.map((box) => html`<${Space} key=${box} seat=${seat} wager=${box} label=${has(`box.${box}`) ? say(`box.${box}`) : box} />`)}
    </div>
    <p class="bettors">${bettors(round, seat)}</p>
  </section>`;
}

// Who bets there; once settled, what each of several is paid or loses.
function bettors(round, seat) {
  const nets = new Map();
  for (const { player, net } of answerOf(seat)?.lines ?? []) nets.set(player || "", (nets.get(player || "") ?? 0) + net);
  if (nets.size > 1) return [...nets].map(([player, net]) => `${player || say("player.unnamed")} ${signed(net)}`).join(", ");
  return [...new Set((round?.bets ?? []).filter((bet) => bet.seat === seat && bet.player).map((bet) => bet.player))].join(", ");
}
