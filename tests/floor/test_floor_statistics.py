"""The statistics of a day against those computed again from the messages, by code that shares nothing with them."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from controller.certify.fortune_8 import CardBet, certify_new_bet
from controller.engine.state.applied import Event
from controller.engine.state.events import (
    ComplaintDecided,
    ComplaintOpened,
    DeviceLost,
    DeviceReported,
    DeviceUp,
    TableClosed,
    TableOpened,
)
from controller.engine.state.table import Table
from controller.floor.messages import publications
from controller.floor.shapes import LostTimes
from controller.rulebook.cards import Card, parse_cards
from controller.rulebook.events import RoundBegun, RoundConfirmed, SourceChosen
from controller.rulebook.games import GAMES, game_of
from controller.rulebook.house import Pays
from controller.rulebook.report import AuthorisedBet, RoundReport
from controller.statistics import wagered
from controller.statistics.course import KINDS, MOST_POINTS, MeasuredTime, PotMove, moved_e4, thinned
from controller.statistics.day import HOUR_MS, TOGGLES, Condition, Day, after, before, condition
from controller.statistics.odds import odds_of
from tests.engine.playing import IDENTITY
from tests.floor.happened import happened, hit_and_paid
from tests.floor.recomputed import odds_in, recomputed

ODDS = odds_in(Path(wagered.__file__).with_name("odds.json"))
MIDNIGHT = datetime(2026, 3, 15, tzinfo=UTC)
SEATS = 7
NOON = "2026-03-14T12:00:00.000Z"


class Timed(NamedTuple):
    """An event, the table around it, and when it happened."""

    time: str
    event: Event
    before: Table
    after: Table


@cache
def timed(game: str) -> tuple[Timed, ...]:
    """What happened at the tables of a game, half of it before a midnight.

    Left out is that a link came up for the first time: no one can say since when it had been wanted.
    """
    every = [of for of in happened(game) if not isinstance(of.event, DeviceUp) or of.event.device in of.before.devices]
    return tuple(
        Timed(at(7_300 * (number - len(every) // 2) + number * number % 977), event.event, event.before, event.after)
        for number, event in enumerate(every)
    )


def at(milliseconds: int) -> str:
    """So long after midnight."""
    moment = MIDNIGHT + timedelta(milliseconds=milliseconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@cache
def published(game: str) -> tuple[dict[str, Any], ...]:
    """The messages of what happened."""
    found, sequence, began = list[dict[str, Any]](), 0, dict[int, str]()
    for time, event, table, then in timed(game):
        if then.round is not None:
            began.setdefault(then.round.id, time)
        start = began.get(then.round.id) if then.round is not None else None
        for data in publications(IDENTITY, event, table, then, sequence, time, began=start):
            sequence = data.sequence
            found.append(json.loads(data.payload) | {"time": time})  # that of an alarm is when it was raised
    return tuple(found)


def as_published(day: Day, time: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(msgspec.json.encode(day.statistics(time, 0)))
    return {key: value for key, value in data.items() if key not in ("schema", "as_of", "currency", "exponent")}


@pytest.mark.parametrize("game", GAMES)
def test_the_day_is_what_the_messages_report(game: str) -> None:
    events = timed(game)
    day, rounds = Day(IDENTITY, events[0].time, Condition(), SEATS), 0
    for number, (time, event, _, _) in enumerate(events):
        day.receive(time, event)
        if number % (len(events) // 6) == 0 or number == len(events) - 1:
            data = [message for message in published(game) if message["time"] <= time]
            assert as_published(day, time) == recomputed(data, ODDS, time, SEATS)
            rounds += day.statistics(time, 0).round_count
    assert rounds > 3


@pytest.mark.parametrize("game", GAMES)
def test_a_station_that_starts_finds_the_day_as_one_that_never_stopped(game: str) -> None:
    events = timed(game)
    midnight = next(number for number, event in enumerate(events) if event.time >= at(0))
    first = max(number for number in range(midnight) if isinstance(events[number].event, RoundBegun))
    running = begun(events)
    for number, (time, event, _, _) in enumerate(events):
        running.receive(time, event)
        if number > midnight and number % (len(events) // 9) == 0:
            started = begun(events[first : number + 1])
            for moment in events[first : number + 1]:
                started.receive(moment.time, moment.event)
            assert as_published(started, time) == as_published(running, time)


COUNTED = (
    "since", "open_ms", "round_count", "void_rounds", "per_hour", "occupied", "phases", "handle", "win", "wager_totals",
    "lost_time", "correction_count", "adjustment_count", "adjusted_amount",
)  # fmt: skip


def tag_of(event: Event) -> str:
    return str(event.__struct_config__.tag)


def course(game: str, since: str = "") -> MeasuredTime:
    """The time since a midnight, as it is read when it is over; every second round is eva's."""
    events = timed(game)
    pot = [event.after.meter for event in events][-1]
    left = sum(moved_e4(event.event) or 0 for event in events)
    found = MeasuredTime(
        IDENTITY, events[0].time, Condition(), SEATS, since or at(0), None if pot is None else pot.pot_e4 - left
    )
    confirmed = 0
    for time, event, _, _ in events:
        confirmed += isinstance(event, RoundConfirmed)
        of_eva = isinstance(event, RoundConfirmed) and confirmed % 2 == 0
        found.receive(time, replace(event, actor="eva") if of_eva else event)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_stretch_of_time_has_the_figures_of_the_day_that_it_is(game: str) -> None:
    events = timed(game)
    end = events[-1].time
    day = Day(IDENTITY, events[0].time, Condition(), SEATS)
    for time, event, _, _ in events:
        day.receive(time, event)
    data, whole = as_published(day, end), json.loads(msgspec.json.encode(course(game).figures(end)))
    assert {key: whole[key] for key in COUNTED} == {key: data[key] for key in COUNTED}
    assert whole["round_count"] > 1 and sum(rounds for _, rounds in whole["hours"]) == whole["round_count"]


@pytest.mark.parametrize("game", GAMES)
def test_what_belongs_to_each_dealer_is_together_what_was(game: str) -> None:
    end = timed(game)[-1].time
    whole = course(game).figures(end)
    parts = [course(game).figures(end, dealer) for dealer in whole["dealers"]]
    assert whole["dealers"] == ["ana", "eva"]
    for key in ("round_count", "void_rounds", "handle", "win"):
        assert sum(part[key] for part in parts) == whole[key], key
    assert 0 < sum(part["open_ms"] for part in parts) <= whole["open_ms"]
    assert course(game).figures(end, "rui")["round_count"] == 0


@pytest.mark.parametrize("game", GAMES)
def test_what_moved_the_pot_is_in_rows_that_add_up_and_lead_to_the_meter(game: str) -> None:
    events = timed(game)
    moves: list[PotMove] = course(game, events[0].time).figures(events[-1].time)["pot_moves"]
    meters = [event.after.meter for event in events if event.after.meter is not None]
    assert bool(moves) is bool(meters)
    for earlier, later in pairwise(moves):
        assert earlier.pot + later.moved == later.pot and earlier.at <= later.at
        if earlier.kind == later.kind == "contributions":
            assert earlier.at // HOUR_MS < later.at // HOUR_MS, "those of an hour are one row"
    if meters:
        assert moves[-1].pot == meters[-1].pot and {move.pot for move in moves} <= {meter.pot for meter in meters}
    wanted = [KINDS[type(event.event)] for event in events if moved_e4(event.event) is not None]
    for kind in {*wanted} - {"contributions"}:
        assert sum(move.kind == kind for move in moves) == wanted.count(kind)
    chips = sum({"chip_contributed": 1, "contribution_returned": -1}.get(tag_of(event.event), 0) for event in events)
    assert sum(move.chips for move in moves) == chips


@pytest.mark.parametrize("game", GAMES)
def test_the_pot_of_a_stretch_ends_as_the_meter_is_and_its_course_with_what_all_wagers_won(game: str) -> None:
    events = timed(game)
    data, meter = course(game, events[0].time).figures(events[-1].time), events[-1].after.meter
    pots = [event.after.meter.pot for event in events if event.after.meter is not None]
    assert [pot for _, pot in data["pot"]][-1:] == ([] if meter is None else [meter.pot])
    assert {pot for _, pot in data["pot"]} <= {*pots}
    known = [total for total in data["wager_totals"] if total["sigmas"] is not None]
    _, won, _, deviation = data["course"][-1]
    assert won == data["total"].win == sum(wager["win"] for wager in known)
    assert deviation == pytest.approx(sum(float(wager["deviation"]) for wager in known), abs=1)


def test_a_long_curve_is_drawn_with_its_ends_and_every_so_many_of_its_points() -> None:
    assert thinned([]) == [] and thinned([7]) == [7]
    for count in (2, MOST_POINTS, MOST_POINTS + 1, 10 * MOST_POINTS + 3):
        drawn = thinned(range(count))
        assert (drawn[0], drawn[-1]) == (0, count - 1) and len(drawn) <= MOST_POINTS + 1 and drawn == sorted(set(drawn))


def begun(rows: Sequence[Timed]) -> Day:
    """The day before these, of a table that is now as they leave it."""
    toggles = [row.event for row in reversed(rows) if isinstance(row.event, TOGGLES)]
    return Day(IDENTITY, rows[0].time, before(condition(rows[-1].after), toggles), SEATS)


def test_the_earlier_condition_of_a_table_is_found_from_what_began_and_ended_since() -> None:
    condition = Condition(
        open=True, lost=frozenset({"shoe", "sign"}), jams=frozenset({"shuffler"}), disputes=frozenset({1, 2})
    )
    events: list[Event] = [
        TableClosed("ana"),
        DeviceUp("shoe", outage_ms=5, tries=2),
        DeviceLost("slots", "no answer", "silent"),
        DeviceReported("shuffler", "cleared", "the jam is cleared"),
        ComplaintDecided(1, 3, 2, "unchanged", "film", "rui"),
        ComplaintOpened(3, 4, 2, "cards", "", "rui"),
        TableOpened("ana"),
        DeviceReported("shoe", "jam", "a card sticks"),
        SourceChosen("shoe", "ana"),
    ]
    now = condition
    for event in events:
        now = after(now, event)
    assert now == Condition(
        open=True,
        needed=frozenset({"shoe"}),
        lost=frozenset({"sign", "slots"}),
        jams=frozenset({"shoe"}),
        disputes=frozenset({2, 3}),
    )
    assert before(now, reversed(events)) == condition
    assert before(after(condition, events[0]), events[:1]) == condition


def lost_in_a_minute_each(*steps: Event | None) -> LostTimes:
    """The times of a day on which a minute passes after each of these."""
    day = Day(IDENTITY, at(0), Condition(open=True), SEATS)
    for minute, event in enumerate(steps):
        if event is not None:
            day.receive(at(minute * 60_000), event)
    return day.statistics(at(len(steps) * 60_000), 0).lost_time


def test_time_is_lost_only_by_the_device_from_which_the_cards_come() -> None:
    begun = next(step.event for step in timed("fortune-3-card-poker-2025") if isinstance(step.event, RoundBegun))
    begun = replace(begun, terms=replace(begun.terms, source="shuffler"))
    for device in ("shoe", "slots", "sign", "pit"):
        assert lost_in_a_minute_each(begun, DeviceLost(device, "", "silent"), None).device_ms == 0, device
    shoe, shuffler = DeviceLost("shoe", "", "silent"), DeviceLost("shuffler", "", "silent")
    assert lost_in_a_minute_each(begun, shuffler, None).device_ms == 120_000
    assert lost_in_a_minute_each(begun, shuffler, SourceChosen("shoe", "ana"), shoe, None).device_ms == 180_000
    jam = DeviceReported("shuffler", "jam", "")
    assert lost_in_a_minute_each(begun, jam, SourceChosen("shoe", "ana"), None).jam_ms == 60_000
    by_hand = next(step.event for step in timed("taiwan-pai-kao") if isinstance(step.event, RoundBegun))
    assert lost_in_a_minute_each(by_hand, shoe, None).device_ms == 0


def test_a_stake_that_seats_share_cards_over_counts_as_one_and_others_by_themselves() -> None:
    table = hit_and_paid()
    day = Day(IDENTITY, NOON, Condition(), SEATS)
    for event, _ in table.entries:
        day.receive(NOON, event)
    data = {total.wager: total for total in day.statistics(NOON, 0).wager_totals}
    ante, jackpot = data["ante"], data["jackpot"]
    assert (ante.bet_count, ante.staked, ante.handle) == (2, 400, 500)
    assert ante.edge is not None and Fraction(ante.edge) * 400 == pytest.approx(
        Fraction(ante.theoretical or ""), abs=0.01
    )
    assert (jackpot.edge, jackpot.theoretical, jackpot.deviation, jackpot.sigmas) == (None, None, None, None)
    assert data["pair_plus"].edge == "373/5525"


def test_sums_of_rounds_can_be_added() -> None:
    rounds = [*confirmed("fortune-8")]
    assert len(rounds) > 3
    parts = wagered.wagered(rounds[:2])
    wagered.add_sums(parts, wagered.wagered(rounds[2:]))
    assert dict(sorted(parts.items())) == wagered.wagered(rounds)


def confirmed(game: str) -> Iterator[RoundReport]:
    """Its rounds."""
    for event, _, then, _ in happened(game):
        if isinstance(event, RoundConfirmed) and then.round is not None:
            yield game_of(then.round).report(then.round)


def test_a_bet_that_was_authorised_has_the_odds_of_its_cards() -> None:
    pays = (Pays(parse_cards("8h 8d"), 20), Pays(parse_cards("8h Ah Ad"), 2))
    bet = AuthorisedBet("red_eight", pays, "SEF 1", "2026-01-31")
    [round, *_] = confirmed("fortune-8")
    [asked] = [
        CardBet(
            name=bet.name,
            pays=[(frozenset({Card("8h"), Card("8d")}), 20), (frozenset({Card("8h"), Card("Ah"), Card("Ad")}), 2)],
        )
    ]
    odds = odds_of(replace(round, added_bets=(bet,)), bet.name)
    certified = certify_new_bet(asked)
    assert odds is not None
    assert (odds.edge, odds.variance) == (certified.house_edge, certified.variance)
    assert odds_of(round, bet.name) is None


def test_under_a_reading_that_changes_odds_none_are_reported() -> None:
    [round, *_] = confirmed("blackjack-21")
    assert odds_of(round, "main_game") is not None
    read = replace(round, rules=("double_after_split_three_cards",))
    assert odds_of(read, "main_game") is None
    assert (
        odds_of(read, f"insurance_{round.decks}_decks") == odds_of(round, f"insurance_{round.decks}_decks") is not None
    )


ROUNDED = [
    (Fraction(2, 3), 1, "0.7"),
    (Fraction(1, 20), 1, "0.1"),
    (Fraction(-1, 20), 1, "-0.1"),
    (Fraction(0), 2, "0.00"),
]
ROUNDED += [(Fraction(-1, 1000), 2, "0.00"), (Fraction(100), 2, "100.00")]


@pytest.mark.parametrize(("value", "places", "text"), ROUNDED)
def test_decimals_are_rounded_half_up_away_from_zero(value: Fraction, places: int, text: str) -> None:
    assert wagered.decimals(value, places) == text
