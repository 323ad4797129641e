// The report of a driver, the system or the broker about an alarm, in English and folded: for anyone who looks closer.

import { html } from "../html.js";
import { say } from "../language.js";

export function Details({ text }) {
  return text && html`<details><summary>${say("alarm.details")}</summary><p lang="en">${text}</p></details>`;
}
