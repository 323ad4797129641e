"""Keeps every confirmed round of every table in SQLite, once: `floor_consumer.py BROKER FILE`. It needs aiomqtt.

BROKER is such as mqtts://rounds@broker.example:8883; the password is in the environment, MQTT_PASSWORD. A message is
acknowledged when its row is durable, and never before. What comes again meets its own key. What a broker has lost
leaves a hole in the numbers of its journal, which the table is asked for; what it does not have either is closed by its
answer. What cannot be read is put aside.

However much is published, it keeps few messages in memory, and none that is too long: a broker of MQTT 5 sends no more.
"""

import asyncio
import json
import os
import sqlite3
import ssl
import sys
import time
from typing import Any
from urllib.parse import urlsplit

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

NAME = "rounds"  # of the session, and of the topic on which tables answer
LOOK_SECONDS, AGAIN_SECONDS = 5.0, 60.0
LONGEST = 65_536  # octets of a message and its topic; a table's longest have about 11 000
AT_ONCE = 64  # messages that the broker sends before the first of them is acknowledged
TABLES = """
    CREATE TABLE IF NOT EXISTS received (
        source TEXT, first INTEGER, sequence INTEGER, PRIMARY KEY (source, sequence)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS rounds (source TEXT, round INTEGER, data TEXT, PRIMARY KEY (source, round));
    CREATE TABLE IF NOT EXISTS ends (source TEXT, as_of INTEGER, of_table TEXT PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS aside (topic TEXT, payload BLOB, reason TEXT, PRIMARY KEY (topic, payload));
"""
MESSAGE = "INSERT OR IGNORE INTO received VALUES (?1, ?2, ?2)"
ROUND = "INSERT OR IGNORE INTO rounds VALUES (?, ?, ?)"
END = "INSERT OR REPLACE INTO ends VALUES (?, ?, ?)"
ASIDE = "INSERT OR IGNORE INTO aside SELECT ?, ?, ? WHERE (SELECT count(*) FROM aside) < 1000"
# For what was written: a row where a message before it is missing.
GAPS = {
    MESSAGE: "SELECT 1 WHERE ?2 > 1 AND NOT EXISTS (SELECT 1 FROM received WHERE source = ?1 AND sequence = ?2 - 1)",
    END: "SELECT 1 WHERE ?2 > (SELECT coalesce(max(sequence), 0) FROM received WHERE source = ?1)",
}
# A state says up to which number there are messages: where they end before that, the hole is behind the last one.
HOLES = """
    SELECT source, before + 1 AS first, first - 1 AS last FROM (
        SELECT source, first, LAG(sequence, 1, 0) OVER (PARTITION BY source ORDER BY sequence) AS before FROM (
            SELECT source, first, sequence FROM received UNION ALL
            SELECT source, as_of + 1, as_of + 1 FROM ends WHERE as_of > (
                SELECT coalesce(max(sequence), 0) FROM received WHERE received.source = ends.source
            )
        )
    ) WHERE first > before + 1
"""
# What is missing between two numbers is closed as if it had been received.
CLOSE = f"""
    INSERT INTO received SELECT source, max(first, ?2), min(last, ?3) FROM ({HOLES})
    WHERE source = ?1 AND first <= ?3 AND last >= ?2
"""


class Received(asyncio.Queue[aiomqtt.Message]):
    """Messages that are not written down yet, no more than AT_ONCE: tables publish with QoS 1, and no table without."""

    def put_nowait(self, message: aiomqtt.Message) -> None:
        """Take what a table may have published."""
        if message.qos:
            super().put_nowait(message)


def keep(db: sqlite3.Connection, topic: str, payload: bytes) -> bool:
    """Write one message down, once; durable on return. Whether others are missing by now.

    What cannot be read is put aside, with the reason.
    """
    if not payload:  # a retained message that was removed
        return False
    try:
        if len(payload) > LONGEST:  # a broker that ignores what the client has asked for
            payload = payload[:100]
            raise ValueError("too long")
        statements = read(topic, json.loads(payload))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as unreadable:
        print(f"put aside: {topic}: {unreadable!r}", file=sys.stderr)
        statements = [(ASIDE, (topic, payload, repr(unreadable)))]
    with db:
        for statement, values in statements:
            db.execute(statement, values)
    return any(
        db.execute(GAPS[statement], values[:2]).fetchone() for statement, values in statements if statement in GAPS
    )


def read(topic: str, message: dict[str, Any]) -> list[tuple[str, tuple[object, ...]]]:
    """What is to be written of a message. Raises where it is none, or is not what it should be."""
    _, site, table, kind, *_ = topic.split("/")
    if kind == "answers" and "specversion" not in message:  # a problem (RFC 9457): how a question ended
        print(f"{topic}: {message['title']!r}", file=sys.stderr)
        return []
    source, data = message["source"], message["data"]
    source.encode()  # half a pair of surrogates is no text
    before, _, journal = source.rpartition("/")
    if before != f"/dealer/{site}/{table}" or not journal:
        print(f"dropped: {topic} has a message of {source!r}", file=sys.stderr)
        return []
    if kind == "state":
        return [(END, (source, number(data["as_of"]), before))]
    if message["type"] == "dealer.station.answer":  # the end of an answer
        return []
    statements: list[tuple[str, tuple[object, ...]]] = [(MESSAGE, (source, number(data["sequence"])))]
    if message["type"] == "dealer.station.round":
        statements.append((ROUND, (source, number(data["round"]), json.dumps(data))))
    return statements


def number(value: object) -> int:
    """A count of messages or rounds. Raises ValueError."""
    if type(value) is not int or not 0 <= value < 2**53:
        raise ValueError(f"{value!r} is no number of a message")
    return value


def holes_of(db: sqlite3.Connection) -> list[tuple[str, int, int]]:
    """The holes (source, from, to) of the journals that the tables have now: they publish no other again."""
    present = dict(db.execute("SELECT of_table, source FROM ends"))
    return [hole for hole in db.execute(HOLES) if hole[0] == present.get(hole[0].rpartition("/")[0], hole[0])]


def close(db: sqlite3.Connection, topic: str, payload: bytes, asked: bytes, came: dict[bytes, tuple[int, int]]) -> None:
    """An answer to a request, which comes with it: after the last, what the table does not have is no hole any more.

    That was put aside, is kept no longer, or has another source: a journal continues from a copy of another one.
    `came` has the number and the count of what has come so far; where some was lost, it is asked for again.
    """
    try:
        message, request = json.loads(payload), json.loads(asked)
        last, count = came[asked]
        if "specversion" not in message:
            request["last"] = min(request["last"], number(message["oldest"]) - 1)
        elif message["type"] != "dealer.station.answer":
            sequence = message["data"]["sequence"]
            came[asked] = (sequence, count + 1) if sequence > last else (last, count)
            return
        elif count < message["data"]["count"]:
            return
        source = "/".join(["", *topic.split("/")[:3], request["journal"]])
    except (ValueError, TypeError, LookupError, RecursionError):  # of no use for a hole; `keep` looks at it too
        return
    del came[asked]
    with db:
        db.execute(CLOSE, (source, request["first"], request["last"]))


async def ask(
    client: aiomqtt.Client, db: sqlite3.Connection, gap: asyncio.Event, came: dict[bytes, tuple[int, int]]
) -> None:
    """Have the tables say once more what is missing; what does not come is asked for again.

    A hole that is there at two looks is none that messages under way are about to fill.
    """
    asked: dict[tuple[str, int, int], float] = {}
    while True:
        await gap.wait()
        holes, now = holes_of(db), time.monotonic()
        asked = {hole: asked.get(hole, now + LOOK_SECONDS) for hole in holes}
        for source, first, last in (hole for hole in holes if now >= asked[hole]):
            asked[source, first, last] = now + AGAIN_SECONDS
            _, _, site, table, journal = source.split("/")
            request = json.dumps({"journal": journal, "first": first, "last": last}).encode()
            how = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            how.ResponseTopic, how.CorrelationData = f"dealer/{site}/{table}/answers/{NAME}", request
            came[request] = 0, 0
            await client.publish(f"dealer/{site}/{table}/requests/replay", request, qos=1, properties=how)
        if not holes:
            gap.clear()
            came.clear()
        await asyncio.sleep(LOOK_SECONDS)


async def consume(broker: str, db: sqlite3.Connection) -> None:
    """One connection, until the broker is away. The broker keeps what comes while no one listens."""
    session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    session.SessionExpiryInterval = 0xFFFFFFFF  # for ever
    session.MaximumPacketSize, session.ReceiveMaximum = LONGEST, AT_ONCE
    url = urlsplit(broker)
    if url.hostname is None:
        sys.exit(f"{broker!r} names no host: mqtt://HOST or mqtts://HOST is expected")
    client = aiomqtt.Client(
        url.hostname,
        url.port or (8883 if url.scheme == "mqtts" else 1883),
        identifier=NAME,
        username=url.username,
        password=os.environ.get("MQTT_PASSWORD"),
        tls_context=ssl.create_default_context() if url.scheme == "mqtts" else None,
        protocol=aiomqtt.ProtocolVersion.V5,
        clean_start=False,
        properties=session,
        queue_type=Received,
    )
    client._client.manual_ack_set(True)
    gap = asyncio.Event()
    gap.set()
    came: dict[bytes, tuple[int, int]] = {}
    async with client:
        for topic in ("rounds", "events/+", "state", f"answers/{NAME}"):
            await client.subscribe(f"dealer/+/+/{topic}", qos=1)
        asking = asyncio.create_task(ask(client, db, gap, came))
        try:
            async for message in client.messages:
                if keep(db, str(message.topic), message.payload):
                    gap.set()
                if asked := getattr(message.properties, "CorrelationData", None):
                    close(db, str(message.topic), message.payload, asked, came)
                client._client.ack(message.mid, message.qos)
        finally:
            asking.cancel()


async def main(broker: str, file: str) -> None:
    """Run until stopped."""
    db = sqlite3.connect(file)
    db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;" + TABLES)
    while True:
        try:
            await consume(broker, db)
        except aiomqtt.MqttError as error:
            print(error, file=sys.stderr)
            await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
