// The felt of High Card: a card each and one for the bank.

import { html } from "../html.js";
import { say } from "../language.js";
import { seats } from "../parts/choice.js";
import { Bank, Felt, lift, PlaceCards, SeatHead, Space } from "../parts/felt.js";

export default { felt: HighCardFelt };

function HighCardFelt() {
  return html`<${Felt} game="highcard" bankRow=${html`<${Bank} />`}>
    ${seats().map((seat) => html`<section class="seat" key=${seat} style=${lift(seat)} data-seat=${seat} aria-label=${say("place.seat", { seat })}>
      <${SeatHead} seat=${seat} />
      <div class="hand"><${PlaceCards} name=${`seat ${seat}`} /></div>
      <div class="spaces"><${Space} seat=${seat} wager="high" /></div>
    </section>`)}
  <//>`;
}
