"""What the dealer is told beside the prompt, in every language. No I/O here."""

from controller.engine.state.events import DealerTold
from controller.engine.state.table import Table
from controller.engine.state.table_parts import Notice
from controller.rulebook.game import Game
from controller.rulebook.games import packet_game_of
from controller.rulebook.packets import packets_of
from controller.words import ENGLISH, Words, in_every_language, reason_words


def notice(game: Game, told: DealerTold | Notice) -> Words:
    """One notice by language, in the words of the game."""
    own = (f"{told.notice}/{told.text}", told.notice + game.own_words, told.notice)
    key = next(key for key in own if key in ENGLISH.dealer_told)
    text = told.text if told.why is None else reason_words(told.why)
    return in_every_language("dealer_told", key, seat=told.seat, text=text)


def notices(table: Table, game: Game) -> list[Words]:
    """What the dealer was told in this round and is not over, by language."""
    return [notice(game, told) for told in table.notices if not _is_over(told, table)]


def _is_over(told: Notice, table: Table) -> bool:
    """Whether the cards of the seat are collected, or a correction wants them elsewhere."""
    round, seat = table.round, told.seat
    if told.notice not in ("folded_collect", "folded_stay") or round is None or seat is None:
        return False
    if round.void is not None or round.confirmed:
        return True
    stays = packet_game_of(round).cards_stay(round, seat)
    return packets_of(round).decisions.get(seat) != "fold" or stays != (told.notice == "folded_stay")
