// What the simulator's panel shows within this screen: who plays the dealer, and what a person who does has to enter. It
// is a frame of the panel's own page, which gets the names of the buttons, so that it names what is to be pressed as they do.
// A table that is not simulated has no panel, and so no frame. The frame is hidden until the panel has answered; its room
// is kept, so that the felt does not move.

import { Component, html } from "../html.js";
import { language, say } from "../language.js";
import { station } from "../station.js";

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
