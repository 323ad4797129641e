// Every progressive jackpot: its amount now, and its last day.

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
    const shared = new Set(pit.links.flatMap(({ tables }) => tables));
    const tiles = pit.tables.filter((one) => one.pot !== null && !shared.has(`${one.site}/${one.table}`));
    if (!tiles.length && !shared.size) return html`<p class="nothing">${say("pit.no_pots")}</p>`;
    const open = pit.links.flatMap(({ claims }) => claims);
    return html`${open.map((claim) => html`<p class="need" key=${claim.claim}><${Claim} ...${claim} /></p>`)}
      ${answer === null && html`<p class="refusal" role="alert">${say("pit.unread")}</p>`}
      ${pit.links.filter(({ tables }) => tables.length).map((link) => html`<${Shared} key=${link.link} ...${link} />`)}
      <div class="plots">${tiles.map((tile) => html`<section key=${`${tile.site}/${tile.table}`} data-pot=${tile.table}>
        <h2><a href=${addressOf(tile)}>${tile.table}</a> <b class="money">${money(tile, tile.pot)}</b></h2>
        ${tile.payable > 0 && html`<p class="need">${say("pit.need.payment")}: ${tile.payable}</p>`}
        <${Pot} rows=${(answer?.pots ?? []).filter((row) => row.site === tile.site && row.table === tile.table)} /></section>`)}</div>`;
  }
}

// One pot, whatever the number of its tables; its value is the one of the books.
function Shared({ link, tables, pot }) {
  const tile = pit.tables.find((one) => tables.includes(`${one.site}/${one.table}`));
  return html`<section class="shared" data-link=${link}><h2>${link} <b class="money">${tile ? money(tile, pot) : "–"}</b></h2>
    <p>${say("pit.shared", { tables: tables.join(", ") })}</p></section>`;
}
