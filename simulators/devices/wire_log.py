"""The last octets that a wire has carried, each way. No I/O here."""

from collections import deque
from dataclasses import dataclass

KEPT = 24  # lines
REPEATS_WITHIN = 20  # the newest lines among which a chunk is looked for again: a polled board is asked ten questions
MOST_OCTETS = 48  # of a chunk


@dataclass(slots=True)
class WireLine:
    """One chunk, `to_station` or from it, and its repeats (`times`); `octets` are the first ones, in hexadecimal."""

    number: int
    to_station: bool
    octets: str
    text: str
    times: int = 1


class WireLog:
    """The newest line is the last. A question that is repeated to a board is one line with a count.

    >>> log = WireLog()
    >>> for _ in range(3):
    ...     log.carried(False, b"PI")
    ...     log.carried(True, b"\\x01000")
    >>> [(line.to_station, line.octets, line.text, line.times) for line in log.lines]
    [(False, '50 49', 'PI', 3), (True, '01 30 30 30', '·000', 3)]
    """

    def __init__(self) -> None:
        self.lines: deque[WireLine] = deque(maxlen=KEPT)
        self._count = 0

    def carried(self, to_station: bool, chunk: bytes) -> None:
        """The wire has carried these octets."""
        octets = chunk[:MOST_OCTETS].hex(" ") + (" …" if len(chunk) > MOST_OCTETS else "")
        for line in list(self.lines)[-REPEATS_WITHIN:]:
            if (line.to_station, line.octets) == (to_station, octets):
                line.times += 1
                return
        self._count += 1
        text = "".join(chr(octet) if 32 <= octet < 127 else "·" for octet in chunk[:MOST_OCTETS])
        self.lines.append(WireLine(self._count, to_station, octets, text))
