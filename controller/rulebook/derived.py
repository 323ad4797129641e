"""Values that follow from a round or state alone: computed once and kept with it, since it never changes. No I/O
here.
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

Before = TypeVarTuple("Before")
Of = TypeVar("Of")
Result = TypeVar("Result")


def derived(question: Callable[[*Before, Of], Result]) -> Callable[[*Before, Of], Result]:
    """A question asked many times of a round or state, its last argument: the answer is kept with it.

    The answer must be immutable, and depend on nothing but that argument.
    """
    name = question.__qualname__

    @wraps(question)
    def ask(*asked: *tuple[*Before, Of]) -> Result:
        kept = vars(asked[-1])
        try:
            answer: Result = kept[name]
        except KeyError:
            answer = kept[name] = question(*asked)
        return answer

    return ask


def pass_on(question: Callable[..., object], before: object, after: object) -> None:
    """Copies the cached answer of `question` from one value to the next, where the difference does not affect it."""
    name = question.__qualname__
    if name in vars(before):
        vars(after)[name] = vars(before)[name]
