"""ChaCha20-Poly1305 (RFC 8439), opened."""

import hashlib
import hmac
import struct
from functools import lru_cache

MASK = 0xFFFFFFFF
COLUMNS_AND_DIAGONALS = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)  # fmt: skip


def _block(key: bytes, counter: int, nonce: bytes) -> bytes:
    """64 octets of the key stream."""
    start = struct.unpack("<16I", b"expand 32-byte k" + key + struct.pack("<I", counter) + nonce)
    x = list(start)
    for _ in range(10):
        for a, b, c, d in COLUMNS_AND_DIAGONALS:
            for to, by, turned, left in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[to] = x[to] + x[by] & MASK
                moved = x[turned] ^ x[to]
                x[turned] = (moved << left | moved >> 32 - left) & MASK
    return struct.pack("<16I", *(word + other & MASK for word, other in zip(x, start, strict=True)))


def _padded(octets: bytes) -> bytes:
    return octets + bytes(-len(octets) % 16)


def _tag(key: bytes, content: bytes) -> bytes:
    """Poly1305."""
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    found = 0
    for at in range(0, len(content), 16):
        found = (found + int.from_bytes(content[at : at + 16] + b"\1", "little")) * r % (2**130 - 5)
    return (found + int.from_bytes(key[16:32], "little") & (1 << 128) - 1).to_bytes(16, "little")


def opened(key: bytes, nonce: bytes, sealed: bytes, bound: bytes) -> bytes | None:
    """What was sealed with the key and bound to these octets; None where it was not."""
    if len(key) != 32 or len(nonce) != 12 or len(sealed) < 16:
        return None
    content, tag = sealed[:-16], sealed[-16:]
    lengths = struct.pack("<QQ", len(bound), len(content))
    if not hmac.compare_digest(tag, _tag(_block(key, 0, nonce), _padded(bound) + _padded(content) + lengths)):
        return None
    stream = b"".join(_block(key, 1 + at // 64, nonce) for at in range(0, len(content), 64))
    return bytes(octet ^ other for octet, other in zip(content, stream, strict=False))


# ---- Ed25519 signatures (RFC 8032), verified. It handles nothing secret, so that its time may depend on its values


P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]
"""X, Y, Z and T, where x = X/Z, y = Y/Z and xy = T/Z."""


def _add(point: Point, other: Point) -> Point:
    a = (point[1] - point[0]) * (other[1] - other[0]) % P
    b = (point[1] + point[0]) * (other[1] + other[0]) % P
    c = 2 * point[3] * other[3] * D % P
    d = 2 * point[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(scalar: int, point: Point) -> Point:
    found: Point = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            found = _add(found, point)
        point, scalar = _add(point, point), scalar >> 1
    return found


def _decoded(octets: bytes) -> Point | None:
    """The point of 32 octets; None where they are none."""
    y = int.from_bytes(octets, "little")
    odd, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if (x * x - square) % P or (x == 0 and odd):
        return None
    if x & 1 != odd:
        x = P - x
    return x, y, 1, x * y % P


BASE = _decoded(bytes([0x58]) + bytes([0x66]) * 31)


@lru_cache(maxsize=16)
def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether this is the signature of the message by the holder of a public key."""
    if len(key) != 32 or len(signature) != 64 or BASE is None:
        return False
    public, commitment = _decoded(key), _decoded(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if public is None or commitment is None or scalar >= ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    left, right = _times(scalar, BASE), _add(commitment, _times(challenge, public))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0
