// A second press in one place. A press may bring an answer that pays, clears, voids or closes under the finger: that one
// waits for QUIET_MILLISECONDS, shows it, and does not count a press meanwhile; such a press makes it wait again. So does
// one that opens a sheet over the answers.

const QUIET_MILLISECONDS = 400;
const FINGER = 12; // CSS pixels: how far beside a button a press is still at its place
const ENDING = [
  "confirm", "confirm_hit", "settle_on_paper", "compare_grant", // pays
  "close_claims", "hold_cards", "no_bets", // clears
  "void_round", "misdealt", "exposed", "to_empty_seat", "shuffler_failed", "cards_counted", // voids
  "lock_in", "close_table", // closes
];

let last = null; // the last press: {device, x, y} of a pointer, {device, key} of a keyboard
let shown = new Map(); // the guarded buttons that can be pressed: whether the last press was at its place, and since when it is there
let counted = true; // whether the present press counts
let waiting = null;

// The attribute of a button that does this.
export function guard(...kinds) {
  return kinds.some((kind) => ENDING.includes(kind)) ? { "data-guarded": "" } : {};
}

// Whether this press of a button, or of none, counts.
export function counts(press, button) {
  const at = shown.get(button);
  const now = performance.now();
  const again = Boolean(at?.here) && last.device === press.device && now - at.since < QUIET_MILLISECONDS;
  if (again) at.since = now;
  last = press;
  for (const [one, of] of shown) of.here = isHere(one);
  show();
  return !again;
}

function isHere(button) {
  if (last?.key) return button.dataset.key === last.key;
  const { left, right, top, bottom } = button.getBoundingClientRect();
  return last !== null && last.x > left - FINGER && last.x < right + FINGER && last.y > top - FINGER && last.y < bottom + FINGER;
}

// Which of them a change has brought, or moved, to the place of the last press.
function look() {
  const sheets = document.querySelectorAll("dialog[open]");
  const within = sheets.length ? sheets[sheets.length - 1] : document;
  const before = shown;
  shown = new Map();
  for (const button of within.querySelectorAll("[data-guarded]")) {
    const what = `${button.dataset.kind} ${button.dataset.fields}`;
    const here = isHere(button);
    const was = before.get(button);
    const stays = was?.what === what && (was.here || !here);
    shown.set(button, { what, here, since: stays ? was.since : performance.now() });
  }
  show();
}

function show() {
  const now = performance.now();
  const left = [...shown].map(([button, { here, since }]) => {
    const waits = here && now - since < QUIET_MILLISECONDS;
    if (waits) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
    return waits ? since + QUIET_MILLISECONDS - now : 0;
  });
  clearTimeout(waiting);
  if (Math.max(0, ...left)) waiting = setTimeout(show, Math.max(...left));
}

new MutationObserver(look).observe(document.documentElement, {
  subtree: true, childList: true, characterData: true, attributeFilter: ["class", "data-fields", "data-guarded", "data-kind", "open"],
});

document.addEventListener("pointerdown", ({ pointerType: device, clientX: x, clientY: y, target }) => {
  counted = counts({ device, x, y }, target.closest("[data-guarded]"));
}, true);

// A click without a pointer has no detail.
document.addEventListener("click", (event) => {
  if (counted || !event.detail) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// A key that stays down presses a button once.
document.addEventListener("keydown", (event) => {
  if (event.repeat && ["Enter", " "].includes(event.key) && event.target.closest("button")) event.preventDefault();
}, true);
