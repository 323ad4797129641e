"""The referee's signatures and ciphers against those of `cryptography`: good ones are good, altered ones are not."""

from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from tests.referee.bundle.ciphers import ORDER, is_signed, opened
from tests.referee.bundle.forms import NoBundle, read_json

LENGTHS = (0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 1000)


def flipped(octets: bytes, dice: Random) -> bytes:
    """The same with another bit somewhere."""
    at = dice.randrange(8 * len(octets))
    return (int.from_bytes(octets, "little") ^ 1 << at).to_bytes(len(octets), "little")


def test_a_signature_is_good_of_its_own_key_and_message_alone() -> None:
    dice = Random(1)
    for length in LENGTHS:
        private, message = Ed25519PrivateKey.from_private_bytes(dice.randbytes(32)), dice.randbytes(length)
        public, signature = private.public_key().public_bytes_raw(), private.sign(message)
        assert is_signed(public, message, signature)
        assert not is_signed(public, message + b"x", signature)
        for _ in range(3):
            assert not is_signed(public, message, flipped(signature, dice))
            assert not is_signed(flipped(public, dice), message, signature)
        scalar = int.from_bytes(signature[32:], "little") + ORDER
        assert not is_signed(public, message, signature[:32] + scalar.to_bytes(32, "little")), "not a second form of it"
        for wrong in (b"", signature[:-1], signature + b"\0"):
            assert not is_signed(public, message, wrong)
        assert not is_signed(public[:-1], message, signature)


def test_what_is_sealed_opens_with_its_own_key_nonce_and_bound_octets_alone() -> None:
    dice = Random(2)
    for length in LENGTHS:
        key, nonce, plain, bound = (dice.randbytes(count) for count in (32, 12, length, length % 37))
        sealed = ChaCha20Poly1305(key).encrypt(nonce, plain, bound)
        assert opened(key, nonce, sealed, bound) == plain
        for _ in range(3):
            assert opened(key, nonce, flipped(sealed, dice), bound) is None
        assert opened(flipped(key, dice), nonce, sealed, bound) is None
        assert opened(key, flipped(nonce, dice), sealed, bound) is None
        assert opened(key, nonce, sealed, bound + b"\0") is None
        assert opened(key, nonce, sealed[:15], bound) is None and opened(key[:16], nonce, sealed, bound) is None


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '{"b": [{"a": 1, "a": 1}]}'])
def test_a_key_that_is_there_twice_is_refused(text: str) -> None:
    with pytest.raises(NoBundle, match="a key is there twice"):
        read_json(text, "the bundle")
