"""The record of a disputed round as one object that another program can check. It blocks.

The events are in it word for word, so that each can be hashed again. The rest (settlement, articles, parameters, which
events are inputs or device messages) is derived from them, for a reader.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from controller.engine.state.applied import decode_event
from controller.engine.state.jackpot import MeterOpened, ParametersScheduled, PotRestarted, RestartWithdrawn
from controller.floor.messages import Identity
from controller.journal.chain import chained
from controller.journal.creation import METER, METER_SET, tag_of
from controller.journal.past import Past, released_keys
from controller.journal.reading import opened_journal
from controller.journal.records import JournalCorrupt, Stamp
from controller.journal.segments import SegmentRow, round_begun
from controller.journal.tree import NotProved, proved
from controller.journal.wires import SealedBlock, blocks_of, folder_of
from controller.rulebook.jackpot_award import Parameters
from controller.tlog.notes import Checkpoint, Note, proof_text

_Link = tuple[bytes, SegmentRow]
"""A row and the hash of the row before it."""

KIND, VERSION = "dealer-station dispute bundle", 1

# An event's tag, as a row starts with it.
RELEASED = "key_released"
AFTERWARDS = ("round_adjusted", "complaint_opened", "complaint_decided", RELEASED)
OF_HITS = ("hit_made_payable", "hit_confirmed", "hit_paid")
SETTLED = ("round_settled", "places_settled")
CITING = ("round_voided", "hit_locked")


class WrittenRow(msgspec.Struct, frozen=True, array_like=True):
    """An event's row: `sealed` are its cards that no rule had shown, in base64, `hash` is hexadecimal.

    `input` is that whose first event it is, in clear.
    """

    number: int
    time: str
    boot: str
    monotonic_ns: int
    synchronised: bool
    body: str
    sealed: bytes | None
    hash: str
    input: str | None


class RowRange(msgspec.Struct, frozen=True):
    """Consecutive rows, and the hash of the row before them."""

    before: str
    rows: list[WrittenRow]


class LinkedRow(msgspec.Struct, frozen=True):
    """A single row, and the hash of the row before it."""

    before: str
    row: WrittenRow


class Contents(msgspec.Struct, frozen=True):
    """The content of the rows: the settlement that holds, articles cited, rules in force, which events were entered or
    received.

    `inputs` and `device_messages` are numbers of events: the first that such an input has caused.
    """

    settlement: dict[str, Any] | None
    articles: list[str]
    parameters: dict[str, Any]
    inputs: list[int]
    device_messages: list[int]


class Bundle(msgspec.Struct, frozen=True, kw_only=True):
    """One round. `chain` has its events, and the one that begins the next, if there is one.

    `earlier` set the jackpot's parameters, `later` belong to it though another round had begun. `released_key` opens
    its sealed cards, in hexadecimal, where two persons have released it; `wires` is what the flight recorder still has.
    """

    kind: str = KIND
    version: int = VERSION
    site: str
    table: str
    game: str
    mode: str
    currency: str
    exponent: int
    journal: str
    round: int
    contents: Contents
    earlier: list[LinkedRow]
    chain: RowRange
    later: list[LinkedRow]
    proofs: dict[int, str] = {}
    released_key: str | None = None
    wires: list[SealedBlock] = []


def dispute(path: Path, identity: Identity, round: int, checkpoint: Note | None = None) -> Bundle | None:
    """The bundle of a round; None if the journal does not have it, or no longer.

    With a `checkpoint` it is as the journal was then, with the proofs that its events were in the tree.

    Raises NotProved, BadNote, JournalUnavailable, JournalCorrupt, or WrongJournal where it is of the other mode.
    """
    with opened_journal(path, identity.mode) as (db, uuid):
        links = linked_of(path, Past(path, db), round)
        if checkpoint is not None:
            head = Checkpoint.read(checkpoint.text)
            if head.origin != (own := f"{identity.base}/{uuid}"):
                raise NotProved(f"the checkpoint is of {head.origin}, not of {own}")
            last = head.size
            links = takewhile(lambda link: link[1][0] <= last, links)
        found = bundle_of(links, identity, uuid, round, released_keys(db).get(round))
    if found is None:
        return None
    found = msgspec.structs.replace(found, wires=list(blocks_of(folder_of(path), uuid, round)))
    if checkpoint is None:
        return found
    alone = [link.row.number for link in (*found.earlier, *found.later)]
    proofs = {
        number: _proof(path, identity.mode, number, checkpoint) for number in (found.chain.rows[-1].number, *alone)
    }
    return msgspec.structs.replace(found, proofs=proofs)


def _proof(path: Path, mode: str, event: int, note: Note) -> str:
    found = proved(path, mode, event, Checkpoint.read(note.text))
    return proof_text(found.index, found.path, note)


def bundle_of(
    links: Iterator[_Link], identity: Identity, journal: str, round: int, key: str | None = None
) -> Bundle | None:
    """The bundle of a round out of a journal's rows, oldest first; None where the round is not among them.

    It has the `key` if it has the event by which that was released.
    """
    found = _found(links, round)
    if found is None:
        return None
    earlier, before, rows, later = found
    own = rows[:-1] if len(rows) > 1 and round_begun(rows[-1][5]) else rows
    game = msgspec.json.decode(own[0][5])["terms"]["game"]
    payloads = (row[5] for row in (*own, *(row for _, row in later)))
    is_released = any(tag_of(body) == RELEASED and _is_of(body, round, set()) for body in payloads)
    return Bundle(
        site=identity.site,
        table=identity.table,
        game=game,
        mode=identity.mode,
        currency=identity.currency,
        exponent=identity.exponent,
        journal=journal,
        round=round,
        contents=_contents(own, earlier),
        earlier=[_written_link(*link) for link in earlier],
        chain=RowRange(before.hex(), list(map(_written, rows))),
        later=[_written_link(*link) for link in later],
        released_key=key if is_released else None,
    )


def linked_of(path: Path, past: Past, round: int) -> Iterator[_Link]:
    """The rows of the bundle of a round, oldest first. No others are read."""
    begins = past.begins(round)
    if begins is None:
        return
    of_the_meter: list[int] = []
    for number, body in past.texts_of(METER, 0, begins):
        of_the_meter.append(number)
        if tag_of(body) in METER_SET:
            break
    for number in reversed(of_the_meter):
        yield next(linked(path, past, number - 1))
    hits: set[int] = set()
    for link in linked(path, past, begins - 1):
        yield link
        number, body = link[1][0], link[1][5]
        if round_begun(body) not in (0, round):
            break
        if tag_of(body) == "hit_locked":
            hits.add(msgspec.json.decode(body)["hit"])
    kinds = ("round_adjusted", "complaint_", RELEASED, "hit")
    later = [other for other, body in past.texts_of(kinds, number, past.last + 1) if _is_of(body, round, hits)]
    for other in reversed(later):
        yield next(linked(path, past, other - 1))


def linked(path: Path, past: Past, after: int) -> Iterator[_Link]:
    """The rows after an event, each as it was written."""
    number, before = past.begins_after
    if after > number:
        number, before = after, next(past.after(after - 1))[7]
    for row in past.after(number):
        number += 1
        stamp = Stamp(time=row[1], boot=row[2], monotonic_ns=row[3], synchronised=bool(row[4]))
        if row[0] != number or chained(before, number, stamp, row[5], row[6], row[8]) != row[7]:
            raise JournalCorrupt(f"{path}: event {number} is not as it was written (hash chain)")
        yield before, row
        before = row[7]


def _found(links: Iterator[_Link], round: int) -> tuple[list[_Link], bytes, list[SegmentRow], list[_Link]] | None:
    """The event that set the meter before the round, the hash before it, the round's rows, and its later events."""
    earlier: list[_Link] = []
    for link in links:
        if round_begun(link[1][5]) == round:
            break
        if (tag := tag_of(link[1][5])) in METER:
            earlier = [link] if tag in METER_SET else [*earlier, link]
    else:
        return None
    rows = [link[1]]
    for _, row in links:
        rows.append(row)
        if round_begun(row[5]):
            break
    hits = {msgspec.json.decode(row[5])["hit"] for row in rows if tag_of(row[5]) == "hit_locked"}
    later = [link for link in links if _is_of(link[1][5], round, hits)]
    return earlier, link[0], rows, later


def _is_of(body: bytes, round: int, hits: set[int]) -> bool:
    tag = tag_of(body)
    if tag in AFTERWARDS:
        return bool(msgspec.json.decode(body)["round"] == round)
    return tag in OF_HITS and msgspec.json.decode(body)["hit"] in hits


def _written(row: SegmentRow) -> WrittenRow:
    number, time, boot, monotonic_ns, synchronised, body, sealed, hash, input = row
    asked = None if input is None else input.decode()
    return WrittenRow(number, time, boot, monotonic_ns, bool(synchronised), body.decode(), sealed, hash.hex(), asked)


def _written_link(before: bytes, row: SegmentRow) -> LinkedRow:
    return LinkedRow(before.hex(), _written(row))


def _contents(own: Sequence[SegmentRow], earlier: Sequence[_Link]) -> Contents:
    events = [msgspec.json.decode(row[5]) for row in own]
    asked = {row[0]: msgspec.json.decode(row[8]).get("input") for row in own if row[8] is not None}
    kept = {number: input for number, input in asked.items() if input is not None}
    settlement: dict[str, Any] | None = None
    for event in events:
        if event["type"] in SETTLED:
            settlement = event["settlement"]
        elif event["type"] == "settlement_withdrawn":
            settlement = None
    cited = [article for event in events if event["type"] in CITING for article in _articles(event)]
    return Contents(
        settlement=settlement,
        articles=list(dict.fromkeys([*cited, *_articles(settlement)])),
        parameters={"terms": events[0]["terms"], "jackpot": _jackpot([row for _, row in earlier])},
        inputs=[number for number, input in kept.items() if "actor" in input],
        device_messages=[number for number, input in kept.items() if "actor" not in input],
    )


def _articles(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("article"), str):
            yield value["article"]
        for member in value.values():
            yield from _articles(member)
    elif isinstance(value, list):
        for item in value:
            yield from _articles(item)


def _jackpot(earlier: Sequence[SegmentRow]) -> dict[str, Any] | None:
    """The jackpot's parameters at the beginning of the round; None without a jackpot, or if they are not stored."""
    parameters: Parameters | None = None
    scheduled: Parameters | None = None
    for row in earlier:
        match decode_event(row[5]):
            case ParametersScheduled(parameters_after=after):
                scheduled = after
            case MeterOpened(parameters=now) | PotRestarted(parameters=now):
                parameters, scheduled = now, None
            case RestartWithdrawn(parameters=now, scheduled=later):
                parameters, scheduled = now, later
    if parameters is None:
        return None
    payloads = {name: getattr(parameters, name) for name in ("fixed", "increment_bp", "reserve_bp")}
    return {**payloads, "minimum": (scheduled or parameters).minimum}
