"""17.º 3 and 4.º 3: the jackpot chip of a broken round goes on to the next one, and contributes exactly once."""

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.decisions.devices import DeviceMissed
from controller.engine.decisions.jackpot import AdjustMeter, Confirm
from controller.engine.decisions.session import CloseTable
from controller.engine.shown.device_orders import react
from controller.engine.state.events import DealerTold
from controller.engine.state.jackpot import E4, ChipContributed, ContributionReturned
from controller.engine.state.persons import CorrectWager, Exposed, Misdealt, ShufflerFailed
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.refusal import Refusal
from tests.engine.playing import CHIP, PARAMETERS, Play, stacked

CHIP_E4 = CHIP * (PARAMETERS.increment_bp + PARAMETERS.reserve_bp)


def broken(how: str = "misdeal", play: Play | None = None) -> Play:
    """A round with chips at seats 1 and 2 that is void and cleared away; the slots are swept."""
    play = (play or Play()).to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1, 2)
    play.lock()
    return end_broken(play, how)


def end_broken(play: Play, how: str = "misdeal") -> Play:
    play.deal_one()
    if how == "misdeal":
        play.change(Misdealt, what="order")
    else:
        play.change(ShufflerFailed)
    return play.until("begin").sweep()


def next_round(play: Play, *seats: int) -> Play:
    """The next round, with antes at these seats and the betting closed."""
    play.to_wagers()
    for seat in seats:
        play.bet(seat, ante=100)
    play.lock()
    return play


def contributed(play: Play) -> list[int]:
    return [event.seat for event, _ in play.entries if isinstance(event, ChipContributed)]


def returned(play: Play) -> list[int]:
    return [event.seat for event, _ in play.entries if isinstance(event, ContributionReturned)]


def counting(play: Play) -> tuple[int, ...]:
    return play.round.chips


def carried(play: Play) -> tuple[int, ...]:
    return play.round.carried_chips


def told(play: Play) -> set[tuple[str, int | None]]:
    return {(notice.notice, notice.seat) for notice in play.table.notices}


@pytest.mark.parametrize("how", ["misdeal", "failure"])
def test_art_17_3_a_carried_chip_counts_in_the_next_round_without_another_contribution(how: str) -> None:
    play = broken(how)
    assert msgspec.json.decode(play.projection())["carried_chips"] == [1, 2]
    meter = play.meter
    assert meter.chips_counted == 2 and meter.contributions_e4 == 2 * CHIP_E4
    next_round(play, 1, 2)
    assert counting(play) == carried(play) == (1, 2) and not play.table.carried
    assert play.meter == meter and contributed(play) == [1, 2]
    assert react(play.table, 2).lamps.lit_seats == (1, 2)
    play.to_settled()
    assert play.round.settlement is not None
    lines = [line for seat in play.round.settlement.seats.values() for line in seat.lines if line.wager == "jackpot"]
    assert len(lines) == 2 and all(line.outcome != "void" for line in lines)
    next_round(play, 1, 2)
    assert counting(play) == () and carried(play) == () and contributed(play) == [1, 2]


def test_art_17_3_a_carried_chip_wins_as_any_other() -> None:
    play = broken(play=Play(stacked("2s 5s 9s", "7h 7d 6c", "Qd 9c 4h", "3c Ks 7s")))
    next_round(play, 1, 2).to_settled()
    assert [(hit.seat, hit.tier, hit.round) for hit in play.meter.hits] == [(1, "flush", 2)]


def test_art_4_3_a_carried_chip_without_a_basic_bet_goes_back_with_its_contribution() -> None:
    play = next_round(broken(), 2)
    assert counting(play) == (2,) and returned(play) == [1]
    assert ("carried_chip_back", 1) in told(play) and ("carried_chip_back", 2) not in told(play)
    assert play.meter.chips_counted == 1 and play.meter.contributions_e4 - play.meter.returned_e4 == CHIP_E4
    assert [chip.seat for chip in play.table.contributed] == [2]


def test_art_4_3_carried_chips_none_of_which_has_a_bet_leave_no_community_cards() -> None:
    play = next_round(broken(), 5)
    assert counting(play) == () and returned(play) == [1, 2]
    assert play.meter.pot_e4 == 600_000 * E4 and play.meter.chips_counted == 0
    play.deal()
    assert play.round.draws == 6


def test_art_17_3_a_chip_is_carried_as_often_as_rounds_break_and_contributes_once() -> None:
    play = broken()
    for how in ("misdeal", "failure", "misdeal"):
        end_broken(next_round(play, 1, 2), how)
        assert [chip.seat for chip in play.table.carried] == [1, 2]
        assert contributed(play) == [1, 2] and play.meter.chips_counted == 2
    next_round(play, 1).to_settled()
    assert contributed(play) == [1, 2] and returned(play) == [2] and play.meter.chips_counted == 1


def test_art_17_3_a_chip_carried_here_goes_back_after_an_exposed_card_with_its_first_contribution() -> None:
    play = next_round(broken(), 1, 2, 3)
    play.deal().change(Exposed, to="bank")
    assert play.round.void is not None and play.round.void.carried == ()
    assert returned(play) == [1, 2] and play.meter.pot_e4 == 600_000 * E4 and play.table.carried == ()
    assert play.meter.contributions_e4 == play.meter.returned_e4 == 2 * CHIP_E4
    play.until("begin")
    next_round(play, 1, 2)
    assert counting(play) == ()


def test_art_17_3_carried_and_new_chips_of_a_round_go_on_together() -> None:
    play = broken().to_wagers().bet(1, ante=100).bet(2, ante=100).bet(4, ante=100).chips(4)
    play.lock()
    assert counting(play) == (1, 2, 4) and contributed(play) == [1, 2, 4]
    end_broken(play)
    assert [chip.seat for chip in play.table.carried] == [1, 2, 4]
    next_round(play, 4)
    assert returned(play) == [1, 2] and counting(play) == (4,)


def test_art_17_3_a_new_chip_beside_a_carried_one_does_not_count_and_goes_back() -> None:
    play = broken().to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1)
    play.lock()
    assert ("chip_beside_carried", 1) in told(play)
    assert counting(play) == (1, 2) and contributed(play) == [1, 2] and play.meter.chips_counted == 2
    assert play.table.slots[1].state == "invalid"


def test_art_4_3_a_new_chip_beside_a_carried_one_without_a_basic_bet_both_go_back() -> None:
    play = broken().to_wagers().bet(2, ante=100).chips(1)
    play.lock()
    assert {("carried_chip_back", 1), ("chip_without_basic_bet", 1)} <= told(play)
    assert counting(play) == (2,) and returned(play) == [1]


def test_art_17_3_a_carried_chip_that_was_not_swept_is_told_and_counts_once() -> None:
    play = Play().to_wagers().bet(1, ante=100).chips(1)
    play.lock()
    play.deal_one()
    play.change(Misdealt, what="number")
    play.until("begin")  # it still lies on its sensor
    next_round(play, 1)
    assert counting(play) == (1,) and contributed(play) == [1]
    assert play.table.slots[1].state == "counted" and ("unswept_chip", 1) in told(play)


@pytest.mark.parametrize("device", ["slots", "sign"])
def test_art_17_3_a_carried_chip_counts_though_no_new_one_does(device: DeviceName) -> None:
    play = broken().to_wagers().bet(1, ante=100).bet(3, ante=100).chips(3)
    play.hear(DeviceMissed(device=device, reason="gone"))
    play.lock()
    assert counting(play) == (1,) and (f"{device}_lost", 3) in told(play)
    assert returned(play) == [2] and contributed(play) == [1, 2]


def test_art_17_3_carried_chips_are_none_of_those_that_are_too_many_at_once() -> None:
    play = broken(play=Play(parameters=replace(PARAMETERS, unreasonable_chips=2))).to_wagers()
    for seat in (1, 2, 3, 4, 5):
        play.bet(seat, ante=100)
    play.chips(3, 4, 5)
    play.lock()
    assert counting(play) == (1, 2) and ("unreasonable_chips", None) in told(play)
    few = broken(play=Play(parameters=replace(PARAMETERS, unreasonable_chips=2))).to_wagers()
    for seat in (1, 2, 3, 4):
        few.bet(seat, ante=100)
    few.chips(3, 4)
    few.lock()
    assert counting(few) == (1, 2, 3, 4)


def test_a_closed_table_has_no_next_round_and_gives_carried_chips_back() -> None:
    play = broken()
    events = play.say(CloseTable)
    assert [event.seat for event in events if isinstance(event, ContributionReturned)] == [1, 2]
    assert DealerTold(notice="carried_chip_ends", seat=1) in events
    assert play.table.carried == () and play.meter.pot_e4 == 600_000 * E4 and play.meter.chips_counted == 0
    next_round(play, 1, 2)
    assert carried(play) == counting(play) == ()


def test_art_17_3_what_a_carried_chip_contributed_past_the_ceiling_goes_back_from_there() -> None:
    parameters = replace(PARAMETERS, ceiling=600_100)
    play = broken(play=Play(parameters=parameters))
    assert play.meter.overflow_e4 > 0
    next_round(play, 5)
    assert (play.meter.pot_e4, play.meter.reserve_e4, play.meter.overflow_e4) == (600_000 * E4, 0, 0)


@pytest.mark.parametrize(("part", "amount"), [("pot", -600_600), ("reserve", -100)])
def test_art_17_3_no_adjustment_takes_away_what_a_carried_chip_may_take_back(part: str, amount: int) -> None:
    play = broken()
    try:
        play.say(AdjustMeter, "rui", part=part, amount=amount, reason="audit", second="ana")
    except Refusal as refusal:
        assert refusal.article == "policy: documented adjustment"
    next_round(play, 5)
    assert returned(play) == [1, 2]


def test_a_bet_that_was_entered_wrongly_brings_a_carried_chip_back_into_play_with_one_contribution() -> None:
    play = next_round(broken(), 2)
    assert returned(play) == [1]
    play.change(CorrectWager, seat=1, wager="ante", amount=200, reason="not entered")
    assert counting(play) == (1, 2) and contributed(play) == [1, 2, 1]
    assert ("carried_chip_counts", 1) in told(play), "no sensor says whether it was handed back already"
    assert play.meter.contributions_e4 - play.meter.returned_e4 == 2 * CHIP_E4 and play.meter.chips_counted == 2
    play.to_settled().say(Confirm)
    assert play.meter.chips_counted == 2


def test_a_bet_that_was_entered_wrongly_takes_a_carried_chip_out_of_play() -> None:
    play = next_round(broken(), 1, 2)
    play.change(CorrectWager, seat=1, wager="ante", amount=0, reason="nothing lies there")
    assert counting(play) == (2,) and returned(play) == [1]
    assert ("carried_chip_back", 1) in told(play)
