// Who logged in at this table, who was not let in, and from where: for a supervisor who is logged in here.

import { Component, html } from "../html.js";
import { moment, say } from "../language.js";
import { Find } from "../parts/find.js";
import { Sheet } from "../parts/sheet.js";
import { openSheet } from "../screen.js";
import { recall } from "../station.js";

const READING = Symbol("reading");
const MINUTE = 60; // seconds

export class EntriesSheet extends Component {
  state = { entries: READING, find: "" };

  async componentDidMount() {
    const answer = await recall("/entries?last=1000");
    this.setState({ entries: answer && answer.entries });
  }

  render(_, { entries, find }) {
    return html`<${Sheet} title=${say("entries")} wide>
      <button class="plain back" onClick=${() => openSheet("acting")}>← ${say("back")}</button>
      ${entries === READING ? html`<p>${say("wait.rounds")}</p>` : entries === null
        ? html`<p class="refusal" role="alert">${say("entries.unread")}</p>`
        : html`<${Find} find=${find} onFind=${(text) => this.setState({ find: text })} /><${Log} entries=${entries} find=${find} />`}
    <//>`;
  }
}

const COLUMNS = ["time", "name", "what", "address"];

function Log({ entries, find }) {
  const wanted = find.trim().toLowerCase();
  const rows = entries.map((one) => ({ time: moment(one.time), name: whoWas(one), what: whatWas(one), address: one.address, bad: isBad(one) }));
  const found = rows.filter((row) => COLUMNS.map((name) => row[name]).join(" ").toLowerCase().includes(wanted));
  if (!found.length) return html`<p>${say(entries.length ? "nothing_found" : "entries.none")}</p>`;
  return html`<table class="lines log">
    <thead><tr>${COLUMNS.map((name) => html`<th scope="col" key=${name}>${say(`log.${name}`)}</th>`)}</tr></thead>
    <tbody>${found.map((row, at) => html`<tr key=${at} class=${row.bad ? "bad" : ""}>${COLUMNS.map(
      (name) => html`<td key=${name} data-label=${say(`log.${name}`)}>${row[name]}</td>`)}</tr>`)}</tbody></table>`;
}

function whoWas({ name, role }) {
  return name ? `${name}, ${say(`role.${role}`)}` : "–";
}

function whatWas({ what, how, reason, failures, seconds }) {
  if (what === "ended") return `${say("entry.ended")}: ${say(`entry.how.${how}`)}`;
  if (what === "refused") return `${say("entry.refused")}: ${say(`entry.reason.${reason}`)}`;
  if (what === "locked") return say("entry.locked", { failures, minutes: Math.ceil(seconds / MINUTE) });
  return say("entry.made");
}

function isBad({ what }) {
  return what === "refused" || what === "locked";
}
