"""The round of black-jack/21 card by card and answer by answer, as the live table plays it."""

import pytest

from controller.rulebook.blackjack_21.bets import Backer, SeatBet
from controller.rulebook.blackjack_21.play import opened_round, with_answer, with_card
from controller.rulebook.blackjack_21.settle import lines_so_far, settle
from controller.rulebook.blackjack_21.state import (
    Decided,
    Drawn,
    Followed,
    GaveUp,
    GivenAnswer,
    Insured,
    PlayerAnswer,
    RoundState,
    TookEvenMoney,
)
from controller.rulebook.blackjack_21.waits import (
    CardDue,
    EvenMoneyAsked,
    FollowAsked,
    GiveUpAsked,
    HandAsked,
    InsuranceAsked,
    Over,
    TurnDue,
    Wait,
    waits_for,
)
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


def test_blackjack_rule_17_a_second_card_that_was_read_is_the_one_that_is_turned() -> None:
    state = played(at_seat_3(), "9c Ts 9d 7h", STAYS, Decided("stand"))
    assert waits_for(state) == TurnDue(known=True) and state.bank_shown == ("Ts",)
    assert (refused(state, "8h").who, refused(state, "8h").article) == ("bank", "17")
    assert with_card(state, None) == with_card(state, Card("7h"))


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


def test_blackjack_rule_18_only_hit_may_be_left() -> None:
    wait = waits_for(played(at_seat_3(), "2c Ts 3d", None, STAYS))
    assert isinstance(wait, HandAsked) and wait.legal == ("hit",)


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


def test_blackjack_rule_18_an_unknown_decision_is_refused() -> None:
    state = played(at_seat_3(), "9c Ts 9d", None, STAYS)
    assert (refused(state, Decided("fold")).who, refused(state, Decided("fold")).article) == ("seat 3", "18")


def test_blackjack_rule_26_each_split_hand_is_played_out_before_the_next_gets_its_card() -> None:
    state = played(at_seat_3(), "8c Ts 8d", None, STAYS, Decided("split"))
    assert waits_for(state) == CardDue("seat 3", 1)
    state = with_card(state, Card("8h"))
    state = with_answer(state, Decided("split"))
    assert [hand.cards for hand in state.seats[0].hands] == [("8c",), ("8h",), ("8d",)]
    waits: list[Wait] = []
    for card, decision in (("9c", "stand"), ("Tc", "stand"), ("9h", "stand")):
        waits.append(waits_for(state))
        state = with_answer(with_card(state, Card(card)), Decided(decision))
    assert waits == [CardDue("seat 3", number) for number in (1, 2, 3)]
    assert [hand.cards for hand in state.seats[0].hands] == [("8c", "9c"), ("8h", "Tc"), ("8d", "9h")]
    assert state.cards_of(3) == ("8c", "8d", "8h", "9c", "Tc", "9h")
    assert state.drawn[-1] == Drawn("seat 3", 3, Card("9h"))
    assert state.answered[1] == GivenAnswer(3, 1, Decided("split"))


def test_blackjack_rule_28_and_30_the_backers_on_the_hand_are_asked_whether_they_follow() -> None:
    bets = at_seat_3(200, Backer("Ana", 100), Backer("Rui", 100))
    state = played(bets, "5c Ts 5d", None, STAYS, Decided("split"))
    assert waits_for(state) == FollowAsked(3, 1, "split", (0, 1))
    assert refused(state, Followed((True,))).article == "28"
    state = with_card(with_answer(state, Followed((False, True))), Card("6c"))
    state = with_answer(state, Decided("double"))
    assert waits_for(state) == FollowAsked(3, 1, "double", (0, 1))
    assert refused(state, Followed(())).article == "30"
    state = with_card(with_answer(state, Followed((True, False))), Card("9d"))
    state = with_answer(with_card(state, Card("4c")), Decided("double"))
    assert waits_for(state) == FollowAsked(3, 2, "double", (1,))
    assert [hand.times for hand in with_answer(state, Followed((True,))).seats[0].hands] == [(2, 2, 1), (2, 0, 2)]


def test_blackjack_rule_33_and_34_against_an_ace_every_seat_is_asked_before_anybody_plays() -> None:
    bets = [SeatBet(seat=2, bet=200, backers=(Backer("Ana", 100),)), SeatBet(seat=5, bet=400), SeatBet(seat=7, bet=200)]
    state = played(bets, "9c Kc Kd As 9d Ac Ad", None)
    assert waits_for(state) == InsuranceAsked(2, (100, 50))
    for amounts in ((101, 0), (0, 51), (-1, 0), (0,), (0, 0, 0)):
        assert (refused(state, Insured(amounts)).who, refused(state, Insured(amounts)).article) == ("seat 2", "33")
    state = with_answer(state, Insured((100, 0)))
    assert waits_for(state) == EvenMoneyAsked(5)
    state = with_answer(state, TookEvenMoney(True))
    assert waits_for(state) == EvenMoneyAsked(7)
    state = with_answer(state, TookEvenMoney(False))
    assert waits_for(state) == InsuranceAsked(7, (100,))
    assert isinstance(waits_for(with_answer(state, Insured((0,)))), HandAsked)


def test_blackjack_rule_36_every_seat_but_a_black_jack_is_asked_in_order() -> None:
    bets = [SeatBet(seat=number, bet=200) for number in (1, 4, 6)]
    state = played(bets, "9c Kc 8d Ts 9d Ac 8c", None)
    assert waits_for(state) == GiveUpAsked(1)
    state = with_answer(state, GaveUp(True))
    assert waits_for(state) == GiveUpAsked(6)
    assert isinstance(wait := waits_for(with_answer(state, STAYS)), HandAsked) and wait.seat == 6


def test_blackjack_rule_21_and_22_and_35_and_36_what_is_paid_or_collected_at_once_is_reported_at_once() -> None:
    bets = [SeatBet(seat=number, bet=200) for number in (1, 2, 3, 4)]
    steps: list[Step] = ["Ac 6c 9c Tc 9s Kc 7c 9d 6d", None]
    state = played(bets, *steps)
    assert [(line.net, line.article) for line in lines_so_far(state)[1]] == [(300, "21")]
    state = with_answer(with_answer(with_answer(state, STAYS), GaveUp(True)), STAYS)
    assert [(line.net, line.article) for line in lines_so_far(state)[3]] == [(-100, "36")]
    state = with_card(with_answer(state, Decided("hit")), Card("8c"))
    assert [(line.wager, line.net, line.article) for line in lines_so_far(state)[2]] == [("special_prize", 600, "35")]
    state = with_card(with_answer(state, Decided("hit")), Card("Td"))
    assert [(line.net, line.article) for line in lines_so_far(state)[4]] == [(-200, "22")]
    with pytest.raises(Refusal):
        settle(state, None)
    state = with_card(state, Card("9h"))
    assert [line.net for line in settle(state, None).seats["2"].lines] == [200, 600]


def test_blackjack_the_answer_of_a_chip_without_a_prize_is_refused() -> None:
    state = played([SeatBet(seat=1, bet=200, chip=100)], "Ac 9s Kc", None)
    with pytest.raises(Refusal) as refusal:
        settle(state, None)
    assert refusal.value.who == "jackpot"
