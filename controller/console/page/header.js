// The line above the felt: whose table, which round, simulated or live, the sheets, the languages, who acts.

import { ActingButton } from "./acting.js";
import { waitingChanges } from "./answers/button.js";
import { Component, html } from "./html.js";
import { language, LANGUAGES, say, speak } from "./language.js";
import { Badge, countOfAlarms } from "./parts/alarm.js";
import { openSheet } from "./screen.js";
import { station } from "./station.js";

const SHORT = { en: "EN", pt: "PT", zh: "中" };
const SHEETS = ["report", "correct", "rounds", "devices", "alarms", "jackpot"];

export function Header() {
  const { setting, table } = station;
  return html`<header class="top">
    <div class="table">
      <h1>${setting.table}</h1>
      <p><span class="game">${say(`game.${setting.terms.game}`)}${table.posted.state === "in_force" ? "" : ` · ${say(`state.${table.posted.state}`)}`}${table.round ? " · " : ""}</span>${table.round
        ? `${say("round.number", { round: table.round.id })} · ${say(`phase.${table.round.phase}`)}` : ""}</p>
    </div>
    ${setting.mode !== "live" && !setting.panel && html`<strong class="simulation">${say(setting.mode)}</strong>`}
    ${setting.mode !== "live" && setting.panel && html`<a class="simulation" href=${setting.panel} target="_blank" rel="noopener" title=${say("simulation.panel")}>${say("simulation")} ↗</a>`}
    <nav aria-label=${say("sheets")}>
      ${SHEETS.filter((name) => name !== "jackpot" || table.jackpot).map(
        (name) => html`<button class="tab" key=${name} data-sheet=${name} onClick=${() => openSheet(name)}>${say(name)}
          <${Badge} ...${waitingIn(name)} /></button>`,
      )}
    </nav>
    <div class="languages" role="group" aria-label=${say("language")}>
      ${Object.keys(LANGUAGES).map(
        (code) => html`<button key=${code} lang=${code} data-language=${code} aria-pressed=${language() === code} aria-label=${LANGUAGES[code]}
          onClick=${() => speak(code)}>${SHORT[code]}</button>`,
      )}
    </div>
    <${ActingButton} />
  </header>`;
}

// How many things wait there for someone, and in words.
function waitingIn(name) {
  if (name === "alarms") {
    const count = countOfAlarms();
    return { count, label: say("alarms.waiting", { count }) };
  }
  if (name === "report") {
    const count = station.table.complaints.length;
    return { count, label: say("complaints.waiting", { count }) };
  }
  if (name === "correct") {
    const { length: count } = waitingChanges();
    return { count, label: say("changes.open", { count }) };
  }
  if (name !== "jackpot") return { count: 0 };
  const { hits, proposed } = station.table.jackpot;
  const count = hits.filter((hit) => hit.state === "payable").length + (proposed ? 1 : 0);
  return { count, label: say("jackpot.waiting", { count }) };
}

// What the simulator's panel shows within this screen: who plays the dealer, and what a person who does has to enter. It
// is a frame of the panel's own page, which gets the names of the buttons, so that it names what is to be pressed as they do.
// A table that is not simulated has no panel, and so no frame. The frame is hidden until the panel has answered; its room
// is kept, so that the felt does not move.

export class Hint extends Component {
  state = { there: false, acts: false };

  componentDidMount() {
    this.take = (event) => event.origin === station.setting.panel && this.setState({ there: true, acts: event.data.acts === true });
    addEventListener("message", this.take);
  }

  componentDidUpdate() {
    if (!this.state.acts) return;
    const buttons = [...document.querySelectorAll("[data-enters]")].map((button) => {
      const [kind, fields = {}] = JSON.parse(button.dataset.enters);
      return { kind, fields, text: button.textContent };
    });
    this.frame.contentWindow.postMessage({ buttons }, station.setting.panel);
  }

  componentWillUnmount() {
    removeEventListener("message", this.take);
  }

  render(_, { there }) {
    const { panel } = station.setting;
    return panel && html`<iframe class="hint" ref=${(frame) => { this.frame = frame; }} src=${`${panel}/hint.html?language=${language()}`} title=${say("simulation.hint")} hidden=${!there}></iframe>`;
  }
}
