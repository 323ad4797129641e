"""The games of the bench, by their names in the configuration; the first is the default."""

from simulators.dealer.blackjack_21.game import Blackjack21Table
from simulators.dealer.fortune_3_card_poker.game import Table2008, Table2025
from simulators.dealer.fortune_8.game import Fortune8Table
from simulators.dealer.simulated_game import SimulatedGame
from simulators.dealer.taiwan_pai_kao.game import TaiwanPaiKaoTable

GAMES: dict[str, SimulatedGame] = {
    game.id: game for game in (Table2025(), Table2008(), Fortune8Table(), Blackjack21Table(), TaiwanPaiKaoTable())
}
