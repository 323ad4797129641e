"""Black-jack/21: corrections and cards that come when no one looks for them leave no dead end and make no money."""

from typing import Any

from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import CardsReported, Reveal
from controller.engine.decisions.session import CloseTable, UseSource
from controller.engine.shown.device_orders import react
from controller.engine.state.events import DealerNotified
from controller.engine.state.persons import CorrectWager, VoidRound
from controller.rulebook.blackjack_21.table_state import hands_of
from tests.engine.hands import CHIP, Hands

WHY: dict[str, Any] = {"reason": "entered wrongly"}


def bet(play: Hands, seat: int, **more: int) -> None:
    for wager, amount in {"bet": 200, **more}.items():
        play.say(PlaceWager, seat=seat, wager=wager, amount=amount)


def test_blackjack_rule_41_b_a_chip_that_a_correction_adds_is_settled_and_the_display_corrected() -> None:
    play = Hands(prize="manual").to_wagers()
    bet(play, 1)
    play.lock()
    play.until("confirm")
    play.change(CorrectWager, seat=1, wager="jackpot", amount=CHIP, **WHY)
    assert play.step.kind == "confirm" and play.round.settlement is not None
    assert DealerNotified(notice="increment_changed") in play.events
    play.say(Confirm)


def test_blackjack_rule_41_b_the_increment_is_asked_again_for_other_chips_before_the_deal() -> None:
    play = Hands(prize="manual").to_wagers()
    bet(play, 1, jackpot=CHIP)
    bet(play, 2)
    play.lock()
    play.until("deal")
    play.change(CorrectWager, seat=2, wager="jackpot", amount=CHIP, **WHY)
    assert play.step.kind == "increment"
    assert hands_of(play.until("deal").round).increment is not None


def test_blackjack_rule_15_nothing_is_taken_back_of_a_bet_that_is_not_there() -> None:
    play = Hands().to_wagers()
    play.say(PlaceWager, seat=1, wager="bet", amount=200, player="Ana")
    assert play.refused(PlaceWager, seat=1, wager="bet", amount=0).article == "15"
    play.say(PlaceWager, seat=1, wager="bet", amount=0, player="Ana")
    assert not play.round.wagers


def test_blackjack_rule_10_a_shoe_of_which_no_card_was_burned_is_made_ready_again() -> None:
    play = Hands().until("burn")
    play.say(VoidRound, "rui", reason="power")
    play.until("begin").until("burn", "wagers")
    assert play.step.kind == "burn"


def test_blackjack_rule_10_the_shoe_is_open_for_the_card_that_is_burned() -> None:
    assert not react(Hands().until("burn").table, 2).shoe_locked


def test_blackjack_rule_18_a_card_drawn_before_another_was_keyed_in_goes_to_the_next_place() -> None:
    play = Hands("Tc 9c Td 9d 8d Ks", unread=(1,)).to_wagers()
    bet(play, 1)
    bet(play, 2)
    play.lock()
    play.until("reveal")
    play.receive(CardsReported(source="shoe", cards=("9c",)))  # type: ignore[arg-type]
    play.say(Reveal, to="seat 1", cards="Tc")
    assert hands_of(play.round).faces[3] == "9c" and play.step.to == ("bank",)


def test_blackjack_rule_54_no_round_begins_from_a_shuffler_that_was_not_loaded() -> None:
    play = Hands(source="shoe").until("begin")
    play.say(CloseTable)
    play.say(UseSource, source="shuffler")
    play.until("wagers")
    assert play.table.load is not None and play.table.load.done
