"""Octets cut anywhere, and what was received with its noise summed up."""

from itertools import pairwise
from typing import Any

from drivers.faults import LineNoise


def cut(octets: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({place % (len(octets) + 1) for place in places} | {0, len(octets)})
    return [octets[a:b] for a, b in pairwise(ends)]


def summed_up(received: list[Any]) -> tuple[list[Any], int]:
    noise = sum(item.octets for item in received if isinstance(item, LineNoise))
    return [item for item in received if not isinstance(item, LineNoise)], noise
