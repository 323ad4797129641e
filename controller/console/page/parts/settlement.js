// A settlement: what it brings the house, and its lines.

import { html } from "../html.js";
import { amount, articleWords, say, signed } from "../language.js";
import { sign } from "./felt.js";

// Where the bank is a player's, the house has the commission and its own part in the bank. `win` leaves out the jackpot,
// which is paid out of its pot.
export function houseNet({ seats, bank }) {
  const lines = seats.flatMap((seat) => seat.lines);
  const net = (some) => some.reduce((sum, line) => sum + line.net, 0); // a seat's own net leaves its backers out
  const players = net(lines);
  const jackpot = net(lines.filter((line) => line.wager === "jackpot"));
  const commission = lines.reduce((sum, line) => sum + line.commission, 0);
  const behind = (bank?.joiners ?? []).reduce((sum, line) => sum + line.net, bank?.net ?? 0);
  return { net: 0 - players - behind, win: 0 - (players - jackpot) - behind, commission };
}

// Lines of a settlement in the order they are paid: what each wager came to, and the article; then each player's sum, and
// that of all last.

// The house takes a commission of some of them where they are `taxed`.
export function Lines({ lines, taxed }) {
  const players = [...new Set(lines.map((line) => line.player ?? ""))];
  const sums = players.length > 1 ? players.map((player) => [player || say("player.unnamed"), lines.filter((line) => (line.player ?? "") === player)]) : [];
  if (lines.length > 1) sums.push([say("line.sum"), lines]);
  return html`<table class="lines">
    <thead><tr><th scope="col">${say("line.wager")}</th><th scope="col" class="money">${say("line.stake")}</th>
      <th scope="col">${say("line.outcome")}</th><th scope="col" class="money">${say("line.net")}</th>
      ${taxed && html`<th scope="col" class="money">${say("line.commission")}</th>`}
      <th scope="col">${say("line.article")}</th></tr></thead>
    <tbody>${lines.map(
      (line, at) => html`<tr key=${at}>
        <th scope="row">${players.length > 1 ? `${at + 1}. ` : ""}${say(`wager.${line.wager}`)}${line.hand ? ` ${line.hand}` : ""}${line.player ? ` · ${line.player}` : ""}</th>
        <td class="money">${amount(line.stake)}</td>
        <td>${say(`outcome.${line.outcome}`)}${line.odds ? ` ${line.odds}` : ""}${line.combination ? ` · ${say(`hand.${line.combination}`)}` : ""}</td>
        <td class=${`money ${sign(line.net)}`}>${signed(line.net)}</td>
        ${taxed && html`<td class="money">${amount(line.commission)}</td>`}
        <td class="article">${articleWords(line.article)}</td></tr>`,
    )}</tbody>
    <tfoot>${sums.map(([whose, some]) => html`<tr key=${whose}><th scope="row" colspan="3">${whose}</th>
      <td class=${`money ${sign(net(some))}`}>${signed(net(some))}</td><td colspan=${taxed ? 2 : 1}></td></tr>`)}</tfoot></table>`;
}

function net(lines) {
  return lines.reduce((sum, line) => sum + line.net, 0);
}
