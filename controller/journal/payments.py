"""The jackpot payments that a journal holds, read beside the station that writes it. All calls block.

The reading connection can write nothing, not even a checkpoint, and a reader of a WAL holds no writer up. Each row that
is read is held against the hash of the row before it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from controller.engine.events import Event
from controller.engine.jackpot import HitConfirmed, HitLocked, HitPaid
from controller.journal.records import GENESIS, JournalCorrupt, Stamp, WrongJournal
from controller.journal.store import FORMAT, blaming, chained
from controller.rulebook.events import RoundBegun

# A row starts with its event's tag.
OF_A_HIT = b'{"type":"hit_'
OF_A_BEGINNING = b'{"type":"round_begun"'

_COLUMNS = """SELECT e.id, e.time, e.boot, e.monotonic_ns, e.synchronised, e.body, e.sealed, e.hash, before.hash
              FROM events AS e LEFT JOIN events AS before ON before.id = e.id - 1"""

_decode_event = msgspec.json.Decoder(Event).decode


class Confirmation(msgspec.Struct, frozen=True):
    """One of the two persons who paid a hit; `at` is the recorded time, UTC."""

    name: str
    role: str
    at: str


class Payment(msgspec.Struct, frozen=True):
    """A hit that was paid with a slip: how it was won and by whom it was paid. `event` is the number of its payment.

    Times are as the journal recorded them, UTC; `synchronised` says whether the clock was, at the payment.
    """

    journal: str
    game: str
    event: int
    locked: HitLocked
    won_at: str
    confirmed: tuple[Confirmation, ...]
    paid: HitPaid
    paid_at: str
    synchronised: bool


def read_payments(path: Path, mode: str) -> list[Payment]:
    """Every payment that has a slip, in the order of the slips.

    Raises JournalUnavailable, JournalCorrupt, or WrongJournal where it is of the other mode.
    """
    with blaming(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        db.execute("BEGIN")  # everything is read as it stood at one moment
        meta = {key: bytes(value).decode(errors="replace") for key, value in db.execute("SELECT key, value FROM meta")}
        if meta.get("format") != str(FORMAT) or "uuid" not in meta:
            raise JournalCorrupt(f"{path} has format {meta.get('format')}; this station reads {FORMAT}")
        if meta.get("mode") != mode:
            raise WrongJournal(f"{path} is a journal of mode {meta.get('mode')!r}; this configuration is {mode!r}")
        return list(_payments(path, db, meta["uuid"]))


def _payments(path: Path, db: sqlite3.Connection, uuid: str) -> Iterator[Payment]:
    won: dict[int, tuple[int, HitLocked, str]] = {}
    confirmed: dict[int, tuple[Confirmation, ...]] = {}
    for number, stamp, event in _rows(path, db, "WHERE substr(e.body, 1, ?) = ? ORDER BY e.id", OF_A_HIT):
        match event:
            case HitLocked(hit=hit):
                won[hit] = (number, event, stamp.time)
            case HitConfirmed(hit=hit, actor=name, role=role):
                confirmed[hit] = (*confirmed.get(hit, ()), Confirmation(name=name, role=role, at=stamp.time))
            case HitPaid(hit=hit, slip=slip) if slip:
                won_by, locked, won_at = won[hit]
                yield Payment(
                    journal=uuid,
                    game=_game_of(path, db, won_by),
                    event=number,
                    locked=locked,
                    won_at=won_at,
                    confirmed=confirmed[hit],
                    paid=event,
                    paid_at=stamp.time,
                    synchronised=stamp.synchronised,
                )


def _game_of(path: Path, db: sqlite3.Connection, event: int) -> str:
    """The game of the round that an event belongs to."""
    which = f"WHERE e.id < {event:d} AND substr(e.body, 1, ?) = ? ORDER BY e.id DESC LIMIT 1"
    for _, _, begun in _rows(path, db, which, OF_A_BEGINNING):
        if isinstance(begun, RoundBegun):
            return begun.terms.game
    raise JournalCorrupt(f"{path}: event {event} belongs to no round")


def _rows(path: Path, db: sqlite3.Connection, which: str, opening: bytes) -> Iterator[tuple[int, Stamp, Event]]:
    for number, time, boot, monotonic_ns, synchronised, body, sealed, hash, before in db.execute(
        f"{_COLUMNS} {which}", (len(opening), opening)
    ):
        stamp = Stamp(time=time, boot=boot, monotonic_ns=monotonic_ns, synchronised=bool(synchronised))
        if chained(before or GENESIS, number, stamp, body, sealed) != hash:
            raise JournalCorrupt(f"{path}: event {number} is not as it was written (hash chain)")
        try:
            yield number, stamp, _decode_event(body)
        except msgspec.DecodeError as error:
            raise JournalCorrupt(f"{path}: event {number} cannot be read: {error}") from None
