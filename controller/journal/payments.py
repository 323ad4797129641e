"""The jackpot payments in a journal, read while its station runs. All calls block."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from controller.engine.state.jackpot import HitConfirmed, HitLocked, HitPaid
from controller.journal.past import Past
from controller.journal.reading import reading
from controller.journal.records import JournalCorrupt, Stamp
from controller.journal.segments import Segment
from controller.rulebook.events import Terms
from controller.rulebook.roles import Role


class Confirmation(msgspec.Struct, frozen=True):
    """One of the two persons who paid a hit; `at` is the recorded time, UTC."""

    name: str
    role: Role
    at: str


class Payment(msgspec.Struct, frozen=True):
    """A hit that was paid: how it was won and by whom it was paid. `event` is the number of its payment.

    `terms` are those of its round.

    Times are as the journal recorded them, UTC; `synchronised` says whether the clock was, at the payment.
    """

    journal: str
    terms: Terms
    event: int
    locked: HitLocked
    won_at: str
    confirmed: tuple[Confirmation, ...]
    paid: HitPaid
    paid_at: str
    synchronised: bool


def read_payments(path: Path, mode: str) -> list[Payment]:
    """Every payment, in the order of the slips.

    Raises JournalUnavailable, JournalCorrupt, or WrongJournal if it is of the other mode.
    """
    with reading(path, mode) as (past, uuid):
        return list(_payments(path, past, uuid))


def read_payment(path: Path, mode: str, slip: int) -> tuple[Payment | None, int]:
    """The payment of one slip, and the number of the last slip (0 for none). Raises as `read_payments`."""
    last = 0
    confirmed: list[Confirmation] = []
    paid: tuple[int, Stamp, HitPaid] | None = None

    def passed(segment: Segment) -> bool:
        nonlocal last
        _, highest = segment.slips or (0, 0)
        last = max(last, highest)
        return paid is None and not (segment.slips and segment.slips[0] <= slip <= segment.slips[1])

    with reading(path, mode) as (past, uuid):
        for number, stamp, event in past.of_kind("hit", newest_first=True, passed=passed):
            match event:
                case HitPaid(slip=given):
                    last = max(last, given)
                    paid = (number, stamp, event) if given == slip else paid
                case HitConfirmed(hit=hit) if paid is not None and hit == paid[2].hit:
                    confirmed.insert(0, Confirmation(name=event.actor, role=event.role, at=stamp.time))
                case HitLocked(hit=hit) if paid is not None and hit == paid[2].hit:
                    won = (number, event, stamp.time)
                    return _payment(path, past, uuid, won, tuple(confirmed), *paid), last
    return None, last


def _payments(path: Path, past: Past, uuid: str) -> Iterator[Payment]:
    won: dict[int, tuple[int, HitLocked, str]] = {}
    confirmed: dict[int, tuple[Confirmation, ...]] = {}
    for number, stamp, event in past.of_kind("hit"):
        match event:
            case HitLocked(hit=hit):
                won[hit] = (number, event, stamp.time)
            case HitConfirmed(hit=hit, actor=name, role=role):
                confirmed[hit] = (*confirmed.get(hit, ()), Confirmation(name=name, role=role, at=stamp.time))
            case HitPaid(hit=hit) if hit in won:  # else it was won before what is kept
                yield _payment(path, past, uuid, won[hit], confirmed[hit], number, stamp, event)


def _payment(
    path: Path,
    past: Past,
    uuid: str,
    won: tuple[int, HitLocked, str],
    confirmed: tuple[Confirmation, ...],
    number: int,
    stamp: Stamp,
    paid: HitPaid,
) -> Payment:
    won_by, locked, won_at = won
    return Payment(
        journal=uuid,
        terms=_terms_of(path, past, won_by),
        event=number,
        locked=locked,
        won_at=won_at,
        confirmed=confirmed,
        paid=paid,
        paid_at=stamp.time,
        synchronised=stamp.synchronised,
    )


def _terms_of(path: Path, past: Past, event: int) -> Terms:
    """The terms of the round that an event belongs to."""
    begun = past.round_begun_before(event)
    if begun is None:
        raise JournalCorrupt(f"{path}: event {event} belongs to no round")
    return begun.terms
