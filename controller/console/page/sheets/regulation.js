// The regulation's version by which the table plays, the one that two persons have scheduled, and their approval of another.

import { acting } from "../acting.js";
import { Answer } from "../answers/button.js";
import { Component, html } from "../html.js";
import { say } from "../language.js";
import { station } from "../station.js";

const LONGEST = 20; // characters of an act's number, such as 94/2025

export class Regulation extends Component {
  state = { act: "" };

  render({ posted }, { act }) {
    return html`<section class="record" data-regulation><h3>${say("regulation.act", { act: posted.act })}</h3>
      ${posted.act_scheduled && html`<p>${say("regulation.scheduled", { act: posted.act_scheduled, day: posted.act_in_force, zone: station.setting.terms.time_zone })}</p>`}
      <label class="choose">${say("regulation.other")}
        <input type="text" aria-label=${say("regulation.other")} maxlength=${LONGEST} value=${act} onInput=${(event) => this.setState({ act: event.target.value.trim() })} /></label>
      ${act && html`<${Answer} kind="approve_regulation" fields=${{ act }} text=${say("input.approve_regulation", { act, who: acting() || "–" })} />`}
    </section>`;
  }
}
