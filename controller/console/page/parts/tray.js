// The chip tray: which chip is in hand, whose bets are placed, take back and undo.

import { canUndo, chipInHand, givenBack, playerInHand, playersNamed, refusedStacks, repeat, repeatable, tray, undo } from "../betting.js";
import { Component, html } from "../html.js";
import { keyed } from "../keys.js";
import { amount, refusalWords, say, seatName } from "../language.js";
import { changed, closeSheet, openSheet, screen } from "../screen.js";
import { station } from "../station.js";
import { NumberPad } from "./keypad.js";
import { Sheet } from "./sheet.js";

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

function take(value) {
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

function name(player) {
  screen.player = player;
  changed();
}

// Chips that are on the felt and are no bet: each is named until it is given back or corrected.

export function Stacks() {
  return refusedStacks().map(({ key, seat, wager, player, counts, amount: chips, refused }) => html`<p class="refusal stack" role="alert" key=${key}>
    <span><b>${say("stack", { seat: seatName(seat), wager: say(`wager.${wager}`), counts: amount(counts, true), amount: amount(chips, true) })}${player ? ` · ${player}` : ""}</b>
      ${" "}<small>${refusalWords(refused)}</small></span>
    <button class="plain" data-given-back=${`${seat}/${wager}`} onClick=${() => givenBack(key)}>${say("stack.given_back")}</button></p>`);
}

// Any amount, keyed in: it is in hand like a chip.

export function AmountSheet() {
  const keyed = (value) => {
    screen.own = value;
    take(value);
    closeSheet();
  };
  return html`<${Sheet} title=${say("chip.any")}><${NumberPad} money done=${say("chip.any_set")} onDone=${keyed} /><//>`;
}

// The name of a player who shares a box with others.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export class PlayerSheet extends Component {
  state = { text: "" };

  render(_, { text }) {
    const use = (player) => { name(player); closeSheet(); };
    return html`<${Sheet} title=${say("player.other")}>
      <div class="letters">${[...LETTERS].map((letter) => html`<button class="plain" key=${letter} onClick=${() => use(letter)}>${letter}</button>`)}</div>
      <form class="form" onSubmit=${(event) => { event.preventDefault(); if (text.trim()) use(text.trim()); }}>
        <label class="choose">${say("player.name")}
          <input type="text" maxlength="40" value=${text} onInput=${(event) => this.setState({ text: event.target.value })} /></label>
        <button class="main" disabled=${!text.trim()}>${say("player.use")}</button>
      </form>
    <//>`;
  }
}
