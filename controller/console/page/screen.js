// What this screen alone knows and how it is set, and when it is drawn again. What the table knows comes from station.js.

export const screen = {
  sheet: null, // the sheet that is open: its name, and what it was opened with
  refusal: null, // the last answer that was not taken
  chip: null, // the chip in the dealer's hand, minor units; 0 takes a bet away
  own: null, // an amount that was keyed in, beside the chips of the tray
  player: "", // whose bets are placed, where several share a box
  openSeat: null, // the seat whose lines and articles are shown
};

let draw = () => {};
let waiting = false;

export function whenChanged(drawing) {
  draw = drawing;
}

export function changed() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw();
  });
}

export function openSheet(name, content = {}) {
  screen.sheet = { name, ...content };
  changed();
}

export function closeSheet() {
  screen.sheet = null;
  changed();
}

// How this screen alone is set, kept on it: whether a keyboard's keys answer, and whether there are tones.

const KEPT = "dealer-station.own";
const USUAL = { keys: true, tones: false };

export function own(name) {
  return { ...USUAL, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") }[name];
}

export function setOwn(name, value) {
  localStorage.setItem(KEPT, JSON.stringify({ ...JSON.parse(localStorage.getItem(KEPT) ?? "{}"), [name]: value }));
}
