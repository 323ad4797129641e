// The set-up, for a technician who is logged in here: what is plugged in, and another configuration with its mistakes.

import { Component, html } from "../html.js";
import { clockTime, has, say } from "../language.js";
import { Sheet } from "../parts/sheet.js";
import { openSheet } from "../screen.js";
import { postJson, recall } from "../session.js";

export class SetupSheet extends Component {
  state = { setup: undefined, text: "", mistakes: null, proposed: false };

  async componentDidMount() {
    const setup = await recall("/setup");
    this.setState({ setup, text: setup?.configuration ?? "" });
  }

  async look(propose) {
    try {
      const answer = await postJson("/setup", { configuration: this.state.text, propose });
      const { mistakes, proposed } = await answer.json();
      this.setState({ mistakes: mistakes ?? null, proposed: Boolean(proposed) });
    } catch {
      this.setState({ mistakes: null, proposed: false }); // the station is away, as the sheet says
    }
  }

  // The line of a mistake's key: behind its section, or where the section would be.
  show(key) {
    const area = document.querySelector(".configuration");
    const from = placeOf(key, area.value);
    area.focus();
    area.setSelectionRange(from, from + area.value.slice(from).split("\n")[0].length);
  }

  render(_, { setup, text, mistakes, proposed }) {
    return html`<${Sheet} title=${say("setup")} wide>
      <button class="plain back" onClick=${() => openSheet("devices")}>← ${say("back")}</button>
      ${setup === null && html`<p>${say("setup.unread")}</p>`}
      ${setup && html`
        <h3>${say("setup.plugged")}</h3>
        <${Plugged} plugged=${setup.plugged} />
        <${Wires} />
        <h3 id="setup-text">${setup.path}</h3>
        <p>${say("setup.what")}</p>
        <textarea class="configuration" rows="14" spellcheck=${false} aria-labelledby="setup-text" value=${text}
          onInput=${(event) => this.setState({ text: event.target.value, mistakes: null, proposed: false })}></textarea>
        <p class="keys"><button data-setup="check" onClick=${() => this.look(false)}>${say("setup.check")}</button>
          <button data-setup="propose" onClick=${() => this.look(true)}>${say("setup.propose")}</button></p>
        <div role="status">
          ${mistakes?.length === 0 && html`<p>${say("setup.good")}</p>`}
          ${mistakes?.length > 0 && html`<ul class="notices">${mistakes.map((mistake) => html`<li key=${`${mistake.key}/${mistake.expected}`}>
            <button class="plain" onClick=${() => this.show(mistake.key)}>${mistake.key}</button> = ${mistake.value}: ${mistake.expected}</li>`)}</ul>`}
          ${(proposed || setup.proposed) && html`<p>${say("setup.proposed")} <code>dealer-station setup --apply</code></p>`}
        </div>`}
    <//>`;
  }
}

function Plugged({ plugged }) {
  if (!plugged.length) return html`<p>${say("setup.none")}</p>`;
  return html`<ul class="notices">${plugged.map((device) => html`<li key=${device.device}>${[device.make, device.name].filter(Boolean).join(" ")} · ${device.port ?? device.device}
    <b> ${device.fits.join(", ") || "–"}</b>${device.remarks.map((remark) => html`<br />${remark}`)}</li>`)}</ul>`;
}

function placeOf(key, text) {
  const at = key.lastIndexOf(".");
  const section = at < 0 ? 0 : Math.max(0, text.indexOf(`[${key.slice(0, at)}]`));
  const line = new RegExp(`^${key.slice(at + 1).replace(/[^\w-]/g, ".")}\\s*=`, "m").exec(text.slice(section));
  return line ? section + line.index : section;
}

// The wires, for a technician: what went over them last, and devices tried out while the table is closed.

const EVERY_MILLISECONDS = 1000;

class Wires extends Component {
  state = { wires: null, tried: null };

  componentDidMount() {
    this.look();
  }

  componentWillUnmount() {
    this.over = true;
  }

  async look() {
    const wires = await recall("/setup/wires");
    if (this.over) return;
    if (wires) this.setState({ wires });
    setTimeout(() => this.over || this.look(), EVERY_MILLISECONDS);
  }

  async tryOut(what) {
    try {
      const answer = await postJson("/setup/test", { what });
      if (answer.ok) this.setState({ tried: (await answer.json()).seconds });
    } catch {
      this.setState({ tried: null }); // the station is away, as the sheet says
    }
  }

  render(_, { wires, tried }) {
    if (!wires) return null;
    return html`<h3>${say("trial")}</h3>
      <p class="keys">${wires.trials.map((what) => html`<button key=${what} data-trial=${what} disabled=${!wires.closed}
        onClick=${() => this.tryOut(what)}>${say(`trial.${what}`)}</button>`)}</p>
      <p role="status">${wires.closed ? tried && say("trial.done", { seconds: tried }) : say("trial.open")}</p>
      <h3>${say("wires")}</h3>
      <p>${wires.frames.length ? say("wires.what") : say("wires.none")}</p>
      <div class="wires" tabindex="0" role="region" aria-label=${say("wires")}><table class="lines log"><tbody>${wires.frames.map(
        ({ last, device, by, message, text, times }, at) => html`<tr key=${at}><td>${clockTime(last)}</td><td>${has(`device.${device}`) ? say(`device.${device}`) : device} ${say(`wires.by.${by}`)}</td>
          <td><b>${message}</b> ${text}${times > 1 ? ` × ${times}` : ""}</td></tr>`)}</tbody></table></div>`;
  }
}
