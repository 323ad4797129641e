// Every progressive jackpot: what lies in it now, and its last day.

import { html } from "/page/html.js";
import { say } from "/page/language.js";
import { recall } from "/page/recall.js";
import { Asking } from "./asking.js";
import { Pot } from "./curves.js";
import { pit } from "./feed.js";
import { Claim } from "./links.js";
import { addressOf } from "./tables.js";
import { money } from "./words.js";

export class Pots extends Asking {
  wanted() {
    return recall("/pots");
  }

  render(_, { answer }) {
    const tiles = pit.tables.filter((one) => one.pot !== null);
    if (!tiles.length) return html`<p class="nothing">${say("pit.no_pots")}</p>`;
    const open = pit.links.flatMap(({ claims }) => claims);
    return html`${open.map((claim) => html`<p class="need" key=${claim.claim}><${Claim} ...${claim} /></p>`)}
      ${answer === null && html`<p class="refusal" role="alert">${say("pit.unread")}</p>`}
      <div class="plots">${tiles.map((tile) => html`<section key=${`${tile.site}/${tile.table}`} data-pot=${tile.table}>
        <h2><a href=${addressOf(tile)}>${tile.table}</a> <b class="money">${money(tile, tile.pot)}</b></h2>
        ${tile.payable > 0 && html`<p class="need">${say("pit.need.payment")}: ${tile.payable}</p>`}
        <${Pot} rows=${(answer?.pots ?? []).filter((row) => row.site === tile.site && row.table === tile.table)} /></section>`)}</div>`;
  }
}
