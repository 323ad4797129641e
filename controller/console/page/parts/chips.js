// The chip tray: which chip is in hand, whose bets are placed, take back and undo.

import { canUndo, chipInHand, playerInHand, playersNamed, repeat, repeatable, tray, undo } from "../betting.js";
import { html } from "../html.js";
import { keyed } from "../keys.js";
import { amount, say } from "../language.js";
import { changed, openSheet, screen } from "../screen.js";
import { station } from "../station.js";

const PLAYERS = ["A", "B", "C", "D"];

export function ChipTray() {
  const inHand = chipInHand();
  return html`<div class="tray" role="group" tabindex="-1" aria-label=${say("chips")}>
    ${tray().map(
      (value, at) => html`<button key=${value} class=${`chip c${at}`} aria-pressed=${inHand === value} ...${keyed(at < 9 && String(at + 1))}
        onClick=${() => take(value)} aria-label=${say("chip.take", { amount: amount(value, true) })}>
        <span>${amount(value, true)}</span></button>`,
    )}
    <button class="chip take" aria-pressed=${inHand === 0} ...${keyed("0")} onClick=${() => take(0)}><span>${say("chip.back")}</span></button>
    <button class="plain" data-any ...${keyed("K")} onClick=${() => openSheet("amount")}>${say("chip.any")}</button>
    <button class="plain" data-repeat ...${keyed("R")} disabled=${!repeatable().length} onClick=${() => repeat()}>↻ ${say("bets.again")}</button>
    <button class="plain" ...${keyed("Z")} onClick=${undo} disabled=${!canUndo()}>↶ ${say("undo")}</button>
  </div>`;
}

export function take(value) {
  screen.chip = value;
  changed();
}

export function PlayerTray() {
  const { named } = station.setting.offers;
  if (named === "none") return null;
  const inHand = playerInHand();
  const names = [...new Set([...PLAYERS, ...playersNamed(), ...(screen.player ? [screen.player] : [])])];
  return html`<div class="players" role="group" aria-label=${say("players")}>
    <span class="label">${say("player.bets")}</span>
    ${named === "may" && html`<button class="plain" aria-pressed=${inHand === ""} onClick=${() => name("")}>${say("player.unnamed")}</button>`}
    ${names.map(
      (player) => html`<button class="plain" key=${player} aria-pressed=${inHand === player}
        onClick=${() => name(player)}>${player}</button>`,
    )}
    <button class="plain" onClick=${() => openSheet("player")} aria-label=${say("player.other")}>＋</button>
  </div>`;
}

export function name(player) {
  screen.player = player;
  changed();
}
