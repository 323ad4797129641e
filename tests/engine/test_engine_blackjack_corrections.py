"""Black-jack/21 at the table: bets, answers, seats and cards entered wrongly, and what leaves no dead end."""

from typing import Any

import msgspec
import pytest

from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.cards import UnreportedCard
from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import CardsReported, Decide, Reveal
from controller.engine.shown.device_orders import react
from controller.engine.state.events import DealerNotified
from controller.engine.state.persons import CorrectCards, CorrectDecision, CorrectWager, VoidRound
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.events import RoundSettled, WagerPlaced
from controller.words import english
from tests.engine import reported
from tests.engine.hands import CHIP, Hands


def betting() -> Hands:
    return Hands().to_wagers()


def bet_refused(play: Hands, seat: int, wager: str, amount: int, player: str | None = None) -> str | None:
    """The rule under which a bet is refused."""
    return play.refused(PlaceWager, seat=seat, wager=wager, amount=amount, player=player).article


def reported_bets(play: Hands, *seats: int) -> list[tuple[int, str, str | None, int]]:
    """Seat, wager, player and amount of every bet once no one can bet any more, at `seats` if any are named."""
    return [bet for bet in reported.reported_bets(play.until("confirm").report) if not seats or bet[0] in seats]


# ---- 15: on another's seat


def test_blackjack_rule_15_who_bets_on_another_seat_is_named_and_has_one_bet_there() -> None:
    play = betting().place_bet(1, 200, "Ana")
    for wager in ("backing", "vacant"):
        assert play.refused(PlaceWager, seat=1, wager=wager, amount=100).article == "15"
    assert bet_refused(play, 1, "backing", 100, "Ana") == "15"  # on any of the other seats, not on his own
    play.place_bet(1, Rui=100)
    assert bet_refused(play, 1, "vacant", 100, "Rui") == "16"
    play.place_bet(2, 100, "Rui", Ana=100)
    assert bet_refused(play, 2, "bet", 100, "Ana") == "15"  # the seat is Rui's
    play.place_bet(1, Rui=300)
    assert sum(isinstance(event, WagerPlaced) for event in play.events) == 5
    assert play.round.bets[1] == {"bet": {"Ana": 200}, "backing": {"Rui": 300}}


# ---- 16: at a vacant seat


def test_blackjack_rule_13_what_is_placed_is_in_the_projection_by_player() -> None:
    play = betting().place_bet(1, 200, "Ana", Rui=100).vacant(3, Bia=300)
    shown = msgspec.json.decode(play.projection())["round"]
    assert shown["wagers"] == {"1": {"bet": 200, "backing": 100}, "3": {"vacant": 300}}
    assert shown["bets"] == [
        {"seat": 1, "wager": "bet", "player": "Ana", "amount": 200},
        {"seat": 1, "wager": "backing", "player": "Rui", "amount": 100},
        {"seat": 3, "wager": "vacant", "player": "Bia", "amount": 300},
    ]


# ---- Black-jack/21 at the table: bets, seats and cards entered wrongly, and what the rules do not let be corrected.


WHY = {"reason": "entered wrongly"}


def over(**bets: int) -> Hands:
    """A round of seat 1 up to its confirmation."""
    return Hands("Tc Th 9c 7h").to_wagers().place_bet(1, 200, "Ana", **bets).settled()


def settlements(play: Hands) -> int:
    return sum(isinstance(event, RoundSettled) for event in play.events)


# ---- corrected wagers and seats


def test_blackjack_correct_a_wager_and_the_round_is_computed_again() -> None:
    play = over(Rui=100)
    play.change(CorrectWager, seat=1, wager="bet", amount=500, player="Ana", **WHY)
    play.change(CorrectWager, seat=1, wager="backing", amount=300, player="Rui", **WHY)
    assert play.lines() == [("hand 1", "", 500, 500, "23"), ("hand 1", "Rui", 300, 300, "23")]
    assert settlements(play) == 3 and play.step.id == "1/confirm/3"
    corrections = play.report.corrections
    assert [(made.at, made.wager, made.player, made.amount_before, made.amount_after) for made in corrections] == [
        ("seat 1", "bet", "Ana", 200, 500), ("seat 1", "backing", "Rui", 100, 300)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "article"),
    [
        ({"seat": 1, "wager": "bet", "amount": 150}, "14"), ({"seat": 1, "wager": "bet", "amount": 3_100}, "37"),
        ({"seat": 1, "wager": "bet", "amount": 0}, "16"), ({"seat": 8, "wager": "bet", "amount": 100}, "2"),
        ({"seat": 1, "wager": "backing", "amount": 2_900, "player": "Zé"}, "15"),
        ({"seat": 1, "wager": "backing", "amount": 100, "player": "Rui"}, "policy: corrections"),
        ({"seat": 1, "wager": "bet", "amount": 300, "player": "Zé"}, "15"),
        ({"seat": 3, "wager": "bet", "amount": 100}, "policy: misdeal"),
        ({"seat": 1, "wager": "ante", "amount": 100}, "15"),
    ],
)  # fmt: skip
def test_blackjack_rule_14_15_and_37_hold_for_corrected_wagers_too(fields: dict[str, object], article: str) -> None:
    play = over(Rui=100)
    fields = {"player": "Ana", **fields} if fields["wager"] == "bet" and fields["seat"] == 1 else fields
    assert play.refused(CorrectWager, **{**fields, **WHY}).article == article  # type: ignore[arg-type]
    assert settlements(play) == 1


# ---- corrected cards


def test_blackjack_rule_17_the_hidden_card_is_not_corrected_and_not_published() -> None:
    texts = []
    for hole in ("7h", "Ah"):
        play = Hands(f"Tc Th 9c {hole}").to_ask(1)
        assert play.refused(CorrectCards, "rui", to="bank", cards="Th 2c", **WHY).who == "bank"
        play.change(CorrectCards, "rui", to="bank", cards="Kh", **WHY)
        assert play.bank() == "Kh"
        texts.append([*play.channels, play.projection()])
        assert play.settled().bank().startswith(f"Kh {hole}")
    assert texts[0] == texts[1]


# ---- Black-jack/21 at the table: an answer keyed in wrongly is corrected as long as no card followed from it.


MISHEARD: dict[str, Any] = {"reason": "misheard"}


def correct_answer(play: Hands, seat: int, answer: str) -> Hands:
    play.change(CorrectDecision, seat=seat, decision=answer, **MISHEARD)
    return play


def refused(play: Hands, seat: int, answer: str) -> tuple[str, str]:
    why = play.refused(CorrectDecision, seat=seat, decision=answer, **MISHEARD)
    return why.article or "", english(why.reason)


def test_blackjack_rule_36_a_round_that_ended_by_a_wrong_answer_continues() -> None:
    play = Hands("Tc Td 6d 7h").to_deal(1).answers("yes").until("confirm")
    assert play.kinds[-1] == "round_settled"
    assert correct_answer(play, 1, "no").waits == "decision 1/1" and play.kinds[-2:] == [
        "settlement_withdrawn", "input_corrected",
    ]  # fmt: skip
    assert play.answers("stand").lines() == [("hand 1", "", 200, -200, "23")]


def test_blackjack_rule_18_after_it_nothing_answers_what_was_asked_before() -> None:
    play = Hands("Tc 9c Td 4d 8d 7h 6s").to_ask(1, 2).answers("stand")
    seen = {play.step.id}
    correct_answer(play, 1, "hit")
    assert play.step.id not in seen
    seen.add(play.step.id)
    correct_answer(play, 1, "stand")
    assert play.step.id not in seen and play.waits == "decision 2/1"
    for old in seen:
        with pytest.raises(StaleStep):
            play.check(Decide(input_id="x", step_id=old, actor="ana", seat=2, hand=1, decision="stand"))
    play.answers("hit")
    with pytest.raises(StaleStep):
        play.check(UnreportedCard(input_id="y", step_id="1/deal/8/2", actor="ana"))


# ---- Black-jack/21: corrections and cards that come when no one looks for them leave no dead end and make no money.


WHY_KEYED: dict[str, Any] = {"reason": "entered wrongly"}


def bet(play: Hands, seat: int, **more: int) -> None:
    for wager, amount in {"bet": 200, **more}.items():
        play.say(PlaceWager, seat=seat, wager=wager, amount=amount)


def test_blackjack_rule_41_b_a_chip_that_a_correction_adds_is_settled_and_the_display_corrected() -> None:
    play = Hands(prize="manual").to_wagers()
    bet(play, 1)
    play.lock()
    play.until("confirm")
    play.change(CorrectWager, seat=1, wager="jackpot", amount=CHIP, **WHY_KEYED)
    assert play.step.kind == "confirm" and play.round.settlement is not None
    assert DealerNotified(notice="increment_changed") in play.events
    play.say(Confirm)


def test_blackjack_rule_41_b_the_increment_is_asked_again_for_other_chips_before_the_deal() -> None:
    play = Hands(prize="manual").to_wagers()
    bet(play, 1, jackpot=CHIP)
    bet(play, 2)
    play.lock()
    play.until("deal")
    play.change(CorrectWager, seat=2, wager="jackpot", amount=CHIP, **WHY_KEYED)
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
