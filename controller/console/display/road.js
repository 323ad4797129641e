// The road of the last ten rounds, as players of Macau read one: cards in the order of the deal, alike cards downwards,
// another outcome in the next column. An eight takes the bets in both other boxes, so it is an outcome and no tie.

import { html } from "/page/html.js";
import { say } from "/page/language.js";

const ROWS = 6;
const COLUMNS = 36; // the newest; older ones leave at the left
const BOXES = [["low", /[2-7]/], ["eight", /8/], ["high", /[9TJQKA]/]];

export function Road({ rounds }) {
  const outcomes = rounds.flatMap((round) => Object.values(round.cards).flat().map((card) => ({ box: boxOf(card), last: round === rounds.at(-1) })));
  const cells = laidOut(outcomes.map(({ box }) => box)).map((cell, at) => ({ ...cell, ...outcomes[at] }));
  const left = Math.max(0, Math.max(0, ...cells.map(({ column }) => column + 1)) - COLUMNS);
  const counts = BOXES.map(([box]) => [box, outcomes.filter((outcome) => outcome.box === box).length]);
  const words = counts.map(([box, count]) => `${say(`box.${box}`)} ${count}`).join(", ");
  return html`<section class="past road" data-count=${outcomes.length}><h2>${say("display.road")}</h2>
    <p class="counts">${counts.map(([box, count]) => html`<b key=${box} data-box=${box}><i class="bead"></i>${say(`box.${box}`)} ${count}</b>`)}</p>
    <div class="grid" role="img" aria-label=${words}>${cells.filter(({ column }) => column >= left).map(({ box, last, column, row }) => html`<i key=${`${column} ${row}`}
      class=${last ? "bead last" : "bead"} data-box=${box} style=${{ gridColumn: column - left + 1, gridRow: row + 1 }}></i>`)}</div></section>`;
}

function boxOf(card) {
  return BOXES.find(([, ranks]) => ranks.test(card[0]))[0];
}

// The column and row of each outcome: a run goes down; where the column ends, or another run is below, it turns right.
export function laidOut(outcomes) {
  const taken = new Set();
  let [head, column, row, turned] = [-1, -1, 0, false];
  return outcomes.map((outcome, at) => {
    if (outcome !== outcomes[at - 1]) {
      head += 1;
      while (taken.has(`${head} 0`)) head += 1;
      [column, row, turned] = [head, 0, false];
    } else {
      turned ||= row + 1 === ROWS || taken.has(`${column} ${row + 1}`);
      if (turned) column += 1;
      else row += 1;
    }
    taken.add(`${column} ${row}`);
    return { column, row };
  });
}
