// Who acts on this screen. Today a person named in the configuration is chosen; this module alone knows how.

import { html } from "./html.js";
import { say } from "./language.js";
import { changed, closeSheet, openSheet } from "./screen.js";
import { Sheet } from "./parts/sheet.js";

const KEPT = "dealer-station.acting";

let people = {};
let chosen = null;

// The people of the setting, name to role.
export function peopleAre(known) {
  people = known;
  const kept = sessionStorage.getItem(KEPT);
  const first = Object.keys(people).find((name) => people[name] === "dealer");
  if (!(chosen in people)) chosen = kept in people ? kept : first;
}

export function acting() {
  return chosen;
}

export function role() {
  return people[chosen];
}

// Who else may stand for something beside the person who acts.
export function others() {
  return Object.keys(people).filter((name) => name !== chosen && people[name] !== "technician");
}

function choose(name) {
  chosen = name;
  sessionStorage.setItem(KEPT, name);
  closeSheet();
  changed();
}

export function ActingButton() {
  return html`<button class="tab person" data-role=${role()} onClick=${() => openSheet("acting")}
    aria-label=${say("acting.button", { name: chosen, role: say(`role.${role()}`) })}>
    <span class="name">${chosen}</span><span class="role">${say(`role.${role()}`)}</span>
  </button>`;
}

export function ActingSheet() {
  return html`<${Sheet} title=${say("acting.title")}>
    <p>${say("acting.which")}</p>
    <div class="choices">
      ${Object.entries(people).map(
        ([name, kind]) => html`<button class="choice" key=${name} aria-pressed=${name === chosen}
          onClick=${() => choose(name)}><strong>${name}</strong><span>${say(`role.${kind}`)}</span></button>`,
      )}
    </div>
  <//>`;
}
