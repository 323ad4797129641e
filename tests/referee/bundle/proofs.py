"""The proof that the events are in a tree that someone has signed: RFC 6962, and the forms of C2SP."""

import base64
import hashlib
from datetime import UTC, datetime

from .ciphers import is_signed
from .forms import Event, NoBundle, Wrong
from .rows import Record

OF_THE_ORIGIN = ("site", "table", "journal")
Signature = tuple[str, bytes]
"""Who signed; the id of the key, and what was signed with it."""


def check_proofs(bundle: Event, record: Record, keys: list[str], witnesses: list[str]) -> tuple[str, list[str]]:
    """Whose tree has the events, and the signatures that given keys verified.

    The last event of the round proves all before it, for its hash covers theirs.
    """
    proofs = bundle["proofs"]
    if not proofs:
        if keys or witnesses:
            raise Wrong("a key was given to verify a signature, and the bundle has no proof")
        return "none", []
    proved = (record.rows[-1], *(row for row, _ in record.alone))
    for number in proofs:
        if number not in {str(row.number) for row in proved}:
            raise Wrong(f"there is a proof of event {number}, which needs none")
    notes = set()
    for row in proved:
        if str(row.number) not in proofs:
            raise Wrong(f"event {row.number} is not proved")
        index, path, note = _read_proof(proofs[str(row.number)])
        text, signatures = _read_note(note)
        origin, size, root = _read_checkpoint(text)
        if index != row.number - 1:
            raise Wrong(f"the proof of event {row.number} is of another event")
        if root_of(hashlib.sha256(b"\0" + row.hash).digest(), index, size, path) != root:
            raise Wrong(f"event {row.number} is not in the tree of the checkpoint")
        notes.add(note)
    if len(notes) != 1:
        raise Wrong("the proofs are of several checkpoints")
    own = "/".join(("dealer", *(bundle[name] for name in OF_THE_ORIGIN)))
    if origin != own:
        raise Wrong(f"the checkpoint is of {origin}, and the bundle of {own}")
    signed = [_verified_by(key, text, signatures, False) for key in keys]
    signed += [_verified_by(key, text, signatures, True) for key in witnesses]
    return f"in the tree of {origin} with {size} events", signed


def _read_proof(text: str) -> tuple[int, list[bytes], str]:
    """Index, path and note of a tlog-proof."""
    head, blank, note = text.partition("\n\n")
    first, *lines = head.split("\n")
    if first != "c2sp.org/tlog-proof@v1" or not blank:
        raise Wrong("a proof is not of its form")
    if lines and lines[0].startswith("extra "):
        lines = lines[1:]
    word, _, index = (lines or [""])[0].partition(" ")
    if word != "index" or not index.isdecimal():
        raise Wrong("a proof is not of its form")
    return int(index), [base64.b64decode(line, validate=True) for line in lines[1:]], note


def _read_note(note: str) -> tuple[str, list[Signature]]:
    """Text and signatures of a signed note."""
    text, blank, signed = note.rpartition("\n\n")
    found = []
    for line in signed.splitlines():
        dash, name, encoded = line.split(" ")
        if dash != "\N{EM DASH}":
            raise Wrong("a signature is not of its form")
        found.append((name, base64.b64decode(encoded, validate=True)))
    if not blank or not found:
        raise Wrong("the checkpoint is not signed")
    return text + "\n", found


def _read_checkpoint(text: str) -> tuple[str, int, bytes]:
    origin, size, root = text.split("\n")[:3]
    return origin, int(size), base64.b64decode(root, validate=True)


def root_of(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """The root that follows from a leaf and its path (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        raise Wrong("a proof is of no leaf of its tree")
    at, last, found, left = index, size - 1, leaf, list(path)
    while left:
        if last == 0:
            raise Wrong("a proof is too long")
        beside = left.pop(0)
        if at % 2 or at == last:
            found = hashlib.sha256(b"\1" + beside + found).digest()
            while at % 2 == 0 and at:
                at, last = at // 2, last // 2
        else:
            found = hashlib.sha256(b"\1" + found + beside).digest()
        at, last = at // 2, last // 2
    if last:
        raise Wrong("a proof is too short")
    return found


def _verified_by(key: str, text: str, signatures: list[Signature], witness: bool) -> str:
    """Who signed it and when, by a key as NAME+ID+KEY."""
    name, id, encoded = ([*key.strip().split("+", 2), "", ""])[:3]
    try:
        kind, *public = base64.b64decode(encoded, validate=True)
    except ValueError:
        raise NoBundle(f"{key!r} is not NAME+ID+KEY") from None
    own = hashlib.sha256(name.encode() + b"\n" + bytes([kind, *public])).digest()[:4]
    if own.hex() != id or kind != (4 if witness else 1) or len(public) != 32:
        raise NoBundle(f"{key!r} is no key of a {'witness' if witness else 'table'}")
    for signer, content in signatures:
        if (signer, content[:4]) == (name, own):
            message, signature, when = text.encode(), content[4:], ""
            if witness:
                seconds, signature = int.from_bytes(content[4:12], "big"), content[12:]
                message = f"cosignature/v1\ntime {seconds}\n{text}".encode()
                when = f" at {datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
            if not is_signed(bytes(public), message, signature):
                raise Wrong(f"the signature of {name} is not its own")
            return f"{'cosigned' if witness else 'signed'} by {name}{when}"
    raise Wrong(f"the checkpoint is not signed by {name}")
