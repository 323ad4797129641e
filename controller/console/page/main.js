// The console: header, felt, prompt and sheets, drawn again whenever the table or this screen changes.

import { peopleAre } from "./acting.js";
import { followBets, isBetting } from "./betting.js";
import { keepingFocus } from "./keys.js";
import { askSetting, followTable, ofGame, station } from "./station.js";
import { Header, Hint } from "./header.js";
import { html, render } from "./html.js";
import { loadWords, say } from "./language.js";
import { LogInAsked, PinAsked } from "./asked.js";
import { Away } from "./parts/sheet.js";
import { own, whenChanged } from "./screen.js";
import { Prompt } from "./prompt.js";
import { askSession } from "./session.js";
import { followTones } from "./parts/alarm.js";
import { OpenSheet } from "./sheets/index.js";

const root = document.getElementById("console");

function Console() {
  const { table, setting } = station;
  if (!table || !setting) return html`<p class="starting" role="status">${say("starting")}</p>`;
  peopleAre(setting.people);
  followBets();
  followTones();
  const Felt = ofGame().felt;
  return html`<div class="console" data-link=${station.link} data-step=${table.step.id} data-step-kind=${table.step.kind} data-version=${table.version}
    data-keys=${own("keys") ? "on" : "off"}>
    <${Skip} />
    <${Header} />
    <${Away} />
    <${Hint} />
    ${Felt ? html`<${Felt} />` : html`<p class="refusal">${say("felt.unknown", { game: setting.terms.game })}</p>`}
    <${Prompt} />
    <${OpenSheet} />
    <${LogInAsked} />
    <${PinAsked} />
  </div>`;
}

// A person who works by keys reaches what is to be done next with the first of them.
function Skip() {
  const skip = (event) => {
    event.preventDefault();
    document.querySelector(isBetting() ? ".tray" : ".answers").focus();
  };
  return html`<a class="skip" href="#console" onClick=${skip}>${say("skip")}</a>`;
}

let seatAsked;

// On a small screen the felt scrolls to the first seat that is asked; where it is in sight, nothing moves.
function followSeat() {
  const due = document.querySelector(".felt [data-seat].due");
  const seat = due?.dataset.seat;
  if (due && seat !== seatAsked) due.scrollIntoView({ block: "nearest", inline: "nearest" });
  seatAsked = seat;
}

function draw() {
  keepingFocus(() => render(html`<${Console} />`, root));
  followSeat();
  if (!station.setting) return;
  const mark = station.setting.mode === "live" ? "" : `${say(station.setting.mode)} · `;
  document.title = `${mark}${station.setting.table} · Dealer Station`;
}

const asked = askSetting().then(askSession); // while the words come
await loadWords();
whenChanged(draw);
draw();
await asked;
followTable();
