// The name of a player who shares a box with others.

import { Component, html } from "../html.js";
import { say } from "../language.js";
import { name } from "../parts/chips.js";
import { Sheet } from "../parts/sheet.js";
import { closeSheet } from "../screen.js";

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
