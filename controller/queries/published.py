"""The messages that a table has published to the floor and about a linked pot, from its journal and files.

All calls block. Messages that are no longer stored are computed again from the events, in the form of this version.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from controller.engine.state.applied import Event, apply, decode_event
from controller.engine.state.events import LinkRecorded, MessageSetAside
from controller.engine.state.table import Table
from controller.floor.messages import Identity, Publication, publications
from controller.journal import message_files
from controller.journal.auditing import Report, audit, rows
from controller.journal.creation import starts_with
from controller.journal.past import Past, head_of
from controller.journal.reading import opened_journal
from controller.journal.records import JournalCorrupt, JournalUnavailable
from controller.journal.sql import journal_errors, read_only
from controller.journal.tree import NotKept, Subtrees
from controller.link import table as link
from controller.link.messages import Entry
from controller.rulebook.events import RoundBegun
from controller.tlog import merkle
from controller.tlog.notes import Checkpoint

PAGE = 2000  # messages: those of a file
_ASIDE = b'{"type":"message_set_aside"'
_OF_LINK = b'{"type":"link_recorded"'


class _Data(msgspec.Struct, frozen=True):
    currency: str | None = None
    exponent: int | None = None


class _Envelope(msgspec.Struct, frozen=True):
    source: str
    data: _Data


_decode_envelope = msgspec.json.Decoder(_Envelope).decode


class Spoken(msgspec.Struct, frozen=True):
    """A verified journal, and which of its messages it can give.

    `names` are those in its messages' ids, by the event after which they apply. `first` is the first message that is
    available, `kept` the first that is stored and need not be computed.
    """

    path: Path
    mode: str
    identity: Identity
    names: dict[int, str]
    events: int
    first: int
    kept: int
    last: int


def spoken(path: Path, report: Report, processes: int = 1) -> Spoken | None:
    """Verify a journal and read its identity; None if it has published nothing yet.

    Raises JournalUnavailable or JournalCorrupt.
    """
    with journal_errors(path), closing(read_only(path)) as db:
        found = db.execute("SELECT value FROM meta WHERE key = 'mode'").fetchone()
    mode = "" if found is None else bytes(found[0]).decode(errors="replace")
    verified = audit(path, mode, None, report, processes)
    kept = next(_kept(path, mode, 0), None)
    if kept is None:
        if verified.sequence:
            raise JournalCorrupt(f"{path} keeps none of its {verified.sequence} messages: nothing says whose they were")
        return None
    identity = _whose(path, mode)
    names = {0: verified.journal} | {epoch.event: f"{verified.journal}.{epoch.name}" for epoch in verified.epochs}
    first = kept.sequence if verified.pruned else 1
    return Spoken(path, mode, identity, names, verified.events, first, kept.sequence, verified.sequence)


def _whose(path: Path, mode: str) -> Identity:
    """The currency of a table, which only some messages have."""
    source = ""
    for row in _kept(path, mode, 0):
        message = _decode_envelope(row.payload)
        source = source or message.source
        if message.data.currency is not None and message.data.exponent is not None:
            _, _, site, table, journal = source.split("/")
            return Identity(site, table, journal, mode, message.data.currency, message.data.exponent)
    raise JournalCorrupt(f"{path}: none of the messages that it keeps says in what money they count")


def messages(of: Spoken, report: Report) -> Iterator[Publication]:
    """All messages that the table published, in order, without those put aside. Raises as `spoken`."""
    after = of.first - 1
    if of.first < of.kept:
        for message in _computed(of, report):
            yield message
            after = message.sequence
    after = max(after, of.kept - 1)
    yield from _kept(of.path, of.mode, after)


def _kept(path: Path, mode: str, after: int) -> Iterator[Publication]:
    """The messages after this one, or all stored ones after 0. Raises JournalUnavailable if some are deleted
    meanwhile.
    """
    # In slices: a station is not kept from beginning its log again for as long as this takes.
    while True:
        with opened_journal(path, mode) as (db, _):
            oldest = message_files.oldest(db)
            if after and oldest > after + 1:
                raise JournalUnavailable(
                    f"{path}: messages {after + 1} to {oldest - 1} were removed while they were read"
                )
            found = message_files.stored_messages(path, db, after + 1, PAGE)
        if not found:
            return
        yield from (Publication(row.sequence, row.topic, row.payload) for row in found)
        after = found[-1].sequence


def _computed(of: Spoken, report: Report) -> Iterator[Publication]:
    table, sequence, began = Table(), 0, dict[int, str]()
    aside = {event.message for event in _where(of.path, of.mode, _ASIDE) if isinstance(event, MessageSetAside)}
    for number, time, _, _, _, body, *_ in rows(of.path, of.mode, report):
        event = decode_event(body)
        before, table = table, apply(table, event)
        if isinstance(event, RoundBegun):
            began = {**dict(list(began.items())[-1:]), event.round: time}
        name = next(name for after, name in reversed(of.names.items()) if number > after)
        identity = msgspec.structs.replace(of.identity, journal=name)
        started = began.get(table.round.id) if table.round is not None else None
        for message in publications(identity, event, before, table, sequence, time, began=started):
            sequence = message.sequence
            if sequence >= of.kept:
                return
            if sequence not in aside:
                yield message


def _where(path: Path, mode: str, opening: bytes) -> Iterator[Event]:
    with opened_journal(path, mode) as (db, _):
        for _, _, event in Past(path, db).where(starts_with("e.body", opening), lambda text: text.startswith(opening)):
            yield event


def of_link(of: Spoken) -> list[link.Event]:
    """The entries about a linked pot, in order. Raises as `spoken`."""
    return _link_events(of.path, of.mode)


def link_kept(path: Path, mode: str) -> link.StoredLink | None:
    """The journal's content about a linked pot; None if it joined none. Raises as `opened_journal`, and NotKept."""
    match _link_events(path, mode):
        case []:
            return None
        case [Entry(link=name, table=table, seq=1), *_] as message:
            return link.TableAtLink(name, "", table, message).kept
        case _:
            raise NotKept(f"{path} no longer has all messages about its linked pot")


def _link_events(path: Path, mode: str) -> list[link.Event]:
    return [event.content for event in _where(path, mode, _OF_LINK) if isinstance(event, LinkRecorded)]


def check_witnessed(of: Spoken, witnessed: Checkpoint) -> None:
    """Checks that a journal continues from its witnessed checkpoint. Raises JournalCorrupt if not, or if that part is
    not stored.
    """
    with opened_journal(of.path, of.mode) as (db, _):
        head = head_of(db)
        if witnessed.size > head.event:
            raise JournalCorrupt(
                f"{of.path} ends at event {head.event}, and {witnessed.size} were witnessed: an older copy"
            )
        try:
            root = merkle.root(Subtrees(of.path, db, head).edge(witnessed.size))
        except NotKept as gone:
            raise JournalCorrupt(f"{of.path} cannot be compared with what was witnessed: {gone}") from None
    if root != witnessed.root:
        raise JournalCorrupt(f"{of.path}: its first {witnessed.size} events are others than were witnessed")
