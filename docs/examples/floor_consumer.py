"""Keeps every confirmed round of every table in SQLite, once: `floor_consumer.py HOST PORT FILE`. It needs aiomqtt.

A message is acknowledged when its row is durable, and never before. What comes again meets its own key. What a broker
has lost leaves a hole in the numbers of its journal, which is listed until it comes.
"""

import asyncio
import json
import sqlite3
import sys

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

TABLES = """
    CREATE TABLE IF NOT EXISTS told (source TEXT, sequence INTEGER, PRIMARY KEY (source, sequence)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS rounds (source TEXT, round INTEGER, data TEXT, PRIMARY KEY (source, round));
"""
HOLES = """
    SELECT source, before + 1, sequence - 1 FROM (
        SELECT source, sequence, LAG(sequence, 1, 0) OVER (PARTITION BY source ORDER BY sequence) AS before FROM told
    ) WHERE sequence > before + 1
"""


def keep(db: sqlite3.Connection, payload: bytes) -> None:
    """Write one message down, once; durable on return."""
    message = json.loads(payload)
    source, data = message["source"], message["data"]
    with db:
        db.execute("INSERT OR IGNORE INTO told VALUES (?, ?)", (source, data["sequence"]))
        if message["type"] == "dealer.station.round":
            db.execute("INSERT OR IGNORE INTO rounds VALUES (?, ?, ?)", (source, data["round"], json.dumps(data)))


async def consume(host: str, port: int, db: sqlite3.Connection) -> None:
    """One connection, until the broker is away. The broker keeps what comes while nobody listens."""
    session = Properties(PacketTypes.CONNECT)
    session.SessionExpiryInterval = 0xFFFFFFFF  # for ever
    client = aiomqtt.Client(
        host, port, identifier="rounds", protocol=aiomqtt.ProtocolVersion.V5, clean_start=False, properties=session
    )
    client._client.manual_ack_set(True)
    async with client:
        for topic in ("dealer/+/+/rounds", "dealer/+/+/events/#"):
            await client.subscribe(topic, qos=1)
        async for message in client.messages:
            keep(db, message.payload)
            client._client.ack(message.mid, message.qos)


async def main(host: str, port: int, file: str) -> None:
    """Go on until stopped."""
    db = sqlite3.connect(file)
    db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;" + TABLES)
    while True:
        try:
            await consume(host, port, db)
        except aiomqtt.MqttError as error:
            holes = db.execute(HOLES).fetchall()
            print(f"{error}; missing: {holes}" if holes else error, file=sys.stderr)
            await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
