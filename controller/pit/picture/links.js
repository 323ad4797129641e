// A linked pot that needs two persons: it is stopped, a claim that it granted long ago is not paid, or a key waits.

import { html } from "/page/html.js";
import { say } from "/page/language.js";
import { pit } from "./feed.js";
import { money } from "./words.js";

export function Link({ link, stopped, claims, offered }) {
  return html`${stopped && html`<p class="away" role="alert" data-stopped=${stopped}><strong>${say("pit.link.stopped", { link })}</strong>
      ${" "}${say(`pit.stopped.${stopped}`)}</p>`}
    ${claims.filter(({ late }) => late).map((claim) => html`<p class="away" role="alert" data-unpaid=${claim.claim} key=${claim.claim}>
      <strong>${say("pit.link.unpaid", { link, claim: claim.claim })}</strong> <${Claim} ...${claim} /></p>`)}
    ${offered.map(({ table, key }) => html`<p class="away" role="alert" data-offered=${key} key=${key}>
      <strong>${say("pit.link.offered", { link, table })}</strong> <span>${key}</span></p>`)}`;
}

export function Claim({ table, claim, amount, minutes }) {
  const tile = pit.tables?.find((tile) => `${tile.site}/${tile.table}` === table);
  return html`<span data-open=${claim}>${say("pit.link.claim", { table, claim, amount: tile ? money(tile, amount) : amount, minutes })}</span>`;
}
