"""A journal written out for other programs: a row for each line of each settlement, or for each event.

All calls block.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from controller.floor.message_data import round_data
from controller.floor.messages import Identity, round_report
from controller.floor.shapes import ToldBank, ToldRound
from controller.journal.auditing import Report
from controller.queries.audited import Wanted, begin, read
from controller.queries.following import Followed
from controller.rulebook.events import RoundBegun, RoundConfirmed

LINE = (
    "round", "game", "began", "confirmed", "confirmed_by", "void", "seat", "player", "wager", "hand", "stake",
    "outcome", "odds", "net", "commission", "combination", "carried", "article", "currency", "exponent",
)  # fmt: skip
EVENT = ("event", "time", "synchronised", "round", "type", "data")

Row = dict[str, Any]


def lines(path: Path, identity: Identity, wanted: Wanted, report: Report) -> Iterator[Row]:
    """Each line of each confirmed round that is wanted, money in minor units; a round without lines has one row.

    Raises JournalUnavailable, JournalCorrupt, or WrongJournal where it is of the other mode.
    """
    followed, began = Followed(), ""
    for _, stamp, event in read(path, identity.mode, report, begin(path, identity.mode, wanted)):
        followed.of(event)
        if isinstance(event, RoundBegun):
            began = stamp.time
        round = followed.round
        if isinstance(event, RoundConfirmed) and round is not None and wanted.begins(began):
            told = round_data(round_report(identity, round), round, 0, began, stamp.time, event.actor)
            yield from _lines(told)


def _lines(told: ToldRound) -> Iterator[Row]:
    of = {name: getattr(told, name) for name in ("round", "game", "began", "confirmed")} | {"confirmed_by": told.actor}
    of |= {"void": None if told.void is None else told.void.article}
    money = {"currency": told.currency, "exponent": told.exponent}
    found = [{"seat": seat.seat, **msgspec.to_builtins(line)} for seat in told.seats for line in seat.lines]
    found += _behind_the_bank(told.bank)
    for one in found or [{}]:
        yield {name: (of | one | money).get(name) for name in LINE}


def _behind_the_bank(bank: ToldBank | None) -> Iterator[Row]:
    """What the banker of Taiwan-Pai Kao, who joined him and the casino won or lost."""
    if bank is None or bank.net is UNSET:
        return
    yield {"seat": bank.seat, "wager": "bank", "stake": bank.capital, "net": bank.net}
    for line in bank.joiners or ():
        yield {"seat": bank.seat, **msgspec.to_builtins(line)}
    if bank.casino:
        yield {"seat": bank.seat, "wager": "casino", "stake": bank.casino.share, "net": bank.casino.net}


def events(path: Path, identity: Identity, wanted: Wanted, report: Report) -> Iterator[Row]:
    """Each event of the time that is wanted, with the round it belongs to. Raises as `lines`."""
    followed = Followed()
    for number, stamp, event in read(path, identity.mode, report):
        of = followed.of(event)
        if wanted.begins(stamp.time):
            data = msgspec.to_builtins(event, str_keys=True)
            kind = data.pop("type")
            told = (number, stamp.time, stamp.synchronised, of, kind, data)
            yield dict(zip(EVENT, told, strict=True))
