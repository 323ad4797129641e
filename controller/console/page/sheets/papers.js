// What is printed: the register, and payment slips.

import { acting } from "../acting.js";
import { Component, html } from "../html.js";
import { send } from "../inputs.js";
import { amount, articleWords, cardsShown, language, LANGUAGES, say, speak, speakingIn, textOf } from "../language.js";
import { Find, READING } from "../parts/log.js";
import { Sheet } from "../parts/sheet.js";
import { Refusal } from "../prompt.js";
import { openSheet } from "../screen.js";
import { mayRead, recall } from "../session.js";
import { station } from "../station.js";

export class RegisterSheet extends Component {
  state = { entries: READING, day: "", find: "" };

  componentDidMount() {
    this.ask("");
  }

  async ask(day) {
    this.setState({ day, entries: READING });
    const answer = await recall(day ? `/register?day=${day}` : "/register");
    if (this.state.day === day) this.setState({ entries: answer && answer.entries });
  }

  render(_, { entries, day, find }) {
    const wanted = find.trim().toLowerCase();
    const found = Array.isArray(entries) ? entries.filter((entry) => rowOf(entry).join(" ").toLowerCase().includes(wanted)) : [];
    return html`<${Sheet} title=${say("register")} wide>
      <div class="no-print slip-tools">
        <button class="plain back" onClick=${() => openSheet("rounds")}>← ${say("back")}</button>
        <label>${say("register.day")} <input type="date" value=${day} onChange=${(event) => this.ask(event.target.value)} /></label>
        ${Object.entries(LANGUAGES).map(([code, name]) => html`<button class="plain" key=${code} lang=${code}
          aria-pressed=${language() === code} onClick=${() => speak(code)}>${name}</button>`)}
        <button class="main" data-print disabled=${!Array.isArray(entries)} onClick=${() => print()}>${say("slip.print")}</button>
        <${Find} find=${find} onFind=${(text) => this.setState({ find: text })} />
      </div>
      ${entries === READING ? html`<p>${say("wait.rounds")}</p>` : entries ? html`<${Paper} entries=${found} day=${day} />` : html`<p class="refusal" role="alert">${say("register.unread")}</p>`}
    <//>`;
  }
}

function Paper({ entries, day }) {
  const { setting } = station;
  return html`<article class="slip register">
    <h1>${say("register")}</h1>
    ${setting.mode !== "live" && html`<p class="worthless">${say(setting.mode)}</p>`}
    <p>${setting.site} · ${setting.table} · ${say(`game.${setting.terms.game}`)}${day && ` · ${say("register.day")} ${day}`}</p>
    ${entries.length ? html`<table class="lines"><thead><tr>${HEADS.map((key) => html`<th scope="col" key=${key}>${say(key)}</th>`)}</tr></thead><tbody>${entries.map((entry) => html`<tr key=${entry.event} data-event=${entry.event}>
      ${rowOf(entry).map((text, at) => html`<td key=${at}>${text}</td>`)}</tr>`)}</tbody></table>` : html`<p>${say("register.none")}</p>`}
  </article>`;
}

const HEADS = ["register.number", "log.time", "rounds.head.round", "log.what", "log.name"];

function rowOf({ event, time, round, text, who }) {
  const moment = `${time.replace("T", " ").replace("Z", "")} UTC`;
  return [String(event), moment, round === null ? "" : say("round.number", { round }), textOf(text), who.join(", ")];
}

// A payment slip as it is printed: on A4 or on a receipt, in a language of its own; paper shows nothing else.

export class SlipSheet extends Component {
  state = { slip: READING, spoken: language(), copy: null };

  componentDidMount() {
    this.ask();
  }

  async ask() {
    this.setState({ slip: await recall(`/slips/${this.props.number}`) });
  }

  // It is printed once the journal has it, and every time but the first it says that it is a copy, and whose.
  async print(number) {
    const times = () => station.table.prints[number] ?? 0;
    const before = times();
    const answer = await send("print_slip", { slip: number });
    if (!answer.taken) return;
    while (times() === before) await new Promise(requestAnimationFrame);
    this.setState({ copy: times() > 1 ? { time: times(), who: acting(), at: moment(new Date()) } : null }, () => print());
  }

  render({ number }, { slip, spoken, copy }) {
    const times = station.table.prints[number] ?? 0;
    return html`<${Sheet} title=${say("slip.number", { number })} wide>
      <div class="no-print slip-tools">
        <button class="plain back" onClick=${() => openSheet("jackpot")}>← ${say("back")}</button>
        ${Object.entries(LANGUAGES).map(([code, name]) => html`<button class="plain" key=${code} lang=${code} data-slip-language=${code}
          aria-pressed=${spoken === code} onClick=${() => this.setState({ spoken: code })}>${name}</button>`)}
        <button class="main" data-print disabled=${!slip?.slip || station.sending > 0} onClick=${() => this.print(number)}>${say("slip.print")}</button>
        ${times > 0 && html`<p>${say("slip.printed", { time: times })}</p>`}
        <${Refusal} kinds=${["print_slip"]} />
      </div>
      ${slip === READING ? html`<p>${say("wait.rounds")}</p>` : slip ? speakingIn(spoken, () => paper(slip, copy)) : html`<p class="refusal" role="alert">${say(mayRead() ? "slip.unread" : "log_in.to_see")}</p>`}
    <//>`;
  }
}

function paper(slip, copy) {
  const rows = [
    ["slip", slip.slip],
    ["paid", slip.synchronised ? moment(slip.paid_at) : `${moment(slip.paid_at)} (${say("slip.unsynchronised")})`],
    ["site", slip.site],
    ["table", slip.table],
    ["game", say(`game.${slip.game}`)],
    ["legal_status", textOf(slip.legal_status)],
    ...slip.authorisations.map((authorisation) => ["authorised", `${authorisation.reference}, ${authorisation.date}`]),
    ["round", slip.round],
    ["seat", slip.seat],
    ...(slip.player ? [["player", slip.player]] : []),
    ["cards", cardsShown(slip.cards)],
    ["tier", `${say(`hand.${slip.tier}`)} (${articleWords(slip.article)})`],
    ["from_pot", money(slip, slip.from_pot)],
    ["from_house", money(slip, slip.from_house)],
    ["won", moment(slip.won_at)],
    ["journal", `${slip.journal} / ${slip.event}`],
    ...slip.confirmed.map((person) => ["confirmed", `${person.name}, ${say(`role.${person.role}`)}, ${moment(person.at)}`]),
  ];
  return html`<article class="slip" lang=${say("language.tag")} data-slip=${slip.slip}>
    <h1>${say("slip.title")}</h1>
    ${copy && html`<p class="copy">${say("slip.copy", copy)}</p>`}
    ${slip.mode !== "live" && html`<p class="worthless">${say(`slip.${slip.mode}`)}</p>`}
    <p class="figures">${money(slip, slip.amount)}</p>
    <p class="in-words">${slip.words[language()]}</p>
    <dl>${rows.map(([name, text], at) => html`<div key=${at}><dt>${say(`slip.${name}`)}</dt><dd>${text}</dd></div>`)}</dl>
    <div class="signatures">${[...slip.confirmed.map((person) => person.name), say("slip.player")].map(
      (name, at) => html`<p key=${at}><span class="line"></span>${name}</p>`,
    )}</div>
    ${slip.code && html`<figure>${qr(slip.code.modules)}<figcaption>${say("slip.code")}</figcaption></figure>`}
  </article>`;
}

// Half a millimetre a module, which a phone reads; four light ones around it.
function qr(modules) {
  const side = modules.length + 8;
  const dark = modules.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ 0: run, index: x }) => `M${x + 4} ${y + 4}h${run.length}v1h-${run.length}z`));
  return html`<svg role="img" aria-label=${say("slip.code")} viewBox=${`0 0 ${side} ${side}`} width=${`${side / 2}mm`} shape-rendering="crispEdges">
    <path d=${dark.join("")} /></svg>`;
}

function money(slip, minor) {
  return `${slip.currency} ${amount(minor)}`;
}

// In the time zone of this computer.
function moment(time) {
  const at = new Date(time);
  const two = (number) => String(number).padStart(2, "0");
  const east = -at.getTimezoneOffset();
  const zone = east ? `${east < 0 ? "-" : "+"}${two(Math.trunc(Math.abs(east) / 60))}:${two(Math.abs(east) % 60)}` : "";
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":")} UTC${zone}`;
}
