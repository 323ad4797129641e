// Keying in the four tiles of a place as they are: the front pair, then the rear pair.

import { Component, html } from "../html.js";
import { say } from "../language.js";
import { station } from "../station.js";
import { copiesOf, FACES, Tile } from "./tile.js";

const COUNT = 4;
const IN_FRONT = 2;

// `place` is whose tiles they are: those that are open elsewhere cannot be keyed in. `onDone` is given text.
export class TileKeypad extends Component {
  state = { tiles: [] };

  render({ place, onDone }, { tiles }) {
    const out = [...openElsewhere(place), ...tiles];
    const full = tiles.length === COUNT;
    return html`<div class="keypad tilepad">
      <div class="entered" aria-live="polite">
        ${["front", "rear"].map((pair, at) => html`<span class="pairname" key=${pair}>${say(`pair.${pair}`)}</span>
          ${[0, 1].map((column) => this.entered(at * IN_FRONT + column))}`)}
        <button class="plain" disabled=${!tiles.length} onClick=${() => this.setState({ tiles: tiles.slice(0, -1) })}>
          ⌫ ${say("keypad.back")}</button>
        <button type="button" class="main" disabled=${!full || station.sending > 0} onClick=${() => onDone(tiles.join(" "))}>${say("keypad.cards_done")}</button>
      </div>
      <div class="faces" role="group" aria-label=${say("keypad.tiles")}>
        ${FACES.map((tile) => html`<button type="button" key=${tile} class="face" data-card=${tile}
          disabled=${full || out.filter((other) => other === tile).length >= copiesOf(tile)}
          onClick=${() => this.setState({ tiles: [...tiles, tile] })}><${Tile} tile=${tile} /></button>`)}
      </div>
    </div>`;
  }

  entered(at) {
    const tile = this.state.tiles[at];
    return tile ? html`<${Tile} key=${at} tile=${tile} />` : html`<span class="tile empty" key=${at}></span>`;
  }
}

function openElsewhere(place) {
  const { shown, used } = station.table.round;
  const others = Object.entries(shown).filter(([at]) => at !== place).map(([, tiles]) => tiles);
  return [used, ...others].join(" ").split(" ").filter(Boolean);
}
