// Whether the cards are to come from the other source.

import { html } from "../html.js";
import { say } from "../language.js";
import { Sheet } from "../parts/sheet.js";
import { Form } from "./form.js";

export function SourceSheet({ source }) {
  return html`<${Sheet} title=${say("use.title")}>
    <${Form} kind="use_source" fields=${() => ({ source })} text=${say(`use.${source}`)} draw=${() => html`<p>${say(`use.${source}.means`)}</p>`} />
  <//>`;
}
