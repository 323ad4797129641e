"""The lamps of a played board: compares what the host sets with the recording."""

from collections.abc import Sequence

from simulators.playback_file import WireEntry
from simulators.playback_moves import Playing


async def lamps_are_set(
    playing: Playing, entry: WireEntry, masks: list[int], wanted: int, following: Sequence[int]
) -> None:
    """Wait until the host has set this mask; removes it from the list, with those before it.

    Lamps are a state: the host may set a mask twice, or leave out one that is soon replaced.
    """
    among = {wanted, *following[:1]}
    await playing.until(
        lambda: not among.isdisjoint(masks),
        playing.patience(entry.wire),
        lambda: f"{entry.place}: the daemon did not set the lamps to {wanted}; last it set {masks[-1:] or 'none'}",
    )
    if wanted in masks:
        del masks[: masks.index(wanted) + 1]
