// What may be bet: limits, the jackpot's chip, and what the odds leave the house.

import { Piece } from "./pieces.js";
import { html } from "/page/html.js";
import { amount, decimal, say, seatName } from "/page/language.js";

export function Offer({ shown: { limits, edges, chip, currency, without_limits, basic_bets, banker } }) {
  return html`<${Piece} tag="section" class="offer" of=${{ limits, edges, chip, currency, without_limits, basic_bets, banker }} draw=${offered} />`;
}

function offered({ limits, edges, chip, currency, without_limits, basic_bets, banker }) {
  const simulated = Object.values(edges).some((edge) => edge.simulated);
  const rows = Object.keys(limits).length + (chip > 0) + without_limits.filter((wager) => wager !== "jackpot").length;
  const notes = simulated + (basic_bets !== null && basic_bets !== "either");
  return html`<section class="offer" data-fit style=${{ "--lines": rows + notes / 2 + (banker === null ? 0 : 1) }}>
    <table><thead><tr><th>${say("display.limits", { currency })}</th><td>${Object.keys(edges).length > 0 && say("display.edge")}</td></tr></thead>
      <tbody>${Object.entries(limits).map(([wager, { min, max }]) => html`<tr key=${wager}><th>${say(`wager.${wager}`)}</th>
        <td>${amount(min, true)} – ${amount(max, true)}
          <span class="edge">${edges[wager] && `${edges[wager].simulated ? "≈ " : ""}${decimal(edges[wager].percent)} %`}</span></td></tr>`)}
      ${chip > 0 && html`<tr><th>${say("jackpot")}</th><td>${say("meter.chip")} ${amount(chip, true)} <span class="edge"></span></td></tr>`}
      ${without_limits.filter((wager) => wager !== "jackpot").map((wager) => html`<tr key=${wager}><th>${say(`wager.${wager}`)}</th><td></td></tr>`)}
    </tbody></table>
    ${simulated && html`<p class="note">${say("display.simulated")}</p>`}
    ${basic_bets && basic_bets !== "either" && html`<p class="note">${say(`posted.basic_bets.${basic_bets}`)}</p>`}
    ${banker !== null && html`<p class="banker-now"><b>${say("place.banker")}</b> ${seatName(banker)}</p>`}
  </section>`;
}

// The pay table, a page of it at a time; at a result, the rows that were hit.

const MOST_LINES = 8;
const MOST_HIT_LINES = 3;

export function PayTable({ pays, page }) {
  return pays.length > 0 && html`<${Piece} tag="section" class="pays" of=${{ pays, page }} draw=${payTable} />`;
}

function payTable({ pays, page: at }) {
  const pages = pagesOf(pays);
  const page = pages[at % pages.length];
  const titled = page.some((row) => row.name);
  return html`<section class="pays" data-fit style=${{ "--lines": linesOf(page) }}>
    ${wagersOf(page).map((wager) => html`<table key=${wager}>
      ${titled && page.some((row) => row.wager === wager && row.name) && html`<caption>${say(`wager.${wager}`)}</caption>`}
      <tbody>${page.filter((row) => row.wager === wager).map((row, at) => html`<tr key=${at}><th>${nameOf(row)}</th><td>${worth(row)}</td></tr>`)}</tbody>
    </table>`)}
    ${pages.length > 1 && html`<p class="dots" aria-hidden="true">${pages.map((lines, number) => html`<i key=${number} class=${lines === page ? "now" : ""}></i>`)}</p>`}
  </section>`;
}

// The rows that were hit, with the seats that hit them.
export function PaidRows({ shown: { pays, paid } }) {
  const hit = hitRows(pays, paid);
  return hit.length > 0 && html`<${Piece} tag="section" class="pays of-hits" of=${{ hit, paid }} draw=${paidRows} />`;
}

function paidRows({ hit, paid }) {
  return html`<section class="pays of-hits" data-fit style=${{ "--lines": hit.length + wagersOf(hit).length }}>
    ${wagersOf(hit).map((wager) => html`<table key=${wager}>
      ${hit.some((row) => row.wager === wager && row.name) && html`<caption>${say(`wager.${wager}`)}</caption>`}
      <tbody>${hit.filter((row) => row.wager === wager).map((row, at) => html`<tr class="hit" key=${at}>
        <th>${nameOf(row)} ${paidBy(row, paid).map(({ seat }) => html`<em class="number" key=${seat}>${seat}</em>`)}</th><td>${worth(row)}</td></tr>`)}</tbody></table>`)}
  </section>`;
}

// As many as have room, those that paid most; in the order of the table.
function hitRows(pays, paid) {
  const hit = [];
  for (const win of paid) {
    const row = pays.find((each) => paidBy(each, [win]).length);
    if (row && !hit.includes(row) && linesOf([...hit, row]) <= MOST_HIT_LINES) hit.push(row);
  }
  return pays.filter((row) => hit.includes(row));
}

function nameOf(row) {
  return say(row.name || `wager.${row.wager}`);
}

function wagersOf(rows) {
  return [...new Set(rows.map((row) => row.wager))];
}

function paidBy(row, paid) {
  return paid.filter((win) => win.wager === row.wager && win.name === row.name);
}

// What a row pays: odds, the pot, an amount, or a part of the pot and at least the amount.
function worth({ odds, percent, amount: fixed }) {
  if (odds) return odds.replace(":", " : ");
  if (percent === 100) return say("display.whole_pot");
  return percent ? `${percent} % · ≥ ${amount(fixed, true)}` : amount(fixed, true);
}

function linesOf(rows) {
  const titles = new Set(rows.filter((row) => row.name).map((row) => row.wager)).size;
  return rows.length + titles;
}

// Whole wagers to a page, as many as have room.
export function pagesOf(rows) {
  const pages = [[]];
  for (const wager of wagersOf(rows)) {
    const own = rows.filter((row) => row.wager === wager);
    const last = pages.at(-1);
    if (linesOf([...last, ...own]) <= MOST_LINES) last.push(...own);
    else pages.push(own);
  }
  return pages.filter((page) => page.length);
}
