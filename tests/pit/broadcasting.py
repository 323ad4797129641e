"""Messages of tables, as the pit receives them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from controller import floor
from controller.pit.inbox import Message, TableJournal, read

JOURNAL = TableJournal("macau-1", "t-1", "j-1")


def content_of(
    sequence: int, journal: TableJournal = JOURNAL, kind: str = "event.cards_dealt", **data: object
) -> bytes:
    """A message as a station publishes it."""
    return msgspec.json.encode(
        {
            "id": f"{journal.name}/{sequence}",
            "source": f"/dealer/{journal.site}/{journal.table}/{journal.name}",
            "type": f"dealer.station.{kind}",
            "time": f"2026-03-{1 + sequence % 28:02}T14:33:24.184Z",
            "data": {"schema": 1, "sequence": sequence, **data},
            "specversion": "1.0",
        }
    )


def message(sequence: int, journal: TableJournal = JOURNAL, kind: str = "event.cards_dealt", **data: object) -> Message:
    """The same, read."""
    return read(journal.site, journal.table, content_of(sequence, journal, kind, **data))


def of_jackpots_and_voids() -> Iterator[Message]:
    """What recordings rarely have: hits paid, paid later and never; a void round; a log-in; a time that is none."""
    hit = {"seat": 1, "tier": "flush", "amount": 25000, "currency": "MOP", "exponent": 2, "article": "15.º 2"}
    line = {"wager": "ante", "stake": 100, "net": -100, "commission": 0}
    jackpot = {"wager": "jackpot", "stake": 500, "net": -500}
    seats = [{"seat": 1, "lines": [line, jackpot]}, {"seat": 2, "lines": []}, {"seat": 1, "lines": [line]}]
    published: list[tuple[str, dict[str, Any]]] = [
        *(("event.hit_locked", {"hit": number, "round": 7, **hit}) for number in (1, 2, 3)),
        ("event.hit_paid", {"hit": 2, "slip": 4, "confirmed_by": ["ana", "rui"]}),
        ("event.entry_made", {"name": "ana", "role": "dealer", "screen": "console"}),
        ("event.entry_refused", {"name": None}),
        ("event.alarm_raised", {"alarm": "sign_lost", "texts": {"en": "The sign is away", "pt": "O painel"}}),
        ("event.alarm_started", {"alarm": "no such kind"}),
        ("round", {"round": 7, "outcome": "void", "void": {"article": "4.º", "reason": "a card"}, "seats": []}),
        ("round", {"round": 8, "seats": seats, "jackpot": {"pot_after": 7}, "began": "2026-03-02T14:33:00Z"}),
        ("round", {"round": 9, "bank": {"net": 7, "joiners": [{"net": 1}, {"net": None}]}}),
        ("round", {}),
        ("event.hit_paid", {"hit": 1, "slip": 5, "confirmed_by": ["rui"]}),
        ("event.hit_paid", {"hit": 9, "slip": 6, "confirmed_by": []}),
    ]
    for sequence, (kind, data) in enumerate(published, 1):
        yield message(sequence, kind=kind, **data)
    yield read("macau-1", "t-1", content_of(len(published) + 1, kind="round", round=10).replace(b'"2026-', b'"then-'))


EXAMPLES = json.loads(Path(floor.__file__).with_name("examples.json").read_text(encoding="utf-8"))


def retained(topic: str, site: str = "macau-1", table: str = "t-1", time: str = "", **changes: Any) -> bytes:
    """A retained message of a table, with other data than the example's."""
    example = EXAMPLES[topic]
    source = f"/dealer/{site}/{table}/j-1"
    published = {**example, "source": source, "time": time or example["time"], "data": {**example["data"], **changes}}
    return msgspec.json.encode(published)
