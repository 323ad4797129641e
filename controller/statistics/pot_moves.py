"""The changes of the pot in a period, as rows to read beside its curve. No I/O here."""

from typing import Literal

from msgspec import Struct

from controller.engine.state.applied import Event
from controller.engine.state.jackpot import (
    E4,
    ChipContributed,
    ContributionReturned,
    HitLocked,
    HitWithdrawn,
    MeterAdjusted,
    MeterOpened,
    PotRestarted,
    RestartWithdrawn,
)

HOUR_MS = 3_600_000
MOST_MOVES = 200  # the newest
PotMoveKind = Literal["contributions", "opened", "hit", "hit_withdrawn", "restart", "restart_withdrawn", "adjusted"]
KINDS: dict[type, PotMoveKind] = {
    ChipContributed: "contributions",
    ContributionReturned: "contributions",
    MeterOpened: "opened",
    HitLocked: "hit",
    HitWithdrawn: "hit_withdrawn",
    PotRestarted: "restart",
    RestartWithdrawn: "restart_withdrawn",
    MeterAdjusted: "adjusted",
}


class PotMove(Struct):
    """A row: `at` in milliseconds since 1970, `moved` and the `pot` after it in minor units.

    Consecutive contributions within an hour are one row, at the time of the last; `chips` is their number of chips,
    without returned ones, and 0 for other rows.
    """

    at: int
    kind: PotMoveKind
    chips: int
    moved: int
    pot: int


def moved_e4(event: Event) -> int | None:
    """The change of the pot by an event, in 1/10 000 of a minor unit; None for an event that does not concern it."""
    match event:
        case MeterOpened():
            return event.pot * E4
        case ChipContributed():
            return event.to_pot_e4
        case ContributionReturned():
            return -event.from_pot_e4
        case HitLocked():
            return -event.from_meter * E4
        case HitWithdrawn():
            return event.from_meter * E4
        case PotRestarted():
            return event.from_reserve_e4 + event.from_house_e4
        case RestartWithdrawn():
            return -event.from_reserve_e4 - event.from_house_e4
        case MeterAdjusted(part="pot"):
            return event.amount * E4
        case _:
            return None


def add_move(moves: list[PotMove], event: Event, at: int, before_e4: int, after_e4: int) -> None:
    """The row of an event that moved the pot, or its amount added to the last row."""
    kind, moved, pot = KINDS[type(event)], after_e4 // E4 - before_e4 // E4, after_e4 // E4
    chips = {ChipContributed: 1, ContributionReturned: -1}.get(type(event), 0)
    last = moves[-1] if moves else None
    if last is not None and kind == last.kind == "contributions" and at // HOUR_MS == last.at // HOUR_MS:
        last.at, last.chips, last.moved, last.pot = at, last.chips + chips, last.moved + moved, pot
    else:
        moves.append(PotMove(at, kind, chips, moved, pot))
