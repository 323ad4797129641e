"""From which day each regulation was in force, and by which act it then read. No I/O here."""

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

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
