"""Alarms that are active follow from the table alone, so that they outlive a restart and go when their cause goes."""

from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from controller.engine.decisions.alarms import Acknowledge, alarms
from controller.engine.decisions.betting import ChipPassed
from controller.engine.decisions.devices import (
    BeginEpoch,
    DeviceFound,
    DeviceMissed,
    DeviceReport,
    DevicesConfigured,
    FloorBeyond,
    MessageNotTaken,
    SetAside,
    ShufflerGreeted,
    ShufflerReplaced,
)
from controller.engine.decisions.session import BeginRound, OpenTable, UseSource
from controller.engine.shown.device_orders import react
from controller.engine.shown.projection import project
from controller.engine.shown.prompts import alarm_words, public_alarms
from controller.engine.state.alarms import AlarmCleared, AlarmRaised, level_of
from controller.engine.state.events import EpochBegun, JournalOvertaken, MessageSetAside, MessageUntaken
from controller.engine.state.persons import ShufflerFailed
from controller.engine.state.table import Table
from controller.floor.messages import publications
from controller.journal.records import JournalEntry
from controller.rulebook.parts.faults import DeviceName, LossCause, Trouble
from controller.words import SPOKEN
from tests.engine.places import Places
from tests.engine.playing import IDENTITY, Play
from tests.journal.keeping import batch, open_journal


def names(play: Play) -> list[str]:
    return [alarm.name for alarm in alarms(play.table, play.settings)]


def say(play: Play, device: DeviceName, what: str) -> None:
    play.receive(DeviceReport(device=device, what=what, details="5: draw timed out"))  # type: ignore[arg-type]


def troubled() -> Play:
    """A table with every alarm there is."""
    play = Play().until("begin")
    for _ in range(2):
        play.to_wagers().bet(1, ante=100).lock()
        play.change(ShufflerFailed)
        play.until("begin")
    for device in ("shoe", "slots", "sign", "floor"):
        play.receive(DeviceMissed(device=device, reason="unplugged"))
    say(play, "shuffler", "jam")
    say(play, "shuffler", "lid_opened")
    say(play, "shoe", "error")
    play.receive(ChipPassed(seat=4, counter=99, edges=99))
    return play


EVERY = [
    "device-floor", "device-shoe", "device-sign", "device-slots", "shoe-error", "shuffler-jam", "shuffler-lid",
    "shuffler-failed", "slots-seat-4",
]  # fmt: skip


def test_alarms_that_are_active_are_the_same_after_a_snapshot() -> None:
    play = troubled()
    assert names(play) == EVERY
    restored = msgspec.json.decode(msgspec.json.encode(play.table), type=Table)
    assert restored == play.table and alarms(restored, play.settings) == alarms(play.table, play.settings)
    again = project(restored, react(restored, 2), play.settings)
    assert msgspec.json.encode(again) == play.projection()


def test_what_a_driver_says_is_in_no_alarm_s_text_but_in_its_details() -> None:
    play = troubled()
    play.receive(MessageNotTaken(event=MessageUntaken(7, "t", "p", "[Errno 5] \N{BULLET} refused")))
    listed = {alarm.name: alarm for alarm in public_alarms(play.table, play.settings)}
    assert {listed[f"device-{device}"].details for device in ("shoe", "slots", "sign", "floor")} == {"unplugged"}
    assert listed["shoe-error"].details == listed["shuffler-jam"].details == "5: draw timed out"
    assert listed["message-7-untaken"].details == "[Errno 5] \N{BULLET} refused"
    for alarm in listed.values():
        assert not alarm.details or all(alarm.details not in text for text in alarm.texts.values())
    raised = play.happened(AlarmRaised)
    assert {event.alarm: (event.code, event.details) for event in raised} == {
        name: (alarm.code, alarm.details) for name, alarm in listed.items()
    }


def test_a_link_s_alarm_says_what_is_to_be_done_by_its_cause() -> None:
    texts = set()
    for cause in get_args(LossCause):
        play = Play()
        play.receive(DeviceMissed(device="pit", reason="/dev/x", cause=cause))
        [alarm] = alarms(play.table, play.settings)
        words = alarm_words(alarm.code, alarm.values)
        texts |= {*words.values()}
        assert alarm.details == "/dev/x" and set(words) == {*SPOKEN}
    assert len(texts) == len(SPOKEN) * len(get_args(LossCause)) and not any("/dev/x" in text for text in texts)


def test_every_alarm_has_words_in_both_languages() -> None:
    play = troubled()
    for alarm in alarms(play.table, play.settings):
        words = alarm_words(alarm.code, alarm.values)
        assert words["en"] and words["pt"] and words["en"] != words["pt"]


@pytest.mark.parametrize(
    ("begins", "ends", "name"),
    [
        (("shuffler", "jam"), ("shuffler", "cleared"), "shuffler-jam"),
        (("shuffler", "lid_opened"), ("shuffler", "lid_closed"), "shuffler-lid"),
        (("shoe", "error"), ("shoe", "error_cleared"), "shoe-error"),
        (("shoe", "error"), ("shoe", "restarted"), "shoe-error"),
    ],
)
def test_a_trouble_is_active_until_the_device_says_that_it_is_over(begins: Trouble, ends: Trouble, name: str) -> None:
    play = Play()
    say(play, *begins)
    say(play, *begins)
    assert names(play) == [name]
    say(play, "slots", ends[1])
    assert names(play) == [name]
    say(play, *ends)
    say(play, *ends)
    assert names(play) == []


def test_a_link_s_alarm_goes_when_it_answers_and_when_the_configuration_forgets_the_device() -> None:
    play = Play()
    for device in ("shoe", "slots"):
        play.receive(DeviceMissed(device=device, reason="x"))
        play.receive(DeviceMissed(device=device, reason="y"))
    assert names(play) == ["device-shoe", "device-slots"]
    play.receive(DeviceFound(device="shoe", outage_ms=1, tries=1))
    assert names(play) == ["device-slots"]
    play.receive(DevicesConfigured(devices=("shoe",)))
    assert names(play) == []


def test_the_troubles_of_a_device_that_is_no_longer_there_go_with_it() -> None:
    play = Play()
    troubles: list[Trouble] = [("shoe", "error"), ("shuffler", "jam")]
    for device, what in troubles:
        play.receive(DeviceFound(device=device, outage_ms=1, tries=1))
        say(play, device, what)
    play.receive(DevicesConfigured(devices=("shuffler",)))
    assert names(play) == ["shuffler-jam"]


def test_a_shuffler_switched_on_again_is_no_longer_jammed() -> None:
    play = Play()
    say(play, "shuffler", "jam")
    play.receive(ShufflerGreeted(boot=7, last_order=0))
    assert names(play) == []


def test_the_failed_shuffler_s_alarm_goes_when_it_is_replaced() -> None:
    play = troubled()
    assert "shuffler-failed" in names(play)
    play.say(ShufflerReplaced, "rui")
    assert "shuffler-failed" not in names(play)


@pytest.mark.parametrize(
    ("more", "wanted", "other"),
    [
        ({}, "batch", "continuous"),
        ({"game": "fortune-8", "seat_count": 7, "additional": (), "chip": 0}, "continuous", "batch"),
    ],
    ids=["poker", "fortune-8"],
)
def test_a_shuffler_of_another_kind_is_an_alarm_until_the_right_one_answers(
    more: dict[str, Any], wanted: str, other: str
) -> None:
    play = Play(**more).until("begin")
    for boot, mode in ((1, other), (2, other), (3, wanted), (3, other), (3, wanted)):
        play.receive(ShufflerGreeted(boot=boot, last_order=0, mode=mode))  # type: ignore[arg-type]
        assert ("shuffler-machine" in names(play)) == (mode == other)


# ---- A floor that has received more than the journal has: no round begins until two persons have settled it.


OVERTAKEN = JournalOvertaken("0000-0000", 900, 12)


def test_it_is_reported_once_and_no_round_begins_while_one_that_continues_is_finished() -> None:
    play = Play().to_wagers().bet(1, ante=100)
    assert play.receive(FloorBeyond(event=OVERTAKEN)) == (OVERTAKEN,)
    assert play.receive(FloorBeyond(event=JournalOvertaken("0000-0000", 901, 12))) == ()
    assert play.refused(BeginEpoch, "rui", reason="x", second="ana").reason.code == "round_first"
    play.lock()
    play.finish()
    refusal = play.refused(BeginRound)
    assert (refusal.who, refusal.reason.code, refusal.reason.values) == (
        *("journal", "overtaken"),
        {"message": 900, "known": 12},
    )
    play.say(Acknowledge, "ana", alarm="older-copy")
    assert play.refused(BeginRound).who == "journal", "who has taken note of it has settled nothing"


def test_two_persons_continue_and_the_next_round_begins() -> None:
    play = Play()
    assert play.refused(BeginEpoch, "rui", reason="x", second="ana").reason.code == "not_overtaken"
    play.receive(FloorBeyond(event=OVERTAKEN))
    play.say(OpenTable)
    assert play.refused(BeginEpoch, "ana", reason="x", second="rui").article == "policy: roles"
    for second in ("rui", "mei", "zoe", ""):
        assert play.refused(BeginEpoch, "rui", reason="x", second=second).who == "second"
    assert play.refused(BeginEpoch, "rui", reason=" ", second="ana").who == "reason"
    [event] = play.say(BeginEpoch, "rui", reason="the disk was exchanged", second="ana")
    assert event == EpochBegun(actor="rui", reason="the disk was exchanged", second="ana", second_role="dealer")
    assert play.table.alarms["older-copy"].over
    assert any(isinstance(known, AlarmCleared) for known, _ in play.entries)
    play.say(BeginRound)


# ---- A message that the broker never takes: a supervisor puts it aside, an alarm says so, and the journal keeps it.


UNTAKEN = MessageUntaken(7, "dealer/site/t1/rounds", '{"long":true}', "the broker takes packets of 1500 at most")
ASIDE = "message-7-aside"


def untaken() -> Play:
    play = Play()
    play.receive(DeviceMissed(device="floor", reason=UNTAKEN.details))
    assert play.receive(MessageNotTaken(event=UNTAKEN)) == (UNTAKEN,)
    return play


def listed(play: Play) -> dict[str, bool]:
    return {name: kept.over for name, kept in play.table.alarms.items()}


def test_a_message_that_is_not_taken_is_reported_once_with_an_alarm_until_the_broker_takes_it() -> None:
    play = untaken()
    assert play.receive(MessageNotTaken(event=UNTAKEN)) == (), "also after a restart of the station"
    assert listed(play) == {"device-floor": False, "message-7-untaken": False}
    play.receive(DeviceFound(device="sign", outage_ms=1, tries=1))
    assert listed(play)["message-7-untaken"] is False
    play.receive(DeviceFound(device="floor", outage_ms=1, tries=1))
    assert listed(play) == {"device-floor": True, "message-7-untaken": True}
    assert play.refused(SetAside, "rui", message=7, reason="too long").who == "message"


def test_a_supervisor_puts_it_aside_with_a_reason_and_an_alarm_is_active_until_someone_acknowledges_it() -> None:
    play = untaken()
    assert play.refused(SetAside, "ana", message=7, reason="too long").article == "policy: roles"
    assert play.refused(SetAside, "rui", message=7, reason=" ").article == "policy: documented adjustment"
    refusal = play.refused(SetAside, "rui", message=8, reason="too long")
    assert (refusal.who, refusal.article) == ("message", "policy: a message that no broker takes")
    events = play.say(SetAside, "rui", message=7, reason=" too long ")
    assert events == (MessageSetAside(7, UNTAKEN.topic, "rui", "too long"),)
    assert listed(play) == {"device-floor": False, "message-7-untaken": True, ASIDE: False}
    play.receive(DeviceFound(device="floor", outage_ms=1, tries=1))
    assert listed(play)[ASIDE] is False
    play.say(Acknowledge, "ana", alarm=ASIDE)
    assert ASIDE not in listed(play) and play.table.aside == ()
    assert play.refused(SetAside, "rui", message=7, reason="too long").who == "message"


def test_the_floor_is_notified_of_it_without_the_message_itself() -> None:
    [published] = publications(IDENTITY, UNTAKEN, Table(), Table(), 9, "now")
    content = msgspec.json.decode(published.payload)["data"]
    assert (content["sequence"], content["message"]) == (10, 7) and content["details"] and "payload" not in content


def test_it_leaves_the_outbox_with_the_decision_and_stays_in_the_journal(tmp_path: Path) -> None:
    with closing(open_journal(tmp_path / "j.db")) as journal:
        journal.commit(batch(outbox=[(6, b"6"), (7, b"7"), (8, b"8")][0:0]))
        journal.commit(batch([JournalEntry(event=UNTAKEN)], outbox=[(number, b"x") for number in range(1, 10)]))
        aside = MessageSetAside(7, UNTAKEN.topic, "rui", "too long")
        journal.commit(batch([JournalEntry(event=aside)], outbox=[(10, b"x")]), acknowledged=4)
        assert [row.sequence for row in journal.outbox(0, 10)] == [8, 9, 10]
        journal.forget(8)
        assert journal.restore().table.aside
        assert [row.sequence for row in journal.outbox(0, 10)] == [9, 10]


def level_of_lost(play: Play, device: str) -> str:
    [found] = [alarm.level for alarm in public_alarms(play.table, play.settings) if alarm.name == f"device-{device}"]
    return found


def test_a_device_from_which_no_cards_come_is_a_warning_and_critical_as_soon_as_they_do() -> None:
    play = Play().until("begin")
    play.receive(DeviceMissed(device="shoe", reason="unplugged", cause="unplugged"))
    assert level_of_lost(play, "shoe") == "warning"
    [alarm] = alarms(play.table, play.settings)
    assert alarm_words(alarm.code, alarm.values)["en"].endswith("Check cable and power. Play continues without it.")
    play.say(Acknowledge, alarm="device-shoe")
    play.say(UseSource, source="shoe")
    assert level_of_lost(play, "shoe") == "critical"
    assert play.table.alarms["device-shoe"].acknowledged_by is None, "what was acknowledged was a warning"
    assert [level_of(alarm.code, alarm.values) for alarm in play.happened(AlarmRaised)] == ["warning", "critical"]
    assert len(play.happened(AlarmCleared)) == 1
    play.say(Acknowledge, alarm="device-shoe")
    play.say(UseSource, source="shuffler")
    assert level_of_lost(play, "shoe") == "warning" and not play.happened(AlarmRaised)[2:]
    assert play.table.alarms["device-shoe"].acknowledged_by is not None


def test_a_shuffler_from_which_no_cards_come_is_a_warning_whatever_is_wrong_with_it() -> None:
    play = troubled()
    play.receive(DeviceMissed(device="shuffler", reason="unplugged"))

    def levels() -> dict[str, str]:
        shown = public_alarms(play.table, play.settings)
        return {alarm.name: alarm.level for alarm in shown if "shuffler" in alarm.name and alarm.level != "information"}

    assert set(levels().values()) == {"critical"} and len(levels()) == 3
    play.say(UseSource, source="shoe")
    assert set(levels().values()) == {"warning"} and len(levels()) == 3


def test_tiles_are_dealt_by_hand_without_a_reader() -> None:
    play = Places().until("begin")
    play.receive(DeviceMissed(device="shoe", reason="unplugged"))
    [lost] = alarms(play.table, play.settings)
    assert level_of(lost.code, lost.values) == "warning"
