"""Proof files, exports and consistency files: what is whole proves itself, what is touched is named."""

from collections.abc import Callable
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import PUBLIC_VIEWER, Viewer, view
from engine.core.cards import SEATS
from engine.view import seat_viewer
from schemas.wire.event_writer import entry_bytes
from service.eventstore import MemoryStore
from service.eventstore.merkle.leaves import compute_commitment
from service.eventstore.merkle.tiles import node_reader_from_tiles
from service.eventstore.merkle.tree import consistency_proof
from service.records.erase_person import erase_name, find_name_occurrences
from service.records.repository import read_log
from service.transparency.checkpoint_file import SavedCheckpoints
from service.transparency.disclosure import fully_visible_seqs
from service.transparency.notary import Notary
from service.transparency.proof_files import (
    ConsistencyProof,
    InclusionProof,
    InvalidProofFile,
    build_consistency_proof_object,
    build_inclusion_proof,
    parse_consistency_proof,
    parse_inclusion_proof,
    serialize_inclusion_proof,
)
from service.transparency.proof_verification import (
    parse_export_lines,
    verify_consistency_proof,
    verify_export,
    verify_inclusion_proof,
)
from service.transparency.signed_notes import InvalidNote, decode_base64, encode_base64, parse_signed_note
from service.transparency.verification_result import VerificationResult
from tests.support.store.writing import deal, events
from tests.support.transparency.forging import DEALS, fill

Json = dict[str, Any]


def made() -> tuple[bytes, bytes, SavedCheckpoints]:
    """A proof of the third deal of a store, its log as JSON Lines, and the checkpoint kept elsewhere."""
    with MemoryStore() as store:
        fill(store, 5)
        note = Notary.in_memory().sign_checkpoint(store)
        proof = build_inclusion_proof(store, note, {DEALS[2]: store.stream_version(DEALS[2])}, lambda _: True)
        log = b"".join(event.body + b"\n" for event in store.read_stream(DEALS[2]))
        return serialize_inclusion_proof(proof), log, SavedCheckpoints((note,))


PROOF, LOG, KEPT = made()
EVENTS = orjson.loads(PROOF)["streams"][0]["events"]
NO_SALT, MORE = "A" * 22 + "==", len(EVENTS) + 1


def forged(change: Callable[[Json], object]) -> bytes:
    told = orjson.loads(PROOF)
    change(told)
    return orjson.dumps(told)


def events_of(told: Json) -> Any:
    return told["streams"][0]["events"]


def with_body(told: Json, at: int, **fields: Any) -> None:
    body = orjson.loads(events_of(told)[at]["body"])
    events_of(told)[at]["body"] = orjson.dumps({**body, **fields}).decode()


def fault_keys(verdict: VerificationResult) -> list[tuple[Any, ...]]:
    return [(one.kind, one.code, one.version, one.event_id) for one in verdict.faults]


def hide(told: Json) -> None:
    salt = decode_base64(told.pop("salt")) or b""
    told["commitment"] = encode_base64(compute_commitment(salt, told.pop("body").encode()))


def faults(data: bytes, kept: SavedCheckpoints | None = KEPT) -> list[tuple[Any, ...]]:
    return fault_keys(verify_inclusion_proof(parse_inclusion_proof(data), kept))


def test_a_whole_proof_proves_its_deal() -> None:
    proof = parse_inclusion_proof(PROOF)
    verdict = verify_inclusion_proof(proof, KEPT)
    assert (verdict.faults, verdict.event_count, verdict.proven_count) == ((), len(EVENTS), len(EVENTS))
    assert serialize_inclusion_proof(proof) == PROOF
    assert len(PROOF) < 1200 * len(EVENTS), "paths share their hashes"


def name_of(at: int) -> Any:
    return EVENTS[at]["id"]


@pytest.mark.parametrize(("change", "first"), [
    (lambda told: with_body(told, 5, basis="printed"), ("changed", "not_in_log", 6, name_of(5))),
    (lambda told: events_of(told)[5].update(salt=NO_SALT), ("changed", "not_in_log", 6, name_of(5))),
    (lambda told: events_of(told)[7].update(id="x"), ("changed", "not_in_log", 8, "x")),
    (lambda told: events_of(told)[7].update(stored_at="x"), ("changed", "not_in_log", 8, name_of(7))),
    (lambda told: events_of(told)[7].update(position=1), ("changed", "not_in_log", 8, name_of(7))),
    (lambda told: events_of(told)[7]["path"].pop(), ("changed", "not_in_log", 8, name_of(7))),
    (lambda told: events_of(told).pop(7), ("removed", "number_missing", 8, None)),
    (lambda told: events_of(told).reverse(), ("reordered", "out_of_place", len(EVENTS), name_of(-1))),
    (lambda told: events_of(told).insert(4, EVENTS[3]), ("added", "number_twice", 4, name_of(3))),
    (lambda told: events_of(told).append({**EVENTS[3], "seq": MORE}),
     ("changed", "not_in_log", MORE, name_of(3))),
    (lambda told: told["streams"][0].update(kind="table"), ("changed", "kind", 1, name_of(0))),
    (lambda told: told["streams"][0].update(stream=DEALS[1]), ("changed", "not_in_log", 1, name_of(0))),
])  # fmt: skip
def test_a_change_in_a_proof_is_named(change: Callable[[Json], object], first: tuple[Any, ...]) -> None:
    assert faults(forged(change))[0] == first


@given(st.data())
def test_no_mutated_proof_proves_anything_else(data: st.DataObject) -> None:
    """Whatever byte is changed: it is told, or what the proof says is what it said."""
    place = data.draw(st.integers(0, len(PROOF) - 1))
    mutated = bytearray(PROOF)
    if data.draw(st.booleans()):
        mutated[place] ^= 1 << data.draw(st.integers(0, 7))
    else:
        del mutated[place : place + data.draw(st.integers(1, 50))]
    try:
        proof = parse_inclusion_proof(bytes(mutated))
    except InvalidProofFile:
        return
    if not verify_inclusion_proof(proof, KEPT).faults:
        whole = parse_inclusion_proof(PROOF)
        # The note's signature is held to a key by --key.
        assert [one.events for one in proof.streams] in ([one.events for one in whole.streams], [])
        assert proof.note.checkpoint == whole.note.checkpoint


def test_the_checkpoint_has_to_be_one_that_was_kept() -> None:
    other = Notary.in_memory()
    with MemoryStore() as store:
        fill(store, 5)
        same_size = SavedCheckpoints((other.sign_checkpoint(store),))
        older = SavedCheckpoints((other.sign_checkpoint(store, 3),))
    assert [what for _, what, *_ in faults(PROOF, same_size)] == ["other_root"]
    assert [what for _, what, *_ in faults(PROOF, older)] == ["other_size"]
    assert faults(PROOF, SavedCheckpoints((*older.notes, *KEPT.notes))) == []
    assert faults(PROOF, None) == []


@pytest.mark.parametrize(("change", "told"), [
    (lambda told: told.update(format="spadille-proof/9"), "A JSON object with"),
    (lambda told: told.update(checkpoint="x"), "At /checkpoint: A checkpoint has an empty line"),
    (lambda told: told.pop("checkpoint"), "At /checkpoint: expected a text"),
    (lambda told: told.update(hashes={}), "At /hashes: expected a list"),
    (lambda told: told["hashes"].append("x"), "32 bytes in base64"),
    (lambda told: told.update(streams=[3]), "At /streams/0/events: expected a list"),
    (lambda told: told["streams"][0]["events"].append(7), "/path: expected a list"),
    (lambda told: events_of(told)[2].update(path=[10_000]), "/events/2/path/0: expected a whole"),
    (lambda told: events_of(told)[2].update(path=[0] * 63), "at most 62"),
    (lambda told: events_of(told)[2].update(path=[True]), "a whole number"),
    (lambda told: events_of(told)[2].pop("salt"), "At /streams/0/events/2/salt: expected 16 bytes"),
    (lambda told: events_of(told)[2].update(body=7), "At /streams/0/events/2/body: expected a text"),
    (lambda told: events_of(told)[2].update(commitment="AA"), "/commitment: expected 32 bytes"),
    (lambda told: events_of(told)[2].update(position=-1), "/position: expected a whole number from 0"),
    (lambda told: events_of(told)[2].update(seq=1 << 63), "/seq: expected a whole number from 0"),
])  # fmt: skip
def test_what_is_no_proof_is_reported(change: Callable[[Json], object], told: str) -> None:
    with pytest.raises(InvalidProofFile, match=told):
        parse_inclusion_proof(forged(change))


def read_again(proof: InclusionProof) -> InclusionProof:
    return parse_inclusion_proof(serialize_inclusion_proof(proof))


def test_what_the_holder_may_not_know_is_proved_without_it() -> None:
    with MemoryStore() as store:
        fill(store, 2)
        note = Notary.in_memory().sign_checkpoint(store)
        upto = {DEALS[1]: store.stream_version(DEALS[1])}
        proof = build_inclusion_proof(store, note, upto, lambda sealed: sealed.event.seq % 2 == 0)
        data = serialize_inclusion_proof(proof)
        verdict = verify_inclusion_proof(parse_inclusion_proof(data), SavedCheckpoints((note,)))
        assert verdict.faults == ()
        assert verdict.hidden_count == (upto[DEALS[1]] + 1) // 2
        assert verdict.proven_count == upto[DEALS[1]] // 2
        # Where its place is changed, that is seen all the same.
        told = orjson.loads(data)
        told["streams"][0]["events"][0]["stored_at"] = "2001-01-01T00:00:00.000Z"
        assert faults(orjson.dumps(told), None)[0][:3] == ("changed", "not_in_log", 1)
        first = store.read_stream(DEALS[1])[0]
        store.erase({DEALS[1]: {first.event_id: b"{}"}})
        erased = read_again(build_inclusion_proof(store, note, upto, lambda _: True))
        verdict = verify_inclusion_proof(erased, SavedCheckpoints((note,)))
        counts = (verdict.hidden_count, verdict.erased_count, verdict.proven_count)
        assert counts == (0, 1, upto[DEALS[1]] - 1)
        assert verdict.erased_events[0][:4] == (first.position, DEALS[1], 1, first.event_id)
        # Whether it was erased is told to whom may know what it says.
        unknown = read_again(build_inclusion_proof(store, note, upto, lambda _: False))
        assert verify_inclusion_proof(unknown, None).erased_events == ()


def lines() -> list[Json]:
    return [orjson.loads(line) for line in LOG.splitlines()]


def export_faults(log: bytes, proof: bytes = PROOF) -> list[tuple[Any, ...]]:
    return fault_keys(verify_export(parse_export_lines(log), parse_inclusion_proof(proof), KEPT))


def to_jsonl(told: list[Json]) -> bytes:
    return b"\n".join(orjson.dumps(one) for one in told)


def put(told: list[Json], at: int, **fields: Any) -> list[Json]:
    return [*told[:at], {**told[at], **fields}, *told[at + 1 :]]


@pytest.mark.parametrize(("change", "first"), [
    (lambda told: put(told, 5, basis="printed"), ("changed", "fields", 6, name_of(5))),
    (lambda told: put(told, 5, text="more"), ("changed", "fields", 6, name_of(5))),
    (lambda told: put(told, 5, stored_at=None), ("changed", "fields", 6, name_of(5))),
    (lambda told: put(told, 5, seq=7), ("changed", "fields", 6, name_of(5))),
    (lambda told: put(told, 5, id="x"), ("removed", "line_missing", 6, name_of(5))),
    (lambda told: [*told[:5], *told[6:]], ("removed", "line_missing", 6, name_of(5))),
    (lambda told: told[:-2], ("removed", "line_missing", len(EVENTS) - 1, name_of(-2))),
    (lambda told: [], ("removed", "line_missing", 1, name_of(0))),
    (lambda told: [*told[:5], told[6], told[5], *told[7:]], ("reordered", "line_moved", 6, name_of(5))),
    (lambda told: [*told[:5], {**told[5], "id": "x"}, *told[5:]], ("added", "line_unknown", 6, "x")),
    (lambda told: [*told, {**told[5], "id": "x", "seq": 99}], ("added", "line_unknown", 99, "x")),
    (lambda told: [*told, told[5]], ("added", "line_unknown", 6, name_of(5))),
])  # fmt: skip
def test_forged_exports_are_named(change: Callable[[list[Json]], list[Json]], first: tuple[Any, ...]) -> None:
    assert export_faults(to_jsonl(change(lines())))[0] == first


def test_a_proof_of_no_record_proves_no_line() -> None:
    found = export_faults(LOG, orjson.dumps({**orjson.loads(PROOF), "streams": []}))
    assert found[0] == ("added", "line_unknown", 1, name_of(0))


def test_lines_that_cannot_be_read_or_differ_from_a_hidden_event_are_reported() -> None:
    assert export_faults(LOG.replace(b'{"type"', b'{"typ', 1))[0] == ("unreadable", "line", None, None)
    assert export_faults(b"[1]\n" + LOG) == [("unreadable", "line", None, None)]
    told = orjson.loads(PROOF)
    for one in events_of(told):
        hide(one)
    found = export_faults(to_jsonl(put(lines(), 5, stored_at="x")), orjson.dumps(told))
    assert ("changed", "fields", 6, name_of(5)) in found


@pytest.mark.parametrize("viewer", [PUBLIC_VIEWER, seat_viewer(SEATS[1])], ids=["public", "middlehand"])
def test_a_line_says_no_more_than_its_proof_shows(viewer: Viewer) -> None:
    told_more = 0
    with MemoryStore() as store:
        fill(store, 6)
        note = Notary.in_memory().sign_checkpoint(store)
        for deal in DEALS[:6]:
            log = read_log(store, deal)
            known = fully_visible_seqs(log, viewer)
            proof = build_inclusion_proof(store, note, {deal: len(log)}, lambda one: one.event.seq in known)  # noqa: B023
            seen = [entry_bytes(entry) for entry in view(log, viewer)]
            verdict = verify_export(parse_export_lines(b"\n".join(seen)), proof, SavedCheckpoints((note,)))
            assert verdict.faults == ()
            assert (verdict.proven_count, verdict.hidden_count) == (len(known), len(log) - len(known))
            for event in store.read_stream(deal):
                lines = [*seen[: event.seq - 1], event.body, *seen[event.seq :]]
                found = verify_export(
                    parse_export_lines(b"\n".join(lines)), proof, SavedCheckpoints((note,))
                ).faults
                more = orjson.loads(event.body) != orjson.loads(seen[event.seq - 1])
                assert [(one.code, one.version) for one in found] == [("says_more", event.seq)] * more
                told_more += more
    assert told_more > 20


@pytest.mark.parametrize("erased", [True, False], ids=["said to be erased", "not said"])
def test_a_card_that_the_proof_leaves_out_cannot_be_changed(erased: bool) -> None:
    """The forger takes salt and body out of the proof, and puts what he likes into the line."""
    at = next(place for place, one in enumerate(lines()) if one["type"] == "card_played")

    def leave_out(told: Json) -> None:
        hide(events_of(told)[at])
        events_of(told)[at].update({"erased": True} if erased else {})

    other = "SA" if lines()[at]["card"] != "SA" else "S2"
    for log in (LOG, to_jsonl(put(lines(), at, card=other))):
        assert export_faults(log, forged(leave_out)) == [("unproved", "says_more", at + 1, name_of(at))]


def test_of_an_erased_event_the_line_may_say_what_forgetting_puts_there() -> None:
    with MemoryStore() as store:
        fill(store, 1)
        note = Notary.in_memory().sign_checkpoint(store)
        erase_name(store, find_name_occurrences(store, "Anna", "N. N."))
        proof = build_inclusion_proof(store, note, {DEALS[0]: store.stream_version(DEALS[0])}, lambda _: True)
        log = b"".join(event.body + b"\n" for event in store.read_stream(DEALS[0]))
        verdict = verify_export(parse_export_lines(log), read_again(proof), SavedCheckpoints((note,)))
        assert (verdict.faults, verdict.erased_count) == ((), 1)
        assert verdict.proven_count == verdict.event_count - 1


@given(st.binary(max_size=300))
def test_any_bytes_are_compared_or_reported(data: bytes) -> None:
    for one in (data, LOG + data):
        verdict = verify_export(parse_export_lines(one), parse_inclusion_proof(PROOF), KEPT)
        assert verdict.faults or not data.strip()
    for read in (parse_inclusion_proof, lambda one: parse_signed_note(one.decode("utf-8", "replace"))):
        with pytest.raises((InvalidProofFile, InvalidNote)):
            read(data)


STORE, NOTARY = MemoryStore(), Notary.in_memory()
STORE.append("r", [deal("s", 0, *events(300))])


def grown(first: int, second: int) -> ConsistencyProof:
    note = NOTARY.sign_checkpoint(STORE, second)
    return ConsistencyProof(
        first, note, tuple(consistency_proof(node_reader_from_tiles(STORE.read_tile), first, second))
    )


def checkpoints_at(*sizes: int) -> SavedCheckpoints:
    return SavedCheckpoints(tuple(NOTARY.sign_checkpoint(STORE, size) for size in sizes))


def whats(growth: ConsistencyProof, held: SavedCheckpoints) -> list[str]:
    return [fault.code for fault in verify_consistency_proof(growth, held).faults]


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
def test_every_growth_is_seen_and_no_other(one: int, other: int, third: int) -> None:
    first, second = sorted((one, other))
    growth = grown(first, second)
    assert parse_consistency_proof(orjson.dumps(build_consistency_proof_object(growth))) == growth
    verdict = verify_consistency_proof(growth, checkpoints_at(first))
    counts = (verdict.proven_count, verdict.consistent_from_size, verdict.event_count)
    assert (verdict.faults, counts) == ((), (first, first, second))
    if third != first:
        assert whats(growth, checkpoints_at(third)) == ["other_first"]
        # Every log begins with that of no events; a proof without hashes says no more than that.
        if first > 0 and (third > 0 or growth.hashes):
            assert whats(growth._replace(first_size=third), checkpoints_at(third)) == ["not_grown"]
    if growth.hashes:
        assert whats(growth._replace(hashes=growth.hashes[1:]), checkpoints_at(first)) == ["not_grown"]


def test_a_log_of_another_name_is_another_log() -> None:
    other = SavedCheckpoints((Notary.in_memory().sign_checkpoint(STORE, 9),))
    assert whats(grown(9, 20), other) == ["not_grown"]


@pytest.mark.parametrize(("change", "told"), [
    (lambda told: told.update(format="spadille-proof/1"), "A JSON object with"),
    (lambda told: told.update({"from": -1}), "At /from: expected a whole number"),
    (lambda told: told.pop("from"), "At /from: expected a whole number"),
])  # fmt: skip
def test_what_is_no_consistency_file_is_named(change: Callable[[dict[str, Any]], object], told: str) -> None:
    file: dict[str, Any] = dict(build_consistency_proof_object(grown(9, 20)))
    change(file)
    with pytest.raises(InvalidProofFile, match=told):
        parse_consistency_proof(orjson.dumps(file))
