"""A journal written out for other programs: a row for each line of each settlement, or for each event.

All calls block.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from controller.floor.messages import Identity
from controller.journal.auditing import Report
from controller.queries.audited import Wanted, begin, read
from controller.queries.following import Followed
from controller.rulebook.events import RoundBegun, RoundConfirmed
from controller.rulebook.games import game_of
from controller.rulebook.report import BankResult, LineResult, RoundReport

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
            of: Row = {"began": began, "confirmed": stamp.time, "confirmed_by": event.actor}
            of |= {"void": None if round.void is None else round.void.article}
            money = {"currency": identity.currency, "exponent": identity.exponent}
            yield from (
                {name: (of | line | money).get(name) for name in LINE} for line in _lines(game_of(round).report(round))
            )


def _lines(report: RoundReport) -> Iterator[Row]:
    of = {"round": report.round, "game": report.game}
    found = [_line(seat.seat, line) for seat in report.seats for line in seat.lines]
    found += _behind_the_bank(report.bank)
    yield from (of | one for one in found or [{}])


def _line(seat: int, line: LineResult) -> Row:
    own = msgspec.to_builtins(line)
    return {"seat": seat, "carried": own.pop("chip_carried", None), **own}


def _behind_the_bank(bank: BankResult | None) -> Iterator[Row]:
    """What the banker of Taiwan-Pai Kao, who joined him and the casino won or lost."""
    if bank is None or bank.seat is UNSET or bank.net is UNSET:
        return
    yield {"seat": bank.seat, "wager": "bank", "stake": bank.capital, "net": bank.net}
    for line in bank.joiners or ():
        yield _line(bank.seat, line)
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
