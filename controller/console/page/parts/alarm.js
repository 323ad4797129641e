// Alarms that no one has acknowledged: a line that is always there, also for screen readers, and their number.

import { html } from "../html.js";
import { say, textOf } from "../language.js";
import { openSheet } from "../screen.js";
import { station } from "../station.js";

// Those that are active before those that are over; of each the newest first.
export function unacknowledged() {
  const waiting = station.table.alarms.filter((alarm) => alarm.acknowledged_by === null);
  return waiting.sort((alarm, other) => alarm.over - other.over || (alarm.since < other.since ? 1 : -1));
}

// A stranger is shown only how many there are.
export function countOfAlarms() {
  return station.table.alarms_waiting ?? unacknowledged().length;
}

// The line is in the page before there is an alarm, so that a screen reader announces one.
export function AlarmLine() {
  const [last, ...others] = unacknowledged();
  const unseen = station.table.alarms_waiting;
  if (unseen) return html`<div class="alarm-line" role="alert"><button data-alarm-line onClick=${() => openSheet("alarms")}>
    <span class="mark-alarm" aria-hidden="true">▲</span>
    <span class="what">${say("alarms.waiting", { count: unseen })} ${say("log_in.to_see")}</span></button></div>`;
  return html`<div class="alarm-line" role="alert">${last && html`<button class=${last.over ? "over" : ""} data-alarm-line onClick=${() => openSheet("alarms")}>
    <span class="mark-alarm" aria-hidden="true">▲</span>
    <span class="what">${last.over ? html`<b>${say("alarm.over")}:</b> ` : ""}${textOf(last.texts)}</span>
    ${others.length > 0 && html`<b>${say("more", { count: others.length })}</b>`}</button>`}</div>`;
}

export function Badge({ count, label }) {
  return count > 0 && html`<span class="badge"><span aria-hidden="true">${count}</span><span class="unseen">${label}</span></span>`;
}
