// The felt of each game, one module a game.

import { BlackjackFelt } from "./blackjack_21.js";
import { Fortune3Felt } from "./fortune_3_card_poker.js";
import { Fortune8Felt } from "./fortune_8.js";
import { PaiKaoFelt } from "./taiwan_pai_kao.js";

export const FELTS = {
  "fortune-3-card-poker-2025": Fortune3Felt,
  "fortune-3-card-poker-2008": Fortune3Felt,
  "fortune-8": Fortune8Felt,
  "blackjack-21": BlackjackFelt,
  "taiwan-pai-kao": PaiKaoFelt,
};
