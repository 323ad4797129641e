"""A journal from October to December 2025: each round by the regulation in force when it began (94/2025)."""

import time
from collections.abc import Iterator

import pytest
from msgspec.structs import asdict, replace

from controller.engine.decisions.law import ApproveRegulation
from controller.engine.decisions.session import BeginRound
from controller.engine.recorded import Difference, JournalReplay, Written
from controller.engine.state.law import RegulationChanged, RegulationScheduled
from controller.engine.state.table import Table
from controller.rulebook.events import RoundBegun, RoundSettled
from controller.rulebook.refusal import Refusal
from tests.engine.playing import Play, stacked
from tests.referee.bundle.forms import Wrong
from tests.referee.bundle.played import act_of
from tests.referee.rules.lines import act_at

TRIO, FLUSH, PAIR, NOTHING = "9h 9s 9d", "As 4s 2s", "Kd Kh 3c", "Qd 7c 2h"
LAST_FIRST, FIRST_AMENDED = "2025-11-17T15:59:59.999Z", "2025-11-17T16:00:00.000Z"  # midnight in Macau


class Autumn(Play):
    """A table whose rounds have a time; `times` are those of its events."""

    def __init__(self, time_zone: str = "") -> None:
        super().__init__(stacked(TRIO, FLUSH), time_zone=time_zone)
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


def acts_of_round_over(zone: str, begun: str, ended: str) -> set[str]:
    """The acts of the rounds of a table at which one begins at one time and ends at another."""
    play = Autumn(zone)
    play.clock = begun
    play.to_wagers().bet(1, ante=100)
    play.clock = ended
    play.lock()
    play.finish()
    return {event.terms.act for event, _ in play.entries if isinstance(event, RoundBegun)}


def decided_again(rows: list[Written]) -> list[Difference]:
    return [*JournalReplay(Table()).take(rows, last=True)]


def test_art_7_1_the_same_hands_on_both_sides_of_17_november_are_decided_by_each_version() -> None:
    play, nets = autumn()
    assert nets == [400 - 200, 100 + 100, 400 - 200, 400 + 200, 400 + 200]
    begun = [
        (event, time)
        for (event, _), time in zip(play.entries, play.times, strict=True)
        if isinstance(event, RoundBegun)
    ]
    assert [event.terms.act for event, _ in begun] == ["89/2025"] * 3 + ["94/2025"] * 2
    assert all(event.terms.act == act_at(asdict(event.terms), time) for event, time in begun)


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
    assert acts_of_round_over("", LAST_FIRST, FIRST_AMENDED) == {"89/2025"}


@pytest.fixture(params=["", "UTC", "America/New_York", "Pacific/Kiritimati"])
def computer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A computer with this time zone; without one its own."""
    if request.param:
        monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("computer")
@pytest.mark.parametrize(
    ("zone", "last_first", "first_amended"),
    [
        ("", LAST_FIRST, FIRST_AMENDED),
        ("Asia/Macau", LAST_FIRST, FIRST_AMENDED),
        ("Pacific/Auckland", "2025-11-17T10:59:59.999Z", "2025-11-17T11:00:00.000Z"),
        ("Atlantic/Azores", "2025-11-18T00:59:59.999Z", "2025-11-18T01:00:00.000Z"),
    ],
)
def test_art_despacho_5_a_change_takes_effect_at_midnight_of_the_tables_own_time_zone(
    zone: str, last_first: str, first_amended: str
) -> None:
    play = Autumn(zone)
    nets = [play.round_at("2025-11-10T20:00:00.000Z", TRIO, FLUSH)]
    play.approves("2025-11-14T12:00:00.000Z", "ana", "rui")
    nets += [play.round_at(at, TRIO, FLUSH) for at in (last_first, first_amended)]
    assert nets == [400 - 200, 400 - 200, 400 + 200]
    times = zip(play.entries, play.times, strict=True)
    begun = [(event, at) for (event, _), at in times if isinstance(event, RoundBegun)]
    acts = ["89/2025", "89/2025", "94/2025"]
    assert [(event.terms.act, event.terms.time_zone) for event, _ in begun] == [(act, zone) for act in acts]
    assert acts == [act_at(asdict(event.terms), at) for event, at in begun]
    assert decided_again(play.written()) == []
    assert acts_of_round_over(zone, last_first, first_amended) == {"89/2025"}


@pytest.mark.parametrize(("zone", "named"), [("Asia/Macau", "94/2025"), ("Atlantic/Azores", "89/2025")])
def test_a_bundle_that_names_the_act_of_another_time_zone_is_refused(zone: str, named: str) -> None:
    terms = {"game": "fortune-3-card-poker-2025", "time_zone": zone, "act": named}
    assert act_of(terms, FIRST_AMENDED, None) == named
    for other in {"89/2025", "94/2025"} - {named}:
        with pytest.raises(Wrong, match="began while"):
            act_of({**terms, "act": other}, FIRST_AMENDED, None)


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
