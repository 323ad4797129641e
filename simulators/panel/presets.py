"""Several faults at one press: an evening with many faults. No I/O here."""

from collections.abc import Iterator

PRESETS: dict[str, tuple[tuple[int, str], ...]] = {
    "bad_evening": (
        (0, "sign:memory_lost"),
        (0, "dealer:slip_wager"),
        (1, "shuffler:jam"),
        (1, "players:late_chip"),
        (2, "slots:unplug@for=5"),
        (3, "shoe:unreadable"),
        (3, "dealer:complaint"),
    ),
    "loose_cables": (
        (0, "sign:unplug@for=5"),
        (1, "slots:unplug@for=5"),
        (2, "shuffler:unplug@for=5"),
        (3, "shoe:unplug@for=5"),
    ),
    "tired_dealer": (
        (0, "dealer:slip_wager"),
        (1, "dealer:order"),
        (1, "dealer:slip_seat"),
        (2, "dealer:expose"),
        (2, "dealer:slip_dice"),
        (3, "dealer:number"),
        (3, "dealer:slip_decision"),
    ),
    "noisy_wires": tuple(
        (0, f"{device}:{kind}@for=20")
        for device in ("shuffler", "shoe", "slots", "sign")
        for kind in ("babble", "split")
    ),
}
"""The presets by name: each fault with the number of rounds from now."""


def faults_of(name: str, round: int) -> Iterator[str]:
    """The faults of a preset that begins in this round. Raises KeyError.

    >>> list(faults_of("loose_cables", 7))[:2]
    ['sign:unplug@for=5', 'slots:unplug@for=5,round=8']
    """
    for later, fault in PRESETS[name]:
        yield f"{fault}{',' if '@' in fault else '@'}round={round + later}" if later else fault
