"""What a station takes of memory, tasks, files and time: under attack, with hostile drafts, after years."""

import asyncio
import os
import re
import resource
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, suppress
from pathlib import Path

import pytest

from controller.engine.state.applied import apply
from controller.engine.state.events import DeviceReported
from controller.engine.state.table import Table
from controller.journal.closing import close_segment
from controller.journal.records import JournalEntry
from controller.journal.store import SNAPSHOT_EVERY, Journal
from controller.journal.verifying import Verifier
from controller.queries.alarms import last_alarms
from controller.queries.sign_ins import last_sign_ins
from tests.journal.keeping import batch, entries_of, open_journal, played
from tests.soak.attacks import ATTACKS, measure
from tests.station.processes import Bench, Daemon, Mosquitto, daemon_of, ended_at_last, forget_peak, patiently, peak_kib
from tests.station.screen import active_alarms, get_table
from tests.toml.hostile import hostile_texts
from tests.toml.test_toml_limits import table

UNIT = (Path(__file__).parents[2] / "systemd" / "dealer-station.service").read_text(encoding="utf-8")
ATTEMPTS = 3000


def limit(key: str) -> int:
    """A number of the unit; memory in MiB."""
    [value] = re.findall(rf"^{key}=(\d+)M?$", UNIT, re.MULTILINE)
    return int(value)


class Taken:
    """The most that a daemon and its children have taken in any state."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon
        self.seen: dict[str, dict[str, int]] = {}

    def look(self, state: str) -> None:
        process = Path("/proc", str(self._daemon.pid))
        self.seen[state] = {
            "MiB": peak_kib(self._daemon.pid) >> 10,
            "tasks": len(os.listdir(process / "task")),
            "files": len(os.listdir(process / "fd")),
        }
        with suppress(PermissionError):
            forget_peak(self._daemon.pid)  # the peak of the next state is its own


@pytest.mark.timeout(600)
def test_a_station_takes_less_than_half_of_what_its_unit_allows(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path / "broker")
    broker.start()
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most >= ATTEMPTS + 500, "this test needs more descriptors (ulimit -Hn)"
    bench = Bench(tmp_path / "table", "--rounds", "300", "--speed", "max", "--broker", broker.url)
    bench.wait_ready()
    daemon = daemon_of(bench, service=True)
    taken = Taken(daemon)
    with ended_at_last(daemon, bench, broker), ExitStack() as stack:
        daemon.start()
        daemon.wait_answering()
        taken.look("started")
        bench.wait_rounds(100, 200)
        taken.look("100 rounds")
        broker.stop()
        bench.wait_finished(300)
        taken.look("200 rounds without a broker")
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (least, most))
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        for _ in range(ATTEMPTS):
            connection = stack.enter_context(socket.socket())
            connection.setblocking(False)
            with suppress(BlockingIOError):
                connection.connect(daemon.address)
            with suppress(OSError):
                connection.send(b"GET /table HTTP/1.1\r\nhost: 127.0.0.1\r\n")
        get_table(daemon.address)
        taken.look(f"{ATTEMPTS} connections")
        assert daemon.terminate() == 0
        daemon.start()
        daemon.wait_answering()
        broker.start()
        patiently(lambda: "device-floor" not in active_alarms(get_table(daemon.address)), 120, "the floor")
        taken.look("started with a backlog, and sent it")
    for state, found in taken.seen.items():
        print(f"{state}: {found}")
    for found in taken.seen.values():
        assert found["MiB"] < limit("MemoryMax") / 2
        assert found["tasks"] < limit("TasksMax") / 2
        assert found["files"] < limit("LimitNOFILE") / 2


MORE_MB = 60.0  # a PIN is hashed in 64 MiB, under an attack as without


@pytest.mark.timeout(900)
def test_under_every_attack_inputs_are_answered_memory_is_bounded_and_a_person_logs_in() -> None:
    idle, *attacked = found = list(measure(tuple(ATTACKS)))
    print(*found, sep="\n")
    for measured in attacked:
        assert measured.peak_mb < idle.peak_mb + MORE_MB, measured
        assert measured.statuses == {409} and measured.logged_in, measured


DRAFTS = 1000
TICK = 0.001
IDLE_SECONDS = 20


def memory() -> int:
    """What the process has now, in KiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() >> 10


@asynccontextmanager
async def watched_loop() -> AsyncIterator[list[float]]:
    """The longest gaps between two turns of the loop, in seconds."""
    gaps = [0.0]

    async def tick() -> None:
        last = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            gaps.append(now - last)
            last = now

    ticking = asyncio.create_task(tick())
    try:
        yield gaps
    finally:
        ticking.cancel()


async def test_each_of_a_thousand_drafts_ends_in_a_sentence_and_the_loop_runs(tmp_path: Path) -> None:
    proposing, taken, wrong, kib = table(tmp_path), [], 0, []
    async with watched_loop() as idle:
        await asyncio.sleep(IDLE_SECONDS)
    async with watched_loop() as gaps:
        for octets in hostile_texts(DRAFTS):
            begun = time.monotonic()
            mistakes = await proposing.proposed(octets.decode(errors="surrogateescape"), None)
            taken.append(time.monotonic() - begun)
            wrong += bool(mistakes)
            kib.append(memory())
    taken.sort()
    idle.sort()
    gaps.sort()
    print(
        f"{DRAFTS} drafts, {wrong} with mistakes: median {taken[DRAFTS // 2]:.3f} s, longest {taken[-1]:.3f} s; ",
        end="",
    )
    longest = [[round(1000 * gap) for gap in some[-3:]] for some in (idle, gaps)]
    print(f"longest gaps of the loop idle {longest[0]} ms, meanwhile {longest[1]} ms; ", end="")
    print(f"memory after 100 {kib[99]} KiB, after all {kib[-1]} KiB")
    assert wrong > DRAFTS * 0.9
    assert kib[-1] < kib[99] + (16 << 10)


AT_ONCE = 250


def old_journal(path: Path, events: int) -> Table:
    """So many events and a few more, with checkpoints as a station makes them; the table after them."""
    journal, table, due = open_journal(path), Table(), SNAPSHOT_EVERY
    entries, sequence = _entries(), 0
    try:
        while table.version < events:
            written = [next(entries) for _ in range(AT_ONCE)]
            for entry in written:
                table = apply(table, entry.event)
            sequence += 1
            snapshot = table if table.version >= due else None
            if snapshot is not None:
                due = table.version + SNAPSHOT_EVERY
            names = [f"input-{table.version}-{number}" for number in range(3)]
            sent = [(sequence, bytes(300))]
            journal.commit(batch(written, outbox=sent, answers=names, snapshot=snapshot), acknowledged=sequence - 1)
            if snapshot is not None:
                tidy(journal)
    finally:
        journal.close()
    return table


def tidy(journal: Journal) -> None:
    """Close what is due, and clear it away."""
    segment = close_segment(journal.path)
    if segment is not None:
        journal.take_up(segment)
    while journal.untidy:
        journal.forget(0)


def _entries() -> Iterator[JournalEntry]:
    yield from entries_of(played(20))
    number = 0
    while True:
        number += 1
        yield JournalEntry(
            event=DeviceReported(device="slots", what="noise", details=f"{number} {'x' * 150}", values={"count": 1})
        )


EVENTS = 2_000_000


def test_a_start_does_not_grow_with_the_age_of_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    table = old_journal(path, EVENTS)
    began = time.monotonic()
    with closing(open_journal(path)) as journal:
        restored = journal.restore()
        last_sign_ins(path, "simulation", 200)
        started = time.monotonic() - began
        assert restored.table == table
        assert journal.events - restored.snapshot <= SNAPSHOT_EVERY + AT_ONCE
        began = time.monotonic()
        last_alarms(path, "simulation", 100)
        asked = time.monotonic() - began
        began = time.monotonic()
        Verifier(path, lambda: journal.end, lambda _: None).verify()
        verified = time.monotonic() - began
    segments = [file.stat().st_size for file in path.parent.glob("*.zst")]
    size = path.stat().st_size >> 20
    assert size < 100
    print(f"{EVENTS} events, {size} MB and {sum(segments) >> 20} MB in {len(segments)} segments: ", end="")
    print(f"started in {started:.2f} s, GET /alarms {asked * 1000:.1f} ms, ", end="")
    print(f"all verified in {verified:.0f} s without a pause")
