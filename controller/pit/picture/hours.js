// The last day of all tables together, hour by hour.

import { html } from "/page/html.js";
import { say } from "/page/language.js";
import { recall } from "/page/recall.js";
import { Asking } from "./asking.js";
import { Hours, Lost } from "./curves.js";

export class Day extends Asking {
  wanted() {
    return recall("/hours");
  }

  render(_, { answer }) {
    if (answer === undefined) return html`<p role="status">${say("pit.reading")}</p>`;
    if (!answer) return html`<p class="refusal" role="alert">${say("pit.unread")}</p>`;
    if (!answer.hours.length) return html`<p class="nothing">${say("pit.no_figures")}</p>`;
    return html`<div class="plots" data-hours=${answer.hours.length}><${Hours} rows=${answer.hours} /><${Lost} rows=${answer.hours} /></div>`;
  }
}
