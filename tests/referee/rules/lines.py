"""A line of a settlement, as the rules make it, and when two values of one are equal. Amounts in minor units."""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

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


# ---- From which day each regulation was in force, and by which act it then read. No I/O here


MACAU = timedelta(hours=8)
ACTS = {  # game: (first day in force, number of the act)
    "fortune-3-card-poker-2008": [("2008-08-12", "78/2008"), ("2008-12-16", "97/2008")],
    "fortune-3-card-poker-2025": [("2025-11-04", "89/2025"), ("2025-11-18", "94/2025")],
    "fortune-8": [("2009-07-07", "71/2009")],
    "taiwan-pai-kao": [("1990-01-22", "15/90/M")],
    "blackjack-21": [("2001-12-07", "1364/2001")],
}
GONE = {  # the first day without; on authorisation a table still plays by the last act
    "fortune-3-card-poker-2008": "2025-11-04",
    "taiwan-pai-kao": "1990-07-22",
    "blackjack-21": "2005-09-14",
}


def act_on(game: str, day: str, *, authorised: bool = False) -> str:
    """The act by which a game is decided on a day, ``2025-11-18``. Raises ValueError where none is in force."""
    date.fromisoformat(day)
    begun = [act for first, act in ACTS[game] if first <= day]
    if not begun or (not authorised and day >= GONE.get(game, "9")):
        raise ValueError(f"no regulation of {game} is in force on {day}")
    return begun[-1]


def day_in(zone: str, time: str) -> str:
    """The day in a time zone, in Macau without one, at a time, UTC, ``2025-11-17T16:00:00.000Z``."""
    moment = datetime.fromisoformat(time)
    return (moment.astimezone(ZoneInfo(zone)) if zone else moment + MACAU).date().isoformat()


def act_at(table: dict[str, Any], time: str) -> str:
    """The act by which a table decides a round that begins at a time, UTC; it has a game, and may have a time zone.

    Raises ValueError where none is in force yet. At black-jack there is one act alone, so its hour does not matter.
    """
    return act_on(table["game"], day_in(table.get("time_zone", ""), time), authorised=True)
