// What an act asks for: that a person logs in, or a PIN.

import { Absent, act, acting, enter, isKnown } from "./acting.js";
import { Component, html } from "./html.js";
import { say } from "./language.js";
import { PinPad } from "./parts/pinpad.js";
import { Sheet } from "./parts/sheet.js";
import { changed } from "./screen.js";
import { askSession } from "./session.js";

let asked = null; // {who, answer, given}: who must log in, empty for anyone; the promise of who did

// Gives the name of who has logged in, or null. Whatever asks meanwhile is answered with it.
export function askLogIn(who) {
  if (asked) return asked.given;
  asked = { who };
  asked.given = new Promise((resolve) => {
    asked.answer = (name) => {
      asked = null;
      changed();
      resolve(name);
    };
  });
  askSession();
  changed();
  return asked.given;
}

export function LogInAsked() {
  return asked && html`<${Asking} key=${asked.who} ...${asked} />`;
}

class Asking extends Component {
  state = { name: isKnown(this.props.who) ? this.props.who : null };

  render({ who, answer }, { name }) {
    const attempt = async (_, pin) => {
      const refused = await enter(name, pin);
      if (refused) return refused;
      if (who === acting()) act(name); // else who co-signs
      answer(name);
      return null;
    };
    return html`<${Sheet} title=${name ? say("log_in.as", { name }) : say("log_in")} onClose=${() => answer(null)}>
      <p>${say("log_in.kept")}</p>
      ${name
        ? html`<button class="plain back" onClick=${() => this.setState({ name: null })}>← ${say("back")}</button>
          <${PinPad} key=${name} name=${name} attempt=${attempt} />`
        : html`<${Absent} onName=${(chosen) => this.setState({ name: chosen })} />`}
    <//>`;
  }
}

// The PIN that an act of two persons is sent with: one person at the screen cannot do both halves.

let pinAsked = null; // {who, refused, answer, time}: whose PIN is asked for, and who gets it
let times = 0;

// Gives the PIN once it was keyed in, or null.
export function askPin(refused) {
  return new Promise((resolve) => {
    const answer = (pin) => {
      pinAsked = null;
      changed();
      resolve(pin);
    };
    pinAsked = { who: refused.who, refused: refused.error === "pin" ? null : refused, answer, time: (times += 1) };
    changed();
  });
}

export function PinAsked() {
  if (!pinAsked) return null;
  const { who, refused, answer, time } = pinAsked;
  return html`<${Sheet} key=${time} title=${say("pin.asked", { who })} onClose=${() => answer(null)}>
    <p>${say("pin.why")}</p>
    <${PinPad} name=${who} text=${say("pin.done")} refused=${refused} attempt=${async (_, pin) => answer(pin)} />
  <//>`;
}
