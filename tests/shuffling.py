"""Cards in a random order, drawn as one number: drawn card by card a deck takes longer than the round it is for."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
_SEEDS = st.integers(0, 2**24 - 1)  # hypothesis would rather have the small ones of more bits


def shuffled(cards: Sequence[T]) -> st.SearchStrategy[list[T]]:
    """All of these in any order."""
    return _SEEDS.map(lambda seed: Random(seed).sample(cards, len(cards)))
