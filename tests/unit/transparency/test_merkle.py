"""The Merkle tree: the known answers of RFC 6962's reference leaves, and proofs of every size."""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.eventstore.merkle.leaf_tree import LeafHashes, LeafTree
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle.tree import (
    EMPTY_ROOT,
    HASH_BYTES,
    InvalidProof,
    NodeReader,
    audit_path,
    consistency_proof,
    is_consistent,
    leaf_hash,
    node_hash,
    root_from_audit_path,
    root_hash,
    root_of_leaves,
)

# The leaves and answers by which implementations of Certificate Transparency are tested.
DATA = [bytes.fromhex(one) for one in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)]  # fmt: skip
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
# The hashes over the leaves from one to another, where a proof has one that is no root.
H23, H4, H45, H67 = (
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
)
PATHS = {(5, 8): [H4, H67, ROOTS[3]], (1, 5): [ROOTS[0], H23, H4]}
EXTENSIONS = {(6, 8): [H45, H67, ROOTS[3]], (2, 5): [H23, H4]}
LEAVES = [leaf_hash(data) for data in DATA]


def node_reader(leaves: list[bytes]) -> NodeReader:
    def node(level: int, index: int) -> bytes:
        if level == 0:
            return leaves[index]
        return node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))

    return node


def by_definition(leaves: list[bytes]) -> bytes:
    """The root as RFC 6962, 2.1, defines it."""
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    left = 1
    while left * 2 < len(leaves):
        left *= 2
    return node_hash(by_definition(leaves[:left]), by_definition(leaves[left:]))


def some_leaves(count: int) -> list[bytes]:
    return [leaf_hash(b"%d" % number) for number in range(count)]


def test_the_known_roots() -> None:
    assert EMPTY_ROOT.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert root_hash(node_reader([]), 0) == EMPTY_ROOT == root_of_leaves([])
    for size, root in enumerate(ROOTS, 1):
        assert root_hash(node_reader(LEAVES), size).hex() == root == root_of_leaves(LEAVES[:size]).hex()


def test_the_known_audit_paths_and_consistency_proofs() -> None:
    for (index, size), path in PATHS.items():
        assert [one.hex() for one in audit_path(node_reader(LEAVES), index, size)] == path
        hashes = [bytes.fromhex(one) for one in path]
        assert root_from_audit_path(index, size, LEAVES[index], hashes).hex() == ROOTS[size - 1]
    for (first, second), proof in EXTENSIONS.items():
        assert [one.hex() for one in consistency_proof(node_reader(LEAVES), first, second)] == proof
        old, new = (bytes.fromhex(ROOTS[size - 1]) for size in (first, second))
        assert is_consistent(first, old, second, new, [bytes.fromhex(one) for one in proof])


def test_roots_and_consistency_of_every_size(subtests: pytest.Subtests) -> None:
    for size in [*range(0, 40), 63, 64, 65, 255, 256, 257]:
        with subtests.test(size=size):
            leaves = some_leaves(size)
            node, root = node_reader(leaves), by_definition(leaves)
            assert root_hash(node, size) == root == root_of_leaves(leaves)
            for first in range(size + 1) if size < 66 else (0, 1, 64, 127, 128, 129, 254, size - 1, size):
                first_root, proof = by_definition(leaves[:first]), consistency_proof(node, first, size)
                assert is_consistent(first, first_root, size, root, proof)
                assert len(proof) <= 2 + size.bit_length()


def proves(index: int, size: int, leaf: bytes, path: list[bytes], root: bytes) -> bool:
    try:
        return root_from_audit_path(index, size, leaf, path) == root
    except InvalidProof:
        return False


def changes_of(path: list[bytes], other: bytes) -> Iterator[list[bytes]]:
    """The path with another hash behind it, or with one of its hashes changed or left out."""
    yield [*path, other]
    for place in range(len(path)):
        for instead in ([other], []):
            yield [*path[:place], *instead, *path[place + 1 :]]


@given(st.data(), st.integers(1, 300))
def test_no_changed_path_proves_a_leaf(data: st.DataObject, size: int) -> None:
    leaves = some_leaves(size)
    index = data.draw(st.integers(0, size - 1))
    leaf, root, path = leaves[index], root_of_leaves(leaves), audit_path(node_reader(leaves), index, size)
    other = leaf_hash(b"forged")
    assert proves(index, size, leaf, path, root)
    assert not proves(index, size, other, path, root)
    assert not proves(index, size, leaf, path, other)
    for changed in changes_of(path, other):
        assert not proves(index, size, leaf, changed, root)
    elsewhere = data.draw(st.integers(-1, size + 3).filter(lambda place: place != index))
    assert not proves(elsewhere, size, leaf, path, root)


@given(st.data(), st.integers(1, 200))
def test_no_changed_consistency_proof_holds(data: st.DataObject, second: int) -> None:
    leaves = some_leaves(second)
    first = data.draw(st.integers(1, second))
    old, new = root_of_leaves(leaves[:first]), root_of_leaves(leaves)
    proof = consistency_proof(node_reader(leaves), first, second)
    other = leaf_hash(b"forged")
    assert is_consistent(first, old, second, new, proof)
    assert not is_consistent(first, other, second, new, proof)
    assert not is_consistent(first, old, second, other, proof)
    for changed in changes_of(proof, other):
        assert not is_consistent(first, old, second, new, changed)
    if first > 1:
        forged = [*leaves[: first - 1], other, *leaves[first:]]
        forged_proof = consistency_proof(node_reader(forged), first, second)
        assert not is_consistent(first, old, second, root_of_leaves(forged), forged_proof)


def test_what_no_tree_has_is_refused() -> None:
    node = node_reader(LEAVES)
    for first, second in ((-1, 8), (9, 8)):
        with pytest.raises(ValueError, match="does not begin"):
            consistency_proof(node, first, second)
        assert not is_consistent(first, EMPTY_ROOT, second, EMPTY_ROOT, [])
    for index, size in ((-1, 8), (8, 8), (0, 0)):
        with pytest.raises(ValueError, match="has no leaf"):
            audit_path(node, index, size)
        assert not proves(index, size, LEAVES[0], [], LEAVES[0])
    assert not proves(0, 1 << 70, LEAVES[0], [], LEAVES[0])
    assert not is_consistent(0, leaf_hash(b""), 8, root_of_leaves(LEAVES), [])


def test_a_file_of_hashes_has_what_a_tuple_of_them_has(tmp_path: Path) -> None:
    hashes = [os.urandom(HASH_BYTES) for _ in range(9)]
    path = tmp_path / "x.leaves"
    path.write_bytes(b"".join(hashes) + b"cut off")
    read = LeafHashes.from_file(path)
    assert (len(read), list(read)) == (9, hashes)
    for start in (None, 0, 3, 9, 20, -4):
        for stop in (None, 0, 5, 9, 20, -1):
            for step in (None, 1, 2):
                assert read[start:stop:step] == hashes[start:stop:step]
    assert [read[place] for place in (0, 8, -1, -9)] == [hashes[place] for place in (0, 8, -1, -9)]
    for beyond in (9, -10):
        with pytest.raises(IndexError):
            read[beyond]
    path.write_bytes(b"")
    assert list(LeafHashes.from_file(path)) == []


@pytest.mark.parametrize("count", [0, 1, TILE_WIDTH - 1, TILE_WIDTH, 2 * TILE_WIDTH + 3])
def test_the_tree_over_leaves_at_hand_has_the_roots_of_all_sizes(count: int) -> None:
    leaves = [os.urandom(HASH_BYTES) for _ in range(count)]
    tree = LeafTree(leaves)
    for size in {0, count // 2, count}:
        assert tree.root(size) == root_of_leaves(leaves[:size])
    assert tree.root(count + 1) is None
    stored = {(1, number): b"another" for number in range(3)}
    assert list(tree.find_differing_subtrees(stored)) == [(1, one) for one in range(count // TILE_WIDTH)]
