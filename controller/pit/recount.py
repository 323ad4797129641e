"""A monthly return computed a second time, from the messages of tables alone, and compared with the first. No I/O."""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.pit.inbox import Message
from controller.pit.meters import EVENT, Moved, movement
from controller.pit.returns import (
    AdjustmentMonth,
    GameMonth,
    HitMonth,
    LinkedMonth,
    MeterMonth,
    Month,
    Return,
    meter_month,
)
from controller.system.times import as_utc

ROUND = "dealer.station.round"
Own = tuple[str, str, str]  # site, table, journal
Money = tuple[str | None, int | None]

KEYS = {
    "games": ("site", "table", "game", "mode", "currency", "exponent"),
    "meters": ("site", "table", "journal", "currency", "exponent"),
    "linked": ("link", "site", "table", "journal", "currency", "exponent"),
    "hits": ("site", "table", "journal", "hit"),
    "adjustments": ("site", "table", "journal", "sequence"),
    "links": ("link",),
}
"""The parts that can be computed again, and the columns that identify a row."""
OF_LEDGER = frozenset(
    ("ledger_chips", "ledger_contributions_e4", "ledger_returned_e4", "ledger_paid_e4", "missing_entries")
)


class _Pot(Struct):
    """A table's meter, or its entries of a linked pot."""

    before: Moved = Moved()
    month: Moved = Moved()
    moves: bool = False
    last_hour: str = ""


class Recount:
    """The figures of a month from the messages of journals: `take` receives each journal's in order."""

    def __init__(self, month: Month) -> None:
        self._month = month
        self._games: dict[tuple[Any, ...], list[int]] = {}
        self._pots: dict[tuple[str, str, str, str, Money], _Pot] = {}
        self._pot_e4: dict[Own, int] = {}
        self._signs: dict[Own, tuple[int | None, int, int]] = {}
        self._hits: dict[tuple[Own, int | None], HitMonth] = {}
        self._adjustments: list[AdjustmentMonth] = []

    def take(self, message: Message) -> None:
        """Takes a message; those after the month are ignored. Raises msgspec.MsgspecError if it cannot be read."""
        at = None if message.time is None else datetime.fromisoformat(message.time)
        if at is None or at >= self._month.end:
            return
        own = message.journal.site, message.journal.table, message.journal.name
        self._move(own, message, at)
        kind = message.type.removeprefix(EVENT)
        if message.type == ROUND and self._month.has(at):
            self._round(own, _data(message))
        elif kind == "hit_locked":
            data = _data(message)
            columns = ("hit", "seat", "tier", "amount", "currency", "exponent", "article")
            of = {
                **_named(own),
                **_columns(data, columns),
                **_columns({}, ("paid", "slip", "confirmed_by", "withdrawn")),
            }
            self._hits[own, data.get("hit")] = HitMonth(**of, round=message.round, locked=as_utc(at))
        elif kind in {"hit_paid", "hit_withdrawn"}:
            data = _data(message)
            if (hit := self._hits.get((own, data.get("hit")))) is not None:
                persons = {"slip": data.get("slip"), "confirmed_by": tuple(data.get("confirmed_by") or ())}
                more = {"paid": as_utc(at), **persons} if kind == "hit_paid" else {"withdrawn": as_utc(at)}
                self._hits[own, hit.hit] = replace(hit, **more)
        elif kind in {"round_adjusted", "meter_adjusted"} and self._month.has(at):
            self._adjust(own, message, kind.removesuffix("_adjusted"), as_utc(at))

    def _move(self, own: Own, message: Message, at: datetime) -> None:
        found = movement(message)
        if found is None:
            return
        site, table, _ = own
        key = site, table, found.journal, found.link, (found.currency, found.exponent)
        pot = self._pots.setdefault(key, _Pot())
        if self._month.has(at):
            pot.month, pot.moves = pot.month.plus(found.moved), True
        else:
            pot.before = pot.before.plus(found.moved)
        pot.last_hour = max(pot.last_hour, f"{message.time}"[:13])
        if not found.link:
            self._pot_e4[own] = self._pot_e4.get(own, 0) + found.moved.pot_e4

    def _round(self, own: Own, data: dict[str, Any]) -> None:
        site, table, _ = own
        lines = [line for seat in data.get("seats") or () for line in seat.get("lines") or ()]
        counted = [line for line in lines if line.get("wager") not in (None, "jackpot")]
        bank = data.get("bank") or {}
        banked = (bank.get("net") or 0) + sum(joiner.get("net") or 0 for joiner in bank.get("joiners") or ())
        handle = sum(line.get("stake") or 0 for line in counted)
        win = -sum(line.get("net") or 0 for line in counted) - banked
        key = (site, table, *(data.get(name) for name in ("game", "mode", "currency", "exponent")))
        sums = self._games.setdefault(key, [0, 0, 0, 0])
        for place, more in enumerate((1, data.get("outcome") == "void", handle, win)):
            sums[place] += more
        pot = (data.get("jackpot") or {}).get("pot_after")
        if pot is not None:
            self._signs[own] = data.get("round"), pot, self._pot_e4.get(own, 0)

    def _adjust(self, own: Own, message: Message, what: str, at: str) -> None:
        columns = ("round", "seat", "part", "amount", "currency", "exponent", "actor", "second", "reason")
        more = {**_named(own), **_columns(_data(message), columns)}
        self._adjustments.append(AdjustmentMonth(sequence=message.sequence, time=at, what=what, **more))

    def result(self, of: Return) -> Return:
        """The computed return, with the head of a given one; it has no part from the pit's ledgers."""
        games = [_game(key, sums) for key, sums in self._games.items()]
        hits = [hit for hit in self._hits.values() if self._is_of_month(hit)]
        return replace(
            of,
            games=tuple(games),
            meters=tuple(self._meters()),
            linked=tuple(self._linked()),
            links=(),
            hits=tuple(hits),
            adjustments=tuple(self._adjustments),
        )

    def _is_of_month(self, hit: HitMonth) -> bool:
        begin = as_utc(self._month.begin)
        return all(moment is None or moment >= begin for moment in (hit.paid, hit.withdrawn))

    def _meters(self) -> Iterator[MeterMonth]:
        linked = {key[:3] for key in self._pots if key[3]}
        own = {key: pot for key, pot in self._pots.items() if not key[3]}
        last: dict[tuple[str, str], str] = {}
        for (site, table, *_), pot in own.items():
            last[site, table] = max(pot.last_hour, last.get((site, table), ""))
        for (site, table, journal, _, money), pot in own.items():
            if pot.moves or pot.last_hour == last[site, table]:
                of = site, table, journal
                sign = None if of in linked else self._signs.get(of)
                yield meter_month(of, money, pot.before, pot.month, sign)

    def _linked(self) -> Iterator[LinkedMonth]:
        for (site, table, journal, link, (currency, exponent)), pot in self._pots.items():
            if link and pot.month.through:
                yield LinkedMonth(
                    link=link,
                    site=site,
                    table=table,
                    journal=journal,
                    currency=currency,
                    exponent=exponent,
                    first=pot.before.through + 1,
                    last=pot.month.through,
                    chips=pot.month.chips,
                    contributions_e4=pot.month.contributions_e4,
                    returned_e4=pot.month.returned_e4,
                    paid_e4=pot.month.paid_e4,
                )


def differences(of: Return, again: Return, tables: Collection[tuple[str, str]], *, ledger: bool = False) -> list[str]:
    """Each figure of a return that differs from `again`, for these tables (site and name).

    Without `ledger`, figures from the pit's ledger are skipped. The parts of a meter whose beginning the archive does
    not have are always skipped.
    """
    found = []
    for name, key in KEYS.items():
        if name == "links" and not ledger:
            continue
        first, second = (_by_key(getattr(figures, name), key, tables) for figures in (of, again))
        for row in sorted({*first, *second}, key=repr):
            what = " ".join(str(value) for value in (name, *row) if value is not None)
            if row not in first or row not in second:
                where = "the return does not have it" if row not in first else "only the return has it"
                found.append(f"{what}: {where}")
                continue
            for field, value in msgspec.structs.asdict(first[row]).items():
                other = getattr(second[row], field)
                unknown = (field in OF_LEDGER and not ledger) or (name == "meters" and value is None)
                if value != other and not unknown:
                    found.append(f"{what}: {field} is {value} in the return, and {other} again")
    return found


def _by_key(
    rows: Collection[Struct], key: tuple[str, ...], tables: Collection[tuple[str, str]]
) -> dict[tuple[Any, ...], Struct]:
    of = {tuple(getattr(row, name) for name in key): row for row in rows}
    if "site" not in key:
        return of
    place = key.index("site")
    return {row: figures for row, figures in of.items() if row[place : place + 2] in tables}


def _game(key: tuple[Any, ...], sums: list[int]) -> GameMonth:
    rounds, voids, handle, win = sums
    named = dict(zip(KEYS["games"], key, strict=True))
    return GameMonth(**named, rounds=rounds, voids=voids, handle=handle, win=win)


def _named(own: Own) -> dict[str, Any]:
    return dict(zip(("site", "table", "journal"), own, strict=True))


def _columns(data: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: data.get(name) for name in names}


def _data(message: Message) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(message.content)["data"]
    return found
