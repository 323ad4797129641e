// The felt of one table as it is now, to be looked at: open cards, bets, and devices that do not answer.

import { Component, html } from "/page/html.js";
import { amount, place, say, seatName } from "/page/language.js";
import { Cards } from "/page/parts/card.js";
import { recall } from "/page/recall.js";
import { of } from "./words.js";

const AGAIN_MILLISECONDS = 1000;

export class Felt extends Component {
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
