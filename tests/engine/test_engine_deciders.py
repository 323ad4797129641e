"""The table of who may do what when: whole, of known games and steps; and the course that a decider writes to."""

from collections import Counter
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import asdict

from controller.engine import decisions
from controller.engine.decisions import decision
from controller.engine.decisions.alarms import Acknowledge
from controller.engine.decisions.corrections import DecideComplaint
from controller.engine.decisions.deciders import OF_PLAY, ROWS, decide, row_of, step_answered, step_ids
from controller.engine.decisions.decision import Course, DeviceInput
from controller.engine.decisions.jackpot import ApproveParameters, ConfirmHit, PrintSlip
from controller.engine.decisions.law import ApproveRegulation
from controller.engine.decisions.played import Decide
from controller.engine.state.applied import Event, apply
from controller.engine.state.events import CutCardOut, DealerNotified, DeviceLost
from controller.engine.state.persons import CorrectWager, PersonInput, VoidRound
from controller.engine.state.table import Table, next_step
from controller.rulebook.cards import Card
from controller.rulebook.events import EventBase
from controller.rulebook.games import GAMES, game_of
from controller.rulebook.steps import StepKind
from tests.docs.who_may_do_what import steps_named
from tests.engine import playing
from tests.engine.hands import Hands
from tests.engine.playing import Play, stacked_for

KINDS = set(get_args(StepKind))


def inputs(base: type[Any]) -> set[type[Any]]:
    """The kinds that the engine defines: those of which no other is made."""
    kinds = base.__subclasses__()
    return set().union(*map(inputs, kinds)) if kinds else {base}


def test_each_input_is_decided_in_one_topic() -> None:
    modules = [import_module(f"{decisions.__name__}.{name}") for _, name, _ in iter_modules(decisions.__path__)]
    topics = [rows for module in modules if (rows := vars(module).get("ROWS", ROWS)) is not ROWS]
    assert max(Counter(kind for rows in topics for kind in rows).values()) == 1


def test_every_input_has_a_row_and_what_a_kind_of_play_has_of_its_own_replaces_one() -> None:
    assert set(ROWS) == inputs(PersonInput) | inputs(DeviceInput)
    for own in OF_PLAY.values():
        assert set(own) < set(ROWS)


def test_the_union_of_events_has_every_event() -> None:
    """What `mypy` takes for it, the base of them all, means the same."""
    assert set(get_args(Event)) == inputs(EventBase)


def test_every_step_that_a_row_names_is_one() -> None:
    for rows in (ROWS, *OF_PLAY.values()):
        for input, row in rows.items():
            assert steps_named(row) <= KINDS
            assert issubclass(input, PersonInput) or not (steps_named(row) or row.only or row.any_role or row.answers)


def test_a_row_of_a_kind_of_play_holds_in_its_rounds_alone() -> None:
    play = Hands()
    decide = Decide(input_id="a", step_id="", actor="ana", seat=1, decision="hit")
    assert row_of(play.table, decide) is ROWS[Decide]
    play.until("wagers")
    assert row_of(play.table, decide) is OF_PLAY[type(play.round.play)][Decide]
    assert row_of(Play().to_wagers().table, decide) is ROWS[Decide]


def test_what_answers_another_step_than_the_tables_is_reported_with_the_fields_it_takes_from_the_input() -> None:
    play = Play().to_wagers()
    ids = step_ids(play.table)
    about = {"input_id": "a", "actor": "ana"}
    for input in (
        Acknowledge(**about, step_id="table", alarm="journal"),
        VoidRound(**about, step_id="1/report", reason="x"),
        CorrectWager(**about, step_id="1/correct", seat=1, wager="ante", amount=0, reason="x"),
        ConfirmHit(**about, step_id="hit/7", hit=7),
        ApproveParameters(**about, step_id="parameters/2", number=2),
        ApproveRegulation(**about, step_id="regulation/94/2025", act="94/2025"),
        PrintSlip(**about, step_id="slip/4", slip=4),
        DecideComplaint(**about, step_id="complaint/3", complaint=3, outcome="unchanged", reason="x"),
    ):
        template = ids.pop(str(input.__struct_config__.tag))
        assert template.format(**asdict(input)) == input.step_id == step_answered(play.table, input)
    assert {kind for kind in ids if "{" in ids[kind]} == set() and "lock_in" not in ids


LOST = DeviceLost(device="sign", reason="unplugged", cause="unplugged")


def course_at(play: Play) -> Course:
    return Course(play.table, play.settings, play.vault, "dealer")


def test_a_course_shows_the_table_after_what_was_recorded() -> None:
    play = Play().to_wagers()
    course = course_at(play)
    assert course.table is play.table and course.round is play.round and course.step == play.step
    course.record(LOST)
    assert course.table == apply(play.table, LOST)
    course.notify("cut_card", 2, "x")
    notified = DealerNotified(notice="cut_card", seat=2, text="x")
    assert course.table == apply(apply(play.table, LOST), notified)
    course.draw({1: Card("As")})
    course.draw({2: None})
    found = course.decision()
    assert (found.events, found.drawn) == ((LOST, notified), {1: Card("As"), 2: None})
    assert list(found.tables) == [apply(play.table, LOST), course.table]


def test_what_was_recorded_is_applied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[Event] = []

    def watched(table: Table, event: Event) -> Table:
        applied.append(event)
        return apply(table, event)

    course = course_at(Play().to_wagers())
    monkeypatch.setattr(decision, "apply", watched)
    course.record(LOST)
    assert course.table is course.table and course.round and applied == [LOST]
    course.record(cut := CutCardOut(actor=None))
    assert course.step and course.game and course.decision().events == (LOST, cut) == tuple(applied)


def test_between_two_rounds_and_without_a_meter_there_is_neither() -> None:
    course = course_at(Play(chip=0))
    with pytest.raises(TypeError):
        _ = course.round
    with pytest.raises(TypeError):
        _ = course.meter
    assert course.game is GAMES[course.settings.terms.game]


def test_a_decision_names_no_card() -> None:
    play = Play()
    course = course_at(play)
    course.draw({1: Card("As")})
    assert "As" not in repr(course.decision()) and "As" not in repr(course)


def test_the_tables_of_a_decision_are_what_its_events_come_to(monkeypatch: pytest.MonkeyPatch) -> None:
    decided: list[tuple[Table, decision.Decision]] = []

    def watched(table: Table, *asked: Any) -> decision.Decision:
        found = decide(table, *asked)
        decided.append((table, found))
        return found

    monkeypatch.setattr(playing, "decide", watched)
    play = Play(stacked_for("shoe", *("As Ks Qs", "2c 3c 5d", "9h 9d 9c", "7h 7d 2h", "Th 8h 4s")), source="shoe")
    play.to_wagers().bet(1, ante=100).bet(4, ante=100, pair_plus=100).bet(6, ante=100).chips(4)
    play.lock()
    play.until("decisions").decisions(seat_6="fold").until("claims")
    for table, found in decided:
        for event, after in zip(found.events, found.tables, strict=True):
            table = apply(table, event)
            again = msgspec.json.decode(msgspec.json.encode(table), type=Table)  # with nothing kept
            assert after == table == again
            assert next_step(after) == next_step(again)
            if after.round is not None and again.round is not None:
                assert game_of(after.round).placed(after.round) == game_of(again.round).placed(again.round)
    assert sum(len(found.events) for _, found in decided) > 30
