// The devices' links, the notices, the sensors, what is posted, and what the sign shows.

import { html } from "../html.js";
import { say, seatName, textOf } from "../language.js";
import { isAway } from "../parts/away.js";
import { Posted } from "../parts/posted.js";
import { Sheet } from "../parts/sheet.js";
import { openSheet } from "../screen.js";
import { session } from "../session.js";
import { station } from "../station.js";
import { Regulation } from "./regulation.js";

export function DevicesSheet() {
  const { table } = station;
  const own = isAway() ? "down" : "up";
  return html`<${Sheet} title=${say("devices")} wide>
    <ul class="devices">
      <li><span class=${`lamp ${own}`}></span>${say("device.station")}<b>${say(`link.${own}`)}</b></li>
      ${Object.entries(table.devices).map(
        ([name, state]) => html`<li key=${name}><span class=${`lamp ${state}`}></span>${say(`device.${name}`)}<b>${say(`link.${state}`)}</b></li>`,
      )}
    </ul>
    ${table.notices.length > 0 && html`<h3>${say("notices")}</h3><ul class="notices">${table.notices.map((words) => html`<li key=${words.en}>${textOf(words)}</li>`)}</ul>`}
    ${Object.keys(table.slots).length > 0 && html`<h3>${say("slots")}</h3><ul class="devices">${Object.entries(table.slots).map(
      ([seat, state]) => html`<li key=${seat}>${seatName(seat)}<b>${say(`slot.${state}`)}</b></li>`,
    )}</ul>`}
    <${Posted} posted=${table.posted} />
    ${table.posted.act && html`<${Regulation} posted=${table.posted} />`}
    ${table.sign && html`<h3>${say("device.sign")}</h3><ul class="notices">${table.sign.pages.map(
      (page) => html`<li key=${page.lang}>${page.text.replace("{amount}", table.sign.amount_text)}</li>`,
    )}</ul>`}
    ${(!session.pins || session.persons.some((person) => person.role === "technician")) && html`<p><button class="plain" data-setup="open"
      onClick=${() => openSheet("setup")}>${say("setup")}</button></p>`}
  <//>`;
}
