// Keying in a PIN: the screen shows how many digits there are, and never which.

import { Component, html } from "../html.js";
import { say } from "../language.js";

const LEAST = 6;
const MOST = 12;
const MINUTE = 60; // seconds

// `attempt` gives null once the PIN was taken, or why it was not; `refused` is why an earlier one was not. It is in a
// `sheet`, which gives its focus to what asks for it, or on the page.
export class PinPad extends Component {
  state = { pin: "", trying: false, refused: this.props.refused ?? null };

  // The keys of a keyboard count too.
  shown = (pad) => {
    this.pad = pad;
    pad?.focus();
  };

  render({ name, text = say("log_in"), sheet = true }, { pin, trying, refused }) {
    return html`<div class="numberpad pinpad" tabindex="0" autofocus=${sheet} ref=${this.shown}
      onKeyDown=${(event) => this.key(event)} onClick=${() => this.pad.focus()}>
      <output class="value" aria-label=${say("log_in.digits", { count: pin.length })}>${"•".repeat(pin.length) || "–"}</output>
      <div class="digits" role="group" aria-label=${say("keypad.number")}>
        ${[..."1234567890"].map((digit) => html`<button type="button" key=${digit} class="digit" data-digit=${digit}
          onClick=${() => this.type(digit)}>${digit}</button>`)}
        <button type="button" class="digit" aria-label=${say("keypad.back")} onClick=${() => this.back()}>⌫</button>
      </div>
      ${refused && html`<p class="refusal" role="alert">${refusedWords(refused)}</p>`}
      <button type="button" class="main" data-pin-done disabled=${trying || pin.length < LEAST} onClick=${() => this.enter(name)}>${text}</button>
    </div>`;
  }

  key(event) {
    if (/^\d$/.test(event.key)) this.type(event.key);
    else if (event.key === "Backspace") this.back();
    else if (event.key === "Enter" && event.target === this.pad) this.enter(this.props.name);
  }

  type(digit) {
    this.setState(({ pin }) => ({ pin: (pin + digit).slice(0, MOST), refused: null }));
  }

  back() {
    this.setState(({ pin }) => ({ pin: pin.slice(0, -1) }));
  }

  async enter(name) {
    const { pin, trying } = this.state;
    if (trying || pin.length < LEAST) return;
    this.setState({ pin: "", trying: true });
    const refused = await this.props.attempt(name, pin);
    if (!refused) return;
    this.setState({ trying: false, refused });
    this.pad?.focus();
  }
}

function refusedWords({ error, who, seconds }) {
  const minutes = Math.ceil(seconds / MINUTE);
  if (error === "wrong_pin") return say("log_in.wrong_pin");
  if (error === "locked_out") return say("log_in.locked_out", { who, minutes });
  if (error === "too_many") return say("log_in.too_many", { seconds });
  if (error === "no_pins") return say("log_in.no_pins");
  if (error === "away") return say("link.away");
  return say("log_in.unreadable");
}
