"""Messages of tables, as the pit hears them."""

import msgspec

from controller.pit.inbox import Journal, Message, read

JOURNAL = Journal("macau-1", "t-1", "j-1")


def content_of(sequence: int, journal: Journal = JOURNAL, type: str = "event.cards_dealt", **data: object) -> bytes:
    """A message as a station publishes it."""
    return msgspec.json.encode(
        {
            "id": f"{journal.name}/{sequence}",
            "source": f"/dealer/{journal.site}/{journal.table}/{journal.name}",
            "type": f"dealer.station.{type}",
            "time": f"2026-03-{1 + sequence % 28:02}T14:33:24.184Z",
            "data": {"schema": 2, "sequence": sequence, **data},
            "specversion": "1.0",
        }
    )


def message(sequence: int, journal: Journal = JOURNAL, type: str = "event.cards_dealt", **data: object) -> Message:
    """The same, read."""
    return read(journal.site, journal.table, content_of(sequence, journal, type, **data))
