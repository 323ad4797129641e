"""Inputs of persons that change an entry or void a round, and may wait for a supervisor. No I/O."""

from typing import Literal

import msgspec

from controller.rulebook.events import EventBase, NetChange, snake_case
from controller.rulebook.refusal import Value
from controller.rulebook.roles import Role
from controller.rulebook.units import Minor


class PersonInput(msgspec.Struct, frozen=True, tag_field="kind", tag=snake_case, forbid_unknown_fields=True):
    """Something a person answers on a screen. Its kind is its name, but for a few: ``open_table``.

    `input_id` is the client's own and makes a repeat harmless; `step_id` names the step the person saw; `actor` is a
    name from the configuration's [people].
    """

    input_id: str
    step_id: str
    actor: str


class ChangeInput(PersonInput, frozen=True, kw_only=True):
    """An input that changes an entry, or may void the round.

    Once it is informed (`rulebook.moments`) a supervisor gives the `reason`; before, it may be empty.
    """

    reason: str = ""


class EnterCount(ChangeInput, frozen=True, tag="cards_counted"):
    """The number of cards dealt in this round, as they are on the felt."""

    count: int


class Exposed(ChangeInput, frozen=True):
    """Cards of a place were seen while they were dealt (17.º 1 2), 3), 17.º 4 1)). Answers ``<round>/report``.

    Where single cards are left out (2008, the bank's), `which` numbers them in the order they came, from 1.
    """

    to: str
    count: int = 1
    which: tuple[int, ...] = ()


class Misdealt(ChangeInput, frozen=True):
    """The order or the number of the cards was not that of the deal. Answers ``<round>/report``."""

    what: Literal["order", "number"]


class ToEmptySeat(ChangeInput, frozen=True):
    """The last cards meant for a place are at a seat without a bet (17.º 4 2)). Answers ``<round>/report``."""

    meant_for: str
    seat: int


class ShufflerFailed(ChangeInput, frozen=True):
    """The shuffler failed while dealing (17.º 2). Answers ``<round>/report``."""


class VoidRound(ChangeInput, frozen=True):
    """A supervisor breaks the round off, and always gives a reason. Answers ``<round>/report``."""


class CorrectWager(ChangeInput, frozen=True):
    """Corrects the amount of a wager; 0 for none. Corrections answer ``<round>/correct``."""

    seat: int
    wager: str
    amount: Minor
    player: str | None = None


class CorrectSeat(ChangeInput, frozen=True):
    """Moves the bets entered for one seat to another."""

    seat: int
    to_seat: int


class CorrectDecision(ChangeInput, frozen=True):
    """Corrects a player's decision.

    In games with questions to hands, it replaces the seat's last answer to that question, in the words of the `rounds`
    message: ``hit``, ``give_up``, ``no``, ``insure 100,0``, ``follow 1,0``.
    """

    seat: int
    decision: str


class CorrectCards(ChangeInput, frozen=True):
    """Corrects the cards of a place that were keyed in; only a supervisor may correct a card that its source read."""

    to: str
    cards: str


class CorrectDice(ChangeInput, frozen=True):
    """Corrects the numbers of the dice, before a tile is shown."""

    dice: tuple[int, ...]


CorrectingInput = CorrectWager | CorrectSeat | CorrectDecision | CorrectCards | CorrectDice


Changing = CorrectingInput | Misdealt | Exposed | ToEmptySeat | ShufflerFailed | EnterCount | VoidRound
"""An input that waits for a supervisor once it is informed."""


class ChangeEntered(NetChange, EventBase, frozen=True):
    """An informed change was entered: it waits for a supervisor, and the round continues as if it had not been entered.

    `change` counts those of the round. `input` is what was entered, without its ids. A void has the `article` it comes
    under, with the `code` and `values` of its reason, as they were when it was entered.
    """

    change: int
    input: Changing
    actor: str
    role: Role
    two_persons: bool
    article: str | None
    code: str | None
    values: dict[str, Value]


class ChangesApproved(EventBase, frozen=True):
    """A supervisor has approved waiting changes, in this order; the events that they cause follow.

    `second` co-signed it; null if that was not needed.
    """

    changes: tuple[int, ...]
    actor: str
    reason: str
    second: str | None
    second_role: Role | None


class ChangeRejected(EventBase, frozen=True):
    """A waiting change was rejected by a supervisor, or withdrawn by the person who entered it.

    `actor` is null where the round is void, and nothing is left to be changed.
    """

    change: int
    actor: str | None
    role: Role | None
    reason: str
