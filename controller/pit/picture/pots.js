// Every progressive jackpot: its amount now, and its last day.

import { Pot } from "./curves.js";
import { pit } from "./feed.js";
import { Asking } from "./header.js";
import { addressOf } from "./tables.js";
import { linkOf, money } from "./words.js";
import { html } from "/page/html.js";
import { moment, say } from "/page/language.js";
import { Log, READING } from "/page/parts/log.js";
import { recall } from "/page/session.js";

const COLUMNS = ["time", "table", "amount", "prize", "what", "name"];
const PERIODS = { day: "YYYY-MM-DD", month: "YYYY-MM" };

// The pots, and the hits: of all tables, or of the one that the address names.
export class Pots extends Asking {
  state = { answer: undefined, find: "", period: "day" };

  wanted() {
    return recall("/pots");
  }

  render({ site, table }, { answer, find, period }) {
    const isShown = (tile) => !table || (tile.site === site && tile.table === table);
    const links = pit.links.filter(({ tables }) => tables.length);
    const tiles = pit.tables.filter((tile) => tile.pot !== null && !linkOf(tile) && isShown(tile));
    if (!tiles.length && !links.length) return html`<p class="nothing">${say("pit.no_pots")}</p>`;
    const open = pit.links.flatMap(({ claims }) => claims);
    return html`${open.map((claim) => html`<p class="need" key=${claim.claim}><${Claim} ...${claim} /></p>`)}
      ${answer === null && html`<p class="refusal" role="alert">${say("pit.unread")}</p>`}
      ${links.map((link) => html`<${Shared} key=${link.link} ...${link} />`)}
      <div class="plots">${tiles.map((tile) => html`<section key=${`${tile.site}/${tile.table}`} data-pot=${tile.table}>
        <h2><a href=${addressOf(tile)}>${tile.table}</a> <b class="money">${money(tile, tile.pot)}</b></h2>
        ${tile.hits.length > 0 && html`<p class="need">${say("pit.need.payment")}: ${tile.hits.length}</p>`}
        <p><a href=${hitsOf(tile.site, tile.table)} data-hits=${tile.table}>${say("pit.hits")}</a></p>
        <${Pot} rows=${(answer?.pots ?? []).filter((row) => row.site === tile.site && row.table === tile.table)} /></section>`)}</div>
      ${this.hits(answer, isShown, table, find, period)}`;
  }

  hits(answer, wanted, table, find, period) {
    const now = moment(new Date()).slice(0, PERIODS[period].length);
    const hits = answer && answer.hits.filter((hit) => wanted(hit) && moment(hit.time).startsWith(now));
    return html`<h2 id="hits">${table ? say("pit.hits.of", { table }) : say("pit.hits")}</h2>
      <p>${Object.keys(PERIODS).map((name) => html`<button class="tab" key=${name} data-period=${name} aria-pressed=${name === period}
        onClick=${() => this.setState({ period: name })}>${say(`pit.hits.${name}`)}</button>`)}
        ${table && html`<a class="tab" href="#/pots">${say("pit.hits.all")}</a>`}</p>
      <${Log} log=${answer === undefined ? READING : hits} row=${rowOf} columns=${COLUMNS} find=${find} onFind=${(text) => this.setState({ find: text })}
        none=${say("pit.hits.none")} unread=${say("pit.unread")} />`;
  }
}

function rowOf(hit) {
  return {
    time: moment(hit.time), table: `${hit.table} · ${say("round.number", { round: hit.round })} · ${say("place.seat", { seat: hit.seat })}`,
    amount: money(hit, hit.amount), prize: `${say(`hand.${hit.tier}`)} (${hit.article})`, what: outcome(hit), name: (hit.confirmed_by ?? []).join(" + "),
  };
}

function outcome({ paid, slip, withdrawn }) {
  if (paid) return `${say("pit.hit.paid", { time: moment(paid) })}${slip ? ` · ${say("slip.number", { number: slip })}` : ""}`;
  return withdrawn ? say("pit.hit.withdrawn", { time: moment(withdrawn) }) : say("pit.need.payment");
}

export function hitsOf(site, table) {
  return `#/pots/${encodeURIComponent(site)}/${encodeURIComponent(table)}`;
}

// One pot, whatever the number of its tables; its value is the one of the books.
function Shared({ link, tables, pot }) {
  const tile = pit.tables.find((tile) => tables.includes(`${tile.site}/${tile.table}`));
  return html`<section class="shared" data-link=${link}><h2>${link} <b class="money">${tile ? money(tile, pot) : "–"}</b></h2>
    <p>${say("pit.shared", { tables: tables.join(", ") })}</p>
    <p>${say("pit.hits")}: ${tables.map((name) => html`<a key=${name} href=${hitsOf(...name.split("/"))} data-hits=${name}>${name}</a> `)}</p></section>`;
}

// A linked pot that needs two persons: it is stopped, a claim that it granted long ago is not paid, or a key waits.

export function Link({ link, stopped, claims, offered }) {
  return html`${stopped && html`<p class="away" role="alert" data-stopped=${stopped}><strong>${say("pit.link.stopped", { link })}</strong>
      ${" "}${say(`pit.stopped.${stopped}`)}</p>`}
    ${claims.filter(({ late }) => late).map((claim) => html`<p class="away" role="alert" data-unpaid=${claim.claim} key=${claim.claim}>
      <strong>${say("pit.link.unpaid", { link, claim: claim.claim })}</strong> <${Claim} ...${claim} /></p>`)}
    ${offered.map(({ table, key }) => html`<p class="away" role="alert" data-offered=${key} key=${key}>
      <strong>${say("pit.link.offered", { link, table })}</strong> <span>${key}</span></p>`)}`;
}

function Claim({ table, claim, amount, minutes }) {
  const tile = pit.tables?.find((tile) => `${tile.site}/${tile.table}` === table);
  return html`<span data-open=${claim}>${say("pit.link.claim", { table, claim, amount: tile ? money(tile, amount) : amount, minutes })}</span>`;
}
