// The four dice: drawn as they fell, and keyed in.

import { Component, html } from "../html.js";
import { say } from "../language.js";
import { station } from "../station.js";

export const DICE = 4;
const FACES = [1, 2, 3, 4, 5, 6];
const [NEAR, MIDDLE, FAR] = [9, 18, 27];
const PIPS = {
  1: [[MIDDLE, MIDDLE]],
  2: [[NEAR, NEAR], [FAR, FAR]],
  3: [[NEAR, NEAR], [MIDDLE, MIDDLE], [FAR, FAR]],
  4: [[NEAR, NEAR], [FAR, NEAR], [NEAR, FAR], [FAR, FAR]],
  5: [[NEAR, NEAR], [FAR, NEAR], [MIDDLE, MIDDLE], [NEAR, FAR], [FAR, FAR]],
  6: [[NEAR, NEAR], [NEAR, MIDDLE], [NEAR, FAR], [FAR, NEAR], [FAR, MIDDLE], [FAR, FAR]],
};

export function Die({ shows }) {
  const red = shows === 1 || shows === 4;
  return html`<svg class="die" viewBox="0 0 36 36" role="img" aria-label=${String(shows)}>
    <rect class="ground" x="1" y="1" width="34" height="34" rx="7" />
    ${PIPS[shows].map(([x, y], at) => html`<circle key=${at} class=${red ? "dot red" : "dot"} cx=${x} cy=${y} r=${shows === 1 ? 6 : 3.6} />`)}
  </svg>`;
}

// Keys in what the four dice show; `onDone` is given the numbers.
export class DicePad extends Component {
  state = { dice: [] };

  render({ onDone, done }, { dice }) {
    const full = dice.length === DICE;
    return html`<div class="keypad dicepad">
      <div class="entered" aria-live="polite">
        ${Array.from({ length: DICE }, (_, at) => dice[at]
          ? html`<${Die} key=${at} shows=${dice[at]} />` : html`<span class="die empty" key=${at}></span>`)}
        <button type="button" class="plain" disabled=${!dice.length} onClick=${() => this.setState({ dice: dice.slice(0, -1) })}>
          ⌫ ${say("keypad.back")}</button>
        <button type="button" class="main" disabled=${!full || station.sending > 0} onClick=${() => onDone(dice)}>${done}</button>
      </div>
      <div class="faces" role="group" aria-label=${say("keypad.dice")}>
        ${FACES.map((shows) => html`<button type="button" key=${shows} class="face" data-die=${shows} disabled=${full}
          onClick=${() => this.setState({ dice: [...dice, shows] })}><${Die} shows=${shows} /></button>`)}
      </div>
    </div>`;
  }
}
