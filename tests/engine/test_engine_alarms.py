"""Alarms that are active follow from the table alone, so that they outlive a restart and go when their cause goes."""

from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.engine.decisions.alarms import Acknowledge, alarm_events, alarms
from controller.engine.decisions.betting import ChipPassed
from controller.engine.decisions.deciders import StaleStep, decide
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
from controller.engine.state.alarms import ActiveAlarm, AlarmCleared, AlarmEvent, AlarmRaised, level_of
from controller.engine.state.applied import Event, fold
from controller.engine.state.current import Settings
from controller.engine.state.events import DeviceLost, EpochBegun, JournalOvertaken, MessageSetAside, MessageUntaken
from controller.engine.state.persons import PersonInput, ShufflerFailed
from controller.engine.state.table import Table
from controller.floor.messages import publications
from controller.journal.records import JournalEntry
from controller.rulebook.parts.faults import DeviceName, LossCause, Trouble
from controller.rulebook.refusal import Refusal
from controller.words import SPOKEN, english
from tests.engine.places import Places
from tests.engine.playing import IDENTITY, PEOPLE, Play, terms
from tests.journal.keeping import batch, open_journal
from tests.with_words import with_words


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


# ---- An alarm is listed until it is over and someone has acknowledged it, in either order, also over a restart


SIGN = "device-sign"
NOT_ANSWERED = "The sign does not answer. Check cable and power; if it stays away, call a technician."


def away(play: Play, reason: str = "unplugged", device: DeviceName = "sign") -> Play:
    play.receive(DeviceMissed(device=device, reason=reason))
    return play


def back(play: Play, device: DeviceName = "sign") -> Play:
    play.receive(DeviceFound(device=device, outage_ms=1, tries=1))
    return play


def listed_for_all(play: Play) -> list[dict[str, Any]]:
    """The alarms that everybody sees, their text in English alone."""
    alarms = msgspec.json.decode(play.projection())["alarms"]
    return [{**alarm, "texts": alarm["texts"]["en"]} for alarm in alarms]


def alarm_kinds(play: Play) -> list[str]:
    return [str(event.__struct_config__.tag) for event, _ in play.entries if isinstance(event, AlarmEvent)]


def test_an_alarm_that_is_active_is_listed_with_its_beginning_and_no_one_s_name() -> None:
    play = Play()
    play.now = "20:00"
    away(play)
    assert listed_for_all(play) == [
        {
            "name": SIGN, "level": "warning", "code": "device_lost/unknown",
            "texts": NOT_ANSWERED, "since": "20:00", "over": False, "acknowledged_by": None,
            "details": "unplugged",
        },
    ]  # fmt: skip
    [event] = play.happened(AlarmRaised)
    assert event == AlarmRaised(SIGN, "device_lost/unknown", {"device": "sign"}, "20:00", "unplugged")


def test_what_comes_again_before_it_was_acknowledged_is_active_again_and_is_acknowledged_again() -> None:
    play = Play()
    for now, reason in (("20:00", "unplugged"), ("21:00", "broken")):
        play.now = now
        away(play, reason)
        [alarm] = listed_for_all(play)
        assert (alarm["since"], alarm["over"], alarm["acknowledged_by"]) == (now, False, None)
        assert (alarm["texts"], alarm["details"]) == (NOT_ANSWERED, reason)
        back(play)
        [alarm] = listed_for_all(play)
        assert (alarm["since"], alarm["over"]) == (now, True)
    assert alarm_kinds(play) == ["alarm_raised", "alarm_cleared"] * 2


def test_a_person_who_saw_the_one_before_does_not_acknowledge_the_one_that_came_again() -> None:
    play = Play()
    for now in ("20:00", "21:00"):
        play.now = now
        away(play)
        back(play)
    assert "has come again" in english(play.refused(Acknowledge, alarm=SIGN, since="20:00").reason)
    play.say(Acknowledge, alarm=SIGN, since="21:00")
    assert listed_for_all(play) == []


@pytest.mark.parametrize(
    ("device", "report"),
    [
        ("slots", ("The slots do not answer.", "O leitor das ranhuras não responde.", "籌碼槽沒有回應。")),
        ("floor", ("The floor does not answer.", "A sala não responde.", "場務系統沒有回應。")),
    ],
)
def test_a_device_that_does_not_answer_has_its_name_in_every_language(
    device: DeviceName, report: tuple[str, str, str]
) -> None:
    play = away(Play(), "off", device=device)
    [alarm] = msgspec.json.decode(play.projection())["alarms"]
    for text, begins in zip(alarm["texts"].values(), report, strict=True):
        assert text.startswith(begins)


def test_another_text_of_what_is_active_is_shown_and_is_no_new_alarm() -> None:
    play = Play()
    for now, text in (("20:00", "jam at order 1"), ("21:00", "jam at order 2")):
        play.now = now
        play.receive(DeviceReport(device="shuffler", what="jam", details=text))
        [alarm] = listed_for_all(play)
        assert (alarm["texts"], alarm["details"], alarm["since"]) == (
            "shuffler: jammed. Clear the jam, or report that the shuffler failed.",
            text,
            "20:00",
        )
    play.say(Acknowledge, alarm="shuffler-jam")
    play.receive(DeviceReport(device="shuffler", what="jam", details="jam at order 3"))
    [alarm] = listed_for_all(play)
    assert (alarm["details"], alarm["acknowledged_by"]) == ("jam at order 3", "ana")
    assert alarm_kinds(play) == ["alarm_raised", "alarm_acknowledged"]


def test_what_is_over_has_the_text_with_which_it_was_raised() -> None:
    play = Play()
    for what, text in (("jam", "jam at order 1"), ("jam", "jam at order 2"), ("cleared", "")):
        play.receive(DeviceReport(device="shuffler", what=what, details=text))  # type: ignore[arg-type]
    assert [alarm["details"] for alarm in listed_for_all(play)] == ["jam at order 1"]


def test_those_that_are_active_are_listed_before_those_that_are_over() -> None:
    play = Play()
    for device in ("floor", "shoe", "sign"):
        away(play, device=device)
    back(play, "floor")
    assert [alarm["name"] for alarm in listed_for_all(play)] == ["device-shoe", "device-sign", "device-floor"]


@pytest.mark.parametrize("actor", ["ana", "rui", "mei"])
@pytest.mark.parametrize("step", ["open", "wagers", "deal"])
def test_any_person_of_the_table_acknowledges_whatever_step_it_waits_for(actor: str, step: str) -> None:
    play = away(Play())
    if step != "open":
        play.to_wagers()
    if step == "deal":
        play.bet(1, ante=100).lock()
    before = play.step
    play.say(Acknowledge, actor, alarm=SIGN)
    assert play.step == before and listed_for_all(play)[0]["acknowledged_by"] == actor


def test_a_technician_has_no_other_act_and_no_one_unknown_has_this_one() -> None:
    play = away(Play())
    assert play.refused(OpenTable, "mei").article == "policy: roles"
    assert play.refused(Acknowledge, "eva", alarm=SIGN).article == "policy: named actors"
    both: list[PersonInput] = [
        Acknowledge(input_id="a", step_id="table", actor="mei", alarm=SIGN),
        OpenTable(input_id="b", step_id="open/1", actor="mei"),
    ]
    with pytest.raises(Refusal, check=with_words("mei is a technician")):
        play.check(*both)


def test_it_answers_the_table_and_no_step() -> None:
    play = away(Play())
    with pytest.raises(StaleStep) as stale:
        play.check(Acknowledge(input_id="a", step_id="open/1", actor="ana", alarm=SIGN))
    assert stale.value.current == "table"


def test_what_is_not_listed_or_was_acknowledged_already_is_refused_with_the_reason() -> None:
    play = Play()
    refusal = play.refused(Acknowledge, alarm="device-sing")
    assert (refusal.who, english(refusal.reason)) == ("alarm", "'device-sing' is not listed; listed: none")
    away(away(play), device="shoe")
    assert english(play.refused(Acknowledge, alarm="device-sing").reason).endswith("listed: device-sign, device-shoe")
    play.say(Acknowledge, "mei", alarm=SIGN)
    for actor in ("mei", "ana"):
        refusal = play.refused(Acknowledge, actor, alarm=SIGN)
        assert english(refusal.reason) == "mei has acknowledged device-sign already"
        assert refusal.article == "policy: alarms stay until they are acknowledged"
    back(play)
    assert english(play.refused(Acknowledge, alarm=SIGN).reason).endswith("listed: device-shoe")


def test_a_journal_from_before_alarms_were_kept_raises_what_is_active_at_the_first_input() -> None:
    play = away(away(Play()), device="shoe")
    back(play, "shoe")
    old = [event for event, _ in play.entries if not isinstance(event, AlarmEvent)]
    play.table, play.entries = fold(Table(), old), []
    assert listed_for_all(play) == []
    play.receive(DevicesConfigured(devices=("sign", "shoe")))
    assert [(alarm["name"], alarm["over"]) for alarm in listed_for_all(play)] == [(SIGN, False)]
    assert alarm_kinds(play) == ["alarm_raised"]


def test_after_a_restart_what_was_active_is_active_and_what_the_configuration_dropped_is_over() -> None:
    play = away(away(Play()), device="shoe")
    play.say(Acknowledge, alarm="device-shoe")
    play.table = msgspec.json.decode(msgspec.json.encode(play.table), type=Table)
    before = listed_for_all(play)
    play.receive(DevicesConfigured(devices=("sign", "shoe")))
    assert listed_for_all(play) == before and len(before) == 2
    play.receive(DevicesConfigured(devices=()))
    # The shoe's was acknowledged: it is over now, and gone.
    assert [(alarm["name"], alarm["over"]) for alarm in listed_for_all(play)] == [(SIGN, True)]


NAMES = ("a", "b", "c")


def noticed(table: Table, name: str) -> tuple[Event, ...]:
    answer = Acknowledge(input_id="a", step_id="table", actor="ana", alarm=name)
    return decide(table, answer, Settings(terms=terms(), people=PEOPLE), {}).events


@given(st.lists(st.tuples(st.sets(st.sampled_from(NAMES)), st.sets(st.sampled_from(NAMES))), max_size=12))
def test_nothing_leaves_the_list_but_what_is_over_and_acknowledged(course: list[tuple[set[str], set[str]]]) -> None:
    table = Table()
    since: dict[str, str] = {}  # of each beginning that remains, or that no one has acknowledged
    noted: set[str] = set()
    before: set[str] = set()
    for now, (names, acknowledged) in enumerate(course):
        active = [ActiveAlarm(name, "doubtful_sensor", {"seat": now}) for name in sorted(names)]
        table = fold(table, alarm_events(table.alarms, active, str(now)))
        for name in names - before:
            since[name] = str(now)
        for name in acknowledged & set(table.alarms) - noted:
            table = fold(table, noticed(table, name))
            noted.add(name)
        gone = {name for name in noted if name not in names}
        noted -= gone
        since = {name: at for name, at in since.items() if name not in gone}
        before = names
        assert {name: kept.since for name, kept in table.alarms.items()} == since
        assert {name for name, kept in table.alarms.items() if kept.over} == set(since) - names
        assert {name for name, kept in table.alarms.items() if kept.acknowledged_by} == noted
        assert all(kept.values == {"seat": int(kept.since)} for kept in table.alarms.values())
        assert list(alarm_events(table.alarms, active, "later")) == []
        for name in set(NAMES) - set(since) | noted:
            with pytest.raises(Refusal):
                noticed(table, name)


def test_another_cause_of_a_loss_is_in_the_alarm_and_is_no_other_loss() -> None:
    play = away(Play(), "the other end hung up")
    for cause in ("nothing_listens", "nothing_listens", "name_unknown"):
        play.receive(DeviceMissed(device="sign", reason=cause, cause=cause))
    lost = [(event.cause, event.again) for event, _ in play.entries if isinstance(event, DeviceLost)]
    assert lost == [("unknown", False), ("nothing_listens", True), ("name_unknown", True)]
    [alarm] = listed_for_all(play)
    assert alarm["details"] == "name_unknown" and "host name has no address" in alarm["texts"]
    assert alarm_kinds(play) == ["alarm_raised"]
