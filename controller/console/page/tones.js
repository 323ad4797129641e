// Short tones for what waits too long, a hit and an alarm; only where this screen wants them.

import { own } from "./own.js";
import { countOfAlarms, unacknowledged } from "./parts/alarm.js";
import { station } from "./station.js";

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
