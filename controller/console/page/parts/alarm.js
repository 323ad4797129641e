// Alarms that no one has acknowledged: a line that is always there, also for screen readers, and their number.

import { html } from "../html.js";
import { say, textOf } from "../language.js";
import { openSheet, own } from "../screen.js";
import { station } from "../station.js";

// Those that are active before those that are over; of each the newest first.
function unacknowledged() {
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
    <span class="what">${say("alarms.waiting", { count: unseen })} · ${say("log_in.to_see")}</span></button></div>`;
  return html`<div class="alarm-line" role="alert">${last && html`<button class=${last.over ? "over" : ""} data-alarm-line onClick=${() => openSheet("alarms")}>
    <span class="mark-alarm" aria-hidden="true">▲</span>
    <span class="what">${last.over ? html`<b>${say("alarm.over")}:</b> ` : ""}${textOf(last.texts)}</span>
    ${others.length > 0 && html`<b>${say("more", { count: others.length })}</b>`}</button>`}</div>`;
}

export function Badge({ count, label }) {
  return count > 0 && html`<span class="badge"><span aria-hidden="true">${count}</span><span class="unseen">${label}</span></span>`;
}

// Short tones for what waits too long, a hit and an alarm; only where this screen wants them.

const TOO_LONG_MILLISECONDS = 60_000;
const HERTZ = { waits: [440], hit: [660, 880], alarm: [880, 660, 880] };
const SECONDS = 0.15;

let drawn = null; // what there was when it was drawn last: {step, hits, alarms}
let waiting = null;
let audio = null;

// What is new since it was drawn last; what there was when the page came is not.
export function followTones() {
  const { table } = station;
  const now = { step: table.step.id, hits: unpaid(table), alarms: alarmsOf(table), stranger: "alarms_waiting" in table };
  if (drawn?.step !== now.step) {
    clearTimeout(waiting);
    waiting = table.round && setTimeout(() => sound("waits"), TOO_LONG_MILLISECONDS);
  }
  if (drawn && now.hits.some((hit) => !drawn.hits.includes(hit))) sound("hit");
  if (drawn?.stranger === now.stranger && now.alarms.some((alarm) => !drawn.alarms.includes(alarm))) sound("alarm");
  drawn = now;
}

function alarmsOf(table) {
  if ("alarms_waiting" in table) return Array.from({ length: countOfAlarms() }, (_, at) => `${at}`);
  return unacknowledged().map(({ name, since }) => `${name} ${since}`);
}

function unpaid({ jackpot }) {
  return (jackpot?.hits ?? []).filter((hit) => hit.state !== "paid").map((hit) => hit.hit);
}

export function sound(what) {
  if (!own("tones")) return;
  audio ??= new AudioContext();
  document.documentElement.dataset.tone = what;
  HERTZ[what].forEach((hertz, at) => {
    const tone = new OscillatorNode(audio, { frequency: hertz });
    const begins = audio.currentTime + at * SECONDS;
    tone.connect(new GainNode(audio, { gain: 0.2 })).connect(audio.destination);
    tone.start(begins);
    tone.stop(begins + SECONDS);
  });
}
