"""Rounds that were played, replayed from their events, with the times of beginning and confirmation. No I/O here."""

from collections.abc import Iterable, Sequence
from typing import get_args

import msgspec
from msgspec.structs import replace

from controller.engine.state.applied import Event
from controller.engine.state.events import KeyReleased, RoundAdjusted
from controller.rulebook.events import RoundBegun, RoundConfirmed
from controller.rulebook.games import RoundEvent, open_round
from controller.rulebook.round import Round, advance

_ROUND_EVENTS = get_args(RoundEvent)


class Played(msgspec.Struct, frozen=True):
    """A confirmed round. Times are UTC."""

    round: Round
    began: str
    confirmed: str
    actor: str
    adjustments: tuple[RoundAdjusted, ...] = ()
    released: KeyReleased | None = None


def played(events: Iterable[tuple[str, Event]]) -> list[Played]:
    """The rounds that begin and are confirmed in these events, each with its time, in their order."""
    found: list[Played] = []
    adjusted: dict[int, list[RoundAdjusted]] = {}
    released: dict[int, KeyReleased] = {}
    round: Round | None = None
    began = ""
    for time, event in events:
        match event:
            case RoundBegun():
                round, began = open_round(event), time
            case RoundAdjusted():
                adjusted.setdefault(event.round, []).append(event)
            case KeyReleased():
                released[event.round] = event
            case _ if round is not None and isinstance(event, _ROUND_EVENTS):
                round = advance(round, event)
                if isinstance(event, RoundConfirmed):
                    found.append(Played(round, began, time, event.actor))
    return [
        replace(of, adjustments=tuple(adjusted.get(of.round.id, ())), released=released.get(of.round.id))
        for of in found
    ]


def newest_first(rounds: Sequence[Played], last: int, before: int | None) -> list[Played]:
    """The last rounds, newest first; with a round, the last before it."""
    return [round for round in reversed(rounds) if before is None or round.round.id < before][:last]
