"""Rounds folded again from their events, and the figures over them: to the last fraction, and from the rounds alone."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from controller.engine.events import Event
from controller.engine.figures import Hold, decimals, figures
from controller.engine.history import Moment, Played, newest_first, played
from controller.engine.inputs import AdjustRound, CloseTable, VoidRound
from controller.rulebook.fortune_8 import paytable
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement
from tests.engine.places import Places
from tests.engine.playing import Play
from tests.engine.spaces import Spaces

MINUTE_NS = 60 * 10**9


def moments(events: list[Event], boot: str = "a") -> list[tuple[Moment, Event]]:
    """One event a second, from the first minute on."""
    return [(Moment(f"t{at}", boot, at * MINUTE_NS // 60), event) for at, event in enumerate(events)]


def events_of(play: Play) -> list[Event]:
    return [event for event, _ in play.entries]


def three_rounds() -> Play:
    """Two that are settled, one that is broken off, and one that is not confirmed."""
    play = Play()
    for _ in range(2):
        play.to_wagers().bet(1, ante=100).bet(4, pair_plus=100).chips(1)
        play.lock()
        play.finish()
    play.to_wagers().bet(2, ante=100)
    play.lock()
    play.say(VoidRound, actor="rui", reason="power")
    play.until("begin")
    play.to_wagers().bet(1, ante=100)
    return play


def test_a_round_is_folded_again_as_it_was_confirmed() -> None:
    play = Play()
    play.to_wagers().bet(1, ante=100).bet(4, pair_plus=100).chips(1)
    play.lock()
    play.until("claims")
    confirmed = play.round
    play.until("begin")
    [found] = played(moments(events_of(play)))
    assert found.round == confirmed and found.actor == "ana"
    assert found.round.settlement is not None and found.began.monotonic_ns < found.confirmed.monotonic_ns


def test_rounds_come_newest_first_and_none_that_is_not_confirmed() -> None:
    found = played(moments(events_of(three_rounds())))
    assert [one.round.id for one in found] == [1, 2, 3]
    assert [one.round.id for one in newest_first(found, 2, None)] == [3, 2]
    assert [one.round.id for one in newest_first(found, 100, 3)] == [2, 1]
    assert found[2].round.void is not None


def test_events_that_begin_in_the_middle_of_a_round_give_the_rounds_after_it() -> None:
    events = events_of(three_rounds())
    middle = next(at for at, event in enumerate(events) if type(event).__name__ == "BettingClosed")
    assert [one.round.id for one in played(moments(events[middle:]))] == [2, 3]


def test_an_adjustment_stands_with_the_round_it_is_of() -> None:
    play = three_rounds()
    play.say(AdjustRound, actor="rui", round=1, seat=4, amount=-50, reason="paid too much", second="ana")
    found = played(moments(events_of(play)))
    assert [len(one.adjustments) for one in found] == [1, 0, 0]
    assert found[0].adjustments[0].amount == -50


def test_the_hold_of_each_wager_is_what_was_staked_less_what_its_lines_paid() -> None:
    found = played(moments(events_of(three_rounds())))
    told = figures(found)
    lines = [
        line
        for one in found
        if one.round.void is None and one.round.settlement is not None
        for seat in one.round.settlement.seats.values()
        for line in seat.lines
    ]
    assert told.rounds == 3 and told.void == 1
    for wager, hold in told.hold.items():
        mine = [line for line in lines if line.wager == wager]
        assert hold.staked == sum(line.stake for line in mine) and hold.held == -sum(line.net for line in mine)
    assert told.hold["ante"].staked == 200
    assert told.total.staked == sum(line.stake for line in lines)
    assert told.occupancy == decimals(Fraction(100 * (2 + 2 + 1), 3 * found[0].round.terms.seats), 1)


def test_fortune_8_is_computed_box_by_box() -> None:
    play = Spaces()
    play.to_wagers().lay(1, low=200, eight=100).lay(2, "A", high=100)
    play.until("begin")
    told = figures(played(moments(events_of(play))))
    assert set(told.hold) == {"low", "eight", "high"} <= set(paytable.BOX_NAMES)
    assert (told.hold["low"].staked, told.hold["eight"].staked, told.hold["high"].staked) == (200, 100, 100)


def test_where_a_player_is_the_bank_the_house_holds_the_commission_and_its_share() -> None:
    table = Places()
    table.deck = [*table.deck[::3], *table.deck[1::3], *table.deck[2::3]]  # as it is built nobody wins
    table.until("bank")
    table.take_bank(casino=3000)
    for place in range(2, 9):
        table.lay(place, f"P{place}", 1000)
    table.until("begin")
    found = played(moments(events_of(table)))
    told, [one] = figures(found), found
    assert isinstance(one.round.settled, PaiKaoSettlement) and one.round.settled.banker
    lines = [line for place in one.round.settled.seats.values() for line in place.lines or ()]
    assert told.hold["place"] == Hold(7000, sum(line.commission for line in lines), told.hold["place"].percent)
    assert any(line.commission for line in lines)
    assert one.round.settled.banker.casino
    assert (told.hold["bank"].staked, told.hold["bank"].held) == (3000, one.round.settled.banker.casino.net)


def timed(
    found: list[Played], at_minutes: list[int], boots: str = "aaa", sessions: tuple[int, ...] = (1, 1, 1)
) -> str | None:
    """Rounds per hour of rounds confirmed then."""
    return figures(
        [
            replace(one, confirmed=Moment("", boot, minutes * MINUTE_NS), session=session)
            for one, minutes, boot, session in zip(found, at_minutes, boots, sessions, strict=True)
        ]
    ).per_hour


def test_rounds_per_hour_are_computed_between_confirmations_while_the_table_was_open() -> None:
    found = played(moments(events_of(three_rounds())))
    assert timed(found, [0, 2, 4]) == "30.0"
    assert timed(found, [0, 2, 9]) == "13.3"
    # A restarted machine counts from the start again, and a table that was closed meanwhile is not slow.
    assert timed(found, [50, 52, 1], boots="aab") == "30.0"
    assert timed(found, [0, 2, 600], sessions=(1, 1, 3)) == "30.0"
    assert timed(found, [0, 0, 0]) is None and figures(found[:1]).per_hour is None


def test_closing_the_table_begins_another_session() -> None:
    play = Play()
    for _ in range(2):
        play.to_wagers().bet(1, ante=100)
        play.lock()
        play.finish()
        play.until("begin").say(CloseTable)
    first, second = played(moments(events_of(play)))
    assert first.session != second.session


def test_of_no_round_nothing_is_computed() -> None:
    assert figures([]) == figures(()) and figures([]).total == Hold(0, 0, None)
    assert figures([]).occupancy is None and figures([]).hold == {}


ROUNDED = [
    (Fraction(2, 3), 1, "0.7"),
    (Fraction(1, 20), 1, "0.1"),
    (Fraction(-1, 20), 1, "-0.1"),
    (Fraction(0), 2, "0.00"),
]
ROUNDED += [(Fraction(-1, 1000), 2, "0.00"), (Fraction(100), 2, "100.00")]


@pytest.mark.parametrize(("value", "places", "text"), ROUNDED)
def test_decimals_are_rounded_half_up_away_from_zero(value: Fraction, places: int, text: str) -> None:
    assert decimals(value, places) == text
