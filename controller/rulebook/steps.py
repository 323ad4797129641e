"""The one question a round asks next, derived from the round and never stored. No I/O here."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from controller.rulebook.refusal import Reason, ReasonCode, Value, because
from controller.rulebook.units import Minor

StepKind = Literal[
    "open", "load", "begin", "shuffle", "deck", "cut", "warning", "burn", "wagers", "increment", "announce", "bank",
    "form", "dice", "deal", "count", "arrange", "decisions", "ask", "reveal", "grant", "confirm", "claims", "extract"
]  # fmt: skip
Phase = Literal["shuffle", "wagers", "deal", "decisions", "reveal", "settle", "claims"]

PHASE_OF: dict[StepKind, Phase] = {
    "shuffle": "shuffle",
    "deck": "shuffle",
    "cut": "shuffle",
    "warning": "shuffle",
    "burn": "shuffle",
    "wagers": "wagers",
    "increment": "wagers",
    "announce": "deal",
    "bank": "wagers",
    "form": "wagers",
    "dice": "wagers",
    "deal": "deal",
    "count": "deal",
    "arrange": "decisions",
    "decisions": "decisions",
    "ask": "decisions",
    "reveal": "reveal",
    "grant": "settle",
    "confirm": "settle",
    "claims": "claims",
}


class Why(Reason, frozen=True, kw_only=True):
    """The reason why an answer is not allowed now, and the rule."""

    rule: str


def why(code: ReasonCode, rule: str, /, **values: Value) -> Why:
    """The reason for this code."""
    reason = because(code, **values)
    return Why(code=reason.code, values=reason.values, rule=rule)


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the table waits for.

    `to` holds one place per card for `deal` (the next packet, or the next single card) and one place for `reveal`;
    `order` is the number of the shuffler order that answers it; `waiting` lists the seats still to decide; `key_in`
    says that a card at the place to reveal was not read; `cards` is the number a `count` should come to, None while a
    gap has to be found by counting. An `ask` has its `question`, whose it is (`seat`, and `hand` from 1), the `legal`
    answers and why others are not, for insurance the `most` of each in minor units, and the `backers` asked by name.
    Before play the seats still to be asked are `waiting`. A `cut` of black-jack has the `seat` whose turn it is, None
    for the table inspector (8). A `bank` asks the place `seat` and has the `least` capital, minor units; `waiting` are
    the places that must agree, and `elsewhere` those whose players come first if they bet in the round before, though
    not there. A `form` and the `dice` belong to the banker, place `seat`.
    """

    id: str
    kind: StepKind
    to: tuple[str, ...] = ()
    order: int | None = None
    waiting: tuple[int, ...] = ()
    key_in: bool = False
    cards: int | None = None
    question: str = ""
    seat: int | None = None
    hand: int | None = None
    legal: tuple[str, ...] = ()
    illegal: Mapping[str, Why] = {}
    most: tuple[Minor, ...] = ()
    backers: tuple[str, ...] = ()
    least: Minor = 0
    elsewhere: tuple[int, ...] = ()


def seat_place(seat: int) -> str:
    """The name of a seat's place on the felt: ``seat 3``."""
    return f"seat {seat}"


def seat_of(place: str) -> int | None:
    """The seat a place belongs to, or None for the bank, the community cards and the discard rack.

    >>> seat_of("seat 3"), seat_of("bank")
    (3, None)
    """
    number = place.removeprefix("seat ")
    is_number = number != place and len(number) <= 2 and number.isascii() and number.isdecimal()
    return int(number) if is_number else None
