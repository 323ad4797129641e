// A form of what is corrected or adjusted: it is sent with the reason for it.

import { html } from "../html.js";
import { Reason } from "../parts/choice.js";
import { Form } from "./form.js";

const USUAL = ["reason.keyed", "reason.seat", "reason.heard", "reason.surveillance"];

// Reason last, then the button: the same for all.
export function documented(kind, stepId, first, fields, draw) {
  return html`<${Form} kind=${kind} stepId=${stepId} first=${{ reason: "", ...first }}
    fields=${(chosen) => (chosen.reason.trim() && fields(chosen) ? { ...fields(chosen), reason: chosen.reason } : null)}
    draw=${(chosen, set) => html`${draw(chosen, set)}
      <${Reason} usual=${USUAL} text=${chosen.reason} onText=${(reason) => set({ reason })} />`} />`;
}
