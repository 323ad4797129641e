// The line above the felt: whose table, which round, simulated or live, the sheets, the languages, who acts.

import { ActingButton } from "./acting.js";
import { html } from "./html.js";
import { language, LANGUAGES, say, speak } from "./language.js";
import { openSheet } from "./screen.js";
import { station } from "./station.js";

const SHORT = { en: "EN", pt: "PT", zh: "中" };
const SHEETS = ["report", "correct", "rounds", "devices"];

export function Header() {
  const { setting, table, link } = station;
  const alarms = table.alarms.length;
  return html`<header class="top">
    <div class="table">
      <h1>${setting.table}</h1>
      <p>${say(`game.${setting.terms.game}`)}${table.round ? ` · ${say("round.number", { round: table.round.id })} · ${say(`phase.${table.round.phase}`)}` : ""}</p>
    </div>
    ${setting.mode !== "live" && !setting.panel && html`<strong class="simulation">${say("simulation")}</strong>`}
    ${setting.mode !== "live" && setting.panel && html`<a class="simulation" href=${setting.panel} target="_blank" rel="noopener" title=${say("simulation.panel")}>${say("simulation")} ↗</a>`}
    ${link !== "live" && html`<strong class="away" role="alert">${say("link.away")}</strong>`}
    <nav aria-label=${say("sheets")}>
      ${SHEETS.map(
        (name) => html`<button class="tab" key=${name} data-sheet=${name} onClick=${() => openSheet(name)}>${say(name)}
          ${name === "devices" && alarms > 0 && html`<span class="badge">${alarms}</span>`}</button>`,
      )}
      ${table.jackpot && html`<button class="tab" data-sheet="jackpot" onClick=${() => openSheet("jackpot")}>${say("jackpot")}</button>`}
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
