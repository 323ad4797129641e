// A log out of the journal, newest first: its search, and the details of an entry.

import { html } from "../html.js";
import { say } from "../language.js";

export function Details({ text }) {
  return text && html`<details><summary>${say("alarm.details")}</summary><p lang="en">${text}</p></details>`;
}

// The search of a list.

export function Find({ find, onFind, label = say("find") }) {
  return html`<input type="search" class="find" value=${find} aria-label=${label} placeholder=${label}
    onInput=${(event) => onFind(event.target.value)} />`;
}

export const READING = Symbol("reading");

// `log` is READING, or null where the journal cannot be read; `row` gives one's words for each of `columns`, and `bad`
// where it is emphasised. `none` and `unread` are the texts for these cases.
export function Log({ log, row: rowOf, columns, find, onFind, none, unread }) {
  if (log === READING) return html`<p>${say("wait.rounds")}</p>`;
  if (log === null) return html`<p class="refusal" role="alert">${unread}</p>`;
  const wanted = find.trim().toLowerCase();
  const rows = log.map(rowOf);
  const found = rows.filter((row) => columns.map((name) => row[name]).join(" ").toLowerCase().includes(wanted));
  return html`<${Find} find=${find} onFind=${onFind} />
    ${found.length === 0 ? html`<p>${rows.length ? say("nothing_found") : none}</p>` : html`<table class="lines log">
      <thead><tr>${columns.map((name) => html`<th scope="col" key=${name}>${say(`log.${name}`)}</th>`)}</tr></thead>
      <tbody>${found.map((row, at) => html`<tr key=${at} class=${row.bad ? "bad" : ""}>${columns.map(
        (name) => html`<td key=${name} data-label=${say(`log.${name}`)}>${row[name] || "–"}${name === "text" && html`<${Details} text=${row.details} />`}</td>`)}</tr>`)}</tbody></table>`}`;
}
