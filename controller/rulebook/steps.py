"""The one question a round asks next, derived from the round and never stored. No I/O here."""

from typing import Literal

import msgspec

StepKind = Literal["open", "begin", "shuffle", "wagers", "deal", "decisions", "reveal", "confirm", "claims"]
Phase = Literal["shuffle", "wagers", "deal", "decisions", "reveal", "settle", "claims"]

PHASE_OF: dict[StepKind, Phase] = {
    "shuffle": "shuffle",
    "wagers": "wagers",
    "deal": "deal",
    "decisions": "decisions",
    "reveal": "reveal",
    "confirm": "settle",
    "claims": "claims",
}


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the table waits for.

    `to` holds one place per card for `deal` (the next packet, or the next single card) and one place for `reveal`;
    `order` is the number of the shuffler order that answers it; `waiting` lists the seats still to decide.
    """

    id: str
    kind: StepKind
    to: tuple[str, ...] = ()
    order: int | None = None
    waiting: tuple[int, ...] = ()


def seat_place(seat: int) -> str:
    """The name of a seat's place on the felt: ``seat 3``."""
    return f"seat {seat}"


def seat_of(place: str) -> int | None:
    """The seat a place belongs to, or None for the bank, the community cards and the discard rack."""
    return int(place[5:]) if place.startswith("seat ") else None
