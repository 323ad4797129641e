"""Bundles of rounds in which anything happens, made without a journal's file."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from controller.engine.recorded import Recorded
from controller.engine.state.applied import Event
from controller.floor.messages import Identity
from controller.journal.chain import chained
from controller.journal.records import GENESIS
from controller.queries.disputes import _Link, bundle_of
from tests.journal.keeping import STAMP
from tests.plays.tables import played
from tests.referee.__main__ import main

IDENTITY = Identity(site="hall", table="1", journal="", mode="simulation", currency="MOP", exponent=2)


def checked(*arguments: str) -> int:
    """The exit code of the command that checks a bundle."""
    return main(["bundle", *arguments])


def input_of(event: Event) -> Recorded | None:
    """An input that an event of a person is the first of."""
    actor = getattr(event, "actor", None)
    return None if actor is None else Recorded(msgspec.json.encode({"input": {"kind": "made", "actor": actor}}))


def links_of(events: Iterable[Event]) -> Iterator[_Link]:
    """The rows that a journal of these events has."""
    before = GENESIS
    for number, event in enumerate(events, start=1):
        body = msgspec.json.encode(event)
        recorded = input_of(event)
        input = None if recorded is None else recorded.text
        hash = chained(before, number, STAMP, body, None, input)
        yield before, (number, STAMP.time, STAMP.boot, STAMP.monotonic_ns, 1, body, None, hash, input)
        before = hash


def bundles(events: list[Event]) -> Iterator[dict[str, Any]]:
    """The bundle of each round, as it is read from its file."""
    number = 1
    while (found := bundle_of(links_of(events), IDENTITY, "made", number)) is not None:
        yield json.loads(msgspec.json.encode(found))
        number += 1


def wild_events(game: str, seed: int) -> list[Event]:
    """What happens at a table at which anything happens."""
    return played(game, seed).events
