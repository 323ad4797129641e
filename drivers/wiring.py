"""The use of each line of the slots. No I/O here."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wiring:
    """Inputs and lamps of the seats, the button's input, the lock lamp."""

    seats: Mapping[int, int]  # input -> seat
    button_input: int
    lock_lamp_relay: int
    lamps: Mapping[int, int] | None = None  # seat -> its lamp; None: each has the number of the seat's input
    lines: int = 8  # inputs, and as many relays
