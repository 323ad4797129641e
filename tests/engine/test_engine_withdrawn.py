"""A settlement that is withdrawn leaves the meter exactly as it was before, hits and restart included."""

from typing import Any

import pytest
from msgspec.structs import replace

from controller.engine.decisions.jackpot import Confirm, ConfirmHit
from controller.engine.state.jackpot import HitLocked, HitWithdrawn, Meter, PotRestarted, RestartWithdrawn
from controller.engine.state.persons import CorrectCards, CorrectDecision, CorrectWager, Misdealt, VoidRound
from tests.engine.playing import FIXED, PARAMETERS, Play, stacked

STRAIGHT_FLUSH_AND_ROYAL = stacked("As Ks Qs", "9s 8s 7s", "Qd 9c 4h", "3c Js Ts")
NEW = replace(PARAMETERS, minimum=300_000, increment_bp=5_000, fixed=FIXED | {"flush": 7})


def play_of(scheduled: bool = False, reserve: int = 0, chips: bool = True) -> Play:
    """Seats 1 and 2 with ante and chip; only the last place is still to be turned."""
    play = Play(STRAIGHT_FLUSH_AND_ROYAL, reserve=reserve)
    if scheduled:
        play.agree(NEW)
    play.to_wagers().bet(1, ante=100).bet(2, ante=100).chips(*((1, 2) if chips else ()))
    play.lock()
    return play.until("reveal")


def as_it_was(meter: Meter, before: Meter) -> bool:
    """The same but for the numbers of hits, which are spent."""
    return replace(meter, hits_locked=before.hits_locked) == before


@pytest.mark.parametrize("scheduled", [False, True])
@pytest.mark.parametrize("reserve", [0, 1_000, 900_000])
def test_a_void_after_the_settlement_undoes_hits_and_restart_part_by_part(scheduled: bool, reserve: int) -> None:
    play = play_of(scheduled, reserve)
    while play.step.to != ("community",):
        play.reveal_one()
    before = play.meter
    play.reveal_one()
    assert [hit.tier for hit in play.meter.hits] == ["straight_flush", "royal_flush"]
    assert play.meter.parameters == (NEW if scheduled else PARAMETERS)
    events = play.misdealt("order")
    assert [type(event) for event in events[:3]] == [RestartWithdrawn, HitWithdrawn, HitWithdrawn]
    assert as_it_was(play.meter, before) and play.meter.hits_locked == 2
    assert play.table.restart is None and [chip.seat for chip in play.table.carried] == [1, 2]


@pytest.mark.parametrize("scheduled", [False, True])
def test_a_supervisor_s_void_gives_the_contributions_back_too(scheduled: bool) -> None:
    play = play_of(scheduled)
    play.until("confirm").say(VoidRound, "rui", reason="power cut")
    assert play.meter.pot == 600_000 and play.meter.reserve_e4 == 0 and play.meter.chips_counted == 0
    assert play.meter.contributions_e4 == play.meter.returned_e4 and play.meter.house_funded_e4 == 0
    assert play.meter.parameters == PARAMETERS and play.meter.scheduled == (NEW if scheduled else None)


@pytest.mark.parametrize("scheduled", [False, True])
def test_a_correction_that_changes_no_award_locks_the_same_awards_under_new_numbers(scheduled: bool) -> None:
    play = play_of(scheduled, 1_000).until("confirm")
    before = play.meter
    events = play.change(CorrectWager, seat=1, wager="ante", amount=200, reason="colour")
    assert [event.hit for event in events if isinstance(event, HitWithdrawn)] == [2, 1]
    assert [event.hit for event in events if isinstance(event, HitLocked)] == [3, 4]
    assert sum(isinstance(event, PotRestarted) for event in events) == 1
    again = play.meter
    assert replace(again, hits_locked=2, hits=()) == replace(before, hits=())
    assert [replace(hit, hit=hit.hit - 2) for hit in again.hits] == list(before.hits)
    play.say(Confirm)
    for hit in (3, 4):
        play.say(ConfirmHit, hit=hit)
        play.say(ConfirmHit, "rui", hit=hit)
    assert play.refused(ConfirmHit, hit=1).article == "policy: two persons pay a hit"
    assert play.meter.pending_e4 == 0


def test_a_royal_that_was_none_leaves_the_pot_running_under_its_old_parameters() -> None:
    play = play_of(scheduled=True).until("confirm")
    assert play.meter.parameters == NEW
    events = play.change(CorrectCards, "rui", to="seat 1", cards="As Ks Jd", reason="misread")
    assert any(isinstance(event, RestartWithdrawn) for event in events)
    assert not any(isinstance(event, PotRestarted) for event in events)
    assert [(hit.hit, hit.tier, hit.amount) for hit in play.meter.hits] == [(3, "straight_flush", 60_070)]
    assert (play.meter.parameters, play.meter.scheduled) == (PARAMETERS, NEW)
    assert play.meter.pot == 600_700 - 60_070
    play.change(CorrectCards, "rui", to="seat 1", cards="As Ks Qs", reason="it was a royal after all")
    assert [hit.hit for hit in play.meter.hits] == [4, 5] and play.meter.parameters == NEW
    assert play.meter.pot == NEW.minimum


def test_a_decision_that_is_corrected_leaves_every_award_where_it_was() -> None:
    play = play_of().until("confirm")
    before = [(hit.seat, hit.amount) for hit in play.meter.hits]
    play.change(CorrectDecision, seat=1, decision="fold", reason="misheard")
    assert [(hit.seat, hit.amount) for hit in play.meter.hits] == before


def test_parameters_that_come_between_settlement_and_correction_are_not_forgotten() -> None:
    newer = replace(NEW, minimum=250_000)
    play = play_of(scheduled=True).until("confirm")
    play.agree(newer)
    play.change(CorrectCards, "rui", to="seat 1", cards="As Ks Jd", reason="misread")
    assert play.meter.parameters == PARAMETERS and play.meter.scheduled == newer


@pytest.mark.parametrize("kind", [CorrectWager, Misdealt])
def test_without_a_jackpot_bet_nothing_of_the_meter_moves(kind: Any) -> None:
    play = play_of(chips=False).until("confirm")
    before = play.meter
    if kind is CorrectWager:
        play.change(CorrectWager, seat=1, wager="ante", amount=300, reason="colour")
    else:
        play.misdealt("number")
    assert play.meter == before


def test_hits_of_earlier_rounds_stay_whatever_becomes_of_this_one() -> None:
    play = play_of().until("begin").sweep()
    earlier = play.meter.hits
    play.to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1, 2)
    play.lock()
    play.until("confirm")
    assert len(play.meter.hits) == 4
    play.misdealt("order")
    assert play.meter.hits == earlier
