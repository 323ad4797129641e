"""The one consumer before a journal that cannot always write: nothing is out before it is durable, nothing twice."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from controller.console.answers import answer_to_inputs
from controller.engine.decisions.betting import LockIn, PlaceWager
from controller.engine.decisions.jackpot import ParametersRead
from controller.engine.decisions.session import BeginRound, CloseTable, OpenTable
from controller.engine.state.current import Settings
from controller.engine.state.persons import PersonInput
from controller.journal.records import Batch, DeviceMark, JournalUnavailable
from controller.journal.sealing import Seal
from controller.journal.writer import Writer
from controller.runtime import loop as table_loop
from controller.runtime.bus import Bus, CommitPublished, Committed, FromStation, FromWire
from controller.runtime.clock import Clock
from controller.runtime.loop import TableLoop
from controller.runtime.translation import Translator
from controller.runtime.view import View
from controller.telemetry.metrics import Metrics
from drivers.messages import LinkUp, PacketDispensed, ShuffleDone, SlotsRead
from drivers.wiring import Wiring
from tests.engine.playing import IDENTITY, PARAMETERS, PEOPLE, terms
from tests.made_up_time import until

WIRING = Wiring(seats={0: 1, 1: 2}, button_input=7, lock_lamp_relay=6)


class Running:
    """A loop on a real journal whose commits fail as often as `fails` says."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.fails = 0
        self.committed: list[Committed] = []
        settings, clock, metrics = Settings(terms=terms(), people=PEOPLE), Clock(), Metrics()
        self.view = View(writer, settings, IDENTITY, metrics, clock.stamp().time)
        bus = Bus()
        bus.subscribe(CommitPublished, self.committed.append)
        self.loop = TableLoop(
            writer=writer,
            settings=settings,
            identity=IDENTITY,
            translate=Translator(WIRING),
            clock=clock,
            metrics=metrics,
            view=self.view,
            bus=bus,
        )
        self._commit: Callable[[Batch], Any] = writer.commit

    async def commit(self, batch: Batch) -> None:
        if self.fails:
            self.fails -= 1
            raise JournalUnavailable("no space left")
        await self._commit(batch)

    async def say(self, *inputs: PersonInput) -> tuple[int, Any]:
        answer = answer_to_inputs(await self.loop.answer(list(inputs)))
        return answer.status_code, json.loads(bytes(answer.body))

    async def wire(self, message: Any, mark: DeviceMark | None = None) -> None:
        self.loop.receive(FromWire(device="shuffler", message=message, mark=mark))

    until = staticmethod(until)

    @property
    def step(self) -> str:
        return str(json.loads(self.view.projection())["step"]["id"])

    @property
    def alarms(self) -> list[dict[str, Any]]:
        alarms: list[dict[str, Any]] = json.loads(self.view.projection())["alarms"]
        return alarms

    @property
    def active_alarms(self) -> list[str]:
        return [alarm["name"] for alarm in self.alarms if not alarm["over"]]


@asynccontextmanager
async def running(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Running]:
    monkeypatch.setattr(table_loop, "RETRY_SECONDS", 0.02)
    writer = await Writer.open(folder / "j.db", Seal(bytes(32)), "simulation")
    station = Running(writer)
    monkeypatch.setattr(writer, "commit", station.commit)
    task = asyncio.create_task(station.loop.run())
    station.loop.receive(FromStation(input=ParametersRead(pot=600_000, reserve=0, parameters=PARAMETERS)))
    try:
        yield station
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await writer.close()


def opening(name: str = "i1") -> OpenTable:
    return OpenTable(input_id=name, step_id="open/1", actor="ana")


async def at_wagers(station: Running) -> None:
    assert (await station.say(opening("opened")))[0] == 200
    assert (await station.say(BeginRound(input_id="begun", step_id="1/begin", actor="ana")))[0] == 200
    await station.wire(ShuffleDone(order=257, count=52))
    await station.until(lambda: station.step == "1/wagers")


async def test_a_person_is_notified_that_nothing_happened_and_the_same_input_may_be_given_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await station.until(lambda: station.loop.table.meter is not None)
        table, sequence, commits = station.loop.table, station.loop.sequence, len(station.committed)
        for _ in range(3):
            station.fails = 1
            status, body = await station.say(opening())
            assert (status, body["error"]) == (503, "not_durable")
            assert station.loop.table == table and station.loop.sequence == sequence
            assert len(station.committed) == commits and station.step == "open/1"
            assert station.active_alarms == ["journal"]
        status, body = await station.say(opening())
        assert (status, body["answers"][0]["accepted"]) == (200, True)
        assert station.step == "1/begin" and station.active_alarms == []


async def test_a_screen_that_waits_for_an_answer_when_the_station_stops_is_asked_to_send_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await station.until(lambda: station.loop.table.meter is not None)
        sequence = station.loop.sequence
        asked = asyncio.create_task(station.say(opening()))
        await asyncio.sleep(0)
        station.loop.close()
        for name, answer in (("i1", await asked), ("i2", await station.say(opening("i2")))):
            assert answer[0] == 503 and answer[1]["reason"] == "the station stops", name
        assert station.loop.sequence == sequence


async def test_a_device_message_is_kept_and_committed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await station.until(lambda: station.loop.table.meter is not None)
        station.fails = 4
        mark = DeviceMark(device="shuffler", boot=1, sequence=5)
        await station.wire(LinkUp(outage_seconds=0.0, tries=1), mark)
        await station.until(lambda: station.active_alarms == ["journal"])
        assert station.loop.table.devices == {}
        await station.until(lambda: "shuffler" in station.loop.table.devices)

        def up() -> int:
            events = [event for committed in station.committed for event in committed.events]
            return sum(type(event).__name__ == "DeviceUp" for event in events)

        await station.until(lambda: bool(up()))
        assert up() == 1 and station.active_alarms == []
        assert [mark for committed in station.committed for mark in committed.marks] == [mark]
        restored = station.writer.journal.restore()
        assert restored.marks == {"shuffler": mark} and restored.table == station.loop.table


async def test_a_button_pressed_while_the_disk_is_full_is_received_when_it_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await at_wagers(station)
        bet = PlaceWager(input_id="w", step_id="1/wagers", actor="ana", seat=1, wager="ante", amount=100)
        assert (await station.say(bet))[0] == 200
        await station.wire(SlotsRead(levels=(False,) * 8, counters=(0,) * 8))
        await asyncio.sleep(0.01)
        station.fails = 2
        await station.wire(SlotsRead(levels=(True, *(False,) * 6, True), counters=(1, *(0,) * 6, 1), before=(0,) * 8))
        await station.until(lambda: station.loop.table.round is not None and station.loop.table.round.locked)
        assert station.loop.table.round is not None and station.loop.table.round.chips == (1,)
        assert station.loop.table.meter is not None and station.loop.table.meter.chips_counted == 1


async def test_a_repeated_input_gets_the_first_answer_accepted_or_refused_also_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = LockIn(input_id="early", step_id="1/wagers", actor="ana")
    async with running(tmp_path, monkeypatch) as station:
        await at_wagers(station)
        accepted = await station.say(opening("opened"))
        refused = await station.say(early)
        stale = await station.say(LockIn(input_id="stale", step_id="9/wagers", actor="ana"))
        assert (accepted[0], refused[0], stale[0]) == (200, 422, 409)
        assert refused[1]["article"] == "4.º 3" and stale[1]["step_id"] == "1/wagers"
        bet = PlaceWager(input_id="w", step_id="1/wagers", actor="ana", seat=1, wager="ante", amount=100)
        first = await station.say(bet)
        table = station.loop.table
        assert await station.say(bet) == first and await station.say(early) == refused
        assert station.loop.table == table
    async with running(tmp_path, monkeypatch) as again:
        assert again.loop.table == table
        assert await again.say(opening("opened")) == accepted
        assert await again.say(CloseTable(input_id="opened", step_id="close/1", actor="ana")) == accepted
        assert await again.say(early) == refused
        assert await again.say(LockIn(input_id="stale", step_id="1/wagers", actor="ana")) == stale
        assert await again.say(bet) == first
        assert again.loop.table == table


async def test_a_list_is_taken_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def bet(name: str, seat: int, amount: int = 100) -> PlaceWager:
        return PlaceWager(input_id=name, step_id="1/wagers", actor="ana", seat=seat, wager="ante", amount=amount)

    async with running(tmp_path, monkeypatch) as station:
        await at_wagers(station)
        table, sequence = station.loop.table, station.loop.sequence
        status, body = await station.say(bet("a", 1), bet("b", 2, 1), bet("c", 3))
        assert (status, body["who"], body["article"]) == (422, "seat 2", "10.º 1)")
        assert station.loop.table == table and station.loop.sequence == sequence
        assert await station.say(bet("a", 1), bet("b", 2, 1), bet("c", 3)) == (status, body)
        status, body = await station.say(bet("d", 1), bet("e", 2))
        assert status == 200 and [answer["input_id"] for answer in body["answers"]] == ["d", "e"]
        assert await station.say(bet("d", 1), bet("e", 2)) == (status, body)
        assert station.loop.table.round is not None and station.loop.table.round.seats_in_play == (1, 2)


async def test_a_list_of_repeated_and_new_inputs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def bet(name: str, seat: int, amount: int = 100) -> PlaceWager:
        return PlaceWager(input_id=name, step_id="1/wagers", actor="ana", seat=seat, wager="ante", amount=amount)

    async with running(tmp_path, monkeypatch) as station:
        await at_wagers(station)
        await station.say(bet("good", 1))
        await station.say(bet("bad", 2, 1))
        table = station.loop.table
        for mixed in ((bet("good", 1), bet("new", 3)), (bet("good", 1), bet("bad", 2, 1))):
            status, body = await station.say(*mixed)
            assert (status, body["error"], body["key"]) == (400, "malformed", "input_id")
        assert station.loop.table == table
        assert (await station.say(bet("new", 3)))[0] == 200  # it was not taken as answered


async def test_inputs_that_come_together_are_decided_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(tmp_path, monkeypatch) as station:
        answers = await asyncio.gather(station.say(opening("a")), station.say(opening("b")), station.say(opening("a")))
        assert [status for status, _ in answers] == [200, 409, 200]
        assert answers[0] == answers[2]


async def test_a_stream_receives_every_alarm_and_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await station.until(lambda: station.loop.table.meter is not None)
        seen = station.view.projection()
        waiting = asyncio.create_task(station.view.changed(seen, station.view.projection))
        station.fails = 1
        await station.say(opening())
        changed = await waiting
        assert b'"journal"' in changed and changed != seen


async def test_the_players_display_has_a_stream_of_its_own_which_receives_its_own_changes_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await station.until(lambda: station.loop.table.meter is not None)
        seen, whole = station.view.display(), station.view.projection()
        waiting = asyncio.create_task(station.view.changed(seen, station.view.display))
        await station.say(PlaceWager(input_id="w", step_id="x", actor="ana", seat=1, wager="ante", amount=1))
        assert b'"closed"' in seen and not waiting.done()
        await station.say(opening())
        changed = await waiting
        assert b'"waiting"' in changed and station.view.projection() != whole
        view, table = station.view, station.loop.table
        assert table.meter is not None and json.loads(changed)["pot_changed"] is None
        higher = replace(table, meter=replace(table.meter, pot_e4=table.meter.pot_e4 + 10_000))
        for shown, time in ((higher, "at one"), (higher, "at two")):
            view.show(shown, 1, time, None)
            assert json.loads(view.display())["pot_changed"] == "at one"


async def test_the_restored_table_is_the_one_that_was_left_with_its_unshown_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await at_wagers(station)
        await station.say(
            PlaceWager(input_id="w", step_id="1/wagers", actor="ana", seat=1, wager="ante", amount=100),
            LockIn(input_id="l", step_id="1/wagers", actor="ana"),
        )
        await station.wire(PacketDispensed(order=258, cards=("As", "Ks", None)))
        await station.until(lambda: station.step == "1/deal/2")
        table, vault = station.loop.table, station.loop._vault
    async with running(tmp_path, monkeypatch) as again:
        assert (again.loop.table, again.loop._vault) == (table, vault)
        assert vault == {1: "As", 2: "Ks", 3: None} and b"As" not in again.view.projection()


async def test_a_table_that_leaves_decides_nothing_more_once_it_is_between_two_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        free = asyncio.Event()
        station.loop.leave(free.set)
        await free.wait()
        late = asyncio.create_task(station.say(opening()))
        for _ in range(50):  # as long as a decision takes
            await asyncio.sleep(0)
        station.loop.close()
        assert (await late)[0] == 503
        assert not station.loop.table.open
