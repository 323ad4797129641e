"""The Merkle tree against the reference vectors of Certificate Transparency, and against a naive one of any size."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tlog import merkle
from tests.tlog import naive_tree

LEAVES = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = """
    e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
    6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d
    fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125
    aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77
    d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7
    4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4
    76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef
    ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c
    5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328
""".split()
L1 = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
L2 = "0298d122906dcfc10892cb53a73992fc5b9f493ea4c9badb27b791b4127a7fe7"
L4 = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
L6 = "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f"
N01 = "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"
N23 = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
N45 = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a"
N67 = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"
N03 = "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"
N47 = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"


class Tree:
    """A tree as a journal keeps one: its edge moves on, and each perfect subtree is found by its place."""

    def __init__(self, leaves: Iterable[bytes]) -> None:
        self.edges = [b""]
        self._found: dict[tuple[int, int], bytes] = {}
        for size, data in enumerate(leaves):
            whole = merkle.completed(size, self.edges[-1], merkle.leaf(data))
            self._found |= {(level, size >> level): hash_ for level, hash_ in enumerate(whole)}
            self.edges.append(merkle.grown(self.edges[-1], whole))

    def __call__(self, level: int, at: int) -> bytes:
        return self._found[level, at]


def test_the_roots_of_the_reference_tree() -> None:
    tree = Tree(LEAVES)
    assert [merkle.root(edge).hex() for edge in tree.edges] == ROOTS
    assert [merkle.edge_of(tree, size) for size in range(9)] == tree.edges
    assert tree.edges[7].hex() == N03 + N45 + L6


@pytest.mark.parametrize(
    ("index", "size", "path"),
    [(0, 1, []), (0, 8, [L1, N23, N47]), (5, 8, [L4, N67, N03]), (3, 8, [L2, N01, N47]), (6, 7, [N45, N03])],
)
def test_the_inclusion_proofs_of_the_reference_tree(index: int, size: int, path: list[str]) -> None:
    found = merkle.inclusion(Tree(LEAVES), index, size)
    assert [step.hex() for step in found] == path
    assert merkle.includes(merkle.leaf(LEAVES[index]), index, size, found, bytes.fromhex(ROOTS[size]))


@pytest.mark.parametrize(
    ("old", "size", "path"), [(1, 1, []), (1, 8, [L1, N23, N47]), (6, 8, [N45, N67, N03]), (2, 5, [N23, L4])]
)
def test_the_consistency_proofs_of_the_reference_tree(old: int, size: int, path: list[str]) -> None:
    found = merkle.consistency(Tree(LEAVES), old, size)
    assert [step.hex() for step in found] == path
    assert merkle.extends(old, bytes.fromhex(ROOTS[old]), size, bytes.fromhex(ROOTS[size]), found)


sizes = st.integers(min_value=1, max_value=200)


@settings(max_examples=60, deadline=None)
@given(sizes, st.data())
def test_any_tree_is_the_one_of_the_definition(size: int, data: st.DataObject) -> None:
    leaves = [b"%d" % number for number in range(size)]
    tree = Tree(leaves)
    root = naive_tree.tree_hash(leaves)
    assert merkle.root(tree.edges[-1]) == root

    index = data.draw(st.integers(0, size - 1))
    path = merkle.inclusion(tree, index, size)
    assert path == naive_tree.path(index, leaves)
    leaf = merkle.leaf(leaves[index])
    assert merkle.includes(leaf, index, size, path, root)

    old = data.draw(st.integers(1, size))
    proof = merkle.consistency(tree, old, size)
    assert proof == naive_tree.proof(old, leaves)
    was = naive_tree.tree_hash(leaves[:old])
    assert merkle.extends(old, was, size, root, proof)


@settings(max_examples=60, deadline=None)
@given(sizes, st.data())
def test_what_is_not_so_is_not_proved(size: int, data: st.DataObject) -> None:
    leaves = [b"%d" % number for number in range(size)]
    tree, root = Tree(leaves), naive_tree.tree_hash(leaves)
    index = data.draw(st.integers(0, size - 1))
    path = merkle.inclusion(tree, index, size)
    leaf = merkle.leaf(leaves[index])
    assert not merkle.includes(merkle.leaf(b"another"), index, size, path, root)
    for other in {index - 1, index + 1, size - 1 - index} - {index}:
        assert not merkle.includes(leaf, other, size, path, root)
    for changed in _changed(path):
        assert not merkle.includes(leaf, index, size, changed, root)
    assert not merkle.includes(leaf, size, size, path, root)

    old = data.draw(st.integers(1, size))
    proof, was = merkle.consistency(tree, old, size), naive_tree.tree_hash(leaves[:old])
    assert not merkle.extends(old, merkle.leaf(b"forked"), size, root, proof)
    assert not merkle.extends(size + 1, was, size, root, proof)
    for changed in _changed(proof):
        assert not merkle.extends(old, was, size, root, changed)


def _changed(path: list[bytes]) -> Iterable[list[bytes]]:
    yield [*path, bytes(32)]
    if path:
        yield path[1:]
        yield path[:-1]
        yield [bytes(32), *path[1:]]
        yield [*path[:-1], bytes(32)]


def test_from_an_empty_tree_everything_continues_without_a_proof() -> None:
    assert merkle.consistency(Tree(LEAVES), 0, 8) == []
    assert merkle.extends(0, bytes.fromhex(ROOTS[0]), 8, bytes.fromhex(ROOTS[8]), [])
    assert not merkle.extends(0, bytes.fromhex(ROOTS[0]), 8, bytes.fromhex(ROOTS[8]), [bytes(32)])
