"""What follows from a round alone is computed once and kept with the round, which never changes. No I/O here."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar, cast

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


def derived(question: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """A question whose last argument is the round, asked many times between two events: the answer is kept with it.

    The answer must be immutable, and depend on nothing but the round.
    """
    name = question.__qualname__

    @wraps(question)
    def ask(*asked: Asked.args, **named: Asked.kwargs) -> Answer:
        kept = vars(asked[-1])
        if name not in kept:
            kept[name] = question(*asked, **named)
        return cast(Answer, kept[name])

    return ask
