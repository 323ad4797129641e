// Who is logged in on this screen, as the station says: a cookie that no script can read holds it.

import { changed } from "./screen.js";

const LONGEST_MILLISECONDS = 3_600_000;

export const session = {
  pins: false, // whether the station asks for PINs; without them whoever is named is believed
  persons: [], // {name, role, ends_in}: the seconds until somebody who does nothing is logged out
};

let asking = null;

// Ask again now, and whenever somebody's time is over.
export async function askSession() {
  clearTimeout(asking);
  try {
    const answer = await fetch("/session");
    if (answer.ok) return take(await answer.json());
  } catch {
    // the station is away: asked again when it is back
  }
}

function take(told) {
  session.pins = told.pins;
  session.persons = told.persons;
  clearTimeout(asking);
  if (told.persons.length) {
    const soonest = Math.min(...told.persons.map((person) => person.ends_in));
    asking = setTimeout(askSession, Math.min((soonest + 1) * 1000, LONGEST_MILLISECONDS));
  }
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

async function asked(address, request) {
  try {
    const answer = await fetch(address, request);
    const told = await answer.json();
    if (!answer.ok) return told;
    take(told);
    return null;
  } catch {
    return { error: "away" };
  }
}
