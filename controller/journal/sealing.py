"""Sealing of cards that no rule has shown: ChaCha20-Poly1305, bound to the journal and the event; and MACs.

A copy of the disk shows no unshown card. It does not protect against whoever also has the key: on a machine without a
TPM, the key lies in the credential file that systemd hands over, and root of the running machine can read both.
"""

import hmac
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from controller.files import write_whole
from controller.rulebook.cards import Card

KEY_BYTES = 32
NONCE_BYTES = 12
MAC_BYTES = 32
LONGEST_PLAIN = 4096  # bytes; a longer one leaves its beginning behind

_encode_into = msgspec.json.Encoder().encode_into


class BadSealKey(Exception):
    """The key file is missing, cannot be read, or holds no key."""


class SealBroken(Exception):
    """A sealed value that this key does not open: another key, or a changed file."""


class Seal:
    """Seals and opens the values of drawn cards."""

    def __init__(self, key: bytes) -> None:
        self._cipher = ChaCha20Poly1305(key)
        self._mac_key = hmac.digest(key, b"dealer-station journal", "sha256")  # no key is used for two things

    def close(self, cards: Mapping[int, Card | None], bound_to: bytes) -> bytes:
        """Seal draw numbers and values; `bound_to` must be given again to open them."""
        nonce, plain = os.urandom(NONCE_BYTES), bytearray(LONGEST_PLAIN)
        _encode_into(dict(cards), plain)
        sealed = nonce + self._cipher.encrypt(nonce, plain, bound_to)
        plain[:] = bytes(len(plain))  # no core image has the cards as a text
        return sealed

    def open(self, sealed: bytes, bound_to: bytes) -> dict[int, Card | None]:
        """Raises SealBroken."""
        try:
            plain = self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], bound_to)
        except InvalidTag:
            raise SealBroken("the seal key does not open the cards of this journal") from None
        return msgspec.json.decode(plain, type=dict[int, Card | None])

    def mac(self, purpose: bytes, *parts: bytes) -> bytes:
        """What nobody can compute without the key."""
        told = b"".join(len(part).to_bytes(4, "big") + part for part in (purpose, *parts))
        return hmac.digest(self._mac_key, told, "sha256")


def read_key(path: Path, create: bool) -> bytes:
    """The key in a file; `create` makes one where none is. Raises BadSealKey."""
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
