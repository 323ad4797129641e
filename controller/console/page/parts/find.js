// The search of a list.

import { html } from "../html.js";
import { say } from "../language.js";

export function Find({ find, onFind, label = say("find") }) {
  return html`<input type="search" class="find" value=${find} aria-label=${label} placeholder=${label}
    onInput=${(event) => onFind(event.target.value)} />`;
}
