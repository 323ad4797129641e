"""The moments from which a change of an entry is informed: each game names one for each kind of change. No I/O here."""

from collections.abc import Callable
from typing import Literal

import msgspec

from controller.rulebook.corrected import (
    CardsCorrected,
    Corrected,
    DecisionCorrected,
    DiceCorrected,
    SeatCorrected,
    WagerCorrected,
)
from controller.rulebook.round import Round

Kind = Literal["bet", "decision", "insurance", "cards", "void"]
"""The kind of a change: of a bet, a chip or the bank's money; an answer; a stake on the bank's hand; cards; the whole
round.
"""

INFORMED = "policy: informed changes"


class Moment(msgspec.Struct, frozen=True):
    """From when on a change is informed: `says` it in English, `article` is the rule it follows, or a policy.

    `passed` is asked of the round and of what is corrected, None for a void.
    """

    says: str
    article: str
    passed: Callable[[Round, Corrected | None], bool]


class Moments(msgspec.Struct, frozen=True):
    """The moments of a game, by the kind of change; it has no other kinds than these."""

    bet: Moment
    cards: Moment
    void: Moment
    decision: Moment | None = None
    insurance: Moment | None = None

    def of(self, kind: Kind) -> Moment:
        """The moment of a kind. Raises TypeError if the game has no such kind."""
        moment: Moment | None = getattr(self, kind)
        if moment is None:
            raise TypeError(f"this game has no {kind} to change")
        return moment


def kind_of(corrected: Corrected | None) -> Kind:
    """The kind of change of a correction (None: a void); a game with insurance distinguishes it from other answers."""
    match corrected:
        case None:
            return "void"
        case WagerCorrected() | SeatCorrected():
            return "bet"
        case DecisionCorrected():
            return "decision"
        case CardsCorrected() | DiceCorrected():
            return "cards"


def takes_two(round: Round, corrected: Corrected | None) -> bool:
    """Whether an informed change needs two persons: a bet is created, raised or moved, or the bank's money changes."""
    match corrected:
        case SeatCorrected():
            return True
        case WagerCorrected(wager=wager, before=before, after=after):
            return after > before or wager in round.play.in_no_box
        case _:
            return False


def seats_concerned(corrected: Corrected | None) -> tuple[int, ...]:
    """The seats whose bets or chips a correction changes, including the seat to which they are moved; empty for other
    changes.
    """
    match corrected:
        case SeatCorrected(seat=seat, to=to):
            return seat, to
        case WagerCorrected(seat=seat):
            return (seat,)
        case _:
            return ()


def any_turned(round: Round, corrected: Corrected | None) -> bool:
    """Whether the cards of any place were turned."""
    return bool(round.play.shown)


def turned_since(round: Round, corrected: Corrected | None) -> bool:
    """Whether the round is settled, or another place was turned after the one whose cards are corrected."""
    turned = list(round.play.shown)
    last = isinstance(corrected, CardsCorrected) and turned[-1:] == [corrected.at]
    return round.settled is not None or (bool(turned) and not last)


KEYED = Moment("the next place is turned, or the round is settled", INFORMED, turned_since)
"""The moment for cards that are at a place and are turned together."""
