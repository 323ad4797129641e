// The alarms of all tables: those that are active, and below them the archive's.

import { html } from "/page/html.js";
import { moment, say, textOf } from "/page/language.js";
import { Details } from "/page/parts/details.js";
import { Log, READING } from "/page/parts/log.js";
import { recall } from "/page/recall.js";
import { Asking } from "./asking.js";
import { pit } from "./feed.js";
import { addressOf } from "./tables.js";

const COLUMNS = ["time", "table", "what", "text", "name"];

export class Alarms extends Asking {
  state = { answer: undefined, find: "" };

  wanted() {
    return recall("/alarms");
  }

  render(_, { answer, find }) {
    const active = pit.tables.flatMap((tile) => tile.alarms.map((alarm) => ({ tile, ...alarm })));
    active.sort((alarm, other) => alarm.over - other.over || (alarm.since < other.since ? -1 : 1));
    return html`${active.length
        ? html`<ul class="alarms">${active.map((alarm) => html`<${Alarm} key=${`${alarm.tile.site}/${alarm.tile.table}/${alarm.name}`} ...${alarm} />`)}</ul>`
        : html`<p class="nothing">${say("alarms.none")}</p>`}
      <h2>${say("alarms.log")}</h2>
      <${AlarmLog} alarms=${answer === undefined ? READING : answer && answer.alarms} find=${find} onFind=${(text) => this.setState({ find: text })} />`;
  }
}

export function AlarmLog({ alarms, find, onFind }) {
  return html`<${Log} log=${alarms} row=${rowOf} columns=${COLUMNS} find=${find} onFind=${onFind}
    none=${say("alarms.never")} unread=${say("pit.unread")} />`;
}

export function Alarm({ tile, name, level, texts, since, over, acknowledged_by: by, details }) {
  const state = over ? "over" : by ? "seen" : "active";
  return html`<li class=${state} data-alarm=${name}><div class="what">
    <p><b class="state">${say(`alarm.${state}`, { who: by })}</b> · ${say(`alarm.level.${level}`)} · <a href=${addressOf(tile)}>${tile.table}</a> · ${say("alarm.since", { time: moment(since) })}</p>
    <p>${textOf(texts)}</p><${Details} text=${details} /></div></li>`;
}

function rowOf(entry) {
  return { time: moment(entry.time), table: entry.table, what: say(`pit.alarm.${entry.what}`), text: entry.text ? textOf(entry.text) : entry.alarm, name: entry.actor };
}
