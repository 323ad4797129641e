// The search of a list.

import { html } from "../html.js";
import { say } from "../language.js";

export function Find({ find, onFind }) {
  return html`<input type="search" class="find" value=${find} aria-label=${say("find")} placeholder=${say("find")}
    onInput=${(event) => onFind(event.target.value)} />`;
}
