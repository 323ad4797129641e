"""Who may bet what, of the 2025 regulation; its other items are rounds: tests/rounds/fortune_3_2025."""

import pytest

from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025
from controller.rulebook.fortune_3_card_poker.wagers import refuse_wagers
from controller.rulebook.refusal import Refusal
from tests.with_words import with_words


def test_art_3_1_the_basic_bets_are_ante_and_pair_plus() -> None:
    for wager in ("ante", "pair_plus"):
        refuse_wagers(1, {wager: 100}, None)


def test_art_3_2_the_additional_bets_are_six_card_bonus_and_jackpot() -> None:
    assert RULES_2025.wagers[2:] == ("six_card_bonus", "jackpot")
    for wager in RULES_2025.wagers[2:]:
        refuse_wagers(1, {"ante": 100, wager: 100}, None)


def test_art_3_3_the_basic_bets_are_on_offer_whatever_else_is() -> None:
    assert RULES_2025.wagers[:2] == ("ante", "pair_plus")
    for wager in RULES_2025.wagers[:2]:
        refuse_wagers(1, {wager: 100}, None)


@pytest.mark.parametrize("additional", [("six_card_bonus",), ("jackpot",), ("jackpot", "six_card_bonus")])
def test_art_3_4_additional_bets_are_no_game_of_their_own(additional: tuple[str, ...]) -> None:
    with pytest.raises(Refusal, check=with_words(r"^seat 2: \w+ without ante or pair_plus is invalid \(4\.º 3\)$")):
        refuse_wagers(2, dict.fromkeys(additional, 100), None)
