"""The referee's ranking against the counts that combinatorics gives (6.º, 7.º)."""

from itertools import combinations

from tests.referee.rules import hands


def test_art_7_1_there_are_741_different_hands() -> None:
    assert len({hands.order(list(cards)) for cards in combinations(hands.PACK, 3)}) == 741
