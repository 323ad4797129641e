"""The games that are played at the live table, by the name a configuration gives them. No I/O here."""

from controller.rulebook.blackjack_21.live import BlackJack21
from controller.rulebook.fortune_3_card_poker.live import FortuneThreeCardPoker
from controller.rulebook.fortune_3_card_poker.table_rules import TABLE_2008, TABLE_2025
from controller.rulebook.fortune_8.live import Fortune8
from controller.rulebook.game import Game
from controller.rulebook.round import Round
from controller.rulebook.taiwan_pai_kao.live import TaiwanPaiKao

GAMES: dict[str, Game] = {
    game.id: game
    for game in (
        FortuneThreeCardPoker(TABLE_2025),
        FortuneThreeCardPoker(TABLE_2008),
        Fortune8(),
        BlackJack21(),
        TaiwanPaiKao(),
    )
}


def game_of(round: Round) -> Game:
    """The game a round is played by."""
    return GAMES[round.terms.game]
