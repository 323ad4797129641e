"""The values of the three boxes of Fortune 8, one by one."""

import pytest

from controller.rulebook.cards import RANKS, Card
from controller.rulebook.fortune_8.paytable import BOX_NAMES
from controller.rulebook.fortune_8.settle import settle_spaces
from controller.rulebook.fortune_8.wagers import Bet


def winning_ranks(box: str, suit: str = "h") -> str:
    """The ranks on which a bet in this box wins, from the two to the ace."""
    won = {
        rank
        for rank in RANKS
        if settle_spaces([Bet(3, box, None, 100)], {3: Card(rank + suit)}).seats["3"].lines[0].outcome == "win"
    }
    return "".join(rank for rank in RANKS if rank in won)


def test_fortune_8_art_7_1_low_wins_on_two_to_seven() -> None:
    assert winning_ranks("low") == "234567"


def test_fortune_8_art_7_2_high_wins_on_nine_to_ace() -> None:
    assert winning_ranks("high") == "9TJQKA"


def test_fortune_8_art_7_3_fortune_8_wins_on_the_eight_alone() -> None:
    assert winning_ranks("eight") == "8"


@pytest.mark.parametrize("suit", "cdhs")
def test_fortune_8_art_7_1_and_7_2_and_7_3_whatever_the_suit(suit: str) -> None:
    assert sorted("".join(winning_ranks(box, suit) for box in BOX_NAMES)) == sorted(RANKS)
