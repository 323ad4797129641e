// The station as this screen knows it: its setting, and its table as it streams in. It decides nothing.

import { moneyHas, wordedAs } from "./language.js";
import { changed, screen } from "./screen.js";
import { askSession, shown, whenShownChanges } from "./session.js";
import { follow, pause } from "./stream.js";

let stream = null;
let streamed = null; // the last table of the stream

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
        wordedAs(station.setting.own_words);
        await bring(station.setting.terms.game);
        return;
      }
    } catch {
      // the station starts, or is started again
    }
    await pause();
  }
}

export function followTable() {
  stream = follow("/stream", take, unanswered, shown);
  whenShownChanges(stream.again); // who is logged in sees more of the table
}

function take(table) {
  const before = streamed;
  streamed = table;
  const again = station.link !== "live";
  linkIs("live");
  if (before && before.step.id !== table.step.id) screen.refusal = null;
  if (again && before) askSetting().then(askSession).then(changed);
}

// The station does not answer.
export function unanswered() {
  linkIs("away");
}

// An input got its answer: what was in the way of an earlier one need not have been in the way of the stream.
export function answered() {
  if (station.link === "away" && stream?.isOpen()) linkIs("live");
}

function linkIs(link) {
  station.link = link;
  station.since = link === "away" ? station.since ?? new Date() : null;
  station.table = link === "away" && streamed ? withoutDevices(streamed) : streamed;
  changed();
}

// While the station is away, the state of its devices is unknown.
function withoutDevices(table) {
  const unknown = (names) => Object.fromEntries(names.map((name) => [name, "unknown"]));
  const devices = unknown(Object.keys(table.devices));
  const slots = devices.slots ? unknown(Array.from({ length: station.setting.terms.seat_count }, (_, at) => at + 1)) : {};
  return { ...table, devices, slots, lid_open: null, sign: null };
}

// What this page has of the game that is played: a module by its name among the felts, whose default is that.

let played = {};

async function bring(game) {
  played = await import(`./felts/${game}.js`).then((felt) => felt.default, () => ({}));
}

// {felt, answers, forms}: what it draws, its own answers to some steps, its own forms. A game that has no module here
// has no felt.
export function ofGame() {
  return { felt: null, answers: {}, forms: {}, ...played };
}
