"""The record in a bundle: rows and their hashes, and what the bundle says beside them."""

import base64
import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from ..rules.lines import strictly_equal
from .forms import Event, NoBundle, Wrong, first_difference, read_json
from .parameters import Parameters

KIND, VERSION = "dealer-station dispute bundle", 1
FORM: dict[str, type | tuple[type, ...]] = {
    "kind": str, "version": int, "site": str, "table": str, "game": str, "mode": str, "currency": str, "exponent": int,
    "journal": str, "round": int, "contents": dict, "earlier": list, "chain": dict, "later": list, "proofs": dict,
    "released_key": (str, type(None)), "wires": list,
}  # fmt: skip
CONTENTS = {"settlement", "articles", "parameters", "inputs", "device_messages"}


class Row:
    """One event as the journal has it."""

    def __init__(self, given: Any) -> None:
        if type(given) is not list or len(given) != 9:
            raise NoBundle("a row is not of its form")
        self.number, self.time, self.boot, self.monotonic_ns, self.synchronised = given[:5]
        self.body, self.sealed, self.hash, self.asked = given[5], given[6], bytes.fromhex(given[7]), given[8]
        if type(self.number) is not int or type(self.monotonic_ns) is not int or type(self.synchronised) is not bool:
            raise NoBundle("a row is not of its form")
        if self.sealed == "":  # it would hash as null does
            raise NoBundle(f"event {self.number} has sealed cards of no length")
        try:
            self.event = read_json(self.body, f"event {self.number}")
        except NoBundle:
            self.event = {}
        # What a person or a device entered, at the first event of it; None where the station recorded it of itself.
        self.input = None if self.asked is None else read_json(self.asked, f"input {self.number}").get("input")
        self.type = self.event.get("type", "unreadable")

    def hash_after(self, before: bytes) -> bytes:
        """What its hash must be, behind the row with that one."""
        stamp = {"time": self.time, "boot": self.boot, "monotonic_ns": self.monotonic_ns}
        stamp["synchronised"] = self.synchronised
        stamped = json.dumps(stamp, separators=(",", ":"), ensure_ascii=False)
        sealed = base64.b64decode(self.sealed, validate=True) if self.sealed is not None else b""
        parts = [b"%d" % self.number, stamped.encode(), self.body.encode(), sealed]
        if self.asked is not None:
            parts.append(self.asked.encode())
        return hashlib.sha256(before + b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()


@dataclass
class Record:
    """The rows of the round and those of other rounds that belong to it; each of those with the hash before it.

    The last of `rows` begins the next round, where there is one.
    """

    rows: list[Row]
    earlier: list[tuple[Row, bytes]]
    later: list[tuple[Row, bytes]]

    @property
    def alone(self) -> list[tuple[Row, bytes]]:
        """The rows that are not of the chain."""
        return [*self.earlier, *self.later]

    @property
    def own(self) -> list[Row]:
        """The rows of the round, without the one that begins the next."""
        begins = [at for at, row in enumerate(self.rows) if row.type == "round_begun"]
        return self.rows[: begins[1]] if len(begins) > 1 else self.rows


def read_record(bundle: Event, games: Collection[str]) -> Record:
    """The rows of a bundle of one of these games. Raises NoBundle."""
    if bundle.get("kind") != KIND:
        raise NoBundle(f"this is no {KIND}")
    if bundle.get("version") != VERSION:
        raise NoBundle(f"the bundle has version {bundle.get('version')}; this program reads {VERSION}")
    _check_form(bundle)
    if bundle["game"] not in games:
        raise NoBundle(f"this program does not know the game {bundle['game']!r}")
    rows = [Row(given) for given in bundle["chain"]["rows"]]
    if not rows:
        raise NoBundle("the bundle has no event")
    earlier, later = (
        [(Row(link["row"]), bytes.fromhex(link["before"])) for link in bundle[key]] for key in ("earlier", "later")
    )
    return Record(rows, earlier, later)


def _check_form(bundle: Event) -> None:
    """Every key has its type, and there is no other key."""
    for key in (*FORM, *(key for key in bundle if key not in FORM)):
        if key not in bundle:
            raise NoBundle(f"the bundle has no {key}")
        if key not in FORM:
            raise NoBundle(f"the bundle has a key that this program does not read: {key}")
        if not isinstance(bundle[key], FORM[key]) or isinstance(bundle[key], bool):
            raise NoBundle(f"{key} of the bundle has the wrong type: {json.dumps(bundle[key])[:80]}")
    if not 0 <= bundle["exponent"] <= 9:
        raise NoBundle(f"exponent of the bundle is {bundle['exponent']}, not a number from 0 to 9")
    for key, names in (("chain", {"before", "rows"}), ("contents", CONTENTS)):
        if set(bundle[key]) != names:
            raise NoBundle(f"{key} of the bundle does not have the keys {', '.join(sorted(names))}")
    for item in (*bundle["earlier"], *bundle["later"]):
        if not isinstance(item, dict) or set(item) != {"before", "row"}:
            raise NoBundle("an event from before or after the round is not of its form")


def check_chain(bundle: Event, record: Record) -> None:
    """Each row has the hash that follows from it and from the one before; none is missing, moved or put in."""
    rows = record.rows
    before, number = bytes.fromhex(bundle["chain"]["before"]), rows[0].number
    for row in rows:
        if row.number != number:
            raise Wrong(f"event {number} is missing: event {row.number} follows")
        if row.hash_after(before) != row.hash:
            raise Wrong(f"event {number} is not as it was written: its hash does not follow from it")
        before, number = row.hash, number + 1
    for row, hash_before in record.alone:
        if row.hash_after(hash_before) != row.hash:
            raise Wrong(f"event {row.number} is not as it was written: its hash does not follow from it")
    for row in (*rows, *(row for row, _ in record.alone)):
        if row.type == "unreadable":
            raise Wrong(f"event {row.number} cannot be read")
    numbers = [row.number for row, _ in record.earlier]
    if numbers != sorted(set(numbers)) or (numbers and numbers[-1] >= rows[0].number):
        raise Wrong("the events from before the round are not in their order")
    numbers = [row.number for row, _ in record.later]
    if numbers != sorted(set(numbers)) or (numbers and numbers[0] <= rows[-1].number):
        raise Wrong("the events from after the round are not in their order")


def check_contents(bundle: Event, record: Record, settled: Event | None) -> None:
    """What the bundle says beside the rows is what they say."""
    own, given = record.own, bundle["contents"]
    parameters = Parameters()
    for row, _ in record.earlier:
        parameters.follow(row.event)
    for what, found in (
        ("settlement", settled),
        ("articles", _articles(own, settled)),
        ("parameters", {"terms": own[0].event["terms"], "jackpot": parameters.terms}),
        ("inputs", [row.number for row in own if row.input is not None and "actor" in row.input]),
        ("device_messages", [row.number for row in own if row.input is not None and "actor" not in row.input]),
    ):
        if not strictly_equal(found, given[what]):
            where = first_difference(found, given[what])
            raise Wrong(f"what the bundle gives as {what} is not what its events say{where}")


def _articles(own: list[Row], settled: Event | None) -> list[str]:
    """Every article that the round's events cite, in the order of their first citation."""
    found = []

    def gather(value: object) -> None:
        if isinstance(value, dict):
            if isinstance(value.get("article"), str):
                found.append(value["article"])
            for part in value.values():
                gather(part)
        elif isinstance(value, list):
            for part in value:
                gather(part)

    for row in own:
        if row.type in ("round_voided", "hit_locked"):
            gather(row.event)
    gather(settled)
    return list(dict.fromkeys(found))
