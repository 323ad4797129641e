// One table: its state, its alarms, its curves, its last rounds.

import { Hold, Hours, Lost, Pot } from "./curves.js";
import { tableOf } from "./feed.js";
import { Asking } from "./header.js";
import { hitsOf } from "./pots.js";
import { Alarm, AlarmLog, stage } from "./tables.js";
import { figures, gameName, hitWords, money, of, winFigures, won } from "./words.js";
import { Component, html } from "/page/html.js";
import { amount, clockTime, moment, place, say, seatName, textOf } from "/page/language.js";
import { Cards } from "/page/parts/pieces.js";
import { recall } from "/page/session.js";

export class Table extends Asking {
  state = { answer: undefined, find: "" };

  wanted() {
    const { site, table } = this.props;
    this.seen = tableOf(site, table)?.rounds;
    return recall(`/tables/${encodeURIComponent(site)}/${encodeURIComponent(table)}`);
  }

  // Asked for again with each round.
  componentDidUpdate() {
    const { site, table } = this.props;
    if (this.state.answer && tableOf(site, table)?.rounds !== this.seen) this.ask();
  }

  render({ site, table }, { answer, find }) {
    const tile = tableOf(site, table);
    if (!tile) return html`<p class="nothing">${say("pit.gone", { table })}</p>`;
    const archived = answer?.archived;
    return html`<p><a class="tab" href="#/tables">← ${say("pit.tables")}</a></p>
      <section class="present" data-need=${tile.need}>
        <p class="need">${say(`pit.need.${tile.need}`)}</p>
        <h2>${tile.table} <small>${tile.site} · ${gameName(tile)}</small></h2>
        <p class="phase">${stage(tile)} · ${textOf(tile.prompt)}</p>
        ${tile.hits.map((hit) => html`<p class="need" key=${hit.hit}>${hitWords(tile, hit)} ${hit.since && say("alarm.since", { time: moment(hit.since) })}</p>`)}
        ${tile.pot !== null && html`<p><a href=${hitsOf(tile.site, tile.table)} data-hits>${say("pit.hits")}</a></p>`}
        <dl class="meter">${[...winFigures(tile), ...figures(tile), ...(tile.behind === 0 ? [["pit.figure.behind", 0]] : [])].map(([name, value]) => html`<div key=${name}><dt>${say(name)}</dt><dd>${value}</dd></div>`)}</dl>
        <${Felt} tile=${tile} />
      </section>
      ${answer?.screens?.start && html`<${Screens} of=${answer.screens} />`}
      ${tile.alarms.length > 0 && html`<ul class="alarms">${tile.alarms.map((alarm) => html`<${Alarm} key=${alarm.name} tile=${tile} ...${alarm} />`)}</ul>`}
      ${answer === null && html`<p class="refusal" role="alert">${say("pit.unread")}</p>`}
      ${archived && html`<div class="plots"><${Hours} rows=${archived.hours} /><${Hold} rows=${archived.hours} />
          <${Pot} rows=${archived.pots} /><${Lost} rows=${archived.hours} /></div>
        <h2>${say("pit.rounds")}</h2><${Rounds} rounds=${archived.rounds} jackpot=${tile.pot !== null} />
        <h2>${say("alarms.log")}</h2>
        <${AlarmLog} alarms=${archived.alarms} find=${find} onFind=${(text) => this.setState({ find: text })} />`}`;
  }
}

// Of a simulation alone: a pit knows no address of a real table.
function Screens({ of }) {
  return html`<nav class="screens" aria-label=${say("pit.screens")}>${Object.entries(of).map(([name, address]) => html`<a class="tab" key=${name}
    data-screen=${name} href=${address} target="_blank" rel="noopener">${say(`pit.screen.${name}`)} ↗</a>`)}</nav>`;
}

function Rounds({ rounds, jackpot }) {
  const columns = ["pit.round.round", "pit.round.confirmed", "pit.round.outcome", "pit.round.occupied", "figure.handle", "figure.win", ...(jackpot ? ["figure.win_with_jackpot"] : []), "pit.round.by"];
  if (!rounds.length) return html`<p class="nothing">${say("pit.no_rounds")}</p>`;
  const label = (at) => say(columns[at]);
  return html`<table class="lines rounds log"><thead><tr>${columns.map((name) => html`<th scope="col" class=${name.startsWith("figure.") && "money"} key=${name}>${say(name)}</th>`)}</tr></thead>
    <tbody>${rounds.map((round) => html`<tr key=${round.confirmed}><th scope="row">${round.round}</th><td data-label=${label(1)}>${clockTime(round.confirmed)}</td>
      <td data-label=${label(2)}>${say(`pit.outcome.${round.outcome}`)}${round.void_reason ? `: ${round.void_reason} (${round.void_article})` : ""}</td>
      <td data-label=${label(3)}>${round.occupied}</td><td class="money" data-label=${label(4)}>${money(round, round.handle)}</td><td class="money" data-label=${label(5)}>${won(round, round.win)}</td>
      ${jackpot && html`<td class="money" data-label=${label(6)}>${won(round, round.win_with_jackpot)}</td>`}
      <td data-label=${label(columns.length - 1)}>${round.confirmed_by}</td></tr>`)}</tbody></table>`;
}

// The felt of one table as it is now, to be looked at: open cards, bets, and devices that do not answer.

const AGAIN_MILLISECONDS = 1000;

class Felt extends Component {
  state = { retained: null };

  componentDidMount() {
    const ask = async () => {
      const { site, table } = this.props.tile;
      const retained = document.hidden ? null : await recall(`/tables/${encodeURIComponent(site)}/${encodeURIComponent(table)}/now`);
      if (retained) this.setState({ retained });
      if (!this.ended) this.again = setTimeout(ask, AGAIN_MILLISECONDS);
    };
    ask();
  }

  componentWillUnmount() {
    this.ended = true;
    clearTimeout(this.again);
  }

  render({ tile }, { retained }) {
    const state = retained?.state;
    if (!state) return null;
    const silent = Object.entries(state.devices).filter(([, link]) => link !== "up");
    const { shown = {}, wagers = [], chips = [] } = state.round_in_play ?? {};
    const common = Object.keys(shown).filter((name) => !name.startsWith("seat "));
    const seats = Array.from({ length: tile.seats ?? Math.max(0, ...tile.taken) }, (_, at) => at + 1);
    return of(tile, () => html`<section class="felt-now" aria-label=${say("pit.felt")} data-round=${tile.round ?? ""}>
      ${silent.length > 0 && html`<p class="refusal">${silent.map(([name]) => `${say(`device.${name.split("-")[0]}`)}: ${say("link.down")}`).join(" · ")}</p>`}
      ${common.length > 0 && html`<ul class="common">${common.map((name) => html`<li key=${name}><span>${place(name)}</span><${Open} cards=${shown[name]} /></li>`)}</ul>`}
      <ul class="seats-now">${seats.map((seat) => html`<li key=${seat} class=${tile.taken.includes(seat) ? "taken" : ""}>
        <span>${seatName(seat)}${chips.includes(seat) ? " ●" : ""}</span><${Open} cards=${shown[`seat ${seat}`]} />
        ${wagers.filter((bet) => bet.seat === seat).map((bet) => html`<span class="bet" key=${bet.wager}>${say(`wager.${bet.wager}`)} <b>${amount(bet.amount, true)}</b></span>`)}
      </li>`)}</ul></section>`);
  }
}

function Open({ cards = [] }) {
  return html`<${Cards} open=${[cards].flat().join(" ")} />`;
}
