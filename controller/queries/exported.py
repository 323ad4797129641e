"""A journal written out for other programs: a row for each line of a settlement, each event, input or make.

All calls block.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict

from controller.engine.recorded import InClear, in_clear
from controller.floor.messages import Identity
from controller.journal.auditing import Report
from controller.journal.records import JournalCorrupt, Stamp
from controller.queries.audited import WantedRounds, place_before, read_events
from controller.queries.following import FollowedEvents
from controller.rulebook.events import RoundBegun, RoundConfirmed
from controller.rulebook.games import game_of
from controller.rulebook.report import BankResult, LineResult, RoundReport

LINE = (
    "round", "game", "began", "confirmed", "confirmed_by", "void", "seat", "player", "wager", "hand", "stake",
    "outcome", "odds", "net", "commission", "combination", "carried", "article", "currency", "exponent",
)  # fmt: skip
EVENT = ("event", "time", "synchronised", "round", "type", "data")
INPUT = ("event", "time", "synchronised", "round", "kind", "actor", "people", "events", "data")
MAKE = ("event", "time", "synchronised", "device", "driver", "package", "version", "sha256")

_Row = dict[str, Any]


def line_rows(path: Path, identity: Identity, wanted: WantedRounds, report: Report) -> Iterator[_Row]:
    """Each line of each confirmed round that is wanted, money in minor units; a round without lines has one row.

    Raises JournalUnavailable, JournalCorrupt, or WrongJournal where it is of the other mode.
    """
    money = {"currency": identity.currency, "exponent": identity.exponent}
    for report_of_round, of in confirmed(path, identity, wanted, report):
        yield from ({name: (of | line | money).get(name) for name in LINE} for line in _lines(report_of_round))


def confirmed(
    path: Path, identity: Identity, wanted: WantedRounds, report: Report
) -> Iterator[tuple[RoundReport, dict[str, Any]]]:
    """Each wanted confirmed round: when it began, when and by whom it was confirmed, and why it is void. Raises as
    `line_rows`.

    Raises as `line_rows`.
    """
    followed, began = FollowedEvents(), ""
    for _, stamp, event, _ in read_events(path, identity.mode, report, place_before(path, identity.mode, wanted)):
        followed.of(event)
        if isinstance(event, RoundBegun):
            began = stamp.time
        round = followed.round
        if isinstance(event, RoundConfirmed) and round is not None and wanted.begins(began):
            of: _Row = {"began": began, "confirmed": stamp.time, "confirmed_by": event.actor}
            of |= {"void": None if round.void is None else round.void.article}
            yield game_of(round).report(round), of


def _lines(report: RoundReport) -> Iterator[_Row]:
    of = {"round": report.round, "game": report.game}
    found = [_line(seat.seat, line) for seat in report.seats for line in seat.lines]
    found += _behind_the_bank(report.bank)
    yield from (of | line for line in found or [{}])


def _line(seat: int, line: LineResult) -> _Row:
    own = msgspec.to_builtins(line)
    return {"seat": seat, "carried": own.pop("chip_carried", None), **own}


def _behind_the_bank(bank: BankResult | None) -> Iterator[_Row]:
    """What the banker of Taiwan-Pai Kao, those who joined him, and the casino won or lost."""
    if bank is None or bank.seat is UNSET or bank.net is UNSET:
        return
    yield {"seat": bank.seat, "wager": "bank", "stake": bank.capital, "net": bank.net}
    for line in bank.joiners or ():
        yield _line(bank.seat, line)
    if bank.casino:
        yield {"seat": bank.seat, "wager": "casino", "stake": bank.casino.share, "net": bank.casino.net}


def events(path: Path, identity: Identity, wanted: WantedRounds, report: Report) -> Iterator[_Row]:
    """Each event of the wanted time, with its round. Raises as `line_rows`."""
    followed = FollowedEvents()
    for number, stamp, event, _ in read_events(path, identity.mode, report):
        of = followed.of(event)
        if wanted.begins(stamp.time):
            data = msgspec.to_builtins(event, str_keys=True)
            kind = data.pop("type")
            values = (number, stamp.time, stamp.synchronised, of, kind, data)
            yield dict(zip(EVENT, values, strict=True))


def inputs(path: Path, identity: Identity, wanted: WantedRounds, report: Report) -> Iterator[_Row]:
    """Each input of the period: its first event with its round, who entered it, and in which role.

    `events` is how many events it caused, `data` its other fields. Raises as `line_rows`.
    """
    followed, row = FollowedEvents(), _Row()
    for number, stamp, event, input in read_events(path, identity.mode, report):
        of = followed.of(event)
        if input is not None:
            if row:
                yield row
            row = _input(path, number, stamp, of, input) if wanted.begins(stamp.time) else {}
        if row:
            row["events"] += 1
    if row:
        yield row


def makes(path: Path, identity: Identity, wanted: WantedRounds, report: Report) -> Iterator[_Row]:
    """The code of each device's make since each start of the station, by its first event. Raises as `line_rows`."""
    for number, stamp, _, input in read_events(path, identity.mode, report):
        settings = None if input is None else _in_clear(path, number, input).settings
        if settings is not None and wanted.begins(stamp.time):
            of = {"event": number, "time": stamp.time, "synchronised": stamp.synchronised}
            yield from (of | {"device": device, **asdict(make)} for device, make in settings.makes.items())


def _in_clear(path: Path, number: int, text: bytes) -> InClear:
    try:
        return in_clear(text)
    except msgspec.DecodeError as error:
        raise JournalCorrupt(f"{path}: the input of event {number} cannot be read: {error}") from None


def _input(path: Path, number: int, stamp: Stamp, round: int | None, text: bytes) -> _Row:
    """The input of an event; empty for events that the station recorded by itself."""
    kept = _in_clear(path, number, text)
    if kept.input is None:
        return {}
    data = dict(kept.input)
    kind, actor = data.pop("kind"), data.pop("actor", None)
    values = (number, stamp.time, stamp.synchronised, round, kind, actor, kept.people, 0, data)
    return dict(zip(INPUT, values, strict=True))
