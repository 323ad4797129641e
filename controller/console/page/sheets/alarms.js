// The alarms: what stands or was not acknowledged yet, and below it the log of all of them.

import { Answer } from "../answers/button.js";
import { Component, html } from "../html.js";
import { moment, say, told } from "../language.js";
import { Details } from "../parts/details.js";
import { Log, READING } from "../parts/log.js";
import { Sheet } from "../parts/sheet.js";
import { Refusal } from "../prompt.js";
import { recall } from "../recall.js";
import { mayRead } from "../session.js";
import { station } from "../station.js";

export class AlarmsSheet extends Component {
  state = { log: READING, find: "", of: null };

  componentDidMount() {
    this.ask();
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
    return html`<${Sheet} title=${say("alarms")} wide>
      <${Refusal} kinds=${["acknowledge"]} />
      ${alarms.length
        ? html`<ul class="alarms">${alarms.map((alarm) => html`<${Alarm} key=${alarm.name} alarm=${alarm} />`)}</ul>`
        : html`<p>${unseen ? say("log_in.to_see") : say("alarms.none")}</p>`}
      <h3>${say("alarms.log")}</h3>
      <${Log} log=${log} row=${rowOf} columns=${COLUMNS} find=${find} onFind=${(text) => this.setState({ find: text })}
        none=${say("alarms.never")} unread=${say(mayRead() ? "alarms.unread" : "log_in.to_see")} />
    <//>`;
  }
}

function listed() {
  return JSON.stringify(station.table.alarms);
}

function Alarm({ alarm }) {
  const { name, level, texts, since, over, acknowledged_by: by, details } = alarm;
  const state = over ? "over" : by ? "seen" : "stands";
  return html`<li class=${state} data-alarm=${name}>
    <div class="what"><p><b class="state">${say(`alarm.${state}`, { who: by })}</b> · ${say(`alarm.level.${level}`)} · ${say("alarm.since", { time: moment(since) })}</p>
      <p>${told(texts)}</p><${Details} text=${details} /></div>
    ${by === null && html`<${Answer} kind="acknowledge" fields=${{ alarm: name, since }} />`}
  </li>`;
}

const COLUMNS = ["raised", "text", "cleared", "acknowledged"];

function rowOf(one) {
  return { raised: moment(one.raised), text: told(one.text), cleared: moment(one.cleared), acknowledged: seenBy(one), details: one.details };
}

function seenBy({ acknowledged, acknowledged_by: by }) {
  return acknowledged ? `${moment(acknowledged)} · ${by}` : "";
}
