// Who may look: a name of the pit's own, and this person's PIN.

import { Component, html } from "/page/html.js";
import { language, LANGUAGES, say, speak } from "/page/language.js";
import { PinPad } from "/page/parts/pinpad.js";
import { logIn } from "/page/session.js";

export class LogIn extends Component {
  state = { name: "", asked: null };

  render(_, { name, asked }) {
    const wished = name.trim();
    const ask = (event) => {
      event.preventDefault();
      this.setState({ asked: wished });
    };
    return html`<main class="log-in"><h1>${say("pit.title")}</h1>
      <div class="languages" role="group" aria-label=${say("language")}>${Object.entries(LANGUAGES).map(
        ([code, called]) => html`<button key=${code} lang=${code} data-language=${code} aria-pressed=${language() === code}
          onClick=${() => speak(code)}>${called}</button>`)}</div>
      ${asked
        ? html`<h2>${say("log_in.as", { name: asked })}</h2>
          <button class="plain" onClick=${() => this.setState({ asked: null })}>← ${say("back")}</button>
          <${PinPad} key=${asked} name=${asked} attempt=${logIn} sheet=${false} />`
        : html`<form onSubmit=${ask}><input type="text" maxlength="100" autocomplete="off" autocapitalize="none" data-name value=${name}
            aria-label=${say("pit.name")} placeholder=${say("pit.name")} onInput=${(event) => this.setState({ name: event.target.value })} />
          <button class="main" data-name-done disabled=${!wished}>${say("log_in")}</button></form>`}</main>`;
  }
}
