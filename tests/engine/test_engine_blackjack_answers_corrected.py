"""Black-jack/21 at the table: an answer keyed in wrongly is corrected as long as no card followed from it."""

from typing import Any

import pytest

from controller.engine.decisions.cards import UnreportedCard
from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.played import Decide
from controller.engine.state.persons import CorrectDecision
from controller.words import english
from tests.engine.hands import Hands

WHY: dict[str, Any] = {"reason": "misheard"}


def correct(play: Hands, seat: int, answer: str) -> Hands:
    play.change(CorrectDecision, seat=seat, decision=answer, **WHY)
    return play


def refused(play: Hands, seat: int, answer: str) -> tuple[str, str]:
    why = play.refused(CorrectDecision, seat=seat, decision=answer, **WHY)
    return why.article or "", english(why.reason)


def test_blackjack_rule_36_a_round_that_ended_by_a_wrong_answer_continues() -> None:
    play = Hands("Tc Td 6d 7h").to_deal(1).answers("yes").until("confirm")
    assert play.kinds[-1] == "round_settled"
    assert correct(play, 1, "no").waits == "decision 1/1" and play.kinds[-2:] == [
        "settlement_withdrawn", "input_corrected",
    ]  # fmt: skip
    assert play.answers("stand").lines() == [("hand 1", "", 200, -200, "23")]


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
        play.check(UnreportedCard(input_id="y", step_id="1/deal/8/2", actor="ana"))
