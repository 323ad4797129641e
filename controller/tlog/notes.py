"""Signed notes, checkpoints, cosignatures and proofs as text, in the forms of C2SP. No I/O.

The forms are c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature (v1, Ed25519), tlog-proof and tlog-witness.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.tlog.merkle import HASH_BYTES

ED25519 = 1  # signature types of signed-note
COSIGNATURE = 4
ID_BYTES = 4
TIME_BYTES = 8
SEED_BYTES = 32
LONGEST = 1 << 16  # bytes of a note
MOST_HASHES = 63  # of a path
_SIGNED = "\N{EM DASH} "
_PRIVATE = "PRIVATE+KEY+"
_PROOF = "c2sp.org/tlog-proof@v1"
_NAME = re.compile(r"[^\s+]+")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")


class BadNote(Exception):
    """A text that is not a note, checkpoint or proof, or is not signed by the expected key."""


class BadKey(Exception):
    """A text that is no key of a note."""


class VerifierKey(msgspec.Struct, frozen=True):
    """A public key, the name under which it signs, and the kind of its signatures: of notes, or cosignatures."""

    name: str
    kind: int
    key: bytes

    @classmethod
    def read(cls, text: str) -> "VerifierKey":
        """The key from NAME+ID+KEY, as `str` writes it. Raises BadKey."""
        name, _, rest = text.strip().partition("+")
        id, _, encoded = rest.partition("+")
        try:
            kind, *key = _decoded(encoded)
        except ValueError:
            raise BadKey(f"{text!r} is not NAME+ID+KEY") from None
        found = cls(name, kind, bytes(key))
        if kind not in (ED25519, COSIGNATURE) or len(found.key) != 32 or not _NAME.fullmatch(name):
            raise BadKey(f"{text!r} is no Ed25519 key under a name without spaces")
        if found.id.hex() != id:
            raise BadKey(f"{text!r}: the name and the key make {found.id.hex()}, not {id}")
        return found

    @property
    def id(self) -> bytes:
        """The id by which its signatures are found."""
        return _id(self.name, self.kind, self.key)

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{_encoded(bytes([self.kind]) + self.key)}"

    def signed(self, note: "Note") -> bytes:
        """The key's signature of a note, the first if there are several. Raises BadNote."""
        found = [octets for name, octets in note.signatures if (name, octets[:ID_BYTES]) == (self.name, self.id)]
        if not found:
            raise BadNote(f"it is not signed by {self.name} {self.id.hex()}")
        for octets in found:
            message, signature = note.text.encode(), octets[ID_BYTES:]
            if self.kind == COSIGNATURE:
                message, signature = _cosigned(note.text, self.time_of(octets)), signature[TIME_BYTES:]
            try:
                Ed25519PublicKey.from_public_bytes(self.key).verify(signature, message)
            except (InvalidSignature, ValueError):
                raise BadNote(f"the signature of {self.name} {self.id.hex()} is not its own") from None
        return found[0]

    @staticmethod
    def time_of(cosignature: bytes) -> int:
        """The time of a cosignature, in seconds since 1970."""
        return int.from_bytes(cosignature[ID_BYTES : ID_BYTES + TIME_BYTES], "big")


class Signer:
    """A private key and the name it signs under."""

    def __init__(self, name: str, seed: bytes) -> None:
        if not _NAME.fullmatch(name):
            raise BadKey(f"{name!r} has a space or a plus sign")
        self.name = name
        self._seed = seed
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self._public = self._key.public_key().public_bytes_raw()

    @classmethod
    def read(cls, text: str) -> "Signer":
        """The key from PRIVATE+KEY+NAME+ID+KEY, the form of `private`. Raises BadKey, whose text shows nothing of
        the key.
        """
        name, _, rest = text.strip().removeprefix(_PRIVATE).partition("+")
        id, _, encoded = rest.partition("+")
        try:
            kind, *seed = _decoded(encoded)
        except ValueError:
            kind, seed = 0, []
        if not text.startswith(_PRIVATE) or kind != ED25519 or len(seed) != SEED_BYTES:
            raise BadKey(f"it is not {_PRIVATE}NAME+ID+KEY")
        signer = cls(name, bytes(seed))
        if signer.verifier.id.hex() != id:
            raise BadKey(f"name and key make {signer.verifier.id.hex()}, and not {id}, which it says")
        return signer

    @property
    def private(self) -> str:
        """The whole key, in the form of Go's `note`."""
        octets = _encoded(bytes([ED25519]) + self._seed)
        return f"{_PRIVATE}{self.name}+{self.verifier.id.hex()}+{octets}\n"

    def __repr__(self) -> str:
        return f"Signer({self.name})"

    @property
    def verifier(self) -> VerifierKey:
        """The key that verifies its notes."""
        return VerifierKey(self.name, ED25519, self._public)

    @property
    def coverifier(self) -> VerifierKey:
        """The key that verifies its cosignatures."""
        return VerifierKey(self.name, COSIGNATURE, self._public)

    def sign(self, text: str) -> "Note":
        """A text with its signature."""
        return Note(text, ((self.name, self.verifier.id + self._key.sign(text.encode())),))

    def cosign(self, note: "Note", time: int) -> "Note":
        """A note with its cosignature of this time, in seconds since 1970, instead of an earlier one."""
        id = self.coverifier.id
        others = tuple(
            signature for signature in note.signatures if (signature[0], signature[1][:ID_BYTES]) != (self.name, id)
        )
        octets = id + time.to_bytes(TIME_BYTES, "big") + self._key.sign(_cosigned(note.text, time))
        return Note(note.text, (*others, (self.name, octets)))


class Note(msgspec.Struct, frozen=True):
    """A text that ends in a newline, and its signatures: the signer's name, the key's id and the signature."""

    text: str
    signatures: tuple[tuple[str, bytes], ...]

    @classmethod
    def read(cls, content: bytes) -> "Note":
        """The note from its bytes, as `str` writes it. Raises BadNote; nothing is verified."""
        try:
            whole = content.decode() if len(content) <= LONGEST else ""
        except UnicodeDecodeError:
            whole = ""
        text, blank, signed = whole.rpartition("\n\n")
        if not blank or not signed.endswith("\n") or any(letter < " " and letter != "\n" for letter in whole):
            raise BadNote("it is no signed note")
        return cls(text + "\n", tuple(map(read_signature_line, signed[:-1].split("\n"))))

    @classmethod
    def copied(cls, content: bytes) -> "Note":
        """As `read`, for a copied text: a copy may have one more newline at its end, or none."""
        return cls.read(content.rstrip(b"\n") + b"\n")

    def __str__(self) -> str:
        signed = "".join(f"{signature_line(*signature)}\n" for signature in self.signatures)
        return f"{self.text}\n{signed}"


class Checkpoint(msgspec.Struct, frozen=True):
    """The state of a log: its origin, the size of its tree and the root."""

    origin: str
    size: int
    root: bytes

    @classmethod
    def read(cls, text: str) -> "Checkpoint":
        """The checkpoint from the text of a note. Raises BadNote."""
        lines = text.split("\n")
        if len(lines) < 4 or lines.pop() or not all(lines):
            raise BadNote("it is no checkpoint")
        [root] = _hashes([lines[2]])
        return cls(lines[0], _number(lines[1]), root)

    @property
    def text(self) -> str:
        """The text of its note."""
        return f"{self.origin}\n{self.size}\n{_encoded(self.root)}\n"


def proof_text(index: int, path: Iterable[bytes], checkpoint: Note) -> str:
    """The proof that a leaf is in the tree of a checkpoint (tlog-proof)."""
    return f"{_PROOF}\nindex {index}\n{_lines(path)}\n{checkpoint}"


def addition_text(old: int, path: Iterable[bytes], checkpoint: Note) -> str:
    """The text for a witness: a checkpoint, and the proof that it continues from an old size (tlog-witness,
    add-checkpoint).
    """
    return f"old {old}\n{_lines(path)}\n{checkpoint}"


def read_addition(content: bytes) -> tuple[int, list[bytes], Note]:
    """The parts of the text for a witness. Raises BadNote; nothing is verified."""
    head, note = _parted(content)
    return *_led(head, "old"), note


def _parted(content: bytes) -> tuple[list[str], Note]:
    head, _, note = content.partition(b"\n\n")
    try:
        return head.decode("ascii").split("\n"), Note.read(note)
    except UnicodeDecodeError:
        raise BadNote("it is no proof") from None


def _led(lines: list[str], word: str) -> tuple[int, list[bytes]]:
    octets, _, number = (lines or [""])[0].partition(" ")
    if octets != word or len(lines) > MOST_HASHES + 1:
        raise BadNote("it is no proof")
    return _number(number), _hashes(lines[1:])


def _lines(path: Iterable[bytes]) -> str:
    return "".join(f"{_encoded(octets)}\n" for octets in path)


def _hashes(lines: list[str]) -> list[bytes]:
    try:
        found = [_decoded(line) for line in lines]
    except ValueError:
        found = [b""]
    if any(len(octets) != HASH_BYTES for octets in found):
        raise BadNote("a hash is not 32 bytes in base64")
    return found


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise BadNote(f"{text!r} is no number of leaves")
    return int(text)


def signature_line(name: str, signature: bytes) -> str:
    """The line of a note's signature: the signer's name, the key's id and the signature."""
    return f"{_SIGNED}{name} {_encoded(signature)}"


def read_signature_line(line: str) -> tuple[str, bytes]:
    """The parts of such a line. Raises BadNote."""
    name, _, encoded = line.removeprefix(_SIGNED).partition(" ")
    try:
        octets = _decoded(encoded)
    except ValueError:
        octets = b""
    if not line.startswith(_SIGNED) or not _NAME.fullmatch(name) or len(octets) <= ID_BYTES:
        raise BadNote(f"{line!r} is no signature of a note")
    return name, octets


def _cosigned(text: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def _id(name: str, kind: int, key: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + key).digest()[:ID_BYTES]


def _encoded(octets: bytes) -> str:
    return base64.b64encode(octets).decode()


def _decoded(text: str) -> bytes:
    """The decoded bytes. Raises ValueError, also if their encoding would be another text."""
    try:
        octets = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(error) from None
    if not octets or _encoded(octets) != text:
        raise ValueError(text)
    return octets
