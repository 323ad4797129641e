"""Ed25519 signatures (RFC 8032), verified. It handles nothing secret, so that its time may depend on its values."""

import hashlib
from functools import lru_cache

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
