"""Faults on a link: octets of no message, and errors that end it, with the device and the blame. No I/O here."""

from dataclasses import dataclass
from typing import Literal

Cause = Literal[
    "unknown", "unplugged", "silent", "in_use", "forbidden", "stalled", "garbled",
    "name_unknown", "nothing_listens", "unreachable", "no_answer", "hung_up"
]  # fmt: skip
"""The reason why a link is offline, in the detail that a technician needs; the reason of a failure has more."""


@dataclass(frozen=True, slots=True)
class LineNoise:
    """A run of discarded octets. Its bytes are not kept: they may be half of a card."""

    octets: int


class LinkFailure(Exception):
    """The conversation with a device has failed; the link will open another."""

    def __init__(self, device: str, reason: str, cause: Cause = "unknown") -> None:
        super().__init__(f"{device}: {reason}")
        self.device = device
        self.reason = reason
        self.cause = cause


class PortLost(LinkFailure):
    """The port cannot be opened, was hung up or unplugged, or accepts nothing more: the fault is on the cable's
    side.
    """


class DeviceSilent(LinkFailure):
    """The port is open, but the device does not answer within `waited` seconds."""

    def __init__(self, device: str, waited: float) -> None:
        super().__init__(device, f"port is open, but no answer for {waited:g} s", "silent")
        self.waited = waited
