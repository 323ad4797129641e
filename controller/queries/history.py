"""Rounds that were played, replayed from their events, with the times of beginning and confirmation. No I/O here."""

from collections.abc import Iterable, Sequence
from typing import get_args

import msgspec
from msgspec.structs import replace

from controller.engine.state.applied import Event
from controller.engine.state.events import ComplaintDecided, ComplaintOpened, KeyReleased, RoundAdjusted
from controller.rulebook.events import RoundBegun, RoundConfirmed
from controller.rulebook.games import RoundEvent, open_round
from controller.rulebook.round import Round, advance

_ROUND_EVENTS = get_args(RoundEvent)
OfComplaint = ComplaintOpened | ComplaintDecided


class Played(msgspec.Struct, frozen=True):
    """A confirmed round. Times are UTC."""

    round: Round
    began: str
    confirmed: str
    actor: str
    adjustments: tuple[RoundAdjusted, ...] = ()
    released: KeyReleased | None = None
    complaints: tuple[OfComplaint, ...] = ()


class Further:
    """The adjustments, the release of the key and the complaints of each round."""

    def __init__(self) -> None:
        self._adjusted: dict[int, tuple[RoundAdjusted, ...]] = {}
        self._released: dict[int, KeyReleased] = {}
        self._complaints: dict[int, tuple[OfComplaint, ...]] = {}

    def receive(self, event: Event) -> None:
        """Takes the next event."""
        match event:
            case RoundAdjusted(round=of):
                self._adjusted[of] = (*self._adjusted.get(of, ()), event)
            case KeyReleased(round=of):
                self._released[of] = event
            case ComplaintOpened(round=of) | ComplaintDecided(round=of):
                self._complaints[of] = (*self._complaints.get(of, ()), event)

    def of(self, played: Played) -> Played:
        """The round with its own."""
        of = played.round.id
        return replace(
            played,
            adjustments=self._adjusted.get(of, ()),
            released=self._released.get(of),
            complaints=self._complaints.get(of, ()),
        )


def played(events: Iterable[tuple[str, Event]]) -> list[Played]:
    """The rounds that begin and are confirmed in these events, each with its time, in their order."""
    found: list[Played] = []
    further = Further()
    round: Round | None = None
    began = ""
    for time, event in events:
        match event:
            case RoundBegun():
                round, began = open_round(event), time
            case _ if round is not None and isinstance(event, _ROUND_EVENTS):
                round = advance(round, event)
                if isinstance(event, RoundConfirmed):
                    found.append(Played(round, began, time, event.actor))
            case _:
                further.receive(event)
    return [further.of(round) for round in found]


def newest_first(rounds: Sequence[Played], last: int, before: int | None) -> list[Played]:
    """The last rounds, newest first; with a round, the last before it."""
    return [round for round in reversed(rounds) if before is None or round.round.id < before][:last]
