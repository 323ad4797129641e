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
