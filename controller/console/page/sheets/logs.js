// The logs: of alarms, and of those who logged in.

import { Answer } from "../answers/button.js";
import { Component, html } from "../html.js";
import { ago, moment, say, textOf } from "../language.js";
import { Details, Log, READING } from "../parts/log.js";
import { Sheet } from "../parts/sheet.js";
import { Refusal } from "../prompt.js";
import { openSheet } from "../screen.js";
import { mayRead, recall } from "../session.js";
import { station } from "../station.js";

const AGO_MILLISECONDS = 30_000; // between two looks at the clock

export class AlarmsSheet extends Component {
  state = { log: READING, find: "", of: null };

  componentDidMount() {
    this.ask();
    this.clock = setInterval(() => this.forceUpdate(), AGO_MILLISECONDS);
  }

  componentWillUnmount() {
    clearInterval(this.clock);
  }

  componentDidUpdate() {
    if (this.state.of !== listed()) this.ask();
  }

  // Asked again whenever the alarms have changed.
  async ask() {
    const of = listed();
    this.setState({ of });
    const answer = await recall("/alarms?last=100");
    if (this.state.of === of) this.setState({ log: answer && answer.alarms });
  }

  render(_, { log, find }) {
    const { alarms, alarms_waiting: unseen } = station.table;
    const over = alarms.filter((alarm) => alarm.over && alarm.acknowledged_by === null);
    const clearedAt = ({ name, since }) => Array.isArray(log) && log.find((row) => row.alarm === name && row.raised === since)?.cleared;
    return html`<${Sheet} title=${say("alarms")} wide>
      <${Refusal} kinds=${["acknowledge"]} />
      ${alarms.length
        ? html`<ul class="alarms">${alarms.map((alarm) => html`<${Alarm} key=${alarm.name} alarm=${alarm} cleared=${clearedAt(alarm)} />`)}</ul>`
        : html`<p>${unseen ? say("log_in.to_see") : say("alarms.none")}</p>`}
      ${over.length > 1 && html`<${Answer} kind="acknowledge" of="acknowledge_over" text=${say("alarms.acknowledge_over", { count: over.length })}
        acts=${over.map(({ name, since }) => ["acknowledge", { alarm: name, since }])} />`}
      <h3>${say("alarms.log")}</h3>
      <${Log} log=${log} row=${rowOf} columns=${COLUMNS} find=${find} onFind=${(text) => this.setState({ find: text })}
        none=${say("alarms.never")} unread=${say(mayRead() ? "alarms.unread" : "log_in.to_see")} />
    <//>`;
  }
}

function listed() {
  return JSON.stringify(station.table.alarms);
}

function Alarm({ alarm, cleared }) {
  const { name, level, texts, since, over, acknowledged_by: by, details } = alarm;
  const state = over ? "over" : by ? "seen" : "active";
  return html`<li class=${state} data-alarm=${name}>
    <div class="what"><p><b class="state">${say(`alarm.${state}`, { who: by })}</b> · ${say(`alarm.level.${level}`)} · ${say("alarm.since", { time: moment(since) })}${" "}
      ${over && cleared ? `${say("alarm.until", { time: moment(cleared) })} (${ago(cleared)})` : `(${ago(since)})`}</p>
      <p>${textOf(texts)}</p><${Details} text=${details} /></div>
    ${by === null && html`<${Answer} kind="acknowledge" fields=${{ alarm: name, since }} />`}
  </li>`;
}

const COLUMNS = ["raised", "text", "cleared", "acknowledged"];

function rowOf(alarm) {
  return { raised: moment(alarm.raised), text: textOf(alarm.text), cleared: moment(alarm.cleared), acknowledged: seenBy(alarm), details: alarm.details };
}

function seenBy({ acknowledged, acknowledged_by: by }) {
  return acknowledged ? `${moment(acknowledged)} · ${by}` : "";
}

// Who logged in at this table, who was not let in, and from where: for a supervisor who is logged in here.

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
      <${Log} log=${entries} row=${entryRow} columns=${ENTRY_COLUMNS} find=${find} onFind=${(text) => this.setState({ find: text })}
        none=${say("entries.none")} unread=${say("entries.unread")} />
    <//>`;
  }
}

const ENTRY_COLUMNS = ["time", "name", "what", "address"];

function entryRow(entry) {
  return { time: moment(entry.time), name: whoWas(entry), what: whatWas(entry), address: whereWas(entry), bad: isBad(entry) };
}

function whoWas({ name, role }) {
  return name ? `${name}, ${say(`role.${role}`)}` : "–";
}

function whereWas({ address, screen_persons: persons }) {
  return persons?.length ? `${address}, ${say("entry.screen_of", { persons: persons.join(", ") })}` : address;
}

function whatWas({ what, how, reason, failures, seconds, actor, attempts }) {
  if (what === "ended") return `${say("entry.ended")}: ${say(`entry.how.${how}`)}`;
  if (what === "refused") return `${say("entry.refused")}: ${say(`entry.reason.${reason}`, { attempts })}`;
  if (what === "locked") return say("entry.locked", { failures, minutes: Math.ceil(seconds / MINUTE) });
  if (what === "lifted") return actor ? say("entry.lifted", { actor }) : say("entry.lifted_by_pin");
  return say("entry.made");
}

function isBad({ what }) {
  return what === "refused" || what === "locked";
}
