"""Messages of tables, as the pit hears them."""

import json
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


EXAMPLES = json.loads(Path(floor.__file__).with_name("examples.json").read_text(encoding="utf-8"))


def retained(topic: str, site: str = "macau-1", table: str = "t-1", time: str = "", **changes: Any) -> bytes:
    """A retained message of a table, with other data than the example's."""
    example = EXAMPLES[topic]
    source = f"/dealer/{site}/{table}/j-1"
    told = {**example, "source": source, "time": time or example["time"], "data": {**example["data"], **changes}}
    return msgspec.json.encode(told)
