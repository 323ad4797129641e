// The wires, for a technician: what went over them last, and devices tried out while the table is closed.

import { Component, html } from "../html.js";
import { clockTime, has, say } from "../language.js";
import { recall } from "../recall.js";
import { postJson } from "../session.js";

const EVERY_MILLISECONDS = 1000;

export class Wires extends Component {
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
