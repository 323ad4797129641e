// A small form in a sheet: its text, its fields, and one button; it closes once it was taken.

import { Component, html } from "../html.js";
import { say } from "../language.js";
import { refusalWords } from "../refusals.js";
import { closeSheet } from "../screen.js";
import { send } from "../inputs.js";
import { guard } from "../presses.js";
import { station } from "../station.js";

// `fields` gives the input's fields from what was chosen, or null while something is wanting; `draw` draws the choices,
// given what was chosen and a setter. `ask`, where it is given, draws what is asked once before the input is sent.
export class Form extends Component {
  state = { chosen: { ...this.props.first }, refused: null, asking: false };

  render({ kind, fields, draw, text, ask }, { chosen, refused, asking }) {
    const ready = fields(chosen);
    if (asking) {
      return html`<form class="form" data-asking=${kind} onSubmit=${(event) => event.preventDefault()}>
        ${ask(chosen)}
        ${refused && html`<p class="refusal" role="alert">${refusalWords(refused)}</p>`}
        <div class="sure"><button type="button" class="plain" data-not onClick=${() => this.setState({ asking: false, refused: null })}>${say("form.not")}</button>
        <button type="button" class="main" key="sure" data-kind=${kind} data-sure ...${guard(kind)} disabled=${station.sending > 0} onClick=${() => this.post(kind, ready)}>${say(`form.${kind}.sure`)}</button></div>
      </form>`;
    }
    const set = (change) => this.setState(({ chosen: before }) => ({ chosen: { ...before, ...change }, refused: null }));
    return html`<form class="form" onSubmit=${(event) => event.preventDefault()}>
      ${draw(chosen, set)}
      ${refused && html`<p class="refusal" role="alert">${refusalWords(refused)}</p>`}
      <button type="button" class="main" data-kind=${kind} ...${guard(kind)} disabled=${!ready || station.sending > 0}
        onClick=${() => (ask ? this.setState({ asking: true }) : this.post(kind, ready))}>${text ?? say(`input.${kind}`)}</button>
    </form>`;
  }

  async post(kind, ready) {
    if (station.sending) return;
    const answer = await send(kind, ready, { quietly: true });
    if (answer.refused) this.setState({ refused: answer.refused });
    else closeSheet();
  }
}

// One form of several, chosen first; `given` is what it starts with.
export class Forms extends Component {
  state = { open: this.props.first ?? null };

  render({ forms, given = {} }, { open }) {
    const shown = forms.find((form) => form.name === open && !form.off);
    if (shown) {
      return html`<button class="plain back" onClick=${() => this.setState({ open: null })}>← ${say("back")}</button>
        <h3>${say(`form.${shown.name}`)}</h3>${shown.form(given)}`;
    }
    return html`<div class="choices">
      ${forms.map(
        ({ name, off }) => html`<div class="option" key=${name}><button class="choice" data-form=${name} disabled=${Boolean(off)}
          onClick=${() => this.setState({ open: name })}><strong>${say(`form.${name}`)}</strong></button>
          ${off && html`<small class="why">${off}</small>`}</div>`,
      )}
    </div>`;
  }
}
