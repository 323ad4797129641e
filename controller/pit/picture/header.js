// The line above: how many tables need someone, the views, the languages, who looks.

import { pit } from "./feed.js";
import { Component, html } from "/page/html.js";
import { language, LANGUAGES, say, speak } from "/page/language.js";
import { PinPad } from "/page/parts/pinpad.js";
import { logIn, logOut, session } from "/page/session.js";

const SHORT = { en: "EN", pt: "PT", zh: "中" };
const VIEWS = ["tables", "alarms", "pots", "hours"];
const CALM = ["open", "closed"];

export function Header() {
  const tables = pit.tables ?? [];
  const open = tables.filter((table) => table.open).length;
  const waiting = tables.filter((table) => !CALM.includes(table.need)).length;
  const [, view = ""] = location.hash.split("/");
  const simulated = document.getElementById("mode").textContent.trim();
  return html`<header class="top">
    <div class="table"><h1>${say("pit.title")}</h1>
      <p>${say("pit.counts", { tables: tables.length, open, waiting })}</p></div>
    ${simulated && html`<strong class="simulation">${say("simulation")}</strong>`}
    <nav aria-label=${say("pit.views")}>${VIEWS.map((name) => html`<a class="tab" key=${name} data-view=${name} href=${`#/${name}`}
      aria-current=${(view || "tables") === name ? "page" : undefined}>${say(`pit.${name}`)}</a>`)}</nav>
    <div class="languages" role="group" aria-label=${say("language")}>${Object.keys(LANGUAGES).map(
      (code) => html`<button key=${code} lang=${code} data-language=${code} aria-pressed=${language() === code} aria-label=${LANGUAGES[code]}
        onClick=${() => speak(code)}>${SHORT[code]}</button>`)}</div>
    ${session.persons.map(({ name, role }) => html`<button class="tab person" key=${name} data-role=${role} data-log-out=${name}
      aria-label=${`${say("log_out")}: ${name}`} onClick=${() => logOut(name)}><span class="name">${name}</span>
      <span class="role">${say("log_out")}</span></button>`)}
  </header>`;
}

// Who may look: a name of the pit's own, and this person's PIN.

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

// A view that asks the archive when it is opened, and again every half minute while it is looked at.

const AGAIN_MILLISECONDS = 30_000;

export class Asking extends Component {
  state = { answer: undefined };

  componentDidMount() {
    this.ask();
    this.again = setInterval(() => this.ask(), AGAIN_MILLISECONDS);
  }

  componentWillUnmount() {
    clearInterval(this.again);
  }

  // What was known stays where nothing can be read now.
  async ask() {
    const answer = await this.wanted();
    this.setState((before) => ({ answer: answer ?? before.answer ?? null }));
  }
}
