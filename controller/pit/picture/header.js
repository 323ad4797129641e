// The line above: how many tables need someone, the views, the languages, who looks.

import { html } from "/page/html.js";
import { language, LANGUAGES, say, speak } from "/page/language.js";
import { logOut, session } from "/page/session.js";
import { pit } from "./feed.js";

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
