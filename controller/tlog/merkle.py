"""The Merkle tree of RFC 6962 with SHA-256, and its proofs. No I/O.

A tree of any size is a row of perfect subtrees, the largest first, one for each bit that is set in the size. Their
hashes are its edge: all that is needed to add a leaf.
"""

import hashlib
from collections.abc import Callable, Sequence

HASH_BYTES = 32

Subtree = Callable[[int, int], bytes]
"""The hash of a perfect subtree: its level (0 for a leaf), and its position among the subtrees of that level, from 0.
"""


def leaf(data: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash of the parent of two hashes."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def completed(size: int, edge: bytes, leaf: bytes) -> list[bytes]:
    """The perfect subtrees that are whole with one more leaf in a tree of this size: the leaf, then one a level."""
    found, end = [leaf], len(edge)
    while size & 1:
        found.append(node(edge[end - HASH_BYTES : end], found[-1]))
        end, size = end - HASH_BYTES, size >> 1
    return found


def grown(edge: bytes, completed: Sequence[bytes]) -> bytes:
    """The edge with the leaf that has completed these.

    >>> left, right = leaf(b"a"), leaf(b"b")
    >>> grown(left, completed(1, left, right)) == node(left, right)
    True
    """
    return edge[: len(edge) - HASH_BYTES * (len(completed) - 1)] + completed[-1]


def edge_of(subtree: Subtree, size: int, first: int = 0) -> bytes:
    """The edge of a tree, or of those leaves from `first` on that have a parent in some tree."""
    found = []
    for level in range(size.bit_length() - 1, -1, -1):
        if size >> level & 1:
            found.append(subtree(level, first >> level))
            first += 1 << level
    return b"".join(found)


def root(edge: bytes) -> bytes:
    """The root of the tree that has this edge."""
    if not edge:
        return hashlib.sha256().digest()
    found = edge[-HASH_BYTES:]
    for end in range(len(edge) - HASH_BYTES, 0, -HASH_BYTES):
        found = node(edge[end - HASH_BYTES : end], found)
    return found


def inclusion(subtree: Subtree, index: int, size: int) -> list[bytes]:
    """The proof that a leaf is in a tree, from its sibling up (RFC 6962, 2.1.1)."""
    path, first = [], 0
    while size > 1:
        left = _left(size)
        if index < first + left:
            path.append(root(edge_of(subtree, size - left, first + left)))
            size = left
        else:
            path.append(root(edge_of(subtree, left, first)))
            first, size = first + left, size - left
    return path[::-1]


def consistency(subtree: Subtree, old: int, size: int) -> list[bytes]:
    """The proof that a tree continues from its `old` size (RFC 6962, 2.1.2); empty for the size 0."""
    path, first, whole = [], 0, True
    while 0 < old < size:
        left = _left(size)
        if old <= left:
            path.append(root(edge_of(subtree, size - left, first + left)))
            size = left
        else:
            path.append(root(edge_of(subtree, left, first)))
            first, size, old, whole = first + left, size - left, old - left, False
    if not whole:
        path.append(root(edge_of(subtree, size, first)))
    return path[::-1]


def _left(size: int) -> int:
    """The number of leaves left of the root: the largest power of two below the size."""
    return 1 << (size - 1).bit_length() - 1


def includes(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether the path proves the leaf with this hash at this place of the tree (RFC 9162, 2.1.3.2).

    >>> left, right = leaf(b"a"), leaf(b"b")
    >>> includes(right, 1, 2, [left], node(left, right))
    True
    """
    if not 0 <= index < size:
        return False
    at, last, found = index, size - 1, leaf
    for step in path:
        if last == 0:
            return False
        if at & 1 or at == last:
            found = node(step, found)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            found = node(found, step)
        at, last = at >> 1, last >> 1
    return last == 0 and found == root


def extends(old: int, old_root: bytes, size: int, root: bytes, path: Sequence[bytes]) -> bool:
    """Whether the path proves that the tree begins with all leaves of the old one (RFC 9162, 2.1.4.2)."""
    if not 0 < old < size:
        return not path and (old == 0 or (old == size and old_root == root))
    at, last = old - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    first, *others = (old_root, *path) if at == 0 else path or (b"",)
    was = now = first
    for step in others:
        if last == 0:
            return False
        if at & 1 or at == last:
            was, now = node(step, was), node(step, now)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            now = node(now, step)
        at, last = at >> 1, last >> 1
    return last == 0 and (was, now) == (old_root, root)
