"""A refusal by its words, for `pytest.raises(Refusal, check=with_words("…"))`."""

import re
from collections.abc import Callable

from controller.rulebook.refusal import Refusal
from controller.words import sentence


def with_words(pattern: str) -> Callable[[Refusal], bool]:
    """Whether the pattern is found in the refusal's line."""
    return lambda refusal: re.search(pattern, sentence(refusal)) is not None
