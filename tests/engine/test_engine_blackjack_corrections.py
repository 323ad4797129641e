"""Black-jack/21 at the table: bets, seats and cards entered wrongly, and what the rules do not let be corrected."""

import pytest

from controller.engine.state.persons import CorrectCards, CorrectWager
from controller.rulebook.events import RoundSettled
from tests.engine.hands import Hands

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
