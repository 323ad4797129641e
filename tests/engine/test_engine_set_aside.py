"""A message that the broker never takes: a supervisor puts it aside, an alarm says so, and the journal keeps it."""

from contextlib import closing
from pathlib import Path

import msgspec

from controller.engine.decisions.alarms import Acknowledge
from controller.engine.decisions.devices import DeviceFound, DeviceMissed, MessageNotTaken, SetAside
from controller.engine.state.events import MessageSetAside, MessageUntaken
from controller.engine.state.table import Table
from controller.floor.messages import publications
from controller.journal.records import JournalEntry
from tests.engine.playing import IDENTITY, Play
from tests.journal.keeping import batch, open_journal

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
