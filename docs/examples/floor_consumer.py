"""Keeps every confirmed round of every table in SQLite, once: `floor_consumer.py HOST PORT FILE`. It needs aiomqtt.

A message is acknowledged when its row is durable, and never before. What comes again meets its own key. What a broker
has lost leaves a hole in the numbers of its journal, which the table is asked for.
"""

import asyncio
import json
import sqlite3
import sys
import time

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

NAME = "rounds"  # of the session, and of the topic on which tables answer
LOOK_SECONDS, AGAIN_SECONDS = 5.0, 60.0
TABLES = """
    CREATE TABLE IF NOT EXISTS told (source TEXT, sequence INTEGER, PRIMARY KEY (source, sequence)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS rounds (source TEXT, round INTEGER, data TEXT, PRIMARY KEY (source, round));
"""
HOLES = """
    SELECT source, before + 1, sequence - 1 FROM (
        SELECT source, sequence, LAG(sequence, 1, 0) OVER (PARTITION BY source ORDER BY sequence) AS before FROM told
    ) WHERE sequence > before + 1
"""


def keep(db: sqlite3.Connection, payload: bytes) -> bool:
    """Write one message down, once; durable on return. Whether the one before it is missing."""
    message = json.loads(payload)
    source, data = message.get("source"), message.get("data", {})
    if "sequence" not in data:  # how a question ended: a problem (RFC 9457), or that all was said
        if "title" in message:
            print(message["title"], file=sys.stderr)
        return False
    with db:
        db.execute("INSERT OR IGNORE INTO told VALUES (?, ?)", (source, data["sequence"]))
        if message["type"] == "dealer.station.round":
            db.execute("INSERT OR IGNORE INTO rounds VALUES (?, ?, ?)", (source, data["round"], json.dumps(data)))
    before = "SELECT 1 FROM told WHERE source = ? AND sequence = ? - 1"
    return data["sequence"] > 1 and not db.execute(before, (source, data["sequence"])).fetchone()


async def ask(client: aiomqtt.Client, db: sqlite3.Connection, gap: asyncio.Event) -> None:
    """Have the tables say once more what is missing; what does not come is asked for again."""
    asked: dict[tuple[str, int, int], float] = {}
    while True:
        await gap.wait()
        holes, now = db.execute(HOLES).fetchall(), time.monotonic()
        for source, first, last in (hole for hole in holes if now >= asked.get(hole, now)):
            asked[source, first, last] = now + AGAIN_SECONDS
            _, _, site, table, journal = source.split("/")
            how = Properties(PacketTypes.PUBLISH)
            how.ResponseTopic = f"dealer/{site}/{table}/answers/{NAME}"
            request = json.dumps({"journal": journal, "first": first, "last": last})
            await client.publish(f"dealer/{site}/{table}/requests/replay", request, qos=1, properties=how)
        if not holes:
            gap.clear()
        await asyncio.sleep(LOOK_SECONDS)


async def consume(host: str, port: int, db: sqlite3.Connection) -> None:
    """One connection, until the broker is away. The broker keeps what comes while nobody listens."""
    session = Properties(PacketTypes.CONNECT)
    session.SessionExpiryInterval = 0xFFFFFFFF  # for ever
    client = aiomqtt.Client(
        host, port, identifier=NAME, protocol=aiomqtt.ProtocolVersion.V5, clean_start=False, properties=session
    )
    client._client.manual_ack_set(True)
    gap = asyncio.Event()
    gap.set()
    async with client:
        for topic in ("rounds", "events/#", f"answers/{NAME}"):
            await client.subscribe(f"dealer/+/+/{topic}", qos=1)
        asking = asyncio.create_task(ask(client, db, gap))
        try:
            async for message in client.messages:
                if keep(db, message.payload):
                    gap.set()
                client._client.ack(message.mid, message.qos)
        finally:
            asking.cancel()


async def main(host: str, port: int, file: str) -> None:
    """Go on until stopped."""
    db = sqlite3.connect(file)
    db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;" + TABLES)
    while True:
        try:
            await consume(host, port, db)
        except aiomqtt.MqttError as error:
            print(error, file=sys.stderr)
            await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
