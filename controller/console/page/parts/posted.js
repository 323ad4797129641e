// What the house posts at the table: the regulation and its standing, and what was authorised.

import { html } from "../html.js";
import { say, told } from "../language.js";

export function Posted({ posted }) {
  return html`<h3>${say("posted")}</h3>
    <ul class="notices posted">
      <li>${told(posted.standing)}</li>
      ${posted.authorisations.map(
        (one) => html`<li key=${one.of}>${say(`posted.authorised.${one.of}`)}: ${one.reference}, ${one.date}</li>`,
      )}
    </ul>`;
}
