// Inputs on their way to the station, posted again until they are answered.

import { acting } from "./acting.js";
import { askLogIn, askPin } from "./asked.js";
import { pause } from "./stream.js";
import { wantsPin } from "./language.js";
import { changed, screen } from "./screen.js";
import { postJson } from "./session.js";
import { answered, station, unanswered } from "./station.js";

// Inputs are posted one after the other, so that each is answered before the next is tried.
let line = Promise.resolve();

// Post an input, again and again until the station has answered it: it knows a repeat by its id.
// Gives {taken} or {refused}; the screen shows a refusal unless `quietly`.
export function send(kind, fields = {}, { quietly = false } = {}) {
  return post(inputOf(kind, fields), kind, quietly);
}

// One tap that says several things, each [kind, fields], in the order in which they are legal: all are taken, or none.
function sendAll(acts) {
  if (acts.length === 1) return send(...acts[0]);
  return post(acts.map(([kind, fields]) => inputOf(kind, fields)), acts[0][0], false);
}

// What answers the step, by one tap: nothing while another answer is on its way. A second tap may come before the buttons
// are drawn as off.
export function answer(acts) {
  return station.sending > 0 ? null : sendAll(acts);
}

// Acts that persons have signed in their sheet, each [kind, fields] with its actor among the fields: all are taken, or
// none; a PIN that is wrong is refused.
export function sendSigned(acts, pins) {
  const inputs = acts.map(([kind, fields]) => inputOf(kind, fields));
  return shownAsSending(inLine(inputs.length === 1 ? inputs[0] : inputs, pins));
}

function inputOf(kind, fields = {}) {
  return { input_id: freshId(), step_id: stepAnswered(kind, fields), actor: acting(), kind, ...fields };
}

async function post(input, kind, quietly) {
  const answer = await shownAsSending(withPersons(input));
  if (!quietly) screen.refusal = answer.taken ? null : { ...answer.refused, kind };
  return answer;
}

// The screen shows that something is on its way until it is answered.
async function shownAsSending(answered) {
  station.sending += 1;
  changed();
  const answer = await answered;
  station.sending -= 1;
  changed();
  return answer;
}

function inLine(input, pins) {
  const next = line.then(() => posted(input, pins));
  line = next.catch(() => {});
  return next;
}

// What is refused because a person is not logged in, or for want of a PIN, is kept, and posted again with the person or
// the PIN, until one is not given.
async function withPersons(tapped) {
  const pins = {};
  for (let input = tapped; ; ) {
    const answer = await inLine(input, pins);
    const { refused } = answer;
    if (refused?.error === "log_in") {
      const name = await askLogIn(refused.who);
      if (name === null) return answer;
      input = [input].flat().map((sent) => (sent.actor === refused.who ? { ...sent, actor: name } : sent));
    } else if (wantsPin(refused)) {
      const pin = await askPin(refused);
      if (pin === null) return answer;
      pins[refused.who] = pin;
    } else return answer;
  }
}

// What answers another step than the table's, the station says; it has {fields} of the input.
function stepAnswered(kind, fields) {
  const { answers, step } = station.table;
  return (answers[kind] ?? step.id).replace(/\{(\w+)\}/g, (_, name) => fields[name]);
}

async function posted(input, pins) {
  const given = Object.entries(pins).map(([name, pin]) => `${encodeURIComponent(name)}=${pin}`).join(",");
  for (;;) {
    try {
      const answer = await postJson("/inputs", input, given && { "dealer-station-pin": given });
      answered();
      if (answer.status === 200) return { taken: true };
      if (answer.status !== 503) return { refused: await refusalOf(answer) };
    } catch {
      unanswered();
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
