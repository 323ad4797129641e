// What leads to the changes that wait for a supervisor, from the answers of any step.

import { html } from "../html.js";
import { say } from "../language.js";
import { openSheet } from "../screen.js";
import { station } from "../station.js";

// A round has none before it begins.
export function waitingChanges() {
  return station.table.round?.changes_waiting ?? [];
}

export function ChangesWait() {
  const count = waitingChanges().length;
  return count > 0 && html`<div class="option"><button class="main" data-changes onClick=${() => openSheet("changes")}>${say("changes.open", { count })}</button></div>`;
}
