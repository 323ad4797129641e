"""Black-jack/21 at the table: an answer keyed in wrongly is put right as long as no card followed from it."""

from typing import Any

import pytest

from controller.engine.decisions.cards import UnheardCard
from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import CardsHeard, Decide
from controller.engine.state.persons import CorrectDecision, VoidRound
from controller.words import english
from tests.engine.hands import Hands
from tests.engine.reported import irregularities

WHY: dict[str, Any] = {"reason": "misheard"}
POLICY = "policy: corrections"


def correct(play: Hands, seat: int, answer: str) -> Hands:
    play.change(CorrectDecision, seat=seat, decision=answer, **WHY)
    return play


def refused(play: Hands, seat: int, answer: str) -> tuple[str, str]:
    why = play.refused(CorrectDecision, seat=seat, decision=answer, **WHY)
    return why.article or "", english(why.reason)


def test_blackjack_rule_18_a_decision_keyed_in_wrongly_is_put_right_before_a_card_follows() -> None:
    play = Hands("Tc 9c Td 4d 8d 7h 6s").to_ask(1, 2).answers("stand")
    assert play.waits == "decision 2/1"
    before = play.step.id
    assert correct(play, 1, "hit").waits == "deal seat 1"
    play.comes_out()
    assert play.hands(1) == ["Tc 4d 6s asked"] and play.waits == "decision 1/1" != before
    report = play.answers("stand", "stand").settled().report
    assert [one.decision for one in report.decisions] == ["no", "no", "hit", "stand", "stand"]
    [one] = report.corrections
    assert (one.what, one.at, one.before, one.after, one.asked_again) == (
        "decision", "seat 1", "stand", "hit", 0,
    )  # fmt: skip


def test_blackjack_rule_18_the_card_that_came_for_him_is_his_once_his_answer_is_put_right() -> None:
    """The dealer keyed in `stand`, heard `hit`, and drew: the station took the card for one that nobody asked for."""
    play = Hands("Tc 9c Td 4d 8d 7h 6s").to_ask(1, 2).answers("stand")
    play.comes_out()
    assert play.told() == ["unasked_card"] and play.public()["round"]["pending_cards"] == 1
    correct(play, 1, "hit")
    assert play.hands(1) == ["Tc 4d 6s asked"] and play.public()["round"]["pending_cards"] == 0
    play.answers("stand", "stand").settled()
    assert not [one for one in irregularities(play.report) if one[0] == "unasked_card"]


def test_blackjack_rule_18_the_last_hand_s_answer_is_put_right_while_the_bank_is_to_be_turned() -> None:
    play = Hands("Tc Td 4d 7h 6s").to_ask(1).answers("stand")
    assert play.waits == "reveal bank"
    play.hear(CardsHeard(source="shoe", cards=play.take()))
    assert correct(play, 1, "hit").hands(1) == ["Tc 4d 6s asked"]
    play.answers("stand").settled()


def test_blackjack_rule_18_later_answers_that_would_not_have_been_asked_for_are_asked_again() -> None:
    play = Hands("Tc 9c Td 4d 8d 7h 6s").to_ask(1, 2).answers("stand", "stand")
    assert play.waits == "reveal bank"
    correct(play, 1, "hit")
    assert play.waits == "deal seat 1" and play.round.corrections[0].asked_again == 1
    play.comes_out()
    assert play.waits == "decision 1/1"
    assert play.answers("stand", "stand").settled().report.decisions[-1].seat == 2


@pytest.mark.parametrize(("first", "then", "due"), [
    ("hit", "stand", "reveal bank"), ("double", "hit", "deal seat 1"), ("double", "stand", None),
])  # fmt: skip
def test_blackjack_rule_18_it_is_put_right_to_what_was_allowed_and_to_nothing_else(
    first: str, then: str, due: str | None
) -> None:
    cards = "Tc Td 4d 7h" if first == "hit" else "6c Td 4d 7h"
    play = Hands(cards).to_ask(1).answers(first)
    if due is None:
        assert refused(play, 1, then) == ("18", "stand on hand 1: with 10 a card must be drawn: it may stand above 11")
    else:
        assert correct(play, 1, then).waits == due


def test_blackjack_rule_18_once_a_card_followed_the_answer_stands() -> None:
    play = Hands("6c 9c Td 4d 8d 7h 6s").to_ask(1, 2).answers("hit")
    play.comes_out()
    for answer in ("stand", "double"):
        assert refused(play, 1, answer) == (POLICY, "a card has followed that answer: it stands")
    play.answers("stand", "stand").settled()
    for seat in (1, 2):
        assert refused(play, seat, "hit") == (POLICY, "a card has followed that answer: it stands")


def test_blackjack_rule_18_and_26_a_split_is_taken_back_before_its_second_card_with_what_was_asked_of_it() -> None:
    play = Hands("8c Td 8d 7h 2s 3s").to_wagers().lay(1, 200, "Ana", Rui=100).to_ask()
    play.answers("split", "follow 1")
    assert play.waits == "deal seat 1" and len(play.hands(1)) == 2
    correct(play, 1, "hit")
    assert play.waits == "deal seat 1" and play.hands(1) == ["8c 8d waiting"]
    assert play.round.corrections[0].asked_again == 1
    assert correct(play, 1, "split").waits == "follow 1/1"
    assert correct(play.answers("follow 0"), 1, "follow 1").waits == "deal seat 1"
    play.comes_out()
    assert refused(play, 1, "follow 0")[0] == refused(play, 1, "stand")[0] == POLICY
    play.answers("hit")


def test_blackjack_rule_28_and_30_who_followed_a_double_is_asked_again_whether_he_follows_a_split() -> None:
    play = Hands("5c Td 5d 7h").to_wagers().lay(1, 200, "Ana", Rui=100).to_ask()
    play.answers("double", "follow 1")
    assert correct(play, 1, "split").waits == "follow 1/1" and play.round.corrections[0].asked_again == 1


def test_blackjack_rule_36_giving_up_keyed_in_wrongly_is_put_right_and_others_stand() -> None:
    play = Hands("Tc 9c Td 6d 8d 7h").to_deal(1, 2).answers("yes", "no")
    assert play.hands(1) == ["Tc 6d given_up"] and play.waits == "decision 2/1"
    assert correct(play, 1, "no").waits == "decision 1/1" and play.round.corrections[0].asked_again == 0
    assert correct(play, 1, "give_up").waits == "decision 2/1"
    assert correct(play.answers("stand"), 1, "no").round.corrections[-1].asked_again == 1
    assert play.waits == "decision 1/1"
    play.answers("stand", "stand").settled()
    assert refused(play, 1, "give_up") == (POLICY, "a card has followed that answer: it stands")


def test_blackjack_rule_36_a_round_that_ended_by_a_wrong_answer_goes_on() -> None:
    play = Hands("Tc Td 6d 7h").to_deal(1).answers("yes").until("confirm")
    assert play.kinds[-1] == "round_settled"
    assert correct(play, 1, "no").waits == "decision 1/1" and play.kinds[-2:] == [
        "settlement_withdrawn", "input_corrected",
    ]  # fmt: skip
    assert play.answers("stand").lines() == [("hand 1", "", 200, -200, "23")]


def test_blackjack_rule_34_even_money_keyed_in_wrongly_is_put_right() -> None:
    play = Hands("Ac Ad Kd 7h").to_deal(1).answers("yes").until("confirm")
    assert correct(play, 1, "no").waits == "insurance 1"
    assert play.answers("insure 0").lines() == [("hand 1", "", 200, 300, "21")]


def test_blackjack_rule_33_insurance_is_money_that_lies_there_and_is_put_right_to_the_end() -> None:
    play = Hands("Tc Ah 9c Kh").to_wagers().lay(1, 400, "Ana", Rui=200).until("ask").answers("insure 100,0").settled()
    assert play.lines()[1] == ("insurance", "", 100, 200, "33")
    correct(play, 1, "insure 200,50")
    assert [line for line in play.lines() if line[0] == "insurance"] == [
        ("insurance", "", 200, 400, "33"), ("insurance", "Rui", 50, 100, "33"),
    ]  # fmt: skip
    assert refused(play, 1, "insure 201,50")[0] == "33" and refused(play, 1, "insure 100")[0] == "33"


def test_blackjack_rule_33_insurance_that_alone_turned_the_bank_s_card_is_not_put_right_to_none() -> None:
    play = Hands("Tc Ah 9c Kh 8c").to_deal(1).answers("insure 50").decides("hit").until("confirm")
    assert play.hands(1) == ["Tc 9c 8c lost"] and play.bank() == "Ah Kh"
    assert refused(play, 1, "insure 0")[0] == POLICY
    correct(play, 1, "insure 100")


@pytest.mark.parametrize("answer", [
    "fold", "", "no no", "hit 1", "insure", "insure x", "insure 1.5", "insure -1", "follow 2", "follow 1,", "give_up 1",
    f"insure {'9' * 5_000}",
])  # fmt: skip
def test_blackjack_an_answer_in_other_words_is_refused(answer: str) -> None:
    play = Hands("8c Ah 8d 7h 2s 3s").to_wagers().lay(1, 200, "Ana", Rui=100).to_ask().answers("split", "follow 1")
    article, reason = refused(play, 1, answer)
    assert article == POLICY and len(reason) < 200


def test_blackjack_only_what_was_asked_is_put_right_and_both_versions_are_told_until_the_round_is_confirmed() -> None:
    play = Hands("Tc Td 9d 7h").to_ask(1)
    assert refused(play, 1, "hit") == (POLICY, "has not answered that yet")
    assert refused(play, 2, "no") == (POLICY, "has not answered that yet")
    play.answers("stand")
    assert refused(play, 1, "stand") == (POLICY, "that is what was entered")
    assert refused(play, 1, "even_money") == (POLICY, "has not answered that yet")
    play.settled().say(Confirm)
    assert refused(play, 1, "hit")[0] == POLICY
    void = Hands("Tc Td 9d 7h").to_ask(1).answers("stand")
    void.say(VoidRound, "rui", reason="x")
    assert refused(void, 1, "hit")[0] == POLICY


def test_blackjack_rule_18_after_it_nothing_answers_what_was_asked_before() -> None:
    play = Hands("Tc 9c Td 4d 8d 7h 6s").to_ask(1, 2).answers("stand")
    seen = {play.step.id}
    correct(play, 1, "hit")
    assert play.step.id not in seen
    seen.add(play.step.id)
    correct(play, 1, "stand")
    assert play.step.id not in seen and play.waits == "decision 2/1"
    for old in seen:
        with pytest.raises(StaleStep):
            play.check(Decide(input_id="x", step_id=old, actor="ana", seat=2, hand=1, decision="stand"))
    play.answers("hit")
    with pytest.raises(StaleStep):
        play.check(UnheardCard(input_id="y", step_id="1/deal/8/2", actor="ana"))
