"""The monthly return of a pit: its shape, its files, and their signature.

Amounts are minor units, those named `_e4` 1/10 000 of one. Times are UTC. What happened after the month's end is in
the return of the month in which it happened.
"""

import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from controller.link.messages import E4
from controller.pit.folders import whole_folder, write_synced
from controller.pit.meters import Moved
from controller.pit.refusals import CannotReport
from controller.tlog.notes import BadNote, Note, Signer, VerifierKey

DOMAIN = "dealer-pit return"
RETURN, NOTE = "return.json", "return.note"


class Month(Struct, frozen=True):
    """A month in a time zone, from a moment on and before another."""

    name: str
    time_zone: str
    begin: datetime
    end: datetime

    @classmethod
    def of(cls, name: str, time_zone: str) -> "Month":
        """A month such as 2026-01. Raises CannotReport."""
        try:
            first = datetime.strptime(name, "%Y-%m").replace(tzinfo=ZoneInfo(time_zone))
        except ValueError:
            raise CannotReport(f"{name!r} is not a month, such as 2026-01") from None
        after = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
        begin, end = first.astimezone(UTC), after.astimezone(UTC)
        if any(moment.minute or moment.second for moment in (begin, end)):
            raise CannotReport(f"{name} in {time_zone} does not begin with an hour of UTC, and sums are kept by hour")
        return cls(f"{first:%Y-%m}", time_zone, begin, end)

    def has(self, at: datetime) -> bool:
        """Whether a time is in the month."""
        return self.begin <= at < self.end


class GameMonth(Struct, frozen=True, kw_only=True):
    """The rounds of a game at a table that were confirmed in the month; `handle` and `win` as in `pit.rounds`."""

    site: str
    table: str
    game: str | None
    mode: str | None
    currency: str | None
    exponent: int | None
    rounds: int
    voids: int
    handle: int
    win: int


class MeterMonth(Struct, frozen=True, kw_only=True):
    """A table's own jackpot, by journal: the changes in the month, and the meter's parts before and after it.

    Parts are null where the archive does not have the beginning of the journal. `ledger_difference_e4` is the sum of
    changes since the meter was opened minus its parts. `sign_pot` is the pot on the sign after the month's last
    confirmed round (`sign_round`), and `sign_difference` is that minus the pot computed from the journal's messages;
    both are null without such a round, and where the table shows a linked pot.
    """

    site: str
    table: str
    journal: str
    currency: str | None
    exponent: int | None
    chips: int
    initial_e4: int
    contributions_e4: int
    returned_e4: int
    house_funded_e4: int
    paid_e4: int
    adjustments_e4: int
    opening_pot_e4: int | None
    opening_reserve_e4: int | None
    opening_overflow_e4: int | None
    opening_pending_e4: int | None
    closing_pot_e4: int | None
    closing_reserve_e4: int | None
    closing_overflow_e4: int | None
    closing_pending_e4: int | None
    ledger_difference_e4: int | None
    sign_round: int | None
    sign_pot: int | None
    sign_difference: int | None


class LinkedMonth(Struct, frozen=True, kw_only=True):
    """A table's journal about a linked pot in the month, entries `first` to `last`; fields with `ledger_` are the pit's
    ledger's figures for the same entries, and `missing_entries` is how many it does not have.
    """

    link: str
    site: str
    table: str
    journal: str
    currency: str | None
    exponent: int | None
    first: int
    last: int
    chips: int
    contributions_e4: int
    returned_e4: int
    paid_e4: int
    ledger_chips: int | None = None
    ledger_contributions_e4: int | None = None
    ledger_returned_e4: int | None = None
    ledger_paid_e4: int | None = None
    missing_entries: int | None = None


class LinkMonth(Struct, frozen=True, kw_only=True):
    """A linked pot in the pit's ledger: its last revision before the month (null if there was none) and the last in the
    month. The signs of its tables show this pot.
    """

    link: str
    opening_revision: int | None
    opening_pot_e4: int | None
    opening_reserve_e4: int | None
    opening_overflow_e4: int | None
    opening_pending_e4: int | None
    closing_revision: int
    closing_pot_e4: int
    closing_reserve_e4: int
    closing_overflow_e4: int
    closing_pending_e4: int
    cycle: int
    stopped: str


class HitMonth(Struct, frozen=True, kw_only=True):
    """A jackpot hit that was locked, paid or withdrawn in the month, or pending at its end. What came later is null."""

    site: str
    table: str
    journal: str
    hit: int | None
    round: int | None
    seat: int | None
    tier: str | None
    amount: int | None
    currency: str | None
    exponent: int | None
    article: str | None
    locked: str | None
    paid: str | None
    slip: int | None
    confirmed_by: tuple[str, ...] | None
    withdrawn: str | None


class AdjustmentMonth(Struct, frozen=True, kw_only=True):
    """An adjustment made in the month: of a confirmed round, of this or an earlier month, or of a meter."""

    site: str
    table: str
    journal: str
    sequence: int
    time: str
    what: str
    round: int | None
    seat: int | None
    part: str | None
    amount: int | None
    currency: str | None
    exponent: int | None
    actor: str | None
    second: str | None
    reason: str | None


class JournalMonth(Struct, frozen=True, kw_only=True):
    """A journal whose messages are in the return; the archive has it from message `first` on."""

    site: str
    table: str
    journal: str
    first: int


class GapMonth(Struct, frozen=True, kw_only=True):
    """Messages that are missing and that a person has accepted as lost. They may be of any month."""

    site: str
    table: str
    journal: str
    first: int
    last: int
    reason: str
    decided_by: str


class Undated(Struct, frozen=True, kw_only=True):
    """Rounds whose message has no time, of one table: they are in no month."""

    site: str
    table: str
    rounds: int


class Return(Struct, frozen=True, kw_only=True):
    """A whole return."""

    schema: int = 1
    pit: str
    month: str
    time_zone: str
    begin: str
    end: str
    games: tuple[GameMonth, ...] = ()
    meters: tuple[MeterMonth, ...] = ()
    linked: tuple[LinkedMonth, ...] = ()
    links: tuple[LinkMonth, ...] = ()
    hits: tuple[HitMonth, ...] = ()
    adjustments: tuple[AdjustmentMonth, ...] = ()
    journals: tuple[JournalMonth, ...] = ()
    gaps: tuple[GapMonth, ...] = ()
    undated: tuple[Undated, ...] = ()


TABLES: dict[str, type[Struct]] = {
    "games": GameMonth,
    "meters": MeterMonth,
    "linked": LinkedMonth,
    "links": LinkMonth,
    "hits": HitMonth,
    "adjustments": AdjustmentMonth,
    "journals": JournalMonth,
    "gaps": GapMonth,
    "undated": Undated,
}
"""The parts of a return, each a file of CSV too."""


def files(of: Return) -> dict[str, bytes]:
    """The files of a return by name: JSON, and a table of CSV for each part."""
    content = msgspec.json.format(msgspec.json.encode(of), indent=1) + b"\n"
    return {RETURN: content, **{f"{name}.csv": _table(getattr(of, name), table) for name, table in TABLES.items()}}


def _table(rows: Sequence[Struct], shape: type[Struct]) -> bytes:
    """A table as RFC 4180 in UTF-8; null is empty, and a list is separated by semicolons."""
    text = io.StringIO()
    out = csv.writer(text)
    out.writerow(shape.__struct_fields__)
    for row in rows:
        out.writerow("; ".join(cell) if isinstance(cell, tuple) else cell for cell in msgspec.structs.astuple(row))
    return text.getvalue().encode()


def note_of(pit: str, month: str, content: dict[str, bytes]) -> str:
    """The text that is signed: pit and month, and a line of `sha256sum` for each file."""
    lines = [f"{hashlib.sha256(octets).hexdigest()}  {name}\n" for name, octets in content.items()]
    return f"{DOMAIN} {pit} {month}\n{''.join(lines)}"


def write_return(of: Return, signer: Signer, folder: Path) -> None:
    """Write a return to a folder that is empty or not there: whole or not at all. Raises OSError, CannotReport."""
    content = files(of)
    content[NOTE] = str(signer.sign(note_of(of.pit, of.month, content))).encode()
    with whole_folder(folder) as fresh:
        for name, octets in content.items():
            write_synced(fresh / name, octets)


def read_return(folder: Path, key: VerifierKey) -> Return:
    """A return that this key has signed, with unchanged files. Raises CannotReport, OSError."""
    names = [RETURN, *(f"{name}.csv" for name in TABLES)]
    content = {name: (folder / name).read_bytes() for name in names}
    try:
        note = Note.read((folder / NOTE).read_bytes())
        signer = note.signatures[0][0]
        if signer != key.name:
            raise BadNote(f"it is signed by {signer}, and the key is that of {key.name}")
        key.signed(note)
        of = msgspec.json.decode(content[RETURN], type=Return)
    except BadNote as bad:
        raise CannotReport(f"{folder / NOTE}: {bad}") from None
    except msgspec.MsgspecError as error:
        raise CannotReport(f"{folder / RETURN} is no return: {error}") from None
    made, lines = files(of), set(note.text.splitlines())
    for name, octets in content.items():
        if octets != made[name] or f"{hashlib.sha256(octets).hexdigest()}  {name}" not in lines:
            raise CannotReport(f"{folder / name} is not the file that was signed")
    if note.text != note_of(of.pit, of.month, content):
        raise CannotReport(f"{folder / NOTE} is not the note of {RETURN}")
    return of


def meter_month(
    own: tuple[str, str, str],
    money: tuple[str | None, int | None],
    before: Moved,
    moved: Moved,
    sign: tuple[int | None, int, int] | None,
) -> MeterMonth:
    """A meter from its movements before and in the month. `sign` is the last round, its pot, and the pot by the
    messages, in `_e4`.
    """
    after = before.plus(moved)
    known = after.opened > 0
    site, table, journal = own
    return MeterMonth(
        site=site,
        table=table,
        journal=journal,
        currency=money[0],
        exponent=money[1],
        chips=moved.chips,
        initial_e4=moved.initial_e4,
        contributions_e4=moved.contributions_e4,
        returned_e4=moved.returned_e4,
        house_funded_e4=moved.house_funded_e4,
        paid_e4=moved.paid_e4,
        adjustments_e4=moved.adjustments_e4,
        **parts(*((asdict(before), asdict(after)) if known else (None, None))),
        ledger_difference_e4=after.balance_e4 - after.sum_e4 if known else None,
        sign_round=None if sign is None else sign[0],
        sign_pot=None if sign is None else sign[1],
        sign_difference=sign[1] - sign[2] // E4 if known and sign is not None else None,
    )


def parts(opening: Mapping[str, Any] | None, closing: Mapping[str, Any] | None) -> dict[str, Any]:
    """The columns of the parts of a pot before and after the month."""
    return {
        f"{when}_{part}_e4": None if row is None else row[f"{part}_e4"]
        for when, row in (("opening", opening), ("closing", closing))
        for part in ("pot", "reserve", "overflow", "pending")
    }
