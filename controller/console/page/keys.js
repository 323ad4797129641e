// A keyboard's keys: each presses the button that shows it, and G what leads furthest at once.

import { counts } from "./presses.js";
import { own } from "./screen.js";

const OF_ANSWERS = {
  open_table: "O", begin_round: "B", loaded: "L", shuffled: "S", cut: "C", deck_complete: "D", lock_in: "L", no_bets: "N",
  unreported_card: "U", tiles_dealt: "T", announce_form: "F", dice_null: "N", arranged: "A", take_bank: "T", reveal: "T",
  confirm: "P", close_claims: "C", hold_cards: "H", insure: "I", follow: "F",
  "decide-hit": "H", "decide-stand": "S", "decide-double": "D", "decide-split": "X", "decide-play": "P", "decide-fold": "F",
  "give_up-true": "Y", "give_up-false": "N", "even_money-true": "Y", "even_money-false": "N",
  "unasked-true": "Y", "unasked-false": "V", "warning_card-end": "E", "warning_card-middle": "M",
  "announce-every_space": "E", "announce-spaces_with_bets": "S", "announce-eight_places": "8", "announce-four_places": "4",
};
export const FURTHEST = "G";

export function keyOfAnswer(name) {
  return OF_ANSWERS[name];
}

// What a button has that a key presses; the style sheet shows it.
export function keyed(key) {
  return key ? { "data-key": key, "aria-keyshortcuts": key } : {};
}

document.addEventListener("keydown", (event) => {
  const { key, target, repeat, ctrlKey, altKey, metaKey } = event;
  if (!own("keys") || repeat || ctrlKey || altKey || metaKey || document.querySelector("dialog[open]")) return;
  if (target.closest("input, .numberpad") || !/^[a-z0-9]$/i.test(key)) return;
  const wanted = key.toUpperCase();
  const button = [".answers", ".betting"].map((where) => document.querySelector(`${where} [data-key="${wanted}"], ${where} [data-digit="${wanted}"]`))
    .find((element) => element && !element.disabled && !element.closest("[inert]"));
  if (!button) return;
  event.preventDefault();
  if (!counts({ key: wanted }, button)) return;
  button.focus(); // so that the next tab finds the next answer
  button.click();
});

// The focus of a person who works by keys: it stays where they were when what had it is drawn away or switched off.

let focused = null; // what has the focus, or had it when it was drawn away or switched off
let opener = null; // what had it when a sheet was opened
let drawing = false;

document.addEventListener("focusin", ({ target }) => {
  focused = target;
});

// A tap beside everything takes it away.
document.addEventListener("focusout", ({ target }) => {
  if (!drawing && takes(target)) focused = null;
});

function openDialogue() {
  return document.querySelector("dialog[open]");
}

// Draw, and give the focus back: to what opened a sheet that was closed, else to the answers of the step, so that the
// next key reaches the first of them, and none is given by a key that is still down.
export function keepingFocus(draw) {
  const [before, sheet] = [focused, openDialogue()];
  drawing = true;
  draw();
  drawing = false;
  if (openDialogue() && !sheet) opener = before;
  if (!focused || document.activeElement !== document.body) return;
  const wanted = openDialogue() ? focused : sheet ? opener : focused;
  if (takes(wanted)) wanted.focus();
  else if (!document.querySelector("[aria-busy=true]")) refuge()?.focus();
}

function takes(element) {
  return element?.isConnected && !element.disabled && !element.closest("[inert]");
}

function refuge() {
  return openDialogue()?.querySelector(".body") ?? document.querySelector(".answers");
}
