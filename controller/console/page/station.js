// The line to the station: the table as it streams in, inputs on their way out. It decides nothing.

import { acting, mustLogIn } from "./acting.js";
import { moneyHas, seatsAre } from "./language.js";
import { askPin, wantsPin } from "./pins.js";
import { pause } from "./recall.js";
import { changed, screen } from "./screen.js";
import { askSession, postJson, shown } from "./session.js";

let stream = null;
let heard = null; // the table as it streamed in last

export const station = {
  table: null,
  setting: null,
  link: "connecting", // "live", "away"
  since: null, // when this screen noticed that the station is away
  sending: 0, // inputs on their way
};

export async function askSetting() {
  for (;;) {
    try {
      const answer = await fetch("/setting", { headers: shown() });
      if (answer.ok) {
        station.setting = await answer.json();
        moneyHas(station.setting.exponent);
        seatsAre(station.setting.has.arranges ? "place" : "seat", station.setting.own_words);
        return;
      }
    } catch {
      // the station starts, or is started again
    }
    await pause();
  }
}

export function followTable() {
  stream = new EventSource("/stream");
  stream.onmessage = (event) => {
    const before = heard;
    heard = JSON.parse(event.data);
    const again = station.link !== "live";
    linkIs("live");
    if (before && before.step.id !== heard.step.id) screen.refusal = null;
    if (again && before) askSetting().then(askSession).then(changed);
  };
  stream.onerror = () => {
    linkIs("away");
    if (stream.readyState === EventSource.CLOSED) setTimeout(followTable, AGAIN_MILLISECONDS);
  };
}

function linkIs(link) {
  station.link = link;
  station.since = link === "away" ? station.since ?? new Date() : null;
  station.table = link === "away" && heard ? withoutDevices(heard) : heard;
  changed();
}

// Nobody knows what the devices do while the station is away.
function withoutDevices(table) {
  const unknown = (names) => Object.fromEntries(names.map((name) => [name, "unknown"]));
  const devices = unknown(Object.keys(table.devices));
  const slots = devices.slots ? unknown(Array.from({ length: station.setting.terms.seats }, (_, at) => at + 1)) : {};
  return { ...table, devices, slots, lid_open: null, sign: null };
}

// Inputs are posted one after the other, so that each is answered before the next is tried.
let line = Promise.resolve();

// Post an input, again and again until the station has answered it: it knows a repeat by its id.
// Gives {taken} or {refused}; the screen shows a refusal unless `quietly`.
export function send(kind, fields = {}, { quietly = false } = {}) {
  return post(inputOf(kind, fields), kind, quietly);
}

// One tap that says several things, each [kind, fields], in the order in which they are legal: all are taken, or none.
export function sendAll(acts) {
  if (acts.length === 1) return send(...acts[0]);
  return post(acts.map(([kind, fields]) => inputOf(kind, fields)), acts[0][0], false);
}

function inputOf(kind, fields = {}) {
  return { input_id: freshId(), step_id: stepAnswered(kind, fields), actor: acting(), kind, ...fields };
}

function post(input, kind, quietly) {
  station.sending += 1;
  changed();
  return withPins(input).then((answer) => {
    station.sending -= 1;
    if (!quietly) screen.refusal = answer.taken ? null : { ...answer.refused, kind };
    if (!quietly && answer.refused?.error === "log_in") mustLogIn(answer.refused.who);
    changed();
    return answer;
  });
}

// An act of two persons is sent again with each PIN that the station asks for, until one is not given.
async function withPins(input) {
  const pins = {};
  for (;;) {
    const answered = line.then(() => posted(input, pins));
    line = answered.catch(() => {});
    const answer = await answered;
    if (!wantsPin(answer.refused)) return answer;
    const pin = await askPin(answer.refused);
    if (pin === null) return answer;
    pins[answer.refused.who] = pin;
  }
}

// What answers another step than the table's, the station says; {fields} of the input stand in it.
function stepAnswered(kind, fields) {
  const { answers, step } = station.table;
  return (answers[kind] ?? step.id).replace(/\{(\w+)\}/g, (_, name) => fields[name]);
}

async function posted(input, pins) {
  const given = Object.entries(pins).map(([name, pin]) => `${encodeURIComponent(name)}=${pin}`).join(",");
  for (;;) {
    try {
      const answer = await postJson("/inputs", input, given && { "dealer-station-pin": given });
      // What was in the way of this request need not have been in the way of the stream.
      if (station.link === "away" && stream.readyState === EventSource.OPEN) linkIs("live");
      if (answer.status === 200) return { taken: true };
      if (answer.status !== 503) return { refused: await refusalOf(answer) };
    } catch {
      linkIs("away");
    }
    await pause();
  }
}

async function refusalOf(answer) {
  try {
    return await answer.json();
  } catch {
    return { error: "defect", reason: `${answer.status}` };
  }
}

function freshId() {
  const octets = crypto.getRandomValues(new Uint8Array(16));
  return [...octets].map((octet) => octet.toString(16).padStart(2, "0")).join("");
}
