"""Checkpoints and proofs over HTTP: they hold, and they tell nothing that the holder may not know."""

from flask.testing import FlaskClient

from service.eventstore import EventStore
from service.eventstore.merkle.tree import root_of_leaves
from service.transparency.checkpoint_file import SavedCheckpoints, parse_checkpoint_file
from service.transparency.proof_files import (
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
from service.transparency.signed_notes import parse_signed_note, parse_verifier
from tests.support.api.asking import API, again, parameters, send
from tests.support.api.recording import DEAL, TABLE, recorded_deal, recorded_table


def test_a_checkpoint_is_signed_by_the_key_that_is_shown(client: FlaskClient, store: EventStore) -> None:
    past = []
    for more in (recorded_deal, recorded_table):
        more(store)
        answer = client.get(f"{API}/checkpoint")
        assert answer.content_type == "text/plain; charset=utf-8"
        note = parse_signed_note(answer.text)
        assert note.checkpoint.size == store.head()
        (key,) = [parse_verifier(line) for line in client.get(f"{API}/checkpoint/key").text.splitlines()]
        assert key.has_signed(note)
        assert note.checkpoint.origin == key.name
        assert answer.headers["ETag"] == f'"{store.head()}"'
        assert again(client, f"{API}/checkpoint", answer).status_code == 304
        past.append((store.head(), answer.text))
    for size, text in past:
        assert client.get(f"{API}/checkpoint?size={size}").text == text
    refused = client.get(f"{API}/checkpoint?size={size + 1}")
    assert parameters(refused) == ["size"]
    assert refused.get_json()["errors"][0]["detail"] == f"The log has {size} events, not {size + 1}."


def test_the_log_is_shown_to_have_only_grown(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store)
    size = store.head()
    for query, first, last in (("from=3", 3, size), ("from=3&to=9", 3, 9), ("from=0", 0, size)):
        growth = parse_consistency_proof(client.get(f"{API}/checkpoint/consistency?{query}").data)
        note = parse_signed_note(client.get(f"{API}/checkpoint?size={last}").text)
        assert (growth.first_size, growth.note.checkpoint) == (first, note.checkpoint)
        assert verify_consistency_proof(growth, kept_checkpoint(client, f"?size={first}")).faults == ()
    for query in ("from=9&to=3", "to=999"):
        assert client.get(f"{API}/checkpoint/consistency?{query}").status_code == 422
    # What is kept with curl can be read.
    pages, path = [client.get(f"{API}/checkpoint").text], f"{API}/checkpoint/leaves?limit=10"
    while path:
        page = client.get(path)
        pages.append(page.text)
        path = page.headers.get("Link", "").removeprefix("<").partition(">")[0]
    assert len(pages) == 1 + (store.head() + 9) // 10
    kept = parse_checkpoint_file("\n".join(pages))
    assert kept.notes[0].checkpoint.root == root_of_leaves(kept.leaf_hashes)
    assert client.get(f"{API}/checkpoint/leaves?after=9999").text == "leaves 9999\n"


def kept_checkpoint(client: FlaskClient, query: str = "") -> SavedCheckpoints:
    return SavedCheckpoints((parse_signed_note(client.get(f"{API}/checkpoint{query}").text),))


def test_a_deal_is_proved(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    recorded_deal(store)
    answer = client.get(f"{API}/deals/{DEAL}/proof")
    assert answer.headers["Cache-Control"] == "no-store"
    proof = parse_inclusion_proof(answer.data)
    assert serialize_inclusion_proof(proof) == answer.data
    kept = kept_checkpoint(client)
    verdict = verify_inclusion_proof(proof, kept)
    assert (verdict.faults, verdict.event_count, verdict.hidden_count) == ((), store.stream_version(DEAL), 0)
    bodies = [event.contents.body for event in proof.streams[0].events if event.contents]
    assert bodies == [event.body for event in store.read_stream(DEAL)]
    table = parse_inclusion_proof(client.get(f"{API}/tables/{TABLE}/proof").data)
    assert verify_inclusion_proof(table, kept).faults == ()
    for path in (f"deals/{TABLE}", f"tables/{DEAL}"):
        assert client.get(f"{API}/{path}/proof").status_code == 404
    # An older checkpoint proves what it covers, and nothing newer.
    kept = kept_checkpoint(client, "?size=9")
    older = parse_inclusion_proof(client.get(f"{API}/deals/{DEAL}/proof?size=9").data)
    assert len(older.streams[0].events) == 8
    assert verify_inclusion_proof(older, kept).faults == ()
    assert [one.code for one in verify_inclusion_proof(proof, kept).faults] == ["other_size"]


def test_a_table_that_is_taken_away_is_proved_with_its_deals(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store)
    for _ in range(3):
        assert send(client, f"tables/{TABLE}/deals", {}, store.stream_version(TABLE)).status_code == 201
    recorded_deal(store)
    exported = client.get(f"{API}/tables/{TABLE}/export.jsonl").data
    proof = parse_inclusion_proof(client.get(f"{API}/tables/{TABLE}/proof?records=all").data)
    assert [stream.kind for stream in proof.streams] == ["table", "deal", "deal", "deal"]
    verdict = verify_export(parse_export_lines(exported), proof, kept_checkpoint(client))
    assert (verdict.faults, verdict.proven_count) == ((), 7)
