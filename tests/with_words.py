"""A refusal by what it says, for `pytest.raises(Refusal, check=saying("…"))`."""

import re
from collections.abc import Callable

from controller.rulebook.refusal import Refusal
from controller.words import sentence


def with_words(pattern: str) -> Callable[[Refusal], bool]:
    """Whether the pattern is found in the refusal's line."""
    return lambda refusal: re.search(pattern, sentence(refusal)) is not None
