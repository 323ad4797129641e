"""Alarms as the one consumer keeps them: journaled with every input, over failures and restarts, and read back."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.engine.decisions import deciders
from controller.engine.decisions.alarms import Acknowledge
from controller.engine.decisions.deciders import decide
from controller.engine.decisions.devices import DeviceFound, DeviceMissed
from controller.engine.decisions.session import OpenTable
from controller.engine.outcomes import JournalBroken, JournalUnreadable
from controller.engine.shown.prompts import alarm_words
from controller.engine.state.alarms import AlarmAcknowledged, AlarmCleared, AlarmEvent, AlarmRaised
from controller.engine.state.events import DeviceLost, DeviceUp
from controller.floor.published import event_data
from controller.journal.records import DeviceMark, JournalEntry
from controller.queries.alarms import last_alarms
from controller.queries.register import register
from controller.runtime.bus import FromStation, FromWire
from controller.runtime.translation import Translator
from controller.runtime.view import answer_octets
from drivers.messages import LinkUp, ShuffleDone
from tests.engine.playing import IDENTITY, Play
from tests.journal.keeping import STAMP, batch, entries_of, open_journal, tamper
from tests.journal.test_journal_loop import Running, opening, running

SIGN = "device-sign"


def acknowledge(name: str, alarm: str = SIGN, actor: str = "mei") -> Acknowledge:
    return Acknowledge(input_id=name, step_id="table", actor=actor, alarm=alarm)


def listed(station: Running) -> list[tuple[str, bool, str | None]]:
    return [(alarm["name"], alarm["over"], alarm["acknowledged_by"]) for alarm in station.alarms]


async def happened(station: Running, *kinds: str) -> None:
    """Wait until these, of all that happens to alarms, have become durable, and nothing else has."""

    def seen() -> list[str]:
        events = [event for committed in station.committed for event in committed.events]
        return [str(event.__struct_config__.tag) for event in events if isinstance(event, AlarmEvent)]

    await station.until(lambda: len(seen()) >= len(kinds))
    assert seen() == list(kinds)


async def link(station: Running, up: bool) -> None:
    input = DeviceFound(device="sign", outage_ms=1, tries=1) if up else DeviceMissed(device="sign", reason="silent")
    station.loop.receive(FromStation(input=input))
    kind = DeviceUp if up else DeviceLost
    await station.until(lambda: any(isinstance(event, kind) for commit in station.committed for event in commit.events))


async def test_what_is_active_is_journaled_with_the_input_that_brought_it_about_and_reported_to_the_floor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await link(station, up=False)
        [committed] = [row for row in station.committed if any(isinstance(event, AlarmRaised) for event in row.events)]
        lost, raised = committed.events[-2:]
        assert isinstance(lost, DeviceLost) and isinstance(raised, AlarmRaised)
        assert [row.topic.rpartition("/")[2] for row in committed.outbox[-2:]] == ["device_lost", "alarm_raised"]
        assert raised.at == json.loads(committed.outbox[-1].payload)["time"] and raised.at.endswith("Z")
        assert [(alarm["name"], alarm["since"]) for alarm in station.alarms] == [(SIGN, raised.at)]


async def test_an_acknowledgement_repeated_is_answered_the_same_and_another_one_is_refused_also_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await link(station, up=False)
        first = await station.say(acknowledge("a"))
        assert first[0] == 200 and await station.say(acknowledge("a")) == first
        assert listed(station) == [(SIGN, False, "mei")]
    async with running(tmp_path, monkeypatch) as station:
        assert listed(station) == [(SIGN, False, "mei")]
        assert await station.say(acknowledge("a")) == first
        status, body = await station.say(acknowledge("b", actor="ana"))
        assert (status, body["error"], body["who"]) == (422, "refused", "alarm")
        assert body["reason"] == "mei has acknowledged device-sign already"
        await link(station, up=True)
        await happened(station, "alarm_cleared")
        assert listed(station) == []


async def test_what_was_over_before_a_power_cut_waits_to_be_acknowledged_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await link(station, up=False)
        await link(station, up=True)
        assert listed(station) == [(SIGN, True, None)]
        since = station.alarms[0]["since"]
    async with running(tmp_path, monkeypatch) as station:
        assert listed(station) == [(SIGN, True, None)] and station.alarms[0]["since"] == since
        assert (await station.say(acknowledge("a")))[0] == 200
        assert listed(station) == []


async def test_in_a_list_acknowledgements_are_taken_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await link(station, up=False)
        await link(station, up=True)
        table = station.loop.table
        status, body = await station.say(acknowledge("a"), acknowledge("b"))  # gone with the first
        assert (status, body["reason"]) == (422, "'device-sign' is not listed; listed: none")
        assert station.loop.table == table and listed(station) == [(SIGN, True, None)]
        status, _ = await station.say(acknowledge("c"), acknowledge("d", "journal"))
        assert status == 422 and station.loop.table == table
        assert (await station.say(acknowledge("e", actor="ana"), opening("f")))[0] == 200
        assert listed(station) == [] and station.step == "1/begin"


async def test_a_journal_that_could_not_be_written_says_afterwards_since_when_and_until_when(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await station.until(lambda: station.loop.table.meter is not None)
        for again in ("a", "b"):
            station.fails = 2
            assert (await station.say(opening(again)))[0] == 503
            [alarm] = station.alarms
            assert (alarm["name"], alarm["over"], alarm["acknowledged_by"]) == ("journal", False, None)
            assert set(alarm["texts"]) == {"en", "pt", "zh"} and "no space left" in alarm["details"]
            await station.until(lambda: not station.active_alarms)  # with nothing to be written but this
            [over] = station.alarms
            assert over == {**alarm, "over": True}
        await happened(station, "alarm_raised", "alarm_cleared", "alarm_raised", "alarm_cleared")
        assert (await station.say(acknowledge("c", "journal")))[0] == 200
        assert station.alarms == []
        restored = station.writer.journal.restore().table
        assert restored == station.loop.table and restored.alarms == {}
    first, second = reversed(last_alarms(tmp_path / "j.db", "simulation", 9))
    assert first.alarm == second.alarm == "journal" and first.acknowledged is None
    assert first.cleared is not None and first.raised <= first.cleared <= second.raised
    assert (second.acknowledged_by, second.acknowledged is not None) == ("mei", True)


async def test_a_defect_is_reported_once_and_is_active_until_it_is_acknowledged_also_over_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def defective(*args: Any) -> Any:
        if isinstance(args[1], OpenTable):
            raise ZeroDivisionError("As")
        return decide(*args)

    monkeypatch.setattr(deciders, "decide", defective)
    async with running(tmp_path, monkeypatch) as station:
        await station.until(lambda: station.loop.table.meter is not None)
        for name in ("a", "b"):
            status, body = await station.say(opening(name))
            assert (status, body["error"]) == (500, "defect")
            assert listed(station) == [("defect", False, None)]
        assert station.alarms[0]["details"].startswith("OpenTable: test_journal_alarms.py:")
        await link(station, up=True)
        await happened(station, "alarm_raised")
        assert not station.loop.table.open
    async with running(tmp_path, monkeypatch) as station:
        assert listed(station) == [("defect", False, None)]
        assert (await station.say(acknowledge("c", "defect")))[0] == 200
        await happened(station, "alarm_acknowledged", "alarm_cleared")
        assert listed(station) == []
        assert (await station.say(opening("d")))[0] == 500
        assert listed(station) == [("defect", False, None)]


async def test_a_message_of_a_device_that_is_a_defect_is_dropped_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = Translator.inputs

    def defective(*args: Any) -> Any:
        if isinstance(args[2], ShuffleDone):
            raise ZeroDivisionError("As")
        return inputs(*args)

    monkeypatch.setattr(Translator, "inputs", defective)
    async with running(tmp_path, monkeypatch) as station:
        await station.until(lambda: station.loop.table.meter is not None)
        mark = DeviceMark(device="shuffler", boot=1, sequence=5)
        station.loop.receive(FromWire(device="shuffler", message=ShuffleDone(order=1, count=52), mark=mark))
        await happened(station, "alarm_raised")
        assert station.committed[-1].marks == (mark,) and listed(station) == [("defect", False, None)]
        await station.wire(LinkUp(outage_seconds=0.0, tries=1))
        await station.until(lambda: "shuffler" in station.loop.table.devices)


# ---- read back


def kept(path: Path, *alarms: AlarmEvent) -> Path:
    """A journal of a little play with these events behind it."""
    journal = open_journal(path)
    journal.commit(batch([*entries_of(Play().to_wagers()), *(JournalEntry(event=alarm) for alarm in alarms)]))
    journal.close()
    return path


def raised(alarm: str, at: str) -> AlarmRaised:
    return AlarmRaised(alarm=alarm, code="unwritable", values={}, at=at, details="[Errno 28]")


def test_the_last_alarms_are_read_newest_first_each_with_its_own_end_and_acknowledgement(tmp_path: Path) -> None:
    path = kept(
        tmp_path / "j.db",
        raised("a", "1"), raised("b", "2"), AlarmCleared("a", "3"), AlarmAcknowledged("a", "ana"),
        raised("a", "4"), AlarmCleared("a", "5"), raised("c", "6"), AlarmAcknowledged("c", "mei"),
        raised("a", "7"), AlarmCleared("a", "8"), AlarmAcknowledged("a", "rui"), AlarmCleared("b", "9"),
    )  # fmt: skip
    rows = msgspec.to_builtins(last_alarms(path, "simulation", 100))
    assert [(row.pop("text"), row.pop("details")) for row in rows] == [
        (alarm_words("unwritable", {}), "[Errno 28]") for row in rows
    ]
    noted = STAMP.time
    assert rows == [
        {"alarm": "a", "raised": "7", "cleared": "8", "acknowledged": noted, "acknowledged_by": "rui"},
        {"alarm": "c", "raised": "6", "cleared": None, "acknowledged": noted, "acknowledged_by": "mei"},
        {"alarm": "a", "raised": "4", "cleared": "5", "acknowledged": None, "acknowledged_by": None},
        {"alarm": "b", "raised": "2", "cleared": "9", "acknowledged": None, "acknowledged_by": None},
        {"alarm": "a", "raised": "1", "cleared": "3", "acknowledged": noted, "acknowledged_by": "ana"},
    ]
    newest = last_alarms(path, "simulation", 2)
    assert [(row.alarm, row.raised) for row in newest] == [("a", "7"), ("c", "6")]


def test_a_journal_that_cannot_be_read_or_was_changed_is_reported(tmp_path: Path) -> None:
    path = kept(tmp_path / "j.db", raised("a", "1"), AlarmAcknowledged("a", "ana"))
    assert isinstance(answer_octets(lambda: last_alarms(tmp_path / "none.db", "simulation", 100)), JournalUnreadable)
    last = "id = (SELECT max(id) FROM events)"
    tamper(path, (f"UPDATE events SET body = CAST(replace(body, 'ana', 'rui') AS BLOB) WHERE {last}", ()))
    assert isinstance(answer_octets(lambda: last_alarms(path, "simulation", 100)), JournalBroken)


def test_an_alarm_of_another_version_of_the_software_is_read_by_its_code(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = open_journal(path)
    raised = AlarmRaised("x", "of_a_later_version", {"count": 3}, STAMP.time)
    journal.commit(batch([JournalEntry(event=raised), JournalEntry(event=AlarmAcknowledged("x", "ana"))]))
    journal.close()
    (logged,) = last_alarms(path, "simulation", 5)
    (entry,) = register(path, IDENTITY)
    for text in (
        logged.text["en"],
        entry.text["en"],
        msgspec.to_builtins(event_data(raised, None, None, {}, 2))["texts"]["en"],
    ):
        assert "does not know: of_a_later_version." in text
