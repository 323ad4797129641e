// The floor plan of a person: in which cell each table is. The pit keeps it under the person's name.

import { recall, session, shown } from "/page/session.js";
import { changed } from "/page/screen.js";

const WIDER = 1.9; // a floor is so many times wider in cells than high
const CHANGED = 409; // the status where another screen has changed the plan

export const plan = {
  revision: 0,
  cells: {},
  refused: "", // why the last change was not kept: "changed" on another screen, "away"
  asked: false, // whether the pit has answered for this person, or cannot: a table drawn before that would change its cell
};
let owner = null; // whose plan it is
let wanted = null; // cells that are to be kept
let keeping = false;

// Null where the plan cannot be read now: the one that was known stays.
export async function askPlan() {
  const person = session.persons.map(({ name }) => name).join("+");
  if (person !== owner) take({ revision: 0, cells: {} }, "", false);
  owner = person;
  const answer = await recall("/plan");
  if (person !== owner || wanted || keeping) return;
  take(answer ?? plan, answer ? "" : plan.refused);
}

function take({ revision, cells }, refused, asked = true) {
  Object.assign(plan, { revision, cells, refused, asked });
  changed();
}

// Every table has a cell of its own: those that have none yet get the first that are free, in the order of their names.
export function placed(keys) {
  const own = wanted ?? plan.cells;
  const places = {};
  const taken = new Set();
  const take = (key, [column, row]) => {
    places[key] = [column, row];
    taken.add(`${column}/${row}`);
  };
  for (const key of keys) if (own[key] && !taken.has(own[key].join("/"))) take(key, own[key]);
  const columns = Math.max(1, Math.ceil(Math.sqrt(keys.length * WIDER)), ...Object.values(places).map(([column]) => column + 1));
  let cell = 0;
  for (const key of keys) {
    if (places[key]) continue;
    while (taken.has(`${cell % columns}/${Math.floor(cell / columns)}`)) cell += 1;
    take(key, [cell % columns, Math.floor(cell / columns)]);
  }
  const rows = Math.max(...Object.values(places).map(([, row]) => row + 1));
  return { places, columns, rows: Math.max(rows, Math.ceil((keys.length + 1) / columns)) };
}

// The table goes to a cell; one that is there changes places with it. Beyond the floor there is no cell.
export function move(keys, key, to) {
  const { places, columns, rows } = placed(keys);
  if (to[0] < 0 || to[1] < 0 || to[0] >= columns || to[1] >= rows) return;
  const other = keys.find((candidate) => places[candidate].join("/") === to.join("/"));
  wanted = { ...plan.cells, ...wanted, ...places, ...(other && { [other]: places[key] }), [key]: to };
  changed();
  keep();
}

// One change after the other: each is of the revision that the one before has made.
async function keep() {
  if (keeping) return;
  keeping = true;
  while (wanted) {
    const cells = wanted;
    const answer = await put({ revision: plan.revision, cells });
    const kept = answer?.ok || answer?.status === CHANGED ? await answer.json().catch(() => null) : null;
    if (answer?.ok && kept) {
      if (wanted === cells) wanted = null;
      take(kept, "");
      continue;
    }
    wanted = null;
    take(kept ?? plan, kept ? "changed" : "away");
  }
  keeping = false;
}

function put(content) {
  const headers = { "content-type": "application/json", ...shown() };
  return fetch("/plan", { method: "PUT", headers, body: JSON.stringify(content) }).catch(() => null);
}
