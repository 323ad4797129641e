"""Sealing of cards that no rule has shown: ChaCha20-Poly1305, bound to the journal and the event; and MACs.

Each round's cards are sealed with a key of its own, which can be released without those of other rounds. A copy of the
disk shows no unshown card. It does not protect against anyone who also has the seal key: on a machine without a TPM, it
is in the credential file that systemd hands over, and root of the running machine can read both.
"""

import hmac
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from controller.engine.recorded import NamedCards
from controller.rulebook.cards import Card
from controller.system.files import write_whole

KEY_BYTES = 32
NONCE_BYTES = 12
MAC_BYTES = 32
ROUND_BYTES = 8  # before what is sealed with the key of a round: its number
LONGEST_PLAIN = 4096  # bytes; a longer one leaves its beginning behind

_encode_into = msgspec.json.Encoder().encode_into


class BadSealKey(Exception):
    """The key file is missing, cannot be read, or holds no key."""


class SealBroken(Exception):
    """A sealed value that this key does not open: another key, or a changed file."""


class Hidden(msgspec.Struct, frozen=True, array_like=True):
    """The sealed cards of an event: those it drew, by draw number, and the others that its input names."""

    drawn: Mapping[int, Card | None] = {}
    named: NamedCards | None = None

    def __repr__(self) -> str:
        # A traceback must not show a card before the rules do.
        return f"Hidden({len(self.drawn)} cards)"


_Plain = dict[int, Card | None] | Hidden
"""The content of a sealed part: most events name no cards except those they drew, and sealed bytes are not compressed.
"""


_decode = msgspec.json.Decoder(_Plain).decode


class Seal:
    """Seals and opens the values of drawn cards."""

    def __init__(self, key: bytes) -> None:
        # No key is used for two things.
        self._mac_key = hmac.digest(key, b"dealer-station journal", "sha256")
        self._rounds_key = hmac.digest(key, b"dealer-station rounds", "sha256")

    def round_key(self, journal: str, round: int) -> bytes:
        """The key that seals the cards of a round, and of no other."""
        return hmac.digest(self._rounds_key, f"{journal}:{round}".encode(), "sha256")

    def wires_key(self, journal: str, round: int) -> bytes:
        """The key with which the flight recorder seals a round's wires; it is derived from the round's key."""
        return wires_key(self.round_key(journal, round))

    def close(self, cards: Hidden, journal: str, event: int, round: int) -> bytes:
        """Seal the cards of an event, with the key of its round."""
        nonce, plain = os.urandom(NONCE_BYTES), bytearray(LONGEST_PLAIN)
        _encode_into(cards if cards.named is not None else dict(cards.drawn), plain)
        cipher = ChaCha20Poly1305(self.round_key(journal, round))
        sealed = nonce + cipher.encrypt(nonce, plain, _bound(journal, event))
        plain[:] = bytes(len(plain))  # no core image has the cards as a text
        return round.to_bytes(ROUND_BYTES, "big") + sealed

    def open(self, sealed: bytes, journal: str, event: int) -> Hidden:
        """Raises SealBroken."""
        round, content = int.from_bytes(sealed[:ROUND_BYTES], "big"), sealed[ROUND_BYTES:]
        cipher = ChaCha20Poly1305(self.round_key(journal, round))
        try:
            plain = cipher.decrypt(content[:NONCE_BYTES], content[NONCE_BYTES:], _bound(journal, event))
        except InvalidTag:
            raise SealBroken("the seal key does not open the cards of this journal") from None
        found: dict[int, Card | None] | Hidden = _decode(plain)
        return found if isinstance(found, Hidden) else Hidden(found)

    def mac(self, purpose: bytes, *parts: bytes) -> bytes:
        """A MAC: a value that no one can compute without the key."""
        content = b"".join(len(part).to_bytes(4, "big") + part for part in (purpose, *parts))
        return hmac.digest(self._mac_key, content, "sha256")


def wires_key(round_key: bytes) -> bytes:
    """The key of a round's wires, derived from that of its cards."""
    return hmac.digest(round_key, b"dealer-station wires", "sha256")


def _bound(journal: str, event: int) -> bytes:
    """The data to which the sealed cards of an event are bound."""
    return f"{journal}:{event}".encode()


def read_key(path: Path, create: bool) -> bytes:
    """The key in a file; `create` makes one if there is none. Raises BadSealKey."""
    try:
        if create and not (path.exists() and path.stat().st_size):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, os.urandom(KEY_BYTES))
        key = path.read_bytes()
    except OSError as error:
        raise BadSealKey(f"{path}: {error.strerror}") from None
    if not key:
        raise BadSealKey(f"{path} is empty: a full disk or a power cut kept the key from it. Put its copy there")
    if len(key) != KEY_BYTES:
        raise BadSealKey(f"{path} holds {len(key)} bytes; a seal key has {KEY_BYTES}")
    return key
