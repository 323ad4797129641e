"""What a device's trouble does in each phase of a round, by the part of the game that it serves. No I/O here."""

from typing import get_args

from controller.rulebook.events import CardSource
from controller.rulebook.game import Game
from controller.rulebook.parts import prize, source
from controller.rulebook.parts.faults import AnyPhase, Cell, DeviceName, Trouble
from controller.rulebook.steps import Phase

SOURCES = get_args(CardSource)
BABBLE = "babble"

# What a device reports of itself that holds, as an alarm, until it reports its end: name, beginning, ends.
STANDING = (
    ("jam", "jam", ("cleared",)),
    ("lid", "lid_opened", ("lid_closed",)),
    ("error", "error", ("error_cleared", "restarted")),
    ("machine", "wrong_machine", ("right_machine",)),
    (BABBLE, "babbling", ("quiet",)),
)
_FLOOR: Trouble = ("floor", "lost")
TROUBLES = (*source.TROUBLES, *prize.TROUBLES, _FLOOR)


def cell(game: Game, device: DeviceName, trouble: str, phase: AnyPhase, source: CardSource) -> Cell:
    """What happens when `device` is in `trouble` during `phase` of a round of `game` dealt from `source`.

    Raises KeyError for a device or a trouble that no table has.
    """
    if (device, trouble) not in TROUBLES:
        raise KeyError((device, trouble))
    if (device, trouble) == _FLOOR:
        return Cell("go on", "policy: the floor is told later")
    if device in SOURCES:
        return game.source.fault(device, trouble, phase, source)
    return game.prize.fault(device, trouble, phase)


def phase_or_between(phase: Phase | None) -> AnyPhase:
    """The phase of a round, or the time between two."""
    return "between" if phase is None else phase
