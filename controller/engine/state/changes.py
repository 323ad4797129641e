"""What persons change of what was entered, or void a round by: it may wait for a supervisor. No I/O here."""

from typing import Literal

from controller.engine.state.persons import PersonInput
from controller.rulebook.units import Minor


class ChangeInput(PersonInput, frozen=True, kw_only=True):
    """Something that changes what was entered, or may void the round.

    Once it is informed (`rulebook.moments`) a supervisor gives the `reason`; before, it may be empty.
    """

    reason: str = ""


class EnterCount(ChangeInput, frozen=True, tag="cards_counted"):
    """How many cards were dealt in this round, as they lie on the felt."""

    count: int


class Exposed(ChangeInput, frozen=True, tag="exposed"):
    """Cards of a place were seen while they were dealt (17.º 1 2), 3), 17.º 4 1)). Answers ``<round>/report``.

    Where they are left out (2008, the bank's) `which` says which of those that lie there: 1 is the one that came first.
    """

    to: str
    count: int = 1
    which: tuple[int, ...] = ()


class Misdealt(ChangeInput, frozen=True, tag="misdealt"):
    """The order or the number of the cards was not that of the deal. Answers ``<round>/report``."""

    what: Literal["order", "number"]


class ToEmptySeat(ChangeInput, frozen=True, tag="to_empty_seat"):
    """The last cards meant for a place lie at a seat without a bet (17.º 4 2)). Answers ``<round>/report``."""

    meant_for: str
    seat: int


class ShufflerFailed(ChangeInput, frozen=True, tag="shuffler_failed"):
    """The shuffler failed while dealing (17.º 2). Answers ``<round>/report``."""


class VoidRound(ChangeInput, frozen=True, tag="void_round"):
    """A supervisor breaks the round off, and always gives a reason. Answers ``<round>/report``."""


class CorrectWager(ChangeInput, frozen=True, tag="correct_wager"):
    """Another amount lies there than was entered; 0 for nothing. Corrections answer ``<round>/correct``."""

    seat: int
    wager: str
    amount: Minor
    player: str | None = None


class CorrectSeat(ChangeInput, frozen=True, tag="correct_seat"):
    """The bets entered for one seat lie at another."""

    seat: int
    to_seat: int


class CorrectDecision(ChangeInput, frozen=True, tag="correct_decision"):
    """A player decided otherwise than was entered.

    Where hands are asked, it replaces the seat's last answer to that question, in the words of the `rounds` message:
    ``hit``, ``give_up``, ``no``, ``insure 100,0``, ``follow 1,0``.
    """

    seat: int
    decision: str


class CorrectCards(ChangeInput, frozen=True, tag="correct_cards"):
    """Other cards lie at a place than were keyed in; a card that its source read is a supervisor's to correct."""

    to: str
    cards: str


class CorrectDice(ChangeInput, frozen=True, tag="correct_dice"):
    """The dice showed other numbers than were entered; before a tile is shown."""

    dice: tuple[int, ...]


Correction = CorrectWager | CorrectSeat | CorrectDecision | CorrectCards | CorrectDice


Changing = Correction | Misdealt | Exposed | ToEmptySeat | ShufflerFailed | EnterCount | VoidRound
"""What waits for a supervisor once it is informed."""
