// What the simulator's panel shows within this screen while a person plays the dealer: a frame of the panel's own page.
// A table that is not simulated has no panel, and so no frame.

import { Component, html } from "../html.js";
import { language, say } from "../language.js";
import { station } from "../station.js";

export class Hint extends Component {
  state = { acts: false };

  componentDidMount() {
    this.take = (event) => event.origin === station.setting.panel && this.setState({ acts: event.data.acts === true });
    addEventListener("message", this.take);
  }

  componentWillUnmount() {
    removeEventListener("message", this.take);
  }

  render(_, { acts }) {
    const { panel } = station.setting;
    return panel && html`<iframe class="hint" src=${`${panel}/hint.html?language=${language()}`} title=${say("simulation.hint")} hidden=${!acts}></iframe>`;
  }
}
