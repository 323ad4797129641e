// Who is logged in on this screen, as the station says: a cookie that no script can read holds it, with a key that this
// page alone has, for other ports of this computer are sent the cookie too. A screen on which someone has logged in once
// shows the station so: wrong PINs elsewhere make no one wait here.

import { changed } from "./screen.js";
import { pause } from "./stream.js";

const LONGEST_MILLISECONDS = 3_600_000;
const SCREEN = "dealer-station.screen";
const KEY = "dealer-station.key";

export const session = {
  pins: false, // whether the station asks for PINs; without them any person of the setting may be named
  persons: [], // {name, role, ends_in}: the seconds until someone who does nothing is logged out
  delayed: [], // {name, seconds}: the names that have to wait after wrong PINs, which supervisors get
};

let asking = null;
let showsOther = () => {};

// `then` is called when a person has logged in here, or no one is logged in here any more.
export function whenShownChanges(then) {
  showsOther = then;
}

// Whether more than the public table is shown here.
export function mayRead() {
  return !session.pins || session.persons.length > 0;
}

// Ask again now, and whenever someone's time is over.
export async function askSession() {
  clearTimeout(asking);
  try {
    const answer = await fetch("/session", { headers: shown() });
    if (answer.ok) return take(await answer.json());
  } catch {
    // the station is away: asked again when it is back
  }
}

function take(answered) {
  const other = Boolean(answered.key) || mayRead() !== (!answered.pins || answered.persons.length > 0);
  session.pins = answered.pins;
  session.persons = answered.persons;
  session.delayed = answered.delayed ?? [];
  if (answered.screen) localStorage.setItem(SCREEN, answered.screen);
  if (answered.key) sessionStorage.setItem(KEY, answered.key);
  clearTimeout(asking);
  if (answered.persons.length) {
    const soonest = Math.min(...answered.persons.map((person) => person.ends_in));
    asking = setTimeout(askSession, Math.min((soonest + 1) * 1000, LONGEST_MILLISECONDS));
  }
  if (other) showsOther();
  changed();
}

// Gives null once the person is logged in, or the station's refusal.
export async function logIn(name, pin) {
  return asked("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, pin }),
  });
}

export function logOut(name) {
  return asked(`/session/${encodeURIComponent(name)}`, { method: "DELETE" });
}

// A supervisor who is another person ends the wait of this name.
export function lift(name) {
  return asked(`/delays/${encodeURIComponent(name)}`, { method: "DELETE" });
}

// What this screen shows for itself, and for each person who is logged in on it, as headers.
export function shown() {
  const [screen, key] = [localStorage.getItem(SCREEN), sessionStorage.getItem(KEY)];
  return { ...(screen && { "dealer-station-screen": screen }), ...(key && { "dealer-station-key": key }) };
}

// As JSON.
export function postJson(address, content, headers = {}) {
  const what = { "content-type": "application/json", ...shown(), ...headers };
  return fetch(address, { method: "POST", headers: what, body: JSON.stringify(content) });
}

async function asked(address, request) {
  try {
    const answer = await fetch(address, { ...request, headers: { ...request.headers, ...shown() } });
    const answered = await answer.json();
    if (!answer.ok) return answered;
    take(answered);
    return null;
  } catch {
    return { error: "away" };
  }
}

// What is asked for beside the stream, and asked again while there is no answer.

const READINGS = 5; // until it is believed that others ask for long

// Null where it cannot be read now, or no one is logged in here, and {refused} where what is asked is not understood.
export async function recall(address) {
  try {
    for (let times = 0; times < READINGS; times += 1) {
      const answer = await fetch(address, { headers: shown() });
      if (answer.ok) return await answer.json();
      if (answer.status === 422) return { refused: await answer.json() };
      if (!answer.headers.get("retry-after")) return null;
      await pause();
    }
  } catch {
    // station or pit is away
  }
  return null;
}
