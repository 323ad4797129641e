// A sheet over the felt, and that the station is away.

import { html } from "../html.js";
import { moment, say } from "../language.js";
import { closeSheet } from "../screen.js";
import { station } from "../station.js";

export function isAway() {
  return station.link === "away";
}

export function Away() {
  return isAway() && html`<p class="away" role="alert">
    <strong>${say("link.away")}</strong> ${say("link.since", { time: moment(station.since) })}</p>`;
}

// A sheet over the felt: the browser's own modal dialogue, so that the focus stays in it and Escape closes it.

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
