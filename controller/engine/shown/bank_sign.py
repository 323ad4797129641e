"""What the sign shows at a table of Taiwan-Pai Kao: the bank, the dice, the bank's pairs. No I/O here."""

import unicodedata

from controller.engine.state.table import Table
from controller.rulebook.round import Round
from controller.rulebook.taiwan_pai_kao.articles import GAME
from controller.rulebook.taiwan_pai_kao.live import hands_of, named_first, places_of
from controller.rulebook.taiwan_pai_kao.pairs import Pair
from controller.rulebook.taiwan_pai_kao.state import tiles_of
from controller.rulebook.taiwan_pai_kao.table_ii import title_of
from controller.words import Words, on_the_sign


def bank_shown(table: Table) -> Words | None:
    """What stands there now, by language; None at a table of another game. Nothing but what lies open."""
    if table.game != GAME:
        return None
    round = table.round
    bank = None if round is None else tiles_of(round).bank
    if round is None or bank is None or round.void is not None or round.confirmed:
        return on_the_sign("no_bank")
    hand = hands_of(round).get(bank.seat)
    if hand is not None:
        return on_the_sign("bank/pairs", front=_pair(hand.front), rear=_pair(hand.rear))
    first = _first(round)
    if first is not None:
        return on_the_sign("bank/dice", place=bank.seat, dice=sum(tiles_of(round).dice), first=first)
    return on_the_sign("bank", place=bank.seat)


def _first(round: Round) -> int | None:
    state, places = tiles_of(round), places_of(round)
    if state.bank is None or places is None or not state.dice:
        return None
    return named_first(round, state.bank.seat, places)


def _pair(pair: Pair) -> str:
    """Its name in Table II in printable ASCII; the few that the table does not name, by their tiles."""
    title = title_of(pair.rank)
    if title is None:
        return " ".join(pair.tiles)
    plain = unicodedata.normalize("NFKD", title.replace("’", "'"))
    return plain.encode("ascii", "ignore").decode().upper()
