"""Consistency files: that a log only grew, checked with checkpoints alone."""

from collections.abc import Callable
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.eventstore import MemoryStore
from service.eventstore.merkle.tiles import node_in
from service.eventstore.merkle.tree import consistency_proof
from service.transparency.growth import Growth, growth_object, read_growth, verify_growth
from service.transparency.kept import Kept
from service.transparency.notary import Notary
from service.transparency.reading import NotAProof
from tests.store.writing import deal, events

STORE, NOTARY = MemoryStore(), Notary.in_memory()
STORE.append("r", [deal("s", 0, *events(300))])


def grown(first: int, second: int) -> Growth:
    note = NOTARY.checkpoint(STORE, second)
    return Growth(first, note, tuple(consistency_proof(node_in(STORE.tile), first, second)))


def kept(*sizes: int) -> Kept:
    return Kept(tuple(NOTARY.checkpoint(STORE, size) for size in sizes))


def whats(growth: Growth, held: Kept) -> list[str]:
    return [fault.what for fault in verify_growth(growth, held).faults]


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
def test_every_growth_is_seen_and_no_other(one: int, other: int, third: int) -> None:
    first, second = sorted((one, other))
    growth = grown(first, second)
    assert read_growth(orjson.dumps(growth_object(growth))) == growth
    verdict = verify_growth(growth, kept(first))
    assert (verdict.faults, verdict.proven, verdict.first, verdict.events) == ((), first, first, second)
    if third != first:
        assert whats(growth, kept(third)) == ["other_first"]
        # Every log begins with that of no events; a proof without hashes says no more than that.
        if first > 0 and (third > 0 or growth.hashes):
            assert whats(growth._replace(first=third), kept(third)) == ["not_grown"]
    if growth.hashes:
        assert whats(growth._replace(hashes=growth.hashes[1:]), kept(first)) == ["not_grown"]


def test_a_log_of_another_name_is_another_log() -> None:
    other = Kept((Notary.in_memory().checkpoint(STORE, 9),))
    assert whats(grown(9, 20), other) == ["not_grown"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda told: told.update(format="spadille-proof/1"), "A JSON object with"),
        (lambda told: told.update(checkpoint=7), "At /checkpoint: a text"),
        (lambda told: told.update(checkpoint="x"), "At /checkpoint: A checkpoint has an empty line"),
        (lambda told: told.update(hashes=None), "At /hashes: a list"),
        (lambda told: told["hashes"].append("AA"), "32 bytes in base64"),
        (lambda told: told.update({"from": -1}), "At /from: a whole number"),
        (lambda told: told.pop("from"), "At /from: a whole number"),
    ],
)
def test_what_is_no_consistency_file_is_told(change: Callable[[dict[str, Any]], object], told: str) -> None:
    file: dict[str, Any] = dict(growth_object(grown(9, 20)))
    change(file)
    with pytest.raises(NotAProof, match=told):
        read_growth(orjson.dumps(file))
    with pytest.raises(NotAProof, match="It is not JSON"):
        read_growth(b"{")
