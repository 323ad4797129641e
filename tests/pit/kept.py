"""What an archive has, read from its frames by a way of its own."""

from typing import Any, NamedTuple

import psycopg

from controller.pit.frames import dictionary_of, unpacked, zstd
from controller.pit.inbox import Message, read
from tests.pit.conftest import READER

_INTO = """
    COPY before.messages (site, "table", journal, sequence, type, round, time, received, envelope) FROM STDIN
"""


class Found(NamedTuple):
    """A message and when it was received."""

    message: Message
    received: Any


def received(connection: psycopg.Connection[Any]) -> list[Found]:
    """All messages with when each was received, by table, journal and number."""
    known = {number: zstd.ZstdDict(content) for number, content in connection.execute("TABLE pit.dictionaries")}
    assert all(number == dictionary.dict_id for number, dictionary in known.items())
    query = """
        SELECT site, "table", first, last, count, received, frame FROM pit.messages
        ORDER BY site, "table", journal, first
    """
    found: list[Found] = []
    for site, table, first, last, count, at, frame in connection.execute(query):
        assert dictionary_of(frame) in known
        own = [Found(read(site, table, message.content), message.received) for message in unpacked(frame, known)]
        assert (own[0].message.sequence, own[-1].message.sequence, len(own)) == (first, last, count)
        assert own[0].received == at
        found += own
    return found


def kept(database: str) -> list[Message]:
    """All messages, by table, journal and number."""
    return [message.message for message in received(READER.connected(database))]


def numbers(database: str) -> list[int]:
    """The numbers of all messages, by table and journal."""
    return [message.sequence for message in kept(database)]


def as_json(connection: psycopg.Connection[Any]) -> None:
    """Fill `before.messages`, a row a message."""
    found = received(connection)
    with connection.cursor() as cursor, cursor.copy(_INTO) as copy:
        for row, at in found:
            own = row.journal.site, row.journal.table, row.journal.name, row.sequence, row.type, row.round, row.time
            copy.write_row((*own, at, row.content.decode()))
    connection.execute("ANALYZE before.messages")
