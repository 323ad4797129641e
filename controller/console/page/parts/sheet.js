// A sheet over the felt: the browser's own modal dialogue, so that the focus stays in it and Escape closes it.

import { html } from "../html.js";
import { say } from "../language.js";
import { closeSheet } from "../screen.js";
import { Away, isAway } from "./away.js";

export function Sheet({ title, wide = false, onClose = closeSheet, children }) {
  return html`<dialog class=${wide ? "sheet wide" : "sheet"} aria-label=${title} ref=${shown}
    onClose=${onClose} onClick=${(event) => event.target === event.currentTarget && onClose()}>
    <header><h2>${title}</h2>
      <button class="close" onClick=${onClose} aria-label=${say("close")}>✕</button></header>
    <${Away} />
    <div class="body" tabindex="0" inert=${isAway()}>${children}</div>
  </dialog>`;
}

function shown(dialogue) {
  if (dialogue && !dialogue.open) dialogue.showModal();
}
