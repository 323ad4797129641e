"""The lamps of a board that is played: what the host set, beside what it set in the recording."""

from collections.abc import Sequence

from simulators.playback_file import WireEntry
from simulators.playback_moves import Playing


async def lamps_are_set(
    playing: Playing, entry: WireEntry, masks: list[int], wanted: int, following: Sequence[int]
) -> None:
    """Wait for a mask among those that the host has set; it is taken out of them, with those before it.

    Lamps are a state: the host may set them once more on the way, or leave out what the next mask overtakes.
    """
    among = {wanted, *following[:1]}
    await playing.until(
        lambda: not among.isdisjoint(masks),
        playing.patience(entry.wire),
        lambda: f"{entry.place}: the daemon did not set the lamps to {wanted}; last it set {masks[-1:] or 'none'}",
    )
    if wanted in masks:
        del masks[: masks.index(wanted) + 1]
