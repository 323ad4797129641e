// How this screen alone is set, kept on it: whether a keyboard's keys answer.

const KEPT = "dealer-station.own";
const USUAL = { keys: true };

export function own(name) {
  return { ...USUAL, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") }[name];
}

export function setOwn(name, value) {
  localStorage.setItem(KEPT, JSON.stringify({ ...JSON.parse(localStorage.getItem(KEPT) ?? "{}"), [name]: value }));
}
