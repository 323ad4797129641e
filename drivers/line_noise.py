"""Octets that are part of no valid message, as a value that codecs return. No I/O here."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LineNoise:
    """A run of discarded octets. Its bytes are not kept: they may be half of a card."""

    octets: int
