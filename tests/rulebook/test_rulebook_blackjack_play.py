"""The round of black-jack/21 card by card and answer by answer, as the live table plays it."""

import pytest

from controller.rulebook.blackjack_21.bets import Backer, SeatBet
from controller.rulebook.blackjack_21.play import opened_round, with_answer, with_card
from controller.rulebook.blackjack_21.settle import settle
from controller.rulebook.blackjack_21.state import (
    Decided,
    Followed,
    GaveUp,
    Insured,
    PlayerAnswer,
    RoundState,
    TookEvenMoney,
)
from controller.rulebook.blackjack_21.waits import CardDue, GiveUpAsked, HandAsked, Over, TurnDue, waits_for
from controller.rulebook.cards import DECK, Card
from controller.rulebook.refusal import Refusal

Step = str | PlayerAnswer | None
STAYS = GaveUp(False)


def played(bets: list[SeatBet], *steps: Step) -> RoundState:
    """The round after these: text is cards to be drawn, None a card whose value is not known."""
    state = opened_round(bets)
    for step in steps:
        if step is None:
            state = with_card(state, None)
        elif isinstance(step, str):
            for card in step.split():
                assert card in DECK
                state = with_card(state, Card(card))
        else:
            state = with_answer(state, step)
    return state


def at_seat_3(bet: int = 200, *backers: Backer) -> list[SeatBet]:
    return [SeatBet(seat=3, bet=bet, backers=backers)]


def refused(state: RoundState, step: Step) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        if step is None or isinstance(step, str):
            with_card(state, None if step is None else Card(step))
        else:
            with_answer(state, step)
    return refusal.value


def test_blackjack_rule_17_the_bank_s_second_card_need_not_be_known_until_it_is_turned() -> None:
    state = played(at_seat_3(), "9c Ts 2d", None)
    assert waits_for(state) == GiveUpAsked(3)
    state = with_answer(with_answer(state, STAYS), Decided("hit"))
    assert waits_for(state) == CardDue("seat 3", 1)
    state = with_card(state, Card("9d"))
    assert waits_for(state) == HandAsked(3, 1, 20, ("hit", "stand"), waits_for(state).illegal)  # type: ignore[union-attr]
    state = with_answer(state, Decided("stand"))
    assert waits_for(state) == TurnDue(known=False)
    assert refused(state, None).article == "17"
    state = with_card(state, Card("6h"))
    assert waits_for(state) == CardDue("bank", None)
    state = with_card(state, Card("2h"))
    assert waits_for(state) == Over() and state.bank_shown == ("Ts", "6h", "2h")
    assert settle(state, None).seats["3"].net == 200


def test_blackjack_rule_17_a_card_that_is_face_up_is_known() -> None:
    for steps in ((), ("9c",), ("9c Ts",)):
        assert refused(played(at_seat_3(), *steps), None).article == "17"


def test_blackjack_rule_18_a_hand_is_shown_what_it_may_not_do_and_why() -> None:
    def illegal(*steps: Step) -> dict[str, str]:
        wait = waits_for(played(at_seat_3(), *steps))
        assert isinstance(wait, HandAsked)
        assert set(wait.legal) | set(wait.illegal) == {"hit", "stand", "double", "split", "surrender"}
        assert not set(wait.legal) & set(wait.illegal)
        return {decision: why.rule for decision, why in wait.illegal.items()}

    split = Decided("split")
    assert illegal("2c Ts 3d", None, STAYS) == {"stand": "18", "double": "29", "split": "26", "surrender": "36"}
    assert illegal("9c Ts 9d", None, STAYS) == {"double": "29", "surrender": "36"}
    assert illegal("5c Ts 5d", None, STAYS) == {"stand": "18", "surrender": "36"}
    assert illegal("2c Ts 3d", None, STAYS, Decided("hit"), "9c") == {
        "double": "29", "split": "26", "surrender": "36",
    }  # fmt: skip
    assert illegal("8c Ts 8d", None, STAYS, split, "9c") == {"double": "31", "split": "27", "surrender": "36"}
    assert illegal("Ac Ts Ad", None, STAYS, split, "Ah") == {"hit": "26", "double": "26", "surrender": "36"}
    assert illegal("Ac As 8d", None, Insured((0,))) == {"split": "26", "surrender": "36"}


def test_blackjack_rule_18_an_answer_to_another_question_is_refused() -> None:
    answers: list[PlayerAnswer] = [
        Decided("hit"), STAYS, TookEvenMoney(True), Insured((0,)), Followed((True,)),
    ]  # fmt: skip
    policy = "policy: one step at a time"
    asked: list[tuple[RoundState, type[PlayerAnswer] | None]] = [
        (played(at_seat_3()), None),
        (played(at_seat_3(), "9c Ts 9d", None), GaveUp),
        (played(at_seat_3(), "9c Ts 9d", None, STAYS), Decided),
        (played(at_seat_3(), "9c As 9d", None), Insured),
        (played(at_seat_3(), "Kc As Ad", None), TookEvenMoney),
        (played(at_seat_3(200, Backer("Ana", 100)), "9c Ts 9d", None, STAYS, Decided("split")), Followed),
    ]
    for state, wanted in asked:
        for answer in answers:
            if type(answer) is wanted:
                assert with_answer(state, answer) != state
            else:
                assert refused(state, answer).article == policy
        if wanted is not None:
            assert refused(state, "2c").article == policy


def test_blackjack_the_answer_of_a_chip_without_a_prize_is_refused() -> None:
    state = played([SeatBet(seat=1, bet=200, chip=100)], "Ac 9s Kc", None)
    with pytest.raises(Refusal) as refusal:
        settle(state, None)
    assert refusal.value.who == "jackpot"
