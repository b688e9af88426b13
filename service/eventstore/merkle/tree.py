"""The Merkle tree of RFC 6962 over a log of leaves, counted from 0: its root, and proofs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final, TypeAlias

HASH_BYTES: Final = 32
MAX_LEAVES: Final = 1 << 62
"""A claimed tree size above this is rejected."""

EMPTY_ROOT: Final = sha256(b"").digest()
"""The root of a tree without leaves."""

NodeReader: TypeAlias = Callable[[int, int], bytes]
"""``node(level, index)``: the hash over the leaves from ``index * 2**level`` on, ``2**level`` of them."""


class InvalidProof(Exception):
    """An invalid proof: it has too few hashes or too many."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf's data."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees."""
    return sha256(b"\x01" + left + right).digest()


def root_hash(node: NodeReader, size: int) -> bytes:
    """The root of the tree over the first ``size`` leaves, from about log2(size) nodes."""
    return _range_hash(node, 0, size) if size else EMPTY_ROOT


def _range_hash(node: NodeReader, start: int, end: int) -> bytes:
    """The hash of the leaves from ``start`` up to ``end``, which form a subtree."""
    count = end - start
    if count & (count - 1) == 0:
        return node(count.bit_length() - 1, start // count)
    middle = start + _left_size(count)
    return node_hash(_range_hash(node, start, middle), _range_hash(node, middle, end))


def _left_size(count: int) -> int:
    """How many of ``count`` leaves are in the left subtree: the largest power of two below ``count``."""
    return 1 << (count - 1).bit_length() - 1


def consistency_proof(node: NodeReader, first: int, second: int) -> list[bytes]:
    """Hashes that prove that the tree of ``second`` leaves begins with that of ``first`` (2.1.2).

    Raises `ValueError` unless ``first`` is from 0 to ``second``.
    """
    if not 0 <= first <= second:
        raise ValueError(f"A tree of {second} leaves does not begin with {first}.")
    return _subproof(node, first, 0, second, True) if first else []


def _subproof(node: NodeReader, first: int, start: int, end: int, is_complete: bool) -> list[bytes]:
    count = end - start
    if first == count:
        return [] if is_complete else [_range_hash(node, start, end)]
    left_size = _left_size(count)
    middle = start + left_size
    if first <= left_size:
        return [*_subproof(node, first, start, middle, is_complete), _range_hash(node, middle, end)]
    return [*_subproof(node, first - left_size, middle, end, False), _range_hash(node, start, middle)]


def is_consistent(
    first: int, first_root: bytes, second: int, second_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether the proof shows that the second tree begins with the first."""
    if not 0 <= first <= second <= MAX_LEAVES:
        return False
    if first == 0:
        return not proof and first_root == EMPTY_ROOT
    hashes = list(proof)
    try:
        roots = _both_roots(first, second, first_root, hashes)
    except InvalidProof:
        return False
    return not hashes and roots == (first_root, second_root)


def _both_roots(first: int, count: int, known_hash: bytes | None, hashes: list[bytes]) -> tuple[bytes, bytes]:
    """The hash of a subtree when it had ``first`` leaves, and its hash with ``count``.

    ``known_hash`` is the old hash if the subtree is the whole old tree; ``hashes`` are consumed from the end.
    """
    if first == count:
        now = _pop_hash(hashes) if known_hash is None else known_hash
        return now, now
    sibling, left_size = _pop_hash(hashes), _left_size(count)
    if first <= left_size:
        before, now = _both_roots(first, left_size, known_hash, hashes)
        return before, node_hash(now, sibling)
    before, now = _both_roots(first - left_size, count - left_size, None, hashes)
    return node_hash(sibling, before), node_hash(sibling, now)


def _pop_hash(hashes: list[bytes]) -> bytes:
    if not hashes:
        raise InvalidProof("The proof has too few hashes.")
    return hashes.pop()


def audit_path(node: NodeReader, index: int, size: int) -> list[bytes]:
    """The hashes from a leaf to the root of the tree of ``size`` leaves, lowest first (2.1.1).

    Raises `ValueError` if there is no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"A tree of {size} leaves has no leaf {index}.")
    path, start, end = [], 0, size
    while end - start > 1:
        middle = start + _left_size(end - start)
        if index < middle:
            path.append(_range_hash(node, middle, end))
            end = middle
        else:
            path.append(_range_hash(node, start, middle))
            start = middle
    return path[::-1]


def root_from_audit_path(index: int, size: int, leaf: bytes, path: Sequence[bytes]) -> bytes:
    """The root that a leaf and its audit path give. Raises `InvalidProof` if the path has the wrong
    length."""
    if not 0 <= index < size <= MAX_LEAVES:
        raise InvalidProof(f"A tree of {size} leaves has no leaf {index}.")
    left_turns, start, end = [], 0, size
    while end - start > 1:
        middle = start + _left_size(end - start)
        left_turns.append(index < middle)
        start, end = (start, middle) if index < middle else (middle, end)
    if len(path) != len(left_turns):
        raise InvalidProof(f"The path has {len(path)} hashes, but {len(left_turns)} are needed.")
    node = leaf
    for is_left, sibling in zip(reversed(left_turns), path, strict=True):
        node = node_hash(node, sibling) if is_left else node_hash(sibling, node)
    return node


def root_of_leaves(leaves: Sequence[bytes]) -> bytes:
    """The root of a tree with these leaf hashes."""
    if not leaves:
        return EMPTY_ROOT
    while len(leaves) > 1:
        pairs = zip(leaves[::2], leaves[1::2], strict=False)
        parents = [sha256(b"\x01" + left + right).digest() for left, right in pairs]
        # A last node without a sibling moves up unchanged.
        leaves = [*parents, leaves[-1]] if len(leaves) % 2 else parents
    return leaves[0]
