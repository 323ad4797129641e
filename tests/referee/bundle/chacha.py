"""ChaCha20-Poly1305 (RFC 8439), opened."""

import hmac
import struct

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
