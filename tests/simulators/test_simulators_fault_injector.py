"""When faults strike and when they end: conditions, mistakes, chance, the fault socket, whole benches."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simulators.faults.chooser import Chooser
from simulators.faults.dealer_mistakes import DealerMistakes
from simulators.faults.injector import Injector
from simulators.faults.stage import Stage
from simulators.faults.syntax import KINDS, Fault, read_fault
from simulators.faults.trouble import FaultSocket
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


async def test_without_conditions_at_once(table: FaultTable) -> None:
    assert table.wish("shuffler:restart") == ["shuffler:restart"]


async def test_a_round_is_waited_for_and_no_other_will_do(table: FaultTable) -> None:
    table.stage.round(2)
    assert table.wish("sign:nak@round=3") == []
    table.wish("sign:restart@round=3,phase=claims")
    table.stage.round(3)
    assert table.news() == ["sign:nak"]
    table.stage.phase("deal")
    table.stage.round(4)
    table.stage.phase("claims")
    assert table.news() == []
    with pytest.raises(ValueError, match="round 3 is over, this is 4"):
        table.wish("sign:nak@round=3")


async def test_a_card_is_the_one_about_to_leave_and_people_have_it_before_them(table: FaultTable) -> None:
    table.stage.round(1)
    table.wish("shoe:unreadable@card=2")
    table.wish("dealer:expose=bank@card=2")
    table.stage.leaving()
    table.stage.card()
    assert table.news() == []
    table.stage.leaving()
    assert table.news() == ["shoe:unreadable"]
    assert table.mistakes.take("expose") is None
    table.stage.card()
    assert table.mistakes.take("expose") == "bank"
    assert table.mistakes.take("expose") is None


async def test_a_phase_is_the_first_of_its_name_and_cards_count_again_each_round(table: FaultTable) -> None:
    table.stage.phase("deal")
    assert table.wish("slots:watchdog@phase=deal") == ["slots:watchdog"]
    table.wish("slots:watchdog@phase=settle,card=2")
    table.stage.leaving()
    table.stage.round(2)
    table.stage.leaving()
    table.stage.phase("settle")
    assert table.news() == []
    table.stage.leaving()
    assert table.news() == ["slots:watchdog"]


async def test_a_deck_is_spoilt_between_rounds_unless_a_phase_is_named(table: FaultTable) -> None:
    table.stage.phase("deal")
    assert table.wish("deck:missing") == []
    assert table.wish("deck:doubled@phase=deal") == ["deck:doubled"]
    table.stage.phase("between")
    assert table.news() == ["deck:missing"]


@in_made_up_time
async def test_a_lasting_fault_ends_in_time_or_when_ordered(table: FaultTable) -> None:
    assert table.wish("shoe:mute") == ["shoe:mute"]
    assert table.wish("shoe:late@for=0.01") == ["shoe:late"]
    await asyncio.sleep(SECONDS * 0.6)
    assert table.news() == ["shoe:late off"]
    assert table.wish("shoe:mute") == [], "it continues, for longer"
    await asyncio.sleep(SECONDS * 0.6)
    assert table.news() == []
    assert table.injector.obey("shoe:mute=off") == "ok"
    assert table.news() == ["shoe:mute off"]
    await asyncio.sleep(SECONDS)
    assert table.news() == []
    assert table.injector.obey("shoe:mute=off") == "error: shoe:mute is not on"


@in_made_up_time
async def test_a_stuck_sensor_lasts_until_ordered_and_every_one_of_them_is_ended(table: FaultTable) -> None:
    table.wish("slots:stuck=1")
    table.wish("slots:stuck=2")
    table.wish("slots:stuck=3@for=0.01")
    await asyncio.sleep(SECONDS * 1.5)
    assert table.news()[-1] == "slots:stuck off"
    table.injector.end("slots", "stuck")
    assert table.news() == ["slots:stuck off"] * 2


async def test_a_jam_may_be_ended_by_another_hand(table: FaultTable) -> None:
    assert table.wish("shuffler:jam") == ["shuffler:jam"]
    assert table.injector.obey("shuffler:jam=off") == "ok"
    assert table.news() == ["shuffler:jam off"]


async def test_what_has_not_struck_in_its_round_is_called_off(table: FaultTable) -> None:
    table.stage.round(1)
    table.wish("shoe:lost=2@round=1")
    table.wish("dealer:order@round=1")
    table.wish("dealer:order@round=2")
    table.wish("dealer:miskey@round=1")
    table.wish("shuffler:jam")
    table.news()
    table.stage.round(2)
    assert table.news() == ["shoe:lost called off"], "the jam was wished for no round"
    assert [table.mistakes.take("order"), table.mistakes.take("order")] == ["", None], "that of round 2"
    assert table.mistakes.take("miskey") == "", "until a card has to be keyed in"


def test_mischief_is_done_once_or_put_back() -> None:
    mistakes = DealerMistakes()
    assert mistakes.take("late_chip") is None
    mistakes.wish("late_chip", "3")
    mistakes.wish("late_chip")
    assert mistakes.take("late_chip") == "3"
    mistakes.put_back("late_chip", "3")
    assert [mistakes.take("late_chip") for _ in range(3)] == ["3", "", None]
    assert not mistakes.withdraw("late_chip", "3")


async def test_what_cannot_be_done_at_this_table_is_refused(table: FaultTable) -> None:
    with pytest.raises(ValueError, match="seats 1 to 6"):
        table.wish("slots:storm=7")
    with pytest.raises(ValueError, match="seats 1 to 6"):
        table.wish("dealer:expose=seat 7")
    bare = Injector(Stage(), {}, 6, SECONDS, table.injector.of_game)
    with pytest.raises(ValueError, match="no such device"):
        bare.wish(read_fault("shoe:mute"))


async def test_the_socket_answers_every_line(table: FaultTable, tmp_path: Path) -> None:
    door = FaultSocket(tmp_path / "faults.sock", table.injector.obey)
    await door.open()
    reader, writer = await asyncio.open_unix_connection(tmp_path / "faults.sock")

    async def ask(line: str) -> str:
        writer.write(line.encode() + b"\n")
        return (await reader.readline()).decode().rstrip()

    assert await ask("shoe:mute@for=5") == "ok"
    assert await ask("shoe:mute=off") == "ok"
    assert await ask("shoe:moot") == (
        "error: 'shoe:moot': 'moot' is no kind of shoe; expected one of split bytewise babble late mute unplug"
        " corrupt lost doubled restart unreadable overdraw cut_card; did you mean shoe:mute?"
    )
    writer.write(b"\nlist\n")
    listed = []
    while (line := (await reader.readline()).decode().rstrip()) != "ok":
        listed.append(line)
    assert listed == table.injector.kinds
    writer.write(b"x" * 5000 + b"\n")
    assert await reader.readline() == b"error: the line is too long\n"
    assert await reader.read() == b""
    writer.close()
    await writer.wait_closed()
    idle_reader, idle_writer = await asyncio.open_unix_connection(tmp_path / "faults.sock")
    await asyncio.sleep(0.01)
    await door.close()
    assert await idle_reader.read() == b""
    assert not (tmp_path / "faults.sock").exists()
    idle_writer.close()
    await idle_writer.wait_closed()


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
