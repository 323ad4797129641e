// The devices' links, the notices, the sensors, what is posted, and what the sign shows.

import { acting } from "../acting.js";
import { Answer } from "../answers/button.js";
import { Component, html } from "../html.js";
import { amount, cardsShown, has, say, seatName, textOf } from "../language.js";
import { isAway, Sheet } from "../parts/sheet.js";
import { openSheet } from "../screen.js";
import { session } from "../session.js";
import { station } from "../station.js";
import { Form } from "./form.js";

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

// What the house posts at the table: the regulation and its legal status, limits, how bets are offered, authorisations.

function paid({ cards, to_one }) {
  return `${cardsShown(cards.join(" "))} ${to_one}:1`;
}

function authorised(subject) {
  return has(`posted.authorised.${subject}`) ? say(`posted.authorised.${subject}`) : say("posted.authorised.bet", { bet: subject });
}

function Posted({ posted }) {
  return html`<h3>${say("posted")}</h3>
    <ul class="notices posted">
      <li>${textOf(posted.legal_status)}</li>
      ${Object.entries(posted.limits).map(
        ([wager, { min, max }]) => html`<li key=${wager}>${say("posted.limits", { wager: say(`wager.${wager}`), min: amount(min, true), max: amount(max, true) })}</li>`,
      )}
      ${posted.basic_bets && html`<li>${say(`posted.basic_bets.${posted.basic_bets}`)}</li>`}
      ${posted.bets.map((bet) => html`<li key=${`bet ${bet.name}`}>${bet.name}: ${bet.pays.map(paid).join("; ")}</li>`)}
      ${posted.authorisations.map((authorisation) => html`<li key=${`of ${authorisation.subject}`}>${authorised(authorisation.subject)}: ${authorisation.reference}, ${authorisation.date}</li>`)}
    </ul>`;
}

// The regulation's version by which the table plays, the one that two persons have scheduled, and their approval of another.

const LONGEST = 20; // characters of an act's number, such as 94/2025

class Regulation extends Component {
  state = { act: "" };

  render({ posted }, { act }) {
    return html`<section class="record" data-regulation><h3>${say("regulation.act", { act: posted.act })}</h3>
      ${posted.act_scheduled && html`<p>${say("regulation.scheduled", { act: posted.act_scheduled, day: posted.act_in_force, zone: station.setting.terms.time_zone })}</p>`}
      <label class="choose">${say("regulation.other")}
        <input type="text" aria-label=${say("regulation.other")} maxlength=${LONGEST} value=${act} onInput=${(event) => this.setState({ act: event.target.value.trim() })} /></label>
      ${act && html`<${Answer} kind="approve_regulation" fields=${{ act }} text=${say("input.approve_regulation", { act, who: acting() || "–" })} />`}
    </section>`;
  }
}

// Whether the cards are to come from the other source.

export function SourceSheet({ source }) {
  return html`<${Sheet} title=${say("use.title")}>
    <${Form} kind="use_source" fields=${() => ({ source })} text=${say(`use.${source}`)} draw=${() => html`<p>${say(`use.${source}.means`)}</p>`} />
  <//>`;
}
