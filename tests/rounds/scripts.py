"""The script of each game, by the game's name."""

from tests import games
from tests.rounds.blackjack import Blackjack
from tests.rounds.boxes import Boxes
from tests.rounds.pai_kao import PaiKao
from tests.rounds.poker import Poker, Poker2008
from tests.rounds.script import Script

SCRIPTS: dict[str, Script] = {
    games.FORTUNE_3_2025: Poker(),
    games.FORTUNE_3_2008: Poker2008(),
    games.FORTUNE_8: Boxes(),
    games.BLACKJACK_21: Blackjack(),
    games.TAIWAN_PAI_KAO: PaiKao(),
}
