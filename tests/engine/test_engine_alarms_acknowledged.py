"""An alarm is listed until it is over and someone has acknowledged it, in either order, also over a restart."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.engine.decisions.alarms import Acknowledge, alarm_events
from controller.engine.decisions.deciders import StaleStep, decide
from controller.engine.decisions.devices import DeviceFound, DeviceMissed, DeviceReport, DevicesConfigured
from controller.engine.decisions.session import OpenTable
from controller.engine.state.alarms import ActiveAlarm, AlarmEvent, AlarmRaised
from controller.engine.state.applied import Event, fold
from controller.engine.state.current import Settings
from controller.engine.state.events import DeviceLost
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import Table
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.refusal import Refusal
from controller.words import english
from tests.engine.playing import PEOPLE, Play, terms
from tests.with_words import with_words

SIGN = "device-sign"
NOT_ANSWERED = "The sign does not answer. Check cable and power; if it stays away, call a technician."


def away(play: Play, reason: str = "unplugged", device: DeviceName = "sign") -> Play:
    play.receive(DeviceMissed(device=device, reason=reason))
    return play


def back(play: Play, device: DeviceName = "sign") -> Play:
    play.receive(DeviceFound(device=device, outage_ms=1, tries=1))
    return play


def listed(play: Play) -> list[dict[str, Any]]:
    """The alarms that everybody sees, their text in English alone."""
    alarms = msgspec.json.decode(play.projection())["alarms"]
    return [{**alarm, "texts": alarm["texts"]["en"]} for alarm in alarms]


def alarm_kinds(play: Play) -> list[str]:
    return [str(event.__struct_config__.tag) for event, _ in play.entries if isinstance(event, AlarmEvent)]


def test_an_alarm_that_is_active_is_listed_with_its_beginning_and_no_one_s_name() -> None:
    play = Play()
    play.now = "20:00"
    away(play)
    assert listed(play) == [
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
        [alarm] = listed(play)
        assert (alarm["since"], alarm["over"], alarm["acknowledged_by"]) == (now, False, None)
        assert (alarm["texts"], alarm["details"]) == (NOT_ANSWERED, reason)
        back(play)
        [alarm] = listed(play)
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
    assert listed(play) == []


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
        [alarm] = listed(play)
        assert (alarm["texts"], alarm["details"], alarm["since"]) == (
            "shuffler: jammed. Clear the jam, or report that the shuffler failed.",
            text,
            "20:00",
        )
    play.say(Acknowledge, alarm="shuffler-jam")
    play.receive(DeviceReport(device="shuffler", what="jam", details="jam at order 3"))
    [alarm] = listed(play)
    assert (alarm["details"], alarm["acknowledged_by"]) == ("jam at order 3", "ana")
    assert alarm_kinds(play) == ["alarm_raised", "alarm_acknowledged"]


def test_what_is_over_has_the_text_with_which_it_was_raised() -> None:
    play = Play()
    for what, text in (("jam", "jam at order 1"), ("jam", "jam at order 2"), ("cleared", "")):
        play.receive(DeviceReport(device="shuffler", what=what, details=text))  # type: ignore[arg-type]
    assert [alarm["details"] for alarm in listed(play)] == ["jam at order 1"]


def test_those_that_are_active_are_listed_before_those_that_are_over() -> None:
    play = Play()
    for device in ("floor", "shoe", "sign"):
        away(play, device=device)
    back(play, "floor")
    assert [alarm["name"] for alarm in listed(play)] == ["device-shoe", "device-sign", "device-floor"]


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
    assert play.step == before and listed(play)[0]["acknowledged_by"] == actor


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
    assert listed(play) == []
    play.receive(DevicesConfigured(devices=("sign", "shoe")))
    assert [(alarm["name"], alarm["over"]) for alarm in listed(play)] == [(SIGN, False)]
    assert alarm_kinds(play) == ["alarm_raised"]


def test_after_a_restart_what_was_active_is_active_and_what_the_configuration_dropped_is_over() -> None:
    play = away(away(Play()), device="shoe")
    play.say(Acknowledge, alarm="device-shoe")
    play.table = msgspec.json.decode(msgspec.json.encode(play.table), type=Table)
    before = listed(play)
    play.receive(DevicesConfigured(devices=("sign", "shoe")))
    assert listed(play) == before and len(before) == 2
    play.receive(DevicesConfigured(devices=()))
    # The shoe's was acknowledged: it is over now, and gone.
    assert [(alarm["name"], alarm["over"]) for alarm in listed(play)] == [(SIGN, True)]


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
    [alarm] = listed(play)
    assert alarm["details"] == "name_unknown" and "host name has no address" in alarm["texts"]
    assert alarm_kinds(play) == ["alarm_raised"]
