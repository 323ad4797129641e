// What this page has of each game beside what all share: its felt, its answers to some steps, its forms.

import { RevealOne } from "./answers/cards.js";
import { DealTiles, RevealTiles } from "./answers/places.js";
import { BlackjackFelt } from "./felts/blackjack_21.js";
import { Fortune3Felt } from "./felts/fortune_3_card_poker.js";
import { Fortune8Felt } from "./felts/fortune_8.js";
import { PaiKaoFelt } from "./felts/taiwan_pai_kao.js";
import { correctDice, correctTiles, diceOff } from "./sheets/correct_places.js";
import { movedOff, tilesMoved } from "./sheets/report_places.js";
import { station } from "./station.js";

const GAMES = {
  "fortune-3-card-poker-2025": { felt: Fortune3Felt },
  "fortune-3-card-poker-2008": { felt: Fortune3Felt },
  "fortune-8": { felt: Fortune8Felt },
  "blackjack-21": { felt: BlackjackFelt, answers: { reveal: RevealOne } },
  "taiwan-pai-kao": {
    felt: PaiKaoFelt,
    answers: { deal: DealTiles, reveal: RevealTiles },
    forms: {
      correct_dice: { off: diceOff, form: correctDice },
      correct_cards: { form: correctTiles },
      tiles_moved: { off: movedOff, form: tilesMoved },
    },
  },
};

// Of the game that is played: {felt, answers, forms}. One that the page does not know has no felt.
export function own() {
  return { felt: null, answers: {}, forms: {}, ...GAMES[station.setting.terms.game] };
}
