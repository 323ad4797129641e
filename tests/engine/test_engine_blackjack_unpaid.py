"""Black-jack/21, 49: the winning cards stay on the table until the prize is paid, also beside a machine."""

import pytest

from controller.engine.decisions.jackpot import ConfirmHit
from controller.engine.decisions.session import CloseClaims, HoldCards, InsertionReported
from controller.engine.state.applied import Event
from controller.rulebook.events import CardsInserted, CardSource, ClaimsClosed
from tests.engine.hands import LID_OPENS, Hands


def won_from_a_dispenser() -> Hands:
    """Seat 1 has won with two cards of five, seat 2 lost; the claims are open and the lid too."""
    play = Hands("Ac Th 9h Ad 9d 8h", source="shuffler", prize="auto").to_wagers()
    play.place_bet(1, 200).place_bet(2, 200).chips(1).until("claims")
    assert (play.round.draws, play.meter.hits[0].state) == (6, "payable")
    play.receive(LID_OPENS)
    return play


def test_blackjack_rule_49_the_other_cards_go_in_and_the_winning_ones_after_the_payment() -> None:
    play = won_from_a_dispenser()
    assert play.receive(InsertionReported(count=4)) == (CardsInserted(count=4),)
    assert not play.active_alarms() and "prize_cards_inserted" not in play.notices()
    play.pay()
    assert play.at("claims") and play.receive(InsertionReported(count=2))[1:] == (
        ClaimsClosed(count=6, pending_rounds=()),
    )


@pytest.mark.parametrize("counts", [(5,), (6,), (4, 1), (4, 2), (3, 2, 1)])
def test_blackjack_rule_49_winning_cards_put_in_unpaid_are_reported_and_leave_the_claims_open(
    counts: tuple[int, ...],
) -> None:
    play = won_from_a_dispenser()
    for count in counts:
        play.receive(InsertionReported(count=count))
    assert play.notices() == ["prize_cards_inserted"] and play.table.notices[0].seat == 1
    assert play.active_alarms() == ["prize-cards"] and play.at("claims") and "claims_closed" not in play.kinds
    for kind in (CloseClaims, HoldCards):
        assert play.refused(kind).article in ("49", "59")
    play.say(ConfirmHit, hit=1)
    assert play.active_alarms() == ["prize-cards"] and play.at("claims")
    paid = play.say(ConfirmHit, "rui", hit=1)
    assert not play.active_alarms()
    closed = [event for event in paid if isinstance(event, ClaimsClosed)]
    if sum(counts) == 6:
        assert closed == [ClaimsClosed(count=6, pending_rounds=())] and play.at("begin")
    else:
        assert not closed and play.receive(InsertionReported(count=1))[1:] == (
            ClaimsClosed(count=6, pending_rounds=()),
        )


def test_blackjack_rule_49_with_two_prizes_the_last_payment_closes_claims_whose_cards_are_in() -> None:
    play = Hands("Ac As 9h Ad Ah 8h", source="shuffler", prize="auto").to_wagers()
    play.place_bet(1, 200).place_bet(2, 200).chips(1, 2).until("claims")
    play.receive(LID_OPENS)
    play.receive(InsertionReported(count=3))
    assert play.active_alarms() == ["prize-cards"]
    play.receive(InsertionReported(count=3))
    assert not any(isinstance(event, ClaimsClosed) for event in confirmed(play, 1))
    assert any(isinstance(event, ClaimsClosed) for event in confirmed(play, 2)) and play.at("begin")


def confirmed(play: Hands, hit: int) -> tuple[Event, ...]:
    return play.say(ConfirmHit, hit=hit) + play.say(ConfirmHit, "rui", hit=hit)


def test_blackjack_rule_49_cards_kept_back_are_counted_among_the_others() -> None:
    play = Hands("9h Th 8h Td Ac 9c Ad 8c", source="shuffler", prize="auto").to_wagers()
    play.place_bet(1, 200).until("claims").say(HoldCards)
    play.to_wagers().place_bet(1, 200).chips(1).until("claims")
    assert (play.table.on_hold[0].cards, play.round.draws) == (4, 4)
    play.receive(LID_OPENS)
    play.receive(InsertionReported(count=6))
    assert not play.active_alarms()
    play.receive(InsertionReported(count=1))
    assert play.active_alarms() == ["prize-cards"]
    play.receive(InsertionReported(count=1))
    assert ClaimsClosed(count=8, pending_rounds=(1,)) in confirmed(play, 1) and play.table.on_hold == ()


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_blackjack_rule_49_the_prompt_says_which_cards_stay_and_who_pays(source: CardSource) -> None:
    play = Hands("Ac 9h Ad 8h", source=source, prize="auto").to_wagers().place_bet(1, 200).chips(1).until("confirm")
    assert "seat 1 stay on the table" in play.public()["step"]["prompt"]["en"]
    for text in play.until("claims").public()["step"]["prompt"].values():
        assert "49" in text and "1" in text
    assert "two persons confirm hit 1" in play.public()["step"]["prompt"]["en"]
    if source == "shuffler":
        play.receive(InsertionReported(count=4))
        assert "went into the shuffler" in play.public()["step"]["prompt"]["en"]
    play.pay()
    assert "49" not in play.public()["step"]["prompt"]["en"]
