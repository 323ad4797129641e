// What a day, a shift or a dealer brought, in the trade's words, beside what the odds say; and the curves of it.

import { Component, html } from "../html.js";
import { amount, decimal, has, hour, moment, percent, say, signed } from "../language.js";
import { Plot } from "../parts/plot.js";
import { mayRead, recall } from "../session.js";
import { station } from "../station.js";

const MINUTE = 60_000;
const BAND = 2; // deviations to each side
const ASKING = Symbol("asking");

export class Figures extends Component {
  state = { day: localDay(new Date()), from: "00:00", until: "00:00", dealer: "", figures: ASKING };

  componentDidMount() {
    this.ask({});
  }

  async ask(change) {
    const chosen = { ...this.state, ...change };
    this.setState({ ...change, figures: ASKING });
    const asked = queryOf(chosen);
    this.asked = asked;
    const figures = asked && (await recall(`/figures?${asked}`));
    if (this.asked === asked) this.setState({ figures: figures?.refused ? null : figures });
  }

  render(_, { day, from, until, dealer, figures }) {
    const chosen = (key, type, value) => html`<label>${say(`figures.${key}`)} <input type=${type} name=${key} value=${value}
      onChange=${(event) => this.ask({ [key]: event.target.value })} /></label>`;
    const dealers = [...new Set([...Object.keys(station.setting.people), ...(figures?.dealers ?? [])])].sort();
    return html`<div class="figures">
      <div class="slip-tools">
        ${chosen("day", "date", day)} ${chosen("from", "time", from)} ${chosen("until", "time", until)}
        <label>${say("role.dealer")} <select name="dealer" value=${dealer} onChange=${(event) => this.ask({ dealer: event.target.value })}>
          <option value="">${say("figures.everybody")}</option>${dealers.map((name) => html`<option key=${name}>${name}</option>`)}</select></label>
      </div>
      ${figures === ASKING ? html`<p>${say(mayRead() ? "wait.rounds" : "log_in.to_see")}</p>` : figures
        ? html`<${Day} key=${this.asked} figures=${figures} dealer=${dealer} />` : html`<p class="refusal" role="alert">${say("figures.unread")}</p>`}
    </div>`;
  }
}

// The day of the room in which this screen is; until midnight and beyond, where it ends before it begins.
function queryOf({ day, from, until, dealer }) {
  const [since, end] = [new Date(`${day}T${from}`), new Date(`${day}T${until}`)];
  if (Number.isNaN(since.getTime()) || Number.isNaN(end.getTime())) return "";
  if (end <= since) end.setDate(end.getDate() + 1);
  return new URLSearchParams({ since: since.toISOString(), until: end.toISOString(), ...(dealer && { dealer }) }).toString();
}

function localDay(time) {
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

function Day({ figures, dealer }) {
  const figure = (key, value) => html`<div key=${key}><dt>${say(`figure.${key}`)}</dt><dd>${value}</dd></div>`;
  const { total } = figures;
  const played = total ?? figures; // what the jackpot pays comes out of the pot
  return html`<dl class="meter">
      ${figure("rounds", figures.round_count)} ${figure("void", figures.void_rounds)} ${figure("per_hour", figures.per_hour === null ? "–" : decimal(figures.per_hour))}
      ${figure("occupancy", figures.occupied === null ? "–" : share(Number(figures.occupied), figures.seat_count))} ${figure("open", Math.round(figures.open_ms / MINUTE))}
      ${figure("handle", amount(played.handle, true))} ${figure("win", signed(played.win))}
      ${total && figures.win !== total.win && figure("win_with_jackpot", signed(figures.win))}
      ${total && figure("theoretical", signed(whole(Number(total.theoretical))))}
      ${total && figure("sigmas", sigmas(total))}
    </dl>
    ${figures.round_count === 0 && html`<p>${say("figures.none")}</p>`}
    ${figures.round_count > 0 && html`<${Wagers} figures=${figures} />`}
    ${dealer && html`<p class="quiet">${say("figures.of_dealer")}</p>`}
    <div class="plots">${figures.round_count > 0 && html`${total && html`<${Win} course=${figures.course} />`}<${Hours} hours=${figures.hours} />`}
      ${figures.pot.length > 0 && html`<${Pot} pot=${figures.pot} moves=${figures.pot_moves} />`}<${Lost} lost=${figures.lost_time} /></div>`;
}

function Wagers({ figures }) {
  const rows = figures.total ? [...figures.wager_totals, figures.total] : figures.wager_totals;
  const keys = ["handle", "win", "hold", "theoretical", "theoretical_hold", "expected", "sigmas"];
  return html`<div class="scrolling" tabindex="0" role="region" aria-label=${say("figures")}><table class="lines">
    <thead><tr><th scope="col">${say("line.wager")}</th>${keys.map((key) => html`<th scope="col" class="money" key=${key}>${say(`figure.${key}`)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.wager} data-wager=${row.wager}><th scope="row">${wagerName(row.wager)}</th>
      <td class="money">${amount(row.handle, true)}</td><td class="money">${signed(row.win)}</td>
      ${row.theoretical === null ? html`<td colspan="5"></td>` : html`<td class="money">${share(row.win, row.handle)}</td><td class="money">${signed(whole(Number(row.theoretical)))}</td>
        <td class="money">${share(Number(row.theoretical), row.handle)}</td>
        <td class="money">${band(row)}</td><td class="money">${sigmas(row)}</td>`}</tr>`)}</tbody></table></div>
    <p class="quiet">${say("figures.band")} ${figures.wager_totals.some((row) => row.theoretical === null) ? say("figures.no_odds") : ""}</p>`;
}

function wagerName(wager) {
  const plain = wager.startsWith("insurance_") ? "insurance" : wager;
  if (plain === "total") return say("figure.total");
  return has(`figure.wager.${plain}`) ? say(`figure.wager.${plain}`) : say(`wager.${plain}`);
}

function share(part, whole) {
  return whole ? percent(Math.round((10_000 * part) / whole)) : "–";
}

function band(total) {
  return [-BAND, BAND].map((times) => signed(whole(Number(total.theoretical) + times * Number(total.deviation)))).join(" … ");
}

// In whole units of the currency: an expectation needs no cents.
function whole(minor) {
  const unit = 10 ** station.setting.exponent;
  return Math.round(minor / unit) * unit;
}

function sigmas(total) {
  return total.sigmas === null ? "–" : `${total.sigmas.startsWith("-") ? "" : "+"}${decimal(total.sigmas)} σ`;
}

const money = (minor) => amount(whole(minor), true);

function seconds(points) {
  return points.map(([at]) => at / 1000);
}

function Win({ course }) {
  const of = (value) => course.map(value);
  const lines = [
    { colour: "--quiet", dash: [6, 6], data: of(([, , theory]) => theory) },
    { colour: "--brass", data: of(([, win]) => win) },
    { colour: "--brass-line", data: of(([, , theory, deviation]) => theory + BAND * deviation) },
    { colour: "--brass-line", data: of(([, , theory, deviation]) => theory - BAND * deviation) },
  ];
  const [, win, theory, deviation] = course.at(-1);
  const last = { theoretical: theory, deviation };
  return html`<${Plot} title=${say("plot.course")} words=${`${say("figure.win")} ${signed(win)}, ${say("figure.expected")} ${band(last)}`}
    at=${seconds(course)} lines=${lines} between=${[3, 4]} across=${hour} up=${money} />`;
}

// The curve has a mark where the pot was hit, restarted or adjusted; the table below it has every number.
function Pot({ pot, moves }) {
  const marked = moves.filter((move) => move.kind !== "contributions");
  const points = [...pot.map(([at, balance]) => [at, balance, null]), ...marked.map((move) => [move.at, move.pot, move.pot])].sort(([at], [next]) => at - next);
  const lines = [{ colour: "--brass", stepped: true, data: points.map(([, balance]) => balance) }, { colour: "--alarm", marks: true, data: points.map(([, , mark]) => mark) }];
  return html`<div class="pot-history"><${Plot} title=${say("plot.pot")} words=${`${say("plot.pot")} ${amount(pot[0][1], true)} – ${amount(pot.at(-1)[1], true)}`}
      at=${seconds(points)} lines=${lines} across=${hour} up=${money} />
    ${moves.length > 0 && html`<div class="scrolling" tabindex="0" role="region" aria-label=${say("pot.history")}><table class="lines" data-pot-history>
      <caption>${say("pot.history")}</caption>
      <thead><tr><th scope="col">${say("pot.at")}</th><th scope="col">${say("pot.what")}</th><th scope="col" class="money">${say("pot.moved")}</th><th scope="col" class="money">${say("plot.pot")}</th></tr></thead>
      <tbody>${[...moves].reverse().map((move, at) => html`<tr key=${at} data-move=${move.kind}><td>${moment(move.at)}</td>
        <th scope="row">${say(`pot.${move.kind}`, { chips: move.chips })}</th><td class="money">${signed(move.moved)}</td><td class="money">${amount(move.pot)}</td></tr>`)}</tbody></table></div>`}</div>`;
}

function Hours({ hours }) {
  return html`<${Bars} title="plot.hours" colour="--felt-line" counted=${hours.map(([at, rounds]) => [hour(at / 1000), rounds])} />`;
}

function Lost({ lost: { broker_ms: away, ...lost } }) {
  const causes = Object.entries(lost).map(([cause, spent]) => [say(`lost.${cause.replace("_ms", "")}`), Math.round(spent / MINUTE)]);
  return html`<${Bars} title="plot.lost" colour="--alarm" counted=${causes} />
    <p class="quiet">${say("lost.broker", { minutes: Math.round(away / MINUTE) })}</p>`;
}

function Bars({ title, colour, counted }) {
  return html`<${Plot} title=${say(title)} words=${counted.map(([name, count]) => `${name}: ${count}`).join(", ")}
    names=${counted.map(([name]) => name)} lines=${[{ colour, data: counted.map(([, count]) => count) }]} up=${(count) => (Number.isInteger(count) ? count : "")} />`;
}
