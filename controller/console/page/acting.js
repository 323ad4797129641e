// Who acts on this screen: a person who is logged in here, or in a simulation without PINs the one who is chosen.

import { Component, html } from "./html.js";
import { say } from "./language.js";
import { changed, closeSheet, openSheet, own, screen, setOwn } from "./screen.js";
import { PinPad } from "./parts/pinpad.js";
import { Sheet } from "./parts/sheet.js";
import { askSession, lift, logIn, logOut, session } from "./session.js";
import { askSetting } from "./station.js";
import { sound } from "./parts/alarm.js";

const KEPT = "dealer-station.acting";
const MINUTE = 60; // seconds

let people = {};
let chosen = null;

// The people of the setting, name to role: a screen on which no one has logged in yet gets none.
export function peopleAre(known) {
  people = { ...known, ...Object.fromEntries(session.persons.map((person) => [person.name, person.role])) };
  const here = present();
  if (here.includes(chosen)) return;
  const kept = sessionStorage.getItem(KEPT);
  chosen = here.includes(kept) ? kept : here.find((name) => people[name] === "dealer") ?? here[0] ?? null;
}

// Who may be named as one who acts here.
function present() {
  return session.pins ? session.persons.map((person) => person.name) : Object.keys(people);
}

// No one is an empty name, which the station refuses.
export function acting() {
  return chosen ?? "";
}

export function role() {
  return people[chosen];
}

// Who else may co-sign something beside the person who acts.
export function others() {
  return present().filter((name) => name !== chosen && ["dealer", "supervisor"].includes(people[name]));
}

// Whether this screen may know of this person.
export function isKnown(name) {
  return name in people;
}

// Gives null once this person is logged in here, or why not.
export async function enter(name, pin) {
  const refused = await logIn(name, pin);
  if (refused) return refused;
  await askSetting();
  changed();
  return null;
}

export function act(name) {
  chosen = name;
  sessionStorage.setItem(KEPT, name);
  if (screen.refusal?.error === "log_in") screen.refusal = null;
  changed();
}

function choose(name) {
  act(name);
  closeSheet();
}

async function entered(name, pin) {
  const refused = await enter(name, pin);
  if (!refused) choose(name);
  return refused;
}

export function ActingButton() {
  const [name, kind] = chosen ? [chosen, say(`role.${role()}`)] : [say("log_in"), say("log_in.no_one")];
  return html`<button class="tab person" data-role=${role() ?? "none"} onClick=${openActing}
    aria-label=${say("acting.button", { name, role: kind })}>
    <span class="name">${name}</span><span class="role">${kind}</span>
  </button>`;
}

function openActing() {
  askSession();
  openSheet("acting");
}

export function ActingSheet({ asked = null }) {
  if (asked) {
    return html`<${Sheet} title=${say("log_in.as", { name: asked })}>
      <button class="plain back" onClick=${() => openSheet("acting")}>← ${say("back")}</button>
      <${PinPad} key=${asked} name=${asked} attempt=${entered} />
    <//>`;
  }
  const here = present();
  return html`<${Sheet} title=${say("acting.title")}>
    <p>${say("acting.which")}</p>
    ${!session.pins && html`<p class="pins-off">${say("log_in.off")}</p>`}
    <div class="choices">${here.map((name) => html`<div class="option" key=${name}>
      <${Person} name=${name} data-acting=${name} pressed=${name === chosen} onTap=${() => choose(name)} />
      ${session.pins && html`<button class="plain" data-log-out=${name} onClick=${() => logOut(name)}>${say("log_out")}</button>`}</div>`)}</div>
    ${session.persons.some((person) => person.role === "supervisor") && html`<p><button class="plain" data-entries
      onClick=${() => openSheet("entries")}>${say("entries")}</button></p>`}
    <${Delayed} />
    <${Absent} onName=${(name) => openSheet("acting", { asked: name })} />
    <${Own} />
  <//>`;
}

// Who may log in here: by name, where this screen knows the names.
export function Absent({ onName }) {
  const here = present();
  const absent = Object.keys(people).filter((name) => !here.includes(name));
  return html`${session.pins && !Object.keys(people).length && html`<${NameField} onName=${onName} />`}
    ${absent.length > 0 && html`<h3>${say("log_in")}</h3>
    <div class="choices">${absent.map((name) => html`<div class="option" key=${name}>
      <${Person} name=${name} data-log-in=${name} onTap=${() => onName(name)} /></div>`)}</div>`}`;
}

// How this screen is set, for each person who acts on it.
function Own() {
  const turn = (name) => {
    setOwn(name, !own(name));
    if (name === "tones") sound("alarm"); // a sample of how loud it is
    changed();
  };
  return html`<h3>${say("own")}</h3>
    <p>${["keys", "tones"].map((name) => html`<button class="plain" key=${name} data-own=${name} aria-pressed=${own(name)}
      onClick=${() => turn(name)}>${say(`own.${name}`)}</button>`)}</p>`;
}

// Someone says a name whom this screen does not know.
class NameField extends Component {
  state = { name: "" };

  render({ onName }, { name }) {
    const asked = name.trim();
    const submitted = (event) => {
      event.preventDefault();
      if (asked) onName(asked);
    };
    return html`<form class="form" onSubmit=${submitted}>
      <input type="text" maxlength="100" autocomplete="off" autocapitalize="none" data-name value=${name} aria-label=${say("log_in.name")}
        placeholder=${say("log_in.name")} onInput=${(event) => this.setState({ name: event.target.value })} />
      <button class="main" data-name-done disabled=${!asked}>${say("log_in")}</button>
    </form>`;
  }
}

// The names that have to wait after wrong PINs, which supervisors get: another supervisor ends the wait.
function Delayed() {
  const may = (name) => session.persons.some((person) => person.role === "supervisor" && person.name !== name);
  return session.delayed.length > 0 && html`<h3>${say("delays")}</h3>
    <div class="choices">${session.delayed.map(({ name, seconds }) => html`<div class="option" key=${name}>
      <p>${say("delays.one", { who: name, minutes: Math.ceil(seconds / MINUTE) })}</p>
      <button class="plain" data-lift=${name} disabled=${!may(name)} onClick=${() => lift(name)}>${say("delays.lift")}</button></div>`)}</div>`;
}

function Person({ name, pressed, onTap, ...more }) {
  return html`<button class="choice" ...${more} aria-pressed=${pressed} onClick=${onTap}>
    <strong>${name}</strong><span>${say(`role.${people[name]}`)}</span></button>`;
}
