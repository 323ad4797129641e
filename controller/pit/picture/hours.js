// The last day of all tables together, hour by hour.

import { html } from "/page/html.js";
import { hour, say } from "/page/language.js";
import { recall } from "/page/recall.js";
import { Asking } from "./asking.js";
import { Hours, Lost } from "./curves.js";
import { won } from "./words.js";

export class Day extends Asking {
  wanted() {
    return recall("/hours");
  }

  render(_, { answer }) {
    if (answer === undefined) return html`<p role="status">${say("pit.reading")}</p>`;
    if (!answer) return html`<p class="refusal" role="alert">${say("pit.unread")}</p>`;
    if (!answer.hours.length) return html`<p class="nothing">${say("pit.no_figures")}</p>`;
    const currencies = [...new Set(answer.wins.map(currencyOf))];
    return html`<div class="plots" data-hours=${answer.hours.length}><${Hours} rows=${answer.hours} /><${Lost} rows=${answer.hours} /></div>
      ${currencies.map((currency) => html`<${Wins} key=${currency} currency=${currency} rows=${answer.wins.filter((row) => currencyOf(row) === currency)} />`)}`;
  }
}

function currencyOf({ currency, exponent }) {
  return `${currency}/${exponent}`;
}

// Hour by hour, and the sum.
function Wins({ currency, rows }) {
  const names = ["win", "win_with_jackpot"];
  const sum = (name) => rows.reduce((all, row) => all + Number(row[name]), 0);
  const cells = (values) => names.map((name, at) => html`<td class="money" key=${name} data-label=${say(`figure.${name}`)}>${won(rows[0], Number(values[at]))}</td>`);
  return html`<h2>${say("pit.wins", { currency: rows[0].currency })}</h2>
    <table class="lines wins" data-currency=${currency}><thead><tr><th scope="col">${say("pit.wins.hour")}</th>
      ${names.map((name) => html`<th scope="col" class="money" key=${name}>${say(`figure.${name}`)}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr key=${row.at}><th scope="row">${hour(row.at)}</th>${cells(names.map((name) => row[name]))}</tr>`)}
        <tr class="total" data-total><th scope="row">${say("pit.wins.total")}</th>${cells(names.map(sum))}</tr></tbody></table>`;
}
