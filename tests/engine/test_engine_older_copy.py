"""A floor that has received more than the journal has: no round begins until two persons have settled it."""

from controller.engine.decisions.alarms import Acknowledge
from controller.engine.decisions.devices import BeginEpoch, FloorBeyond
from controller.engine.decisions.session import BeginRound, OpenTable
from controller.engine.state.alarms import AlarmCleared
from controller.engine.state.events import EpochBegun, JournalOvertaken
from tests.engine.playing import Play

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
