"""Chance faults, and whole benches with something wrong."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simulators.faults.chooser import Chooser
from simulators.faults.syntax import KINDS, Fault, read_fault
from simulators.games import GAMES as ON_THE_BENCH
from tests.games import GAMES
from tests.made_up_time import in_made_up_time
from tests.simulators.fault_table import SECONDS, FaultTable
from tests.simulators.table_in_memory import bench, in_memory


@pytest.fixture
def table() -> Iterator[FaultTable]:
    made = FaultTable()
    yield made
    made.injector.close()


def chosen(seed: str, source: str, count: int) -> Iterator[Fault]:
    table = FaultTable()
    chooser = Chooser(table.injector, table.stage, random.Random(seed), 1.0, 6, lambda: source)
    return (chooser.choose(source, number) for number in range(1, count + 1))


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
async def test_two_hundred_random_faults_have_every_kind_several_times(source: str) -> None:
    faults = list(chosen("7/faults", source, 180))
    assert faults == list(chosen("7/faults", source, 180))
    assert faults != list(chosen("8/faults", source, 180))
    counts = Counter((fault.device, fault.kind) for fault in faults)
    away = "shoe" if source == "shuffler" else "shuffler"
    here = {(kind.device, kind.name) for kind in KINDS.values() if ON_THE_BENCH[GAMES[0]].faults.makes_sense(kind)}
    assert set(counts) == {named for named in here if named[0] != away}
    assert min(counts.values()) >= 3
    for fault in faults:
        assert read_fault(str(fault)) == fault, "every one could have been given by hand"
        assert fault.conditions.round is not None
    moments = {(fault.conditions.phase, fault.conditions.card) for fault in faults if fault.device == source}
    assert len(moments) > 8


async def test_chance_is_the_rate_and_what_could_not_happen_comes_again(table: FaultTable) -> None:
    wished: list[Fault] = []
    real = table.injector.wish

    def wish(fault: Fault, lapsed: Callable[[], None] | None = None) -> None:
        wished.append(fault)
        real(fault, lapsed)

    table.injector.wish = wish  # type: ignore[method-assign]
    Chooser(table.injector, table.stage, random.Random(1), 0.2, 6, lambda: "shuffler")
    for number in range(1, 1001):
        table.stage.round(number)  # no card leaves and no phase changes: what waits for one lapses
    assert 170 < len(wished) < 230
    counts = Counter((fault.device, fault.kind) for fault in wished)
    struck = Counter(line for line in table.news() if not line.endswith(("off", "called off")))
    assert not struck["shuffler:misread"], "no packet"
    assert counts["shuffler", "misread"] > 3


@in_made_up_time
async def test_a_sign_that_keeps_its_trouble_to_itself_gets_its_plug_pulled(
    table: FaultTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simulators.faults.chooser.PULL_PLUG_SECONDS", 0.01)
    chooser = Chooser(table.injector, table.stage, random.Random(1), 1.0, 6, lambda: "shuffler")
    monkeypatch.setattr(chooser, "choose", lambda source, number: read_fault(f"sign:memory_lost@round={number}"))
    table.stage.round(1)
    assert table.news() == ["sign:memory_lost"]
    chooser.saw("sign", "memory_lost", True)
    chooser.saw("sign", "memory_lost", True)  # someone else's
    await asyncio.sleep(SECONDS + 0.03)
    assert table.news() == ["sign:unplug"]


@in_memory
async def test_a_bench_films_its_faults_and_receives_the_socket(tmp_path: Path) -> None:
    wishes = ("slots:stuck=3@for=0.1", "shuffler:restart", "shoe:unplug@for=0.1")
    async with bench(tmp_path, "--slots adu218", wishes) as running:
        reader, writer = await asyncio.open_unix_connection(tmp_path / "faults.sock")
        writer.write(b"sign:memory_lost\nslots:watchdog\nslots:stuck=7\n")
        answers = [(await reader.readline()).decode().rstrip() for _ in range(3)]
        assert answers == ["ok", "ok", "error: slots:stuck=7: this table has seats 1 to 6"]
        await asyncio.sleep(0.2)
        assert (tmp_path / "shoe").is_symlink()
        writer.close()
    assert not (tmp_path / "faults.sock").exists()
    seen = running.filmed("fault", round=0)
    assert [line["value"] for line in seen if line["kind"] == "stuck"] == [3, 3]
    assert sorted((line["device"], line["kind"], line["on"]) for line in seen) == [
        ("shoe", "unplug", False), ("shoe", "unplug", True), ("shuffler", "restart", True),
        ("sign", "memory_lost", True), ("slots", "stuck", False), ("slots", "stuck", True),
        ("slots", "watchdog", True),
    ]  # fmt: skip
