"""The odds that `certify` computes, kept in a file (`make odds`), and the rounds to which each applies."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.rulebook.events import Terms
from controller.rulebook.house import AddedBet
from controller.rulebook.report import AuthorisedBet, RoundReport

CARDS_OF_A_DECK = 52
CHANGE_ODDS = {
    "double_after_split_three_cards": "main_game",
    "three_aces_of_three_suits": "jackpot",
    "commission_of_players_alone": "place",
}
"""The keys of [rules] that change the odds of a wager; the odds under them are not stored."""


class Known(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The known figures of one wager, per unit of its first stake; fractions as text, decimals where they are
    simulated.

    It applies to this `source` and these `decks`; if they are not set, to any. `interval` is that of an `edge` which
    was simulated in that many `rounds`. `alone`: seats win and lose independently.
    """

    wager: str
    edge: str
    variance: str
    interval: tuple[str, str] | None = None
    rounds: int = 0
    seed: int = 0
    source: str | None = None
    decks: int | None = None
    alone: bool = False


class WagerOdds(Struct, frozen=True):
    """The odds of a wager in numbers; `interval` only if they are simulated."""

    edge: Fraction
    variance: Fraction
    interval: tuple[Fraction, Fraction] | None = None
    alone: bool = False


@cache
def known_odds() -> Mapping[str, tuple[Known, ...]]:
    """All known odds, by game."""
    kept = Path(__file__).with_name("odds.json").read_bytes()
    return msgspec.json.decode(kept, type=dict[str, tuple[Known, ...]])


@cache
def _of_table(game: str, wager: str, source: str, decks: int) -> WagerOdds | None:
    for row in known_odds().get(game, ()):
        if row.wager == wager and row.source in (None, source) and row.decks in (None, decks):
            interval = None if row.interval is None else (Fraction(row.interval[0]), Fraction(row.interval[1]))
            return WagerOdds(Fraction(row.edge), Fraction(row.variance), interval, row.alone)
    return None


def odds_of(round: RoundReport, wager: str) -> WagerOdds | None:
    """The odds of a wager in this round, under its rules; None if they are not known."""
    return _of_wager(round, round.decks, round.added_bets, wager)


def odds_at(terms: Terms, wager: str) -> WagerOdds | None:
    """The same at a table with these terms."""
    return _of_wager(terms, terms.decks, terms.house.bets, wager)


def _of_wager(
    table: RoundReport | Terms, decks: int, added: Sequence[AddedBet | AuthorisedBet], wager: str
) -> WagerOdds | None:
    if any(CHANGE_ODDS.get(key) == wager for key in table.rules):
        return None
    found = _of_table(table.game, wager, table.source, decks)
    return found or next((_of_added(bet) for bet in added if bet.name == wager), None)


def _of_added(bet: AddedBet | AuthorisedBet) -> WagerOdds:
    """A bet on the card of one space: of several sets, the first that has the card pays."""
    seen: set[str] = set()
    gain, squares = Fraction(-1), Fraction(1)
    for pays in bet.pays:
        won = set(pays.cards) - seen
        seen |= won
        chance = Fraction(len(won), CARDS_OF_A_DECK)
        gain += chance * (pays.to_one + 1)
        squares += chance * (pays.to_one**2 - 1)
    return WagerOdds(-gain, squares - gain**2, alone=True)
