// Lines of a settlement: what each wager came to, and the article that says so.

import { html } from "../html.js";
import { amount, say, signed } from "../language.js";
import { sign } from "../parts/seat.js";
import { articleWords } from "../prompt.js";

export function Lines({ lines }) {
  const taxed = lines.some((line) => line.commission !== undefined);
  return html`<table class="lines">
    <thead><tr><th scope="col">${say("line.wager")}</th><th scope="col" class="money">${say("line.stake")}</th>
      <th scope="col">${say("line.outcome")}</th><th scope="col" class="money">${say("line.net")}</th>
      ${taxed && html`<th scope="col" class="money">${say("line.commission")}</th>`}
      <th scope="col">${say("line.article")}</th></tr></thead>
    <tbody>${lines.map(
      (line, at) => html`<tr key=${at}>
        <th scope="row">${say(`wager.${line.wager}`)}${line.hand ? ` ${line.hand}` : ""}${line.player ? ` · ${line.player}` : ""}</th>
        <td class="money">${amount(line.stake)}</td>
        <td>${say(`outcome.${line.outcome}`)}${line.odds ? ` ${line.odds}` : ""}${line.combination ? ` · ${say(`hand.${line.combination}`)}` : ""}</td>
        <td class=${`money ${sign(line.net)}`}>${signed(line.net)}</td>
        ${taxed && html`<td class="money">${amount(line.commission ?? 0)}</td>`}
        <td class="article">${articleWords(line.article)}</td></tr>`,
    )}</tbody></table>`;
}
