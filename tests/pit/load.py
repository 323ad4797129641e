"""What sixty tables cost, each part a process of its own, with a database and a broker of their own.

`python -m tests.pit.load` runs whole simulated tables at human speed, publishes the messages of recorded rounds as
those of the others, at the same pace, and has a linked pot with a contribution of each table in each round and a sign
at each. It prints how long a confirmed round took to its row in the archive, how long a contribution to every sign, and
processor and memory of each part. A machine that does anything else shows it in the load.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count, cycle, islice
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

import aiomqtt
import msgspec
import paho.mqtt.client as mqtt
import psycopg
from paho.mqtt.enums import CallbackAPIVersion

from controller.floor.broker import Broker
from controller.link.messages import Pot
from controller.link.signing import verified_message
from controller.pit.cluster import Cluster
from controller.pit.linking import Linking
from controller.pit.marks import Marks
from controller.pit.service import Service
from controller.rulebook.games import GAMES
from tests.floor.happened import NOW, messages
from tests.link.entries import FORTUNE, PIT_KEY
from tests.pit.link_pit import opening
from tests.pit.linked_tables import LINK, LinkedTable
from tests.pit.replicated import folder_of_a_database
from tests.station.processes import Mosquitto

ARCHIVE = "load"
SITE = "macau-1"  # of the linked pot
ROUND_SECONDS = 60.0


# ---- the parts


async def pit(port: int, database: str, tables: int) -> None:
    """The archive, and a linked pot."""
    with tempfile.TemporaryDirectory(prefix="marks-") as folder:
        link = Linking(opening(tables), database, PIT_KEY, Marks(Path(folder)))
        await Service(Broker("127.0.0.1", port), ARCHIVE, database, "one", links=[link]).run()


async def replay(port: int, tables: int, pace: float) -> None:
    """Recorded rounds, as many tables' as that."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.connect("127.0.0.1", port)
    client.loop_start()
    games = islice(cycle(GAMES), tables)
    await asyncio.gather(*(_replay(client, number, game, pace) for number, game in enumerate(games)))


async def _replay(client: mqtt.Client, number: int, game: str, pace: float) -> None:
    published = [*messages(game)]
    source = json.loads(next(payload for topic, payload in published if topic == "rounds"))["source"]
    _, _, site, table, uuid = source.split("/")
    rounds = sum(topic == "rounds" for topic, _ in published)
    step = pace * rounds / len(published)
    at = time.monotonic() + random.uniform(0.0, pace)
    for journal in count():
        own = f"{number:08x}-{os.getpid():x}-{journal:04x}"
        for topic, payload in published:
            at += step
            await asyncio.sleep(at - time.monotonic())
            now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            text = payload.decode().replace(f'"time":"{NOW}"', f'"time":"{now}"', 1)
            text = text.replace(source, f"/dealer/{site}/{table}-{number}/{own}").replace(
                f'"id":"{uuid}/', f'"id":"{own}/'
            )
            retain = topic != "rounds" and not topic.startswith("events/")
            client.publish(f"dealer/{site}/{table}-{number}/{topic}", text.encode(), qos=1, retain=retain)


async def linked(port: int, tables: int, pace: float) -> None:
    """Tables at a linked pot, each with a contribution a round; what was contributed when, on standard output."""
    await asyncio.gather(*(_linked(LinkedTable(port, SITE, f"t-{number}", FORTUNE), pace) for number in range(tables)))


async def _linked(table: LinkedTable, pace: float) -> None:
    await asyncio.sleep(random.uniform(0.0, pace))
    while True:
        entry = await table.contribute(random.randrange(1, 4))
        print(json.dumps([entry.journal, entry.seq, time.monotonic()]), flush=True)
        table.seen.clear()
        await asyncio.sleep(pace)


async def signs(port: int, number: int) -> None:
    """Signs that show a linked pot; which of them had which revision first when, on standard output."""
    await asyncio.gather(*(_sign(port, number_) for number_ in range(number)))


async def _sign(port: int, number: int) -> None:
    async with aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5) as client:
        await client.subscribe(f"dealer/{SITE}/links/{LINK}/pot")
        shown = 0
        async for message in client.messages:
            content = verified_message([PIT_KEY.verifier], str(message.topic), bytes(message.payload))
            pot = msgspec.json.decode(content, type=Pot)
            if pot.revision > shown:
                shown = pot.revision
                print(json.dumps([number, shown, time.monotonic()]), flush=True)


# ---- all of them


class Used(NamedTuple):
    """Seconds of a processor and bytes of memory, of a process and all below it; shared memory by shares."""

    seconds: float
    memory: int


def used(root: int) -> Used:
    below: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(") ")[2].split()
            below.setdefault(int(fields[1]), []).append(int(folder.name))
            spent[int(folder.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    tree = [root]
    for number in tree:
        tree += below.get(number, [])
    memory = 0
    for process in tree:
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
            memory += sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))
    return Used(sum(spent.get(process, 0.0) for process in tree), memory)


class Running:
    """The parts as processes, by name, with what each has reported."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.processes: dict[str, list[subprocess.Popen[bytes]]] = {}

    def start(self, name: str, *command: object) -> None:
        number = len(self.processes.setdefault(name, []))
        with self.output(name, number).open("wb") as out, (self._folder / f"{name}-{number}.err").open("wb") as err:
            published = [sys.executable, "-m", *map(str, command)]
            process = subprocess.Popen(published, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        self.processes[name].append(process)

    def output(self, name: str, number: int = 0) -> Path:
        return self._folder / f"{name}-{number}.out"

    def stop(self) -> None:
        every = [process for some in self.processes.values() for process in some]
        for program in every:
            program.terminate()
        for process in every:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def measured(whole: int, replayed: int, pace: float, seconds: float, folder: Path) -> Iterator[str]:
    cluster, broker, running = Cluster(folder / "cluster"), Mosquitto(folder / "broker"), Running(folder)
    cluster.start()
    try:
        with psycopg.connect(cluster.database, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET track_commit_timestamp = on")
        cluster.stop()
        cluster.start()
        broker.start()
        tables = whole + replayed
        running.start("pit", "tests.pit.load", "pit", broker.port, cluster.database, tables)
        _wait(cluster.database, "SELECT 1 FROM pit.links")
        for part in ("signs", "linked", "replay"):
            more = (tables,) if part == "signs" else (tables if part == "linked" else replayed, pace)
            running.start(part, "tests.pit.load", part, broker.port, *more)
        for number, game in enumerate(islice(cycle(GAMES), whole), 1):
            own = folder / f"table-{number}"
            own.mkdir()
            given = [
                "--site",
                "whole",
                "--table",
                f"table-{number}",
                "--game",
                game,
                "--seed",
                number,
                "--archive",
                ARCHIVE,
            ]
            given += ["--broker", broker.url, "--state-dir", own, "--speed", "human"]
            running.start("whole tables", "controller", "simulate", *given)
        _wait(cluster.database, f"SELECT 1 FROM pit.journals WHERE site = 'whole' HAVING count(*) >= {whole}")
        roots = {name: [process.pid for process in some] for name, some in running.processes.items()}
        roots["PostgreSQL"] = [int((folder / "cluster/data/postmaster.pid").read_text().split()[0])]
        assert broker._process is not None
        roots["mosquitto"] = [broker._process.pid]
        began, before = datetime.now(UTC), {name: [*map(used, some)] for name, some in roots.items()}
        at, load = time.monotonic(), os.getloadavg()[0]
        time.sleep(seconds)
        took = time.monotonic() - at
        after = {name: [*map(used, some)] for name, some in roots.items()}
        yield f"{whole} whole tables, {replayed} replayed with a round each {pace:.0f} s: for {took:.0f} s"
        yield f"on {os.cpu_count()} processors, load {load:.1f} to {os.getloadavg()[0]:.1f}"
        for name, some in roots.items():
            spent = sum(sample.seconds for sample in after[name]) - sum(sample.seconds for sample in before[name])
            memory = sum(sample.memory for sample in after[name]) / 2**20
            yield f"{name:<13} {len(some):>2} {100 * spent / took:6.1f} % of a processor {memory:6.0f} MB"
        yield from _archived(cluster.database, began)
        time.sleep(2.0)  # what was contributed last is on every sign
        yield _shown(running, cluster.database, at, at + took)
    finally:
        running.stop()
        broker.stop()
        cluster.stop("immediate")


def _wait(database: str, query: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        while True:
            with contextlib.suppress(psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
                if connection.execute(query.encode()).fetchall():
                    return
            time.sleep(0.2)


def _archived(database: str, began: datetime) -> Iterator[str]:
    query = """
        SELECT CASE WHEN site = 'whole' THEN 'whole' ELSE 'replayed' END,
            1000 * extract(epoch FROM pg_xact_commit_timestamp(xmin) - confirmed)::float8
        FROM pit.rounds WHERE confirmed > %s
    """
    with psycopg.connect(database) as connection:
        rows = connection.execute(query, (began,)).fetchall()
        [[count]] = connection.execute("SELECT sum(count) FROM pit.messages WHERE received > %s", (began,)).fetchall()
    yield f"{count} messages archived"
    for which in ("whole", "replayed"):
        found = [took for kind, took in rows if kind == which]
        yield f"confirmed round to its row, {which} tables: {_percentiles(found)}"


def _shown(running: Running, database: str, since: float, until: float) -> str:
    """A contribution is shown when the last of the signs has a pot of its revision or a later one."""
    with psycopg.connect(database) as connection:
        applied = {
            (journal, seq): revision
            for journal, seq, revision in connection.execute("SELECT journal, seq, revision FROM pit.link_entries")
        }
    of_signs: dict[int, list[tuple[int, float]]] = {}
    for line in running.output("signs").read_text().splitlines():
        number, revision, at = json.loads(line)
        of_signs.setdefault(number, []).append((revision, at))
    found = []
    for line in running.output("linked").read_text().splitlines():
        journal, seq, at = json.loads(line)
        if since <= at < until:
            wanted = applied[journal, seq]
            shown = [next(then for had, then in sign if had >= wanted) for sign in of_signs.values()]
            found.append(1000 * (max(shown) - at))
    return f"contribution to all of {len(of_signs)} signs: {_percentiles(found)}"


def _percentiles(found: Sequence[float]) -> str:
    if len(found) < 2:
        return f"{len(found)} of them: too few"
    cuts = quantiles(found, n=100, method="inclusive")
    return f"p50 {cuts[49]:.0f} ms, p99 {cuts[98]:.0f} ms, longest {max(found):.0f} ms ({len(found)} of them)"


def main() -> None:
    match sys.argv[1:]:
        case "pit", port, database, tables:
            return asyncio.run(pit(int(port), database, int(tables)))
        case "replay", port, tables, pace:
            return asyncio.run(replay(int(port), int(tables), float(pace)))
        case "linked", port, tables, pace:
            return asyncio.run(linked(int(port), int(tables), float(pace)))
        case "signs", port, number:
            return asyncio.run(signs(int(port), int(number)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--whole", type=int, default=8, help="simulated tables (default: %(default)s)")
    parser.add_argument("--replayed", type=int, default=52, help="tables of recorded rounds (default: %(default)s)")
    parser.add_argument("--round", type=float, default=ROUND_SECONDS, help="seconds of theirs (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=300.0, help="to measure (default: %(default)s)")
    options = parser.parse_args()
    with folder_of_a_database() as folder:
        for line in measured(options.whole, options.replayed, options.round, options.seconds, folder):
            print(line, flush=True)
    return None


if __name__ == "__main__":
    main()
