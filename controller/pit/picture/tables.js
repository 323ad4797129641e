// A tile for each table, in the order in which they need somebody.

import { html } from "/page/html.js";
import { clockTime, say, told } from "/page/language.js";
import { pit } from "./feed.js";
import { figures, gameName, of } from "./words.js";

export function Tables() {
  if (!pit.tables.length) return html`<p class="nothing">${say("pit.none")}</p>`;
  return html`<ul class="tiles">${pit.tables.map((tile) => html`<${Tile} key=${`${tile.site}/${tile.table}`} tile=${tile} />`)}</ul>`;
}

function Tile({ tile }) {
  const [alarm] = tile.alarms;
  return html`<li><a class="tile" data-table=${tile.table} data-need=${tile.need} href=${addressOf(tile)}>
    <p class="need">${say(`pit.need.${tile.need}`)}${tile.since && html` <small>${say("alarm.since", { time: clockTime(tile.since) })}</small>`}</p>
    <h2>${tile.table} <small>${tile.site}</small></h2>
    <p class="game">${gameName(tile)}</p>
    <p class="phase">${stage(tile)}</p>
    <dl>${figures(tile).map(([name, value]) => html`<div key=${name}>
      <dt>${say(name)}</dt><dd>${value}</dd></div>`)}</dl>
    ${alarm && html`<p class="oldest">▲ ${told(alarm.texts)}${tile.alarms.length > 1 ? ` ${say("more", { count: tile.alarms.length - 1 })}` : ""}</p>`}
  </a></li>`;
}

export function addressOf({ site, table }) {
  return `#/table/${encodeURIComponent(site)}/${encodeURIComponent(table)}`;
}

export function stage(tile) {
  const away = tile.away && tile.need !== "away" ? `${say("pit.need.away")} · ` : "";
  if (tile.round === null) return away + say(tile.open ? "pit.between" : "pit.need.closed");
  return away + of(tile, () => `${say("round.number", { round: tile.round })} · ${say(`phase.${tile.phase}`)}`);
}
