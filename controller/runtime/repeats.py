"""How much devices may say of themselves: beyond a budget what they repeat is counted and not journaled. No I/O here.

Only reports that change nothing but what stands as the device's own trouble are counted so. A card, a chip, an order
carried out, a link and whatever ends or holds a round is decided and journaled however often it comes.
"""

from collections.abc import Iterator
from typing import get_args

import msgspec
from msgspec.structs import replace

from controller.engine.device_faults import BABBLE, STANDING
from controller.engine.events import DeviceReported
from controller.engine.inputs import DeckChecked, DeviceSaid, FromDevice, LockInPressed, ReportsMissed
from controller.engine.table import Table
from controller.rulebook.parts.faults import DeviceName

MOST_IN_A_PHASE = 30
"""Reports of one kind that a device may make in one phase of a round, or between two."""
COUNTED = DeviceSaid | LockInPressed | DeckChecked | ReportsMissed


class Said(msgspec.Struct, frozen=True):
    """What a device has said of one kind: in a phase, beyond its budget, and what of it stands last.

    `at` is when it said something last, in monotonic nanoseconds.
    """

    phase: tuple[int, str]
    reports: int = 0
    repeats: int = 0
    last: DeviceReported | None = None
    at: int = 0


Repeats = dict[tuple[str, str], Said]
"""By device and kind."""


def is_idle(input: FromDevice, before: Table, after: Table) -> bool:
    """Whether an input has changed nothing, but perhaps what stands as the trouble of the device that says so."""
    if not isinstance(input, COUNTED):
        return False
    troubles = after.troubles if isinstance(input, DeviceSaid) else before.troubles
    rest = replace(before, version=after.version, notices=after.notices, alarms=after.alarms, troubles=troubles)
    return rest == after


def heard(repeats: Repeats, device: DeviceName, input: FromDevice, phase: tuple[int, str], now: int) -> bool:
    """Note one that changes nothing; whether it is beyond the budget."""
    kind, last = type(input).__name__, None
    if isinstance(input, DeviceSaid):
        kind = input.what
        for trouble, begins, ends in STANDING:
            if input.what in (begins, *ends):
                kind, last = trouble, DeviceReported(device, input.what, input.text)
    said = repeats.get((device, kind), Said(phase))
    if said.phase != phase and not said.repeats:
        said = Said(phase)
    said = replace(said, reports=said.reports + 1, at=now)
    beyond = said.reports > MOST_IN_A_PHASE
    if beyond:
        said = replace(said, repeats=said.repeats + 1, last=last)
    repeats[device, kind] = said
    return beyond


def brought_up(
    repeats: Repeats, table: Table, phase: tuple[int, str], now: int, quiet: float
) -> Iterator[DeviceReported]:
    """What has to be journaled of devices that said too much.

    Where a new phase has begun that is what stands; where a device has been quiet for so many seconds, the count too.
    """
    for device in get_args(DeviceName):
        if f"{device}-{BABBLE}" not in table.troubles:
            continue
        own = {key: said for key, said in repeats.items() if key[0] == device and said.repeats}
        is_quiet = all(now - said.at >= quiet * 1e9 for said in own.values())
        for key, said in own.items():
            if said.last is not None and (is_quiet or said.phase != phase):
                yield said.last
            repeats[key] = replace(said, phase=phase, last=None)
            if is_quiet:
                del repeats[key]
        if is_quiet:
            count = sum(said.repeats for said in own.values())
            yield DeviceReported(device, "quiet", f"{count} repeats were counted")
