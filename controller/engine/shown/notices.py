"""What the dealer is told beside the prompt, in every language. No I/O here."""

from controller.engine.state.table import Table
from controller.engine.state.table_parts import Notice
from controller.rulebook.game import Game
from controller.rulebook.games import packet_game_of
from controller.rulebook.packets import packets_of
from controller.words import ENGLISH, Words, in_every_language


def notice(game: Game, name: str, seat: int | None, text: str | None) -> Words:
    """One notice by language, in the words of the game."""
    own = (f"{name}/{text}", name + game.own_words, name)
    key = next(key for key in own if key in ENGLISH.dealer_told)
    return in_every_language("dealer_told", key, seat=seat, text=text)


def notices(table: Table, game: Game) -> list[Words]:
    """What the dealer was told in this round and is not over, by language."""
    return [notice(game, told.notice, told.seat, told.text) for told in table.notices if not _is_over(told, table)]


def _is_over(told: Notice, table: Table) -> bool:
    """Whether the cards of the seat are collected, or a correction wants them elsewhere."""
    round, seat = table.round, told.seat
    if told.notice not in ("folded_collect", "folded_stay") or round is None or seat is None:
        return False
    if round.void is not None or round.confirmed:
        return True
    stays = packet_game_of(round).cards_stay(round, seat)
    return packets_of(round).decisions.get(seat) != "fold" or stays != (told.notice == "folded_stay")
