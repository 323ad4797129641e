// The floor plan of a person: in which cell each table is. It is kept on this computer under the person's name.

import { changed } from "/page/screen.js";
import { session } from "/page/session.js";

const WIDER = 1.9; // a floor is so many times wider in cells than high

function kept() {
  return `dealer-pit.floor.${session.persons.map(({ name }) => name).join("+")}`;
}

function read() {
  try {
    const cells = JSON.parse(localStorage.getItem(kept()) ?? "{}");
    return Object.fromEntries(Object.entries(cells).filter(([, at]) => Array.isArray(at) && at.length === 2 && at.every((one) => Number.isInteger(one) && one >= 0)));
  } catch {
    return {}; // not of this page
  }
}

// Every table has a cell of its own: those that have none yet get the first that are free, in the order of their names.
export function placed(keys) {
  const own = read();
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
  const other = keys.find((one) => places[one].join("/") === to.join("/"));
  const moved = { ...places, ...(other && { [other]: places[key] }), [key]: to };
  localStorage.setItem(kept(), JSON.stringify({ ...read(), ...moved }));
  changed();
}
