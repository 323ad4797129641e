// What is on every felt beside the seats: where the cards come from, the bank, the pot.

import { html } from "../html.js";
import { amount, place, say } from "../language.js";
import { openSheet } from "../screen.js";
import { station } from "../station.js";
import { isAway } from "./away.js";
import { Cards } from "./card.js";

export function Felt({ game, children, bankRow }) {
  const seats = station.setting.terms.seat_count;
  return html`<main class=${`felt ${game}`} inert=${isAway()} aria-label=${say("felt")}>
    <div class="seats" style=${{ "--seats": seats }}>${children}</div>
    <div class="bankrow"><${Source} />${bankRow}<${Pot} /></div>
  </main>`;
}

// How far a seat is back on the curve of the table, from 0 at its ends to 1 in the middle.
export function lift(seat) {
  const half = (station.setting.terms.seat_count - 1) / 2;
  const aside = (seat - 1 - half) / half;
  return { "--lift": (1 - aside * aside).toFixed(3) };
}

function Source() {
  const { table } = station;
  const link = table.devices[table.source];
  // The shoe of a table at which no one reports the cut card is filled for each round.
  const kept = station.setting.offers.reports.some(({ kind }) => kind === "cut_card");
  const shoe = table.source === "shoe" && kept;
  const state = shoe ? say(table.shoe.cut_card_out ? "shoe.cut_card_out" : table.shoe.loaded ? "shoe.loaded" : "shoe.empty") : "";
  return html`<button class="source" onClick=${() => openSheet("devices")}>
    <span class=${`lamp ${link ?? "none"}`} aria-hidden="true"></span>
    <span class="what">${say(station.setting.sources.length ? `source.${table.source}` : "source.by_hand")}</span>
    <span class="state">${link && link !== "up" ? say(`link.${link}`) : state || (link ? say("link.up") : "")}</span>
    ${table.lid_open !== null && html`<span class="state">${say(table.lid_open ? "lid.open" : "lid.shut")}</span>`}
  </button>`;
}

function Pot() {
  const { jackpot } = station.table;
  if (!jackpot) return html`<div class="pot none"></div>`;
  const unpaid = jackpot.hits.filter((hit) => hit.state !== "paid");
  const shown = jackpot.linked ?? jackpot;
  const state = shown.fault ? say("pot.link_down") : station.setting.currency;
  return html`<button class=${unpaid.length ? "pot unpaid" : "pot"} onClick=${() => openSheet("jackpot")}>
    <span class="what">${say("pot")}</span>
    <span class="amount">${shown.pot === null ? "–" : amount(shown.pot)}</span>
    <span class="state">${unpaid.length ? say("pot.pending", { hits: unpaid.length, amount: amount(jackpot.pending) }) : state}</span>
  </button>`;
}

// How many cards are at a place, turned or not; null ones and those left out are none of its own.
export function dealtTo(name) {
  const { dealt, aside } = station.table.round ?? { dealt: [], aside: [] };
  let draw = 0;
  let count = 0;
  for (const deal of dealt) {
    for (const to of deal.to) {
      draw += 1;
      if (to === name && !deal.null && !aside.includes(draw)) count += 1;
    }
  }
  return count;
}

// The cards of a place: turned ones open, the others face down.
export function PlaceCards({ name, open = station.table.round?.shown[name] ?? "" }) {
  const shown = open.split(" ").filter(Boolean).length;
  const unread = station.table.round?.unread.includes(name) ?? false;
  const down = Math.max(0, dealtTo(name) - shown);
  return html`<${Cards} open=${open} down=${down} unread=${unread} label=${place(name)} />`;
}

// The bank's cards and what they come to.
export function Bank({ name = "bank", open, result }) {
  const due = station.table.step.to?.includes(name) && ["deal", "reveal"].includes(station.table.step.kind);
  return html`<section class=${due ? "bank due" : "bank"} aria-label=${place(name)}>
    <h2>${place(name)}</h2>
    <${PlaceCards} name=${name} ...${open === undefined ? {} : { open }} />
    <p class="result">${result ?? ""}</p>
  </section>`;
}
