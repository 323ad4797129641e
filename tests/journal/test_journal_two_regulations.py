"""A journal from October to December 2025: each round by the regulation in force when it began (94/2025)."""

import pytest
from msgspec.structs import replace

from controller.engine.decisions.law import ApproveRegulation
from controller.engine.decisions.session import BeginRound
from controller.engine.recorded import Difference, Replay, Written
from controller.engine.state.law import RegulationChanged, RegulationScheduled
from controller.engine.state.table import Table
from controller.rulebook.events import RoundBegun, RoundSettled
from controller.rulebook.refusal import Refusal
from tests.engine.playing import Play, stacked
from tests.referee.rules.dates import act_at

TRIO, FLUSH, PAIR, NOTHING = "9h 9s 9d", "As 4s 2s", "Kd Kh 3c", "Qd 7c 2h"
LAST_FIRST, FIRST_AMENDED = "2025-11-17T15:59:59.999Z", "2025-11-17T16:00:00.000Z"  # midnight in Macau


class Autumn(Play):
    """A table whose rounds have a time; `times` are those of its events."""

    def __init__(self) -> None:
        super().__init__(stacked(TRIO, FLUSH))
        self.times = [self.clock] * len(self.entries)

    def round_at(self, time: str, *hands: str) -> int:
        """A round that begins then, of these hands; gives what seat 1 wins."""
        self.clock = time
        self.deck = stacked(*hands)
        self.to_wagers().bet(1, ante=100).lock()
        self.finish()
        self.times += [time] * (len(self.entries) - len(self.times))
        settled = [event.settlement for event, _ in self.entries if isinstance(event, RoundSettled)]
        return settled[-1].seats["1"].net

    def approves(self, time: str, *persons: str) -> None:
        self.clock = time
        for person in persons:
            self.say(ApproveRegulation, person, act="94/2025")
        self.times += [time] * (len(self.entries) - len(self.times))

    def written(self) -> list[Written]:
        rows = zip(self.entries, self.times, strict=True)
        return [
            Written(place + 1, event, time, drawn, self.inputs.get(place))
            for place, ((event, drawn), time) in enumerate(rows)
        ]


def autumn() -> tuple[Autumn, list[int]]:
    play = Autumn()
    play.clock = "2025-10-31T20:00:00.000Z"
    with pytest.raises(Refusal, match="not_yet_in_force"):
        play.to_wagers()  # n.º 5 of 89/2025: its first day is not reached
    play.times += [play.clock] * (len(play.entries) - len(play.times))
    nets = [
        play.round_at("2025-11-05T20:00:00.000Z", TRIO, FLUSH),
        play.round_at("2025-11-10T20:00:00.000Z", PAIR, NOTHING),
    ]
    play.approves("2025-11-14T12:00:00.000Z", "ana", "rui")
    nets += [
        play.round_at(LAST_FIRST, TRIO, FLUSH),
        play.round_at(FIRST_AMENDED, TRIO, FLUSH),
        play.round_at("2025-12-24T20:00:00.000Z", TRIO, FLUSH),
    ]
    return play, nets


def decided_again(rows: list[Written]) -> list[Difference]:
    return [*Replay(Table()).take(rows, last=True)]


def test_art_7_1_the_same_hands_on_both_sides_of_17_november_are_decided_by_each_version() -> None:
    play, nets = autumn()
    assert nets == [400 - 200, 100 + 100, 400 - 200, 400 + 200, 400 + 200]
    begun = [
        (event, time)
        for (event, _), time in zip(play.entries, play.times, strict=True)
        if isinstance(event, RoundBegun)
    ]
    assert [event.terms.act for event, _ in begun] == ["89/2025"] * 3 + ["94/2025"] * 2
    assert all(event.terms.act == act_at(event.terms.game, time) for event, time in begun)


def test_a_journal_over_17_november_is_decided_again_to_the_same() -> None:
    play, _ = autumn()
    assert decided_again(play.written()) == []


def test_a_round_that_names_the_other_version_is_named() -> None:
    rows = autumn()[0].written()
    at = next(at for at, row in enumerate(rows) if isinstance(row.event, RoundBegun) and row.event.round == 3)
    begun = rows[at].event
    assert isinstance(begun, RoundBegun)
    rows[at] = replace(rows[at], event=replace(begun, terms=replace(begun.terms, act="94/2025")))
    found = decided_again(rows)
    assert found and found[0].event == at + 1


def test_the_change_is_journaled_before_its_first_round_and_an_open_round_keeps_its_version() -> None:
    play, _ = autumn()
    [scheduled] = [event for event, _ in play.entries if isinstance(event, RegulationScheduled)]
    assert scheduled == RegulationScheduled(
        "89/2025", "94/2025", "2025-11-18", ("ana", "rui"), ("dealer", "supervisor")
    )
    at = next(at for at, (event, _) in enumerate(play.entries) if isinstance(event, RegulationChanged))
    assert isinstance(play.entries[at + 1][0], RoundBegun) and play.times[at] == FIRST_AMENDED
    open_round = Autumn()
    open_round.clock, open_round.deck = LAST_FIRST, stacked(TRIO, FLUSH)
    open_round.to_wagers().bet(1, ante=100)
    open_round.clock = FIRST_AMENDED
    open_round.lock()
    open_round.finish()
    assert {event.terms.act for event, _ in open_round.entries if isinstance(event, RoundBegun)} == {"89/2025"}


def test_without_two_persons_no_round_begins_by_another_version() -> None:
    play = Autumn()
    play.round_at("2025-11-05T20:00:00.000Z", TRIO, FLUSH)
    play.clock = FIRST_AMENDED
    for approve in (lambda: None, lambda: play.say(ApproveRegulation, "ana", act="94/2025")):
        approve()
        with pytest.raises(Refusal, match="act_not_scheduled"):
            play.say(BeginRound)
    with pytest.raises(Refusal, match="approved_already"):
        play.say(ApproveRegulation, "ana", act="94/2025")
    with pytest.raises(Refusal, match="no_later_act"):
        play.say(ApproveRegulation, "rui", act="89/2025")
    with pytest.raises(Refusal, match="no_such_act"):
        play.say(ApproveRegulation, "rui", act="1/2025")
    play.say(ApproveRegulation, "rui", act="94/2025")
    play.say(BeginRound)
    assert play.round.terms.act == "94/2025"
