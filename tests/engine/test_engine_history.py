"""Rounds folded again from their events."""

from controller.engine.decisions.corrections import AdjustRound, Complain, DecideComplaint
from controller.engine.state.applied import Event
from controller.engine.state.persons import VoidRound
from controller.queries.history import newest_first, played
from tests.engine.playing import Play


def timed(events: list[Event]) -> list[tuple[str, Event]]:
    """One event a second."""
    return [(f"t{at:04}", event) for at, event in enumerate(events)]


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
    [found] = played(timed(play.events))
    assert found.round == confirmed and found.actor == "ana"
    assert found.round.settlement is not None and found.began < found.confirmed


def test_rounds_come_newest_first_and_none_that_is_not_confirmed() -> None:
    found = played(timed(three_rounds().events))
    assert [past.round.id for past in found] == [1, 2, 3]
    assert [past.round.id for past in newest_first(found, 2, None)] == [3, 2]
    assert [past.round.id for past in newest_first(found, 100, 3)] == [2, 1]
    assert found[2].round.void is not None


def test_events_that_begin_in_the_middle_of_a_round_give_the_rounds_after_it() -> None:
    events = three_rounds().events
    middle = next(at for at, event in enumerate(events) if type(event).__name__ == "BettingClosed")
    assert [past.round.id for past in played(timed(events[middle:]))] == [2, 3]


def test_an_adjustment_is_listed_with_the_round_it_is_of() -> None:
    play = three_rounds()
    play.say(AdjustRound, actor="rui", round=1, seat=4, amount=-50, reason="paid too much", second="ana")
    found = played(timed(play.events))
    assert [len(past.adjustments) for past in found] == [1, 0, 0]
    assert found[0].adjustments[0].amount == -50


def test_a_complaint_and_how_it_ended_are_listed_with_the_round_they_are_of() -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.lock()
    play.until("claims")
    opened = play.say(Complain, round=1, seat=1, what="the count", by="Mr. Lei")
    decided = play.say(DecideComplaint, actor="rui", complaint=1, outcome="unchanged", reason="counted again")
    play.until("begin")
    play.to_wagers().bet(1, ante=100)
    play.lock()
    play.finish()
    assert [past.complaints for past in played(timed(play.events))] == [(*opened, *decided), ()]
