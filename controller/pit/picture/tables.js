// The floor: each table where the pit manager has put it, what was won today, and where someone is needed first; alarms.

import { pit } from "./feed.js";
import { Asking } from "./header.js";
import { askPlan, move, placed, plan } from "./plan.js";
import { figures, gameName, hitWords, of, wins, won } from "./words.js";
import { Component, html } from "/page/html.js";
import { clockTime, moment, say, textOf } from "/page/language.js";
import { Details, Log, READING } from "/page/parts/log.js";
import { recall } from "/page/session.js";

const CALM = ["open", "closed"];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const [SPARK_WIDTH, SPARK_HEIGHT] = [100, 20];

export class Tables extends Asking {
  state = { answer: undefined, arranging: false };

  wanted() {
    askPlan();
    return recall("/hours");
  }

  render(_, { answer, arranging }) {
    if (!pit.tables.length) return html`<p class="nothing">${say("pit.none")}</p>`;
    const { places, columns, rows } = placed(keys());
    return html`<div class="floor-view">
      ${plan.asked ? html`<section class=${arranging ? "floor arranging" : "floor"} aria-label=${say("pit.floor")} style=${{ "--columns": columns, "--rows": rows }}>
        ${pit.tables.map((tile) => html`<${Shape} key=${keyOf(tile)} tile=${tile} at=${places[keyOf(tile)]} arranging=${arranging}
          hours=${(answer?.tables ?? []).filter((row) => row.site === tile.site && row.table === tile.table)} />`)}
      </section>` : html`<p class="starting" role="status">${say("pit.starting")}</p>`}
      <aside>
        <h2>${say("pit.win_today")}</h2>
        ${wins(pit.tables).map(([name, sum]) => html`<p class="sum" key=${`${name} ${sum}`}><small>${say(name)}</small> ${sum}</p>`)}
        <${First} />
        <button class="plain" data-arrange aria-pressed=${arranging} onClick=${() => this.setState({ arranging: !arranging })}>${say(arranging ? "pit.arranged" : "pit.arrange")}</button>
        ${arranging && html`<p class="note">${say("pit.arrange_how")}</p>`}
        ${plan.refused && html`<p class="refusal" role="alert">${say(`pit.plan.${plan.refused}`)}</p>`}
      </aside></div>`;
  }
}

function First() {
  const due = pit.tables.filter(({ need }) => !CALM.includes(need));
  return html`<h2>${say("pit.first")}</h2>
    ${due.length ? html`<ol class="first">${due.map((tile) => html`<li key=${keyOf(tile)}><a data-first=${tile.table} data-need=${tile.need} href=${addressOf(tile)}>
      <b>${tile.table}</b> <span class="need">${say(`pit.need.${tile.need}`)}${tile.since && ` ${say("alarm.since", { time: clockTime(tile.since) })}`}</span>
      ${tile.hits.map((hit) => html`<small key=${hit.hit} data-hit=${hit.hit}>${hitWords(tile, hit)}</small>`)}
      ${tile.alarms.length > 0 && html`<small>${textOf(tile.alarms[0].texts)}${tile.alarms.length > 1 ? ` ${say("more", { count: tile.alarms.length - 1 })}` : ""}</small>`}
    </a></li>`)}</ol>` : html`<p class="nothing">${say("pit.calm")}</p>`}`;
}

// A table seen from above. While the floor is arranged it is dragged, or moved by the arrow keys.
class Shape extends Component {
  onKey = (event) => {
    const by = ARROWS[event.key];
    if (!by || !this.props.arranging) return;
    event.preventDefault();
    const { tile, at } = this.props;
    move(keys(), keyOf(tile), [at[0] + by[0], at[1] + by[1]]);
  };

  onDrop = (event) => {
    if (!this.props.arranging) return;
    const floor = event.currentTarget.closest(".floor").getBoundingClientRect();
    const { columns, rows } = placed(keys());
    const to = [((event.clientX - floor.left) / floor.width) * columns, ((event.clientY - floor.top) / floor.height) * rows];
    move(keys(), keyOf(this.props.tile), to.map(Math.floor));
  };

  render({ tile, at, arranging, hours }) {
    const inside = html`<span class="need">${CALM.includes(tile.need) ? "" : say(`pit.need.${tile.need}`)}</span>
      <b class="name">${tile.table}</b>
      <span class="more game">${gameName(tile)}</span>
      <span class="phase">${stage(tile)}</span>
      <span class="more figures">${figures(tile).map(([name, value]) => html`<span key=${name}><i>${say(name)}</i> ${value}</span>`)}</span>
      <b class=${tile.win < 0 ? "win loss" : "win"}><small>${say("figure.win")}</small> ${tile.win === null ? "–" : won(tile, tile.win)}</b>
      <${Spark} hours=${hours} />`;
    const shown = { class: "shape", "data-table": tile.table, "data-need": tile.need, style: { "--column": at[0], "--row": at[1] } };
    if (!arranging) return html`<a ...${shown} href=${addressOf(tile)}>${inside}</a>`;
    return html`<button ...${shown} onKeyDown=${this.onKey} onPointerUp=${this.onDrop}
      onPointerDown=${(event) => event.currentTarget.setPointerCapture(event.pointerId)}>${inside}</button>`;
  }
}

function Spark({ hours }) {
  const most = Math.max(1, ...hours.map(({ rounds }) => rounds));
  const x = (at) => (hours.length > 1 ? (at * SPARK_WIDTH) / (hours.length - 1) : SPARK_WIDTH);
  const points = hours.map(({ rounds }, at) => `${x(at).toFixed(1)},${(SPARK_HEIGHT - 1 - (rounds / most) * (SPARK_HEIGHT - 2)).toFixed(1)}`);
  return html`<svg class="spark" viewBox=${`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`} preserveAspectRatio="none" role="img"
    aria-label=${say("pit.rounds_by_hour", { rounds: hours.map(({ rounds }) => rounds).join(", ") || "–" })}><polyline points=${points.join(" ")} /></svg>`;
}

function keys() {
  return pit.tables.map(keyOf).sort(new Intl.Collator("en", { numeric: true }).compare);
}

function keyOf({ site, table }) {
  return `${site}/${table}`;
}

export function addressOf({ site, table }) {
  return `#/table/${encodeURIComponent(site)}/${encodeURIComponent(table)}`;
}

export function stage(tile) {
  const away = tile.away && tile.need !== "away" ? `${say("pit.need.away")} · ` : "";
  if (tile.round === null) return away + say(tile.open ? "pit.between" : "pit.need.closed");
  return away + of(tile, () => `${say("round.number", { round: tile.round })} · ${say(`phase.${tile.phase}`)}`);
}

// The alarms of all tables: those that are active, and below them the archive's.

const COLUMNS = ["time", "table", "what", "text", "name"];

export class Alarms extends Asking {
  state = { answer: undefined, find: "" };

  wanted() {
    return recall("/alarms");
  }

  render(_, { answer, find }) {
    const active = pit.tables.flatMap((tile) => tile.alarms.map((alarm) => ({ tile, ...alarm })));
    active.sort((alarm, other) => alarm.over - other.over || (alarm.since < other.since ? -1 : 1));
    return html`${active.length
        ? html`<ul class="alarms">${active.map((alarm) => html`<${Alarm} key=${`${alarm.tile.site}/${alarm.tile.table}/${alarm.name}`} ...${alarm} />`)}</ul>`
        : html`<p class="nothing">${say("alarms.none")}</p>`}
      <h2>${say("alarms.log")}</h2>
      <${AlarmLog} alarms=${answer === undefined ? READING : answer && answer.alarms} find=${find} onFind=${(text) => this.setState({ find: text })} />`;
  }
}

export function AlarmLog({ alarms, find, onFind }) {
  return html`<${Log} log=${alarms} row=${rowOf} columns=${COLUMNS} find=${find} onFind=${onFind}
    none=${say("alarms.never")} unread=${say("pit.unread")} />`;
}

export function Alarm({ tile, name, level, texts, since, over, acknowledged_by: by, details }) {
  const state = over ? "over" : by ? "seen" : "active";
  return html`<li class=${state} data-alarm=${name}><div class="what">
    <p><b class="state">${say(`alarm.${state}`, { who: by })}</b> · ${say(`alarm.level.${level}`)} · <a href=${addressOf(tile)}>${tile.table}</a> · ${say("alarm.since", { time: moment(since) })}</p>
    <p>${textOf(texts)}</p><${Details} text=${details} /></div></li>`;
}

function rowOf(entry) {
  return { time: moment(entry.time), table: entry.table, what: say(`pit.alarm.${entry.what}`), text: entry.text ? textOf(entry.text) : entry.alarm, name: entry.actor };
}
