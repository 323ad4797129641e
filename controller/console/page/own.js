// How this screen alone is set, kept on it: whether a keyboard's keys answer, and whether there are tones.

const KEPT = "dealer-station.own";
const USUAL = { keys: true, tones: false };

export function own(name) {
  return { ...USUAL, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") }[name];
}

export function setOwn(name, value) {
  localStorage.setItem(KEPT, JSON.stringify({ ...JSON.parse(localStorage.getItem(KEPT) ?? "{}"), [name]: value }));
}
