// A press that was meant for another button. An answer may come under the finger because of a press, a device or
// another person: where a button was a moment before, or where the last press was, a new one waits for
// QUIET_MILLISECONDS, shows it, and does not count a press meanwhile; such a press makes all of them wait again. A key
// names its button: pressed again, it does not count where it would end something.

const QUIET_MILLISECONDS = 400;
const FINGER = 12; // CSS pixels: how far beside a button a press is still at its place
const EDGES = ["left", "right", "top", "bottom"];
const WAITING = ".prompt button, dialog button, [data-decide]";
const ENDING = [
  "confirm", "confirm_hit", "settle_on_paper", "compare_grant", // pays
  "close_claims", "hold_cards", "no_bets", // clears
  "void_round", "misdealt", "exposed", "to_empty_seat", "shuffler_failed", "cards_counted", // voids
  "lock_in", "close_table", // closes
];

let last = {}; // the last press: {x, y} of a pointer, {key} of a keyboard; of what, and when
let shown = new Map(); // every button: what it does, where, since when, and whether it is early for a pointer or a key
let gone = []; // where a button was until a moment ago: {box, at}
let sheet = {}; // the one that is open, and since when
let counted = true; // whether the present press counts
let waiting = null;

// The attribute of a button that does this.
export function guard(...kinds) {
  return kinds.some((kind) => ENDING.includes(kind)) ? { "data-guarded": "" } : {};
}

// Whether this press of a button, or of none, counts.
export function counts(press, button) {
  const of = shown.get(button);
  const now = performance.now();
  const early = of !== undefined && (press.key ? of.again : of.early) && now - of.since < QUIET_MILLISECONDS;
  if (early) for (const place of shown.values()) place.since = now;
  // The same answer twice, before the first has led to anything.
  const twice = of?.what !== undefined && of.what === last.what && now - last.at < QUIET_MILLISECONDS;
  last = { ...press, what: of?.what, at: now };
  show();
  return !early && !twice;
}

function isHere({ left, right, top, bottom }) {
  return last.x > left - FINGER && last.x < right + FINGER && last.y > top - FINGER && last.y < bottom + FINGER;
}

function meet(box, other) {
  return box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top;
}

// Which of them a change has brought, moved or taken away.
function look() {
  const now = performance.now();
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (open !== sheet.open) sheet = { open, since: now };
  const within = open ?? document;
  const before = shown;
  const found = [...within.querySelectorAll("button")].map((button) => {
    const { decide, kind = decide, fields } = button.dataset;
    return [button, { what: kind && `${kind} ${fields} ${button.textContent}`, box: button.getBoundingClientRect() }];
  });
  shown = new Map();
  for (const [button, { what, box }] of found) {
    const was = before.get(button);
    if (was && was.what === what && EDGES.every((edge) => Math.abs(was.box[edge] - box[edge]) < FINGER)) shown.set(button, { ...was, box });
  }
  gone = gone.filter(({ at }) => now - at < QUIET_MILLISECONDS);
  for (const [button, { box }] of before) if (!shown.has(button)) gone.push({ box, at: now });
  for (const [button, of] of found) {
    if (shown.has(button)) continue;
    const { guarded, key } = button.dataset;
    const early = button.matches(WAITING) && (isHere(of.box) || gone.some(({ box }) => meet(box, of.box)));
    shown.set(button, { ...of, since: now, early, again: guarded !== undefined && key !== undefined && key === last.key });
  }
  show();
}

function show() {
  const now = performance.now();
  const left = [...shown].map(([button, { early, again, since }]) => {
    const waits = (early || again) && now - since < QUIET_MILLISECONDS;
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

// A person who scrolls sees where the buttons are then.
document.addEventListener("scroll", () => {
  for (const [button, of] of shown) of.box = button.getBoundingClientRect();
}, true);

document.addEventListener("pointerdown", ({ clientX: x, clientY: y, target }) => {
  const beside = target === sheet.open && performance.now() - sheet.since < QUIET_MILLISECONDS; // which would close it
  counted = counts({ x, y }, target.closest("button")) && !beside;
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
