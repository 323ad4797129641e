"""Wagers and jackpot chips until the betting closes, and chips that come too late."""

import pytest
from msgspec.structs import replace

from controller.engine.decisions.betting import ChipGone, ChipSensed, LockInPressed, PlaceWager
from controller.engine.decisions.jackpot import Confirm
from controller.engine.state.events import ChipCleared, ChipPlaced, DealerNotified
from controller.engine.state.jackpot import ChipContributed
from controller.rulebook.events import BettingClosed
from tests.engine.playing import CHIP, PARAMETERS, Play


def test_a_wager_is_placed_changed_and_taken_back_with_0() -> None:
    play = Play().to_wagers().bet(2, ante=100, pair_plus=200).bet(2, ante=300)
    assert play.round.wagers == {2: {"ante": 300, "pair_plus": 200}} or play.round.wagers == {
        2: {"pair_plus": 200, "ante": 300}
    }
    play.bet(2, ante=0)
    assert play.round.wagers == {2: {"pair_plus": 200}}
    play.bet(2, pair_plus=0)
    assert play.round.wagers == {}
    play.bet(2, pair_plus=0)
    assert play.round.wagers == {}


def test_the_name_of_a_player_stays_with_the_seat() -> None:
    play = Play().to_wagers()
    play.say(PlaceWager, seat=2, wager="ante", amount=100, player="p7")
    play.bet(2, pair_plus=100)
    assert play.round.players == {2: "p7"}


@pytest.mark.parametrize(("seats", "seat"), [(5, 6), (6, 7), (7, 8), (6, 0), (6, -1)])
def test_art_5_2_live_a_seat_the_table_does_not_have_is_refused(seats: int, seat: int) -> None:
    refusal = Play(seat_count=seats).to_wagers().refused(PlaceWager, seat=seat, wager="ante", amount=100)
    assert (refusal.who, refusal.article) == (f"seat {seat}", "5.º 2")


def test_art_5_2_live_every_seat_of_seven_may_bet() -> None:
    play = Play(seat_count=7).to_wagers()
    for seat in range(1, 8):
        play.bet(seat, ante=100)
    assert play.round.seats_in_play == tuple(range(1, 8))


def test_art_3_3_an_additional_bet_the_house_does_not_offer_is_refused() -> None:
    play = Play(additional=(), chip=0).to_wagers()
    assert play.refused(PlaceWager, seat=1, wager="six_card_bonus", amount=100).article == "3.º"
    play.bet(1, ante=100, pair_plus=100)


def test_art_4_3_a_chip_without_a_basic_bet_goes_back_and_never_reaches_the_meter() -> None:
    play = Play().to_wagers().bet(1, ante=100).bet(4, pair_plus=100).chips(1, 2, 4)
    pot = play.meter.pot_e4
    events = play.lock()
    assert events[0] == BettingClosed(chips=(1, 4), returned=(2,))
    assert DealerNotified(notice="chip_without_basic_bet", seat=2) in events
    assert [event.seat for event in events if isinstance(event, ChipContributed)] == [1, 4]
    assert play.meter.pot_e4 - pot == 2 * CHIP * PARAMETERS.increment_bp
    assert play.round.returned_chips == (2,) and play.table.slots[2].state == "invalid"


def test_art_10_3_a_chip_placed_once_the_round_is_paid_counts_in_the_next() -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.lock()
    play.deal().decisions().reveal()
    play.say(Confirm)
    assert play.receive(ChipSensed(seat=2, counter=9)) == (ChipPlaced(seat=2, counter=9, late=False),)
    play.clear()
    play.to_wagers().bet(2, ante=100)
    play.lock()
    assert play.round.chips == (2,) and play.meter.chips_counted == 1


def test_a_chip_taken_back_before_the_lock_does_not_count() -> None:
    play = Play().to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1, 2)
    assert play.receive(ChipGone(seat=1, counter=7)) == (ChipCleared(seat=1, counter=7),)
    play.lock()
    assert play.round.chips == (2,) and play.meter.chips_counted == 1


def test_where_no_jackpot_is_offered_a_chip_on_a_sensor_counts_for_nothing() -> None:
    play = Play(additional=(), chip=0).to_wagers().bet(1, ante=100).chips(1)
    play.lock()
    assert play.round.chips == () and play.table.meter is None


def test_the_button_locks_as_the_screen_does_and_what_it_is_refused_is_reported() -> None:
    play = Play().to_wagers().chips(2)
    notice = play.receive(LockInPressed())
    assert [type(event) for event in notice] == [DealerNotified]
    assert isinstance(notice[0], DealerNotified) and notice[0].notice == "lock_in_refused" and notice[0].why is not None
    assert notice[0].why.values["article"] == "4.º 3"
    assert b"4.\xc2\xba 3" in play.projection()
    play.bet(2, ante=100)
    play.receive(LockInPressed())
    assert play.round.locked and play.round.chips == (2,)
    assert play.table.notices == (), "what was refused is done"
    again = play.receive(LockInPressed())
    assert play.meter.chips_counted == 1
    assert all(isinstance(event, DealerNotified) for event in again)


def test_notices_go_when_the_next_round_begins() -> None:
    play = Play().to_wagers().bet(1, ante=100).chips(3)
    play.lock()
    assert [notice.notice for notice in play.table.notices] == ["chip_without_basic_bet"]
    play.finish().to_wagers()
    assert [notice.notice for notice in play.table.notices] == []


def test_more_chips_than_are_reasonable_count_for_nothing_and_the_round_continues() -> None:
    play = Play(parameters=replace(PARAMETERS, unreasonable_chips=2)).to_wagers()
    for seat in (1, 2, 3):
        play.bet(seat, ante=100).chips(seat)
    before = play.meter
    assert DealerNotified(notice="unreasonable_chips", text="3") in play.lock()
    assert not play.round.chips and play.meter == before
    assert {chip.state for chip in play.table.slots.values()} == {"invalid"}
    play.finish()
    play.to_wagers()
    for seat in (1, 2):
        play.bet(seat, ante=100).chips(seat)
    play.lock()
    assert play.round.chips == (1, 2)
