// The alarms: what stands or was not acknowledged yet, and below it the log of all of them.

import { Answer } from "../answers/button.js";
import { Component, html } from "../html.js";
import { moment, say, told } from "../language.js";
import { Find } from "../parts/find.js";
import { Sheet } from "../parts/sheet.js";
import { Refusal } from "../prompt.js";
import { recall, station } from "../station.js";

const READING = Symbol("reading");

export class AlarmsSheet extends Component {
  state = { log: READING, find: "", of: null };

  componentDidMount() {
    this.ask();
  }

  componentDidUpdate() {
    if (this.state.of !== listed()) this.ask();
  }

  // Asked anew whenever the alarms have changed.
  async ask() {
    const of = listed();
    this.setState({ of });
    const answer = await recall("/alarms?last=100");
    if (this.state.of === of) this.setState({ log: answer && answer.alarms });
  }

  render(_, { log, find }) {
    const { alarms } = station.table;
    return html`<${Sheet} title=${say("alarms")} wide>
      <${Refusal} kinds=${["acknowledge"]} />
      ${alarms.length
        ? html`<ul class="alarms">${alarms.map((alarm) => html`<${Alarm} key=${alarm.name} alarm=${alarm} />`)}</ul>`
        : html`<p>${say("alarms.none")}</p>`}
      <h3>${say("alarms.log")}</h3>
      ${log === READING ? html`<p>${say("wait.rounds")}</p>` : log === null
        ? html`<p class="refusal" role="alert">${say("alarms.unread")}</p>`
        : html`<${Find} find=${find} onFind=${(text) => this.setState({ find: text })} /><${Log} log=${log} find=${find} />`}
    <//>`;
  }
}

function listed() {
  return JSON.stringify(station.table.alarms);
}

function Alarm({ alarm }) {
  const { name, text, since, over, acknowledged_by: by } = alarm;
  const state = over ? "over" : by ? "seen" : "stands";
  return html`<li class=${state} data-alarm=${name}>
    <div class="what"><p><b class="state">${say(`alarm.${state}`, { who: by })}</b> · ${say("alarm.since", { time: moment(since) })}</p>
      <p>${told(text)}</p></div>
    ${by === null && html`<${Answer} kind="acknowledge" fields=${{ alarm: name, since }} stepId="table" />`}
  </li>`;
}

const COLUMNS = ["raised", "text", "cleared", "acknowledged"];

function Log({ log, find }) {
  const wanted = find.trim().toLowerCase();
  const rows = log.map((one) => ({ raised: moment(one.raised), text: told(one.text), cleared: moment(one.cleared ?? ""), acknowledged: seenBy(one) }));
  const found = rows.filter((row) => Object.values(row).join(" ").toLowerCase().includes(wanted));
  if (!found.length) return html`<p>${say(log.length ? "nothing_found" : "alarms.never")}</p>`;
  return html`<table class="lines log">
    <thead><tr>${COLUMNS.map((name) => html`<th scope="col" key=${name}>${say(`log.${name}`)}</th>`)}</tr></thead>
    <tbody>${found.map((row, at) => html`<tr key=${at}>${COLUMNS.map(
      (name) => html`<td key=${name} data-label=${say(`log.${name}`)}>${row[name] || "–"}</td>`)}</tr>`)}</tbody></table>`;
}

function seenBy({ acknowledged, acknowledged_by: by }) {
  return acknowledged ? `${moment(acknowledged)} · ${by}` : "";
}
