"""The actions of a game that a screen offers in addition to those of every game. No I/O here."""

from typing import Literal

import msgspec

from controller.rulebook.events import Deal
from controller.rulebook.steps import StepKind

Named = Literal["none", "may", "must"]


class CorrectionOffer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of correction, by its input: the `wagers` whose amount can be corrected, or the possible `answers`."""

    kind: str
    wagers: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


class ReportOffer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of report, by its input: the `errors` that it may name, and the places for which it lists `which`
    cards.
    """

    kind: str
    errors: tuple[str, ...] = ()
    which: tuple[str, ...] = ()


DECISIONS = ("play", "fold")  # of a seat where all decide at once
REFUSED = "refused"  # a supervisor records it of a seat that is obliged to play, and does not
GIVEN_UP = ("fold", REFUSED)
CORRECTION_OF_SEAT, CORRECTION_OF_CARDS = CorrectionOffer("correct_seat"), CorrectionOffer("correct_cards")
CORRECTION_OF_DECISION = CorrectionOffer("correct_decision", answers=DECISIONS)
MISDEALT, SHUFFLER_FAILED, CUT_CARD = ReportOffer("misdealt"), ReportOffer("shuffler_failed"), ReportOffer("cut_card")


class Offers(msgspec.Struct, frozen=True, kw_only=True):
    """The actions that a screen offers: corrections and reports, in this order, and actions `beside` a step's own
    answer.

    Bets are placed at the steps `betting`; whether their players are `named`. `deals` can be announced. `acts` are
    ticked as the table opens and closes; those in `acts_again` may be ticked repeatedly. `pieces` is the number of
    cards or tiles.
    """

    corrections: tuple[CorrectionOffer, ...]
    reports: tuple[ReportOffer, ...]
    beside: dict[StepKind, tuple[str, ...]] = {}
    betting: tuple[StepKind, ...] = ("wagers",)
    named: Named = "none"
    deals: tuple[Deal, ...] = ()
    acts: tuple[str, ...] = ()
    acts_again: tuple[str, ...] = ()
    pieces: int
