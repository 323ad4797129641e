"""A table's day in figures, from its `statistics`: the archive keeps them hour by hour. No I/O here."""

import math
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from controller.engine.state.current import JACKPOT
from controller.pit.inbox import BadMessage

# What anybody may have published: nothing that the database would not take, nor their sums.
Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Decimals = Annotated[str, Meta(pattern=r"^-?[0-9]{1,18}(\.[0-9]{1,18})?$")]  # \d takes the digits of any script


class WagerFigures(msgspec.Struct, frozen=True):
    """The result of one wager, compared with its odds; the figures from odds are null where these are not known."""

    handle: Whole
    win: Whole
    theoretical: Decimals | None
    deviation: Decimals | None
    wager: str = ""


class _Lost(msgspec.Struct, frozen=True):
    shuffle_ms: Whole
    jam_ms: Whole
    dispute_ms: Whole
    device_ms: Whole
    broker_ms: Whole


class _Day(msgspec.Struct, frozen=True):
    since: datetime
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")]
    exponent: Annotated[int, Meta(ge=0, le=9)]
    open_ms: Whole
    round_count: Whole
    void_rounds: Whole
    occupied: Decimals | None
    handle: Whole
    win: Whole
    wager_totals: tuple[WagerFigures, ...]
    lost_time: _Lost
    correction_count: Whole


class _Message(msgspec.Struct, frozen=True):
    time: datetime
    data: _Day


class KnownWagers(msgspec.Struct, frozen=True):
    """The wagers whose odds are known, together.

    Wagers of one table are not independent. Their deviations are added, the worst case, so the true number of standard
    deviations is never smaller than the one shown.
    """

    handle: Whole
    win: Whole
    theoretical: float
    deviation: float

    @property
    def sigmas(self) -> float:
        """The number of standard deviations between the win and its expectation; 0 if nothing was staked."""
        return round((self.win - self.theoretical) / self.deviation, 2) if self.deviation else 0.0


def known_wagers(wagers: tuple[WagerFigures, ...]) -> KnownWagers:
    """The known wagers of a day. Raises msgspec.ValidationError if a sum exceeds the limit of a single wager."""
    found = [wager for wager in wagers if wager.theoretical is not None and wager.deviation is not None]
    sums = {
        "handle": sum(wager.handle for wager in found),
        "win": sum(wager.win for wager in found),
        "theoretical": math.fsum(float(wager.theoretical or 0) for wager in found),
        "deviation": math.fsum(float(wager.deviation or 0) for wager in found),
    }
    return msgspec.convert(sums, KnownWagers)


def win_of_jackpot(wagers: Iterable[WagerFigures]) -> int:
    """What the house won by jackpot chips less what the pot paid, in minor units; `win` of a day includes it."""
    return sum(wager.win for wager in wagers if wager.wager == JACKPOT)


COLUMNS = (
    "site", '"table"', "since", "hour", "time", "currency", "exponent", "open_ms", "rounds", "voids", "occupied",
    "handle", "win", "jackpot_win", "known_handle", "known_win", "theoretical", "deviation", "shuffle_ms", "jam_ms",
    "dispute_ms", "device_ms", "broker_ms", "corrections",
)  # fmt: skip
KEY = COLUMNS[:4]
_Row = tuple[str | int | float | datetime | None, ...]


def row(site: str, table: str, content: bytes) -> _Row:
    """A message of `statistics` as a row of `pit.figures`. Raises BadMessage."""
    try:
        message = msgspec.json.decode(content, type=_Message)
        day, of = message.data, known_wagers(message.data.wager_totals)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise BadMessage(f"{site}/{table}: expected statistics of a table, {error}") from None
    hour = message.time.replace(minute=0, second=0, microsecond=0)
    return (
        site, table, day.since, hour, message.time, day.currency, day.exponent, day.open_ms, day.round_count,
        day.void_rounds, day.occupied, day.handle, day.win,
        win_of_jackpot(day.wager_totals), of.handle, of.win, of.theoretical, of.deviation,
        *msgspec.structs.astuple(day.lost_time), day.correction_count,
    )  # fmt: skip
