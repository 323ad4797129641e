"""A line of a settlement, as the rules make it, and when two values of one are equal. Amounts in minor units."""

from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]
Stakes = dict[tuple[int, str, str | None], int]  # the amounts by seat, wager and player
Lying = dict[tuple[str, int | None], list[str]]  # the cards by place and number of the hand


def strictly_equal(value: Any, other: Any) -> bool:
    """Equal, and of the same type all through: neither True nor 1.0 is an amount."""
    if type(value) is not type(other):
        return False
    if isinstance(value, dict):
        return value.keys() == other.keys() and all(strictly_equal(value[key], other[key]) for key in value)
    if isinstance(value, list):
        return len(value) == len(other) and all(strictly_equal(a, b) for a, b in zip(value, other, strict=True))
    return bool(value == other)


@dataclass
class Worth:
    """A line of a settlement; `more` are the keys that only some lines have.

    An `article` that begins with "~" is open: a message's must only begin with the rest.
    """

    wager: str
    player: str | None
    stake: int
    outcome: str
    odds: str | None
    net: int
    article: str
    hand: int | None = None
    commission: int = 0
    more: Message = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The line in words."""
        return self.wager + (f" {self.hand}" if self.hand else "") + (f" of {self.player}" if self.player else "")

    def as_published(self) -> Message:
        """As a message has it, without the article."""
        keys = ("wager", "player", "stake", "outcome", "odds", "net", "commission")
        hand = {} if self.hand is None else {"hand": self.hand}
        return {key: getattr(self, key) for key in keys} | hand | self.more
