// The pit: its header, and the view that the address names, drawn again whenever the tables or this screen change.

import { html, render } from "/page/html.js";
import { loadWords, say, textOf } from "/page/language.js";
import { Details } from "/page/parts/log.js";
import { changed, whenChanged } from "/page/screen.js";
import { askSession, mayRead } from "/page/session.js";
import { Alarms, Tables } from "./tables.js";
import { follow, pit } from "./feed.js";
import { Header, LogIn } from "./header.js";
import { Day } from "./curves.js";
import { Link, Pots } from "./pots.js";
import { Table } from "./table.js";

const VIEWS = { alarms: Alarms, hours: Day, pots: Pots };
const root = document.getElementById("console");

function Pit() {
  if (!mayRead()) return html`<div class="pit"><${LogIn} /></div>`;
  return html`<div class="pit" data-link=${pit.link} data-tables=${pit.tables?.length}>
    <${Header} />
    ${pit.link === "away" && html`<p class="away" role="alert"><strong>${say("pit.away")}</strong></p>`}
    ${pit.link === "live" && !pit.connected && !pit.graced && html`<p class="nothing" role="status">${say("pit.starting")}</p>`}
    ${pit.link === "live" && !pit.connected && pit.graced && html`<p class="away" role="alert"><strong>${say("pit.broker_away")}</strong></p>`}
    ${pit.links.map((link) => html`<${Link} key=${link.link} ...${link} />`)}
    ${pit.alarms.map(({ name, texts, details }) => html`<div class="away" role="alert" key=${name} data-pit-alarm=${name}><strong>${textOf(texts)}</strong><${Details} text=${details} /></div>`)}
    <main>${pit.tables ? html`<${View} />` : html`<p class="starting" role="status">${say("pit.starting")}</p>`}</main>
  </div>`;
}

function View() {
  const [, name, ...rest] = location.hash.split("/").map(decodeURIComponent);
  if (name === "table") return html`<${Table} key=${rest.join("/")} site=${rest[0]} table=${rest[1]} />`;
  const Named = VIEWS[name] ?? Tables;
  return html`<${Named} key=${[name, ...rest].join("/")} site=${rest[0]} table=${rest[1]} />`;
}

askSession().then(follow); // while the words come
await loadWords();
const mark = document.getElementById("mode").textContent.trim() ? `${say("simulation")} · ` : "";
document.title = `${mark}${say("pit.title")} · Dealer Pit`;
whenChanged(() => render(html`<${Pit} />`, root));
addEventListener("hashchange", () => {
  scrollTo(0, 0);
  changed();
});
changed();
