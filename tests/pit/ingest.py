"""How fast an archive receives and stores what many tables publish at once, with a database and a broker of its own.

`python -m tests.pit.ingest --tables 150 --journals 1` publishes the messages of recorded rounds of all games as those
of so many tables, from one table after the other in turn, and waits until the last one is stored. It also prints what
the tables publish in an hour, and so what the archive must take to have it within a minute. With `--away` the archive
is offline while they are published: they wait in its session at the broker, and time counts from its next start.
"""

import argparse
import asyncio
import json
import sys
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
from tests.pit.replicated import folder_of_a_database
from tests.station.processes import Mosquitto

TABLES = 60
ROUNDS_OF_AN_HOUR = 42  # of a table, as in a month of 1.9 million rounds of sixty
Sent = tuple[str, bytes]


@cache
def sequenced(game: str) -> list[Sent]:
    """What the archive keeps of the recorded rounds of a game, in order."""
    messages_of = [
        (topic, payload) for topic, payload in messages(game) if topic == "rounds" or topic.startswith("events/")
    ]
    return sorted(messages_of, key=lambda message: int(json.loads(message[1])["data"]["sequence"]))


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


def all_of_it(tables: int, journals: int) -> list[Sent]:
    by_game = [sequenced(game) for game in GAMES]
    published = [of_a_table(number, by_game[number % len(by_game)], journals) for number in range(tables)]
    return [message for turn in zip_longest(*published) for message in turn if message is not None]


async def measured(tables: int, journals: int, away: bool, folder: Path) -> str:
    messages_of = all_of_it(tables, journals)
    count, rounds = len(messages_of), sum(topic.endswith("/rounds") for topic, _ in messages_of)
    cluster, broker = Cluster(folder / "cluster"), Mosquitto(folder / "broker")
    cluster.start()
    await asyncio.to_thread(broker.start)
    service, serving = serve(broker, cluster)
    command = [sys.executable, "-m", __spec__.name, f"--tables={tables}", f"--journals={journals}"]
    try:
        await service.listening.wait()
        if away:
            await ended(serving)
            publisher = await asyncio.create_subprocess_exec(*command, f"--publish={broker.port}")
            await publisher.wait()
        began, used = time.monotonic(), time.process_time()
        if away:
            service, serving = serve(broker, cluster)
        else:
            publisher = await asyncio.create_subprocess_exec(*command, f"--publish={broker.port}")
        await asyncio.to_thread(wait_until_archived, cluster.database, count)
        took, used = time.monotonic() - began, time.process_time() - used
        await publisher.wait()
    finally:
        await ended(serving)
        broker.stop()
        cluster.stop("immediate")
    hour = tables * ROUNDS_OF_AN_HOUR * count / rounds
    return f"""\
{count} messages of {rounds} rounds at {tables} tables in {took:.1f} s: {count / took:,.0f} messages a second
the archive took {1e6 * used / count:.0f} µs of a processor for each: {count / used:,.0f} a second of a whole processor
an hour of these tables has {hour:,.0f} messages: {hour / 60:,.0f} a second to have them in one minute"""


def serve(broker: Mosquitto, cluster: Cluster) -> tuple[Service, asyncio.Task[None]]:
    service = Service(Broker("127.0.0.1", broker.port), "ingest", cluster.database, "one")
    return service, asyncio.create_task(service.run())


def publish(port: int, messages_of: list[Sent]) -> None:
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.connect("127.0.0.1", port)
    client.loop_start()
    for number, (topic, payload) in enumerate(messages_of, 1):
        sent = client.publish(topic, payload, qos=1)
        if number % 10_000 == 0 or number == len(messages_of):
            sent.wait_for_publish()  # a client has 65 535 names for what is under way, and takes one twice
    hang_up(client)


def wait_until_archived(database: str, count: int) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        while connection.execute("SELECT sum(count) FROM pit.messages").fetchall() != [(count,)]:
            time.sleep(0.1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=TABLES, help="default: %(default)s")
    parser.add_argument("--journals", type=int, default=4, help="of each table (default: %(default)s)")
    parser.add_argument("--away", action="store_true", help="start the archive when all is published")
    parser.add_argument("--publish", type=int, metavar="PORT", help="publish to a broker, and nothing else")
    options = parser.parse_args()
    if options.publish:
        publish(options.publish, all_of_it(options.tables, options.journals))
    else:
        with folder_of_a_database() as folder:
            print(asyncio.run(measured(options.tables, options.journals, options.away, folder)))
