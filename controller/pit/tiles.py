"""The summary of a table for a pit boss, from its retained messages, and the order of the tables. No I/O here."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import msgspec

from controller.engine.state.alarms import Level
from controller.pit.figures import Decimals, WagerFigures, known_wagers, win_of_jackpot
from controller.rulebook.games import GAMES

SIGMAS = 3.0  # from here on someone should look
LEAST_ROUNDS = 30  # of a day, before its hold says anything
NO_HITS: Mapping[int, str] = {}
RETAINED = ("status", "state", "jackpot", "statistics")
GAME_OF = {game.legal_status.regulation: name for name, game in GAMES.items()}

Need = Literal[
    "payment", "alarm", "away", "complaint", "proposal", "warning", "hold", "seen", "open", "closed"
]  # fmt: skip
NEEDS: tuple[Need, ...] = get_args(Need)
"""The reasons why a person is needed at a table, the most urgent first; for the last two no one is needed."""
RetainedData = Mapping[str, Any]
"""The `data` of a table's retained messages, by topic."""


class TileAlarm(msgspec.Struct, frozen=True):
    """An alarm that is active, or that no one has acknowledged yet."""

    name: str
    level: Level
    texts: dict[str, str]
    since: str
    over: bool = False
    acknowledged_by: str | None = None
    details: str = ""


class TileHit(msgspec.Struct, frozen=True):
    """A hit of the jackpot that is not paid: `payable` once its round is confirmed. `amount` in minor units.

    `since` is the time of the first message that had it; empty where the pit does not know it.
    """

    hit: int
    seat: int
    amount: int
    state: Literal["locked", "payable"]
    since: str


class Hold(msgspec.Struct, frozen=True):
    """How a table is by its odds: what it kept, what was expected, and two deviations, in parts of the handle."""

    kept: float
    expected: float
    band: float
    sigmas: float


class TableTile(msgspec.Struct, frozen=True, kw_only=True):
    """A table; `need` says why someone should go there, `since` from when on. Money in minor units of `currency`.

    `away` is an open table that is offline: the other fields are from before it went offline.
    """

    site: str
    table: str
    need: Need
    since: str
    game: str
    own_words: str  # behind the key of what the game words otherwise
    mode: str
    open: bool
    away: bool
    round: int | None
    phase: str
    prompt: dict[str, str]
    taken: tuple[int, ...]
    seats: int | None
    limits: dict[str, dict[str, int]]
    currency: str
    exponent: int
    pot: int | None
    hits: tuple[TileHit, ...]  # the one that has waited longest first
    complaints: int
    alarms: tuple[TileAlarm, ...]
    rounds: int | None
    per_hour: float | None
    win: int | None  # of the day, without the jackpot
    win_with_jackpot: int | None
    hold: Hold | None
    behind: int | None  # messages that the archive does not have yet; None where that is not known


class _Status(msgspec.Struct, frozen=True):
    online: bool = False


class _Hit(msgspec.Struct, frozen=True):
    hit: int
    seat: int
    amount: int
    state: Literal["locked", "payable", "paid"]


class _Jackpot(msgspec.Struct, frozen=True):
    pot: int | None = None
    hits: tuple[_Hit, ...] = ()
    proposed: Any = None


class _Day(msgspec.Struct, frozen=True):
    seat_count: int | None = None
    round_count: int | None = None
    per_hour: Decimals | None = None
    win: int | None = None
    wager_totals: tuple[WagerFigures, ...] = ()


def tile(
    site: str, table: str, topics: RetainedData, behind: int | None = None, since_of_hits: Mapping[int, str] = NO_HITS
) -> TableTile | None:
    """The tile of a table; None until the table has reported its state. `behind` is the archive's backlog."""
    # Before the state: what is wrong with one of them is its own fault, whichever comes first.
    status = msgspec.convert(topics.get("status") or {}, _Status)
    jackpot = msgspec.convert(topics.get("jackpot") or {}, _Jackpot)
    day = msgspec.convert(topics.get("statistics") or {}, _Day)
    hold = hold_of(day.wager_totals) if (day.round_count or 0) >= LEAST_ROUNDS else None
    state = topics.get("state")
    if state is None:
        return None
    round = state["round_in_play"]
    alarms = sorted(msgspec.convert(state["alarms"], list[TileAlarm]), key=_urgency)
    if (refused := topics.get("cosignatures")) is not None:  # before all that the table says itself
        since, details = refused["since"], refused["details"]
        alarms.insert(0, TileAlarm("pit-witness", "critical", refused["text"], since, details=details))
    hits = [
        TileHit(hit.hit, hit.seat, hit.amount, hit.state, since_of_hits.get(hit.hit, ""))
        for hit in jackpot.hits
        if hit.state != "paid"
    ]
    hits.sort(key=lambda hit: (hit.since, hit.hit))
    need, since = _need(state, status.online, jackpot, alarms, hits, hold)
    game = GAME_OF.get(state["posted"]["regulation"], "")
    found = dict(  # noqa: C408 names of fields
        site=site,
        table=table,
        need=need,
        since=since,
        game=game,
        own_words=GAMES[game].own_words if game else "",
        mode=state["mode"],
        open=state["open"],
        away=state["open"] and not status.online,
        round=None if round is None else round["round"],
        phase="" if round is None else round["phase"],
        prompt=state["step"]["prompt"],
        taken=() if round is None else tuple(sorted({wager["seat"] for wager in round["wagers"]} | {*round["chips"]})),
        seats=day.seat_count,
        limits=state["posted"]["limits"],
        currency=state["currency"],
        exponent=state["exponent"],
        pot=jackpot.pot,
        hits=tuple(hits),
        complaints=len(state["complaints"]),
        alarms=tuple(alarms),
        rounds=day.round_count,
        per_hour=None if day.per_hour is None else float(day.per_hour),
        win=None if day.win is None else day.win - win_of_jackpot(day.wager_totals),
        win_with_jackpot=day.win,
        hold=hold,
        behind=behind,
    )
    return msgspec.convert(found, TableTile)


def hold_of(wagers: tuple[WagerFigures, ...]) -> Hold | None:
    """The hold of a day from `statistics`; None before anything was staked on known odds."""
    of = known_wagers(wagers)
    if not of.handle:
        return None
    return Hold(of.win / of.handle, of.theoretical / of.handle, 2 * of.deviation / of.handle, of.sigmas)


def _need(
    state: RetainedData,
    online: bool,
    jackpot: _Jackpot,
    alarms: list[TileAlarm],
    hits: list[TileHit],
    hold: Hold | None,
) -> tuple[Need, str]:
    if hits:
        return "payment", hits[0].since
    calling = [alarm for alarm in alarms if alarm.level != "information"]
    waiting = [alarm for alarm in calling if alarm.acknowledged_by is None]
    critical = [alarm for alarm in waiting if alarm.level == "critical" and not alarm.over]
    if critical:
        return "alarm", critical[0].since
    if not online:
        return ("away" if state["open"] else "closed"), ""
    if state["complaints"]:
        return "complaint", ""
    if jackpot.proposed is not None:
        return "proposal", ""
    if waiting:
        return "warning", waiting[0].since
    if hold is not None and abs(hold.sigmas) >= SIGMAS:
        return "hold", ""
    if calling:
        return "seen", calling[0].since
    return ("open" if state["open"] else "closed"), ""


def _urgency(alarm: TileAlarm) -> tuple[bool, bool, str]:
    """The order of alarms: active ones first, then critical ones, then the oldest."""
    return alarm.over, alarm.level != "critical", alarm.since


def by_urgency(tiles: Iterable[TableTile]) -> list[TableTile]:
    """The tiles by urgency, unpaid hits of a jackpot first; of two equally urgent, the one that has waited longer."""
    return sorted(tiles, key=lambda tile: (NEEDS.index(tile.need), tile.since, tile.site, *_natural(tile.table)))


def _natural(name: str) -> tuple[str, int, str, str]:
    """The natural order of names: table 10 comes after table 9."""
    before = name.rstrip("0123456789")
    number = name[len(before) :].lstrip("0")  # Python makes no integer of more than 4300 digits
    return before, len(number), number, name
