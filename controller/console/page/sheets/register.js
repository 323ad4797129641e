// The register, of a day or lately: on the screen, and as it is printed for the inspection.

import { Component, html } from "../html.js";
import { language, LANGUAGES, say, speak, textOf } from "../language.js";
import { Find } from "../parts/find.js";
import { Sheet } from "../parts/sheet.js";
import { recall } from "../recall.js";
import { openSheet } from "../screen.js";
import { station } from "../station.js";

const ASKING = Symbol("asking");

export class RegisterSheet extends Component {
  state = { entries: ASKING, day: "", find: "" };

  componentDidMount() {
    this.ask("");
  }

  async ask(day) {
    this.setState({ day, entries: ASKING });
    const answer = await recall(day ? `/register?day=${day}` : "/register");
    if (this.state.day === day) this.setState({ entries: answer && answer.entries });
  }

  render(_, { entries, day, find }) {
    const wanted = find.trim().toLowerCase();
    const found = Array.isArray(entries) ? entries.filter((entry) => rowOf(entry).join(" ").toLowerCase().includes(wanted)) : [];
    return html`<${Sheet} title=${say("register")} wide>
      <div class="no-print slip-tools">
        <button class="plain back" onClick=${() => openSheet("rounds")}>← ${say("back")}</button>
        <label>${say("register.day")} <input type="date" value=${day} onChange=${(event) => this.ask(event.target.value)} /></label>
        ${Object.entries(LANGUAGES).map(([code, name]) => html`<button class="plain" key=${code} lang=${code}
          aria-pressed=${language() === code} onClick=${() => speak(code)}>${name}</button>`)}
        <button class="main" data-print disabled=${!Array.isArray(entries)} onClick=${() => print()}>${say("slip.print")}</button>
        <${Find} find=${find} onFind=${(text) => this.setState({ find: text })} />
      </div>
      ${entries === ASKING ? html`<p>${say("wait.rounds")}</p>` : entries ? html`<${Paper} entries=${found} day=${day} />` : html`<p class="refusal" role="alert">${say("register.unread")}</p>`}
    <//>`;
  }
}

function Paper({ entries, day }) {
  const { setting } = station;
  return html`<article class="slip register">
    <h1>${say("register")}</h1>
    ${setting.mode !== "live" && html`<p class="worthless">${say(setting.mode)}</p>`}
    <p>${setting.site} · ${setting.table} · ${say(`game.${setting.terms.game}`)}${day && ` · ${say("register.day")} ${day}`}</p>
    ${entries.length ? html`<table class="lines"><thead><tr>${HEADS.map((key) => html`<th scope="col" key=${key}>${say(key)}</th>`)}</tr></thead><tbody>${entries.map((entry) => html`<tr key=${entry.event} data-event=${entry.event}>
      ${rowOf(entry).map((text, at) => html`<td key=${at}>${text}</td>`)}</tr>`)}</tbody></table>` : html`<p>${say("register.none")}</p>`}
  </article>`;
}

const HEADS = ["register.number", "log.time", "rounds.head.round", "log.what", "log.name"];

function rowOf({ event, time, round, text, who }) {
  const moment = `${time.replace("T", " ").replace("Z", "")} UTC`;
  return [String(event), moment, round === null ? "" : say("round.number", { round }), textOf(text), who.join(", ")];
}
