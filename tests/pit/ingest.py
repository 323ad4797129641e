"""How fast an archive takes what sixty tables say at once, with a database and a broker of its own.

`python -m tests.pit.ingest --journals 4` publishes the messages of recorded rounds of five games as those of sixty
tables, from one table after the other in turn, and waits until the last one is a row.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from functools import cache
from itertools import zip_longest
from pathlib import Path

import paho.mqtt.client as mqtt
import psycopg
from paho.mqtt.enums import CallbackAPIVersion

from controller.floor.broker import Broker
from controller.pit.cluster import Cluster
from controller.pit.service import Service
from controller.rulebook.games import GAMES
from controller.system.tasks import ended
from tests.floor.happened import messages
from tests.paho_end import hang_up
from tests.station.processes import Mosquitto

TABLES = 60
Sent = tuple[str, bytes]


@cache
def sequenced(game: str) -> list[Sent]:
    """What the archive keeps of the recorded rounds of a game, in order."""
    messages_of = [
        (topic, payload) for topic, payload in messages(game) if topic == "rounds" or topic.startswith("events/")
    ]
    return sorted(messages_of, key=lambda one: int(json.loads(one[1])["data"]["sequence"]))


def of_a_table(number: int, messages_of: list[Sent], journals: int) -> list[Sent]:
    """The same as another table's, in journals of its own."""
    source = json.loads(messages_of[0][1])["source"]
    _, _, site, table, uuid = source.split("/")
    found: list[Sent] = []
    for journal in range(journals):
        own = f"{number:08x}-{journal:04x}"
        replaced = [(source, f"/dealer/{site}/{table}-{number}/{own}"), (f'"id":"{uuid}/', f'"id":"{own}/')]
        for topic, payload in messages_of:
            text = payload.decode()
            for before, after in replaced:
                text = text.replace(before, after)
            found.append((f"dealer/{site}/{table}-{number}/{topic}", text.encode()))
    return found


async def measured(journals: int, folder: Path) -> str:
    by_game = [sequenced(game) for game in GAMES]
    tables = [of_a_table(number, by_game[number % len(by_game)], journals) for number in range(TABLES)]
    all_of_it = [one for turn in zip_longest(*tables) for one in turn if one is not None]
    rounds = sum(topic.endswith("/rounds") for topic, _ in all_of_it)
    cluster, broker = Cluster(folder / "cluster"), Mosquitto(folder / "broker")
    cluster.start()
    await asyncio.to_thread(broker.start)
    service = Service(Broker("127.0.0.1", broker.port), "ingest", cluster.database, "one")
    serving = asyncio.create_task(service.run())
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    try:
        await service.listening.wait()
        client.connect("127.0.0.1", broker.port)
        client.loop_start()
        began, used = time.monotonic(), time.process_time()
        await asyncio.to_thread(publish, client, all_of_it)
        await asyncio.to_thread(wait_until_archived, cluster.database, len(all_of_it))
        took, used = time.monotonic() - began, time.process_time() - used
    finally:
        hang_up(client)
        await ended(serving)
        broker.stop()
        cluster.stop("immediate")
    found = f"{len(all_of_it)} messages of {rounds} rounds at {TABLES} tables in {took:.1f} s"
    rates = f"{len(all_of_it) / took:,.0f} messages and {rounds / took:,.0f} rounds a second"
    return f"{found}: {rates}; publisher and archive, one process, took {used:.1f} s of a processor"


def publish(client: mqtt.Client, messages_of: list[Sent]) -> None:
    for number, (topic, payload) in enumerate(messages_of):
        sent = client.publish(topic, payload, qos=1)
        if number % 10_000 == 0:
            sent.wait_for_publish()  # a client has 65 535 names for what is under way, and takes one twice


def wait_until_archived(database: str, count: int) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        while connection.execute("SELECT sum(count) FROM pit.messages").fetchall() != [(count,)]:
            time.sleep(0.1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--journals", type=int, default=4, help="of each table (default: %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pit-") as name:
        os.chmod(name, 0o711)
        print(asyncio.run(measured(options.journals, Path(name))))
