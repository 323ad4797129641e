// The charts of the pit, out of the rows of the archive.

import { Asking } from "./header.js";
import { BASIS_POINTS, decimal, money, of, share, won } from "./words.js";
import { html } from "/page/html.js";
import { amount, hour, percent, say } from "/page/language.js";
import { Plot } from "/page/parts/plot.js";
import { recall } from "/page/session.js";

const CAUSES = { shuffle: "--felt-line", jam: "--alarm", dispute: "--warn", device: "--won" };
const DAY = 24 * 3600; // seconds
const HALF_AN_HOUR = 1800; // the figure of an hour is drawn in its middle

function column(rows, name) {
  return rows.map((row) => Number(row[name]));
}

// Drawn again when there is more to draw.
function drawn(props) {
  const now = Date.now() / 1000;
  return html`<${Plot} key=${JSON.stringify(props.lines)} within=${props.at && [now - DAY, now]} across=${hour} ...${props} />`;
}

export function Pot({ rows }) {
  const last = rows.at(-1);
  return last && drawn({
    title: say("plot.pot"), words: money(last, last.pot), at: column(rows, "at"),
    lines: [{ colour: "--brass", data: column(rows, "pot") }], up: (minor) => of(last, () => amount(minor, true)),
  });
}

export function Hours({ rows }) {
  const rounds = column(rows, "rounds");
  return rows.length > 0 && drawn({
    title: say("plot.hours"), words: rounds.join(", "), names: rows.map((row) => hour(row.at)),
    lines: [{ colour: "--felt-line", data: rounds }], up: whole,
  });
}

export function Hold({ rows }) {
  const known = rows.filter((row) => row.hold !== null);
  if (!known.length) return null;
  const [kept, expected, band] = ["hold", "expected", "band"].map((name) => column(known, name).map((part) => part * BASIS_POINTS));
  const last = known.at(-1);
  return drawn({
    title: say("pit.chart.hold"), between: [3, 4], up: percent,
    words: `${share(last.hold)}, ${say("figure.theoretical_hold")} ${share(last.expected)}, ${decimal(last.sigmas)} σ`,
    at: known.map((row) => row.at + HALF_AN_HOUR),
    lines: [
      { colour: "--quiet", dash: [6, 6], data: expected },
      { colour: "--brass", data: kept },
      { colour: "--brass-line", data: expected.map((middle, at) => middle + band[at]) },
      { colour: "--brass-line", data: expected.map((middle, at) => middle - band[at]) },
    ],
  });
}

// Stacked: each bar is drawn over the higher one behind it. Rounds continue without the broker, which is beside them.
export function Lost({ rows }) {
  const causes = Object.keys(CAUSES);
  const minutes = causes.map((cause) => column(rows, `${cause}_minutes`));
  const upTo = (place) => rows.map((_, row) => minutes.slice(0, place + 1).reduce((sum, minute) => sum + minute[row], 0));
  const summed = (spent) => spent.reduce((sum, part) => sum + part, 0);
  const sums = minutes.map(summed);
  const away = say("lost.broker", { minutes: decimal(summed(column(rows, "broker_minutes"))) });
  return rows.length > 0 && drawn({
    title: say("plot.lost"), words: causes.map((cause, place) => `${say(`lost.${cause}`)} ${decimal(sums[place])}`).concat(away).join(", "),
    names: rows.map((row) => hour(row.at)), up: whole,
    lines: causes.map((cause, place) => ({ colour: CAUSES[cause], data: upTo(place) })).reverse(),
    children: html`<p class="keys">${causes.map((cause, place) => html`<span key=${cause}><i data-cause=${cause}></i>${say(`lost.${cause}`)} ${decimal(sums[place])}</span>`)}<span>${away}</span></p>`,
  });
}

function whole(count) {
  return Number.isInteger(count) ? count : "";
}

// The last day of all tables together, hour by hour.

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
