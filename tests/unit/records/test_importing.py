"""Whole logs become records: once however often, with their table, and one bad log spoils no other."""

import io

import pytest

import replays
from engine.rulesets import PUBLISHED_RULESETS
from schemas.logs.log_file import read_log_file
from schemas.wire.jsonlines import ParsedLog
from service.eventstore import EventStore, MemoryStore
from service.records.log_import import ImportResult, import_logs
from service.records.repository import read_log
from service.records.tables import build_ledger, read_table

EVENING = b"""
{"type":"table_opened","title":"Thursday","ruleset":"ombre","players":["A","B","C"]}
{"type":"deal_started","deal":"first","number":1}
{"type":"deal_started","deal":"second","number":2}
{"type":"penalty_given","player":"B","points":1,"deal":"second"}
{"type":"correction_made","replaces":[3],"with":[{"type":"deal_started","deal":"second","number":2}],"reason":"?"}
{"type":"deal_opened","ruleset":"ombre","number":1,"players":{"forehand":"A","middlehand":"B","backhand":"C"}}
{"type":"result_recorded","declarer":"forehand","contract":"play","outcome":"bete"}
{"type":"deal_opened","ruleset":"ombre","number":2,"players":{"forehand":"B","middlehand":"C","backhand":"A"}}
{"type":"result_recorded","outcome":"passed_out"}
"""
ALONE = b"""
{"type":"deal_opened","ruleset":"dlu","players":{"forehand":"Anna","middlehand":"Bo","backhand":"Carl"}}
{"type":"result_recorded","outcome":"passed_out"}
"""
NAMED = ALONE.replace(b'"ruleset"', b'"id":"018f5e2a-7b1c-7d3e-9f40-000000000001","ruleset"')


@pytest.fixture
def store() -> EventStore:
    return MemoryStore()


def brought(store: EventStore, text: bytes) -> list[ImportResult[ParsedLog]]:
    logs = [log for log in read_log_file(io.BytesIO(text), "evening") if isinstance(log, ParsedLog)]
    return list(import_logs(store, logs, PUBLISHED_RULESETS))


def test_a_deal_of_the_library_becomes_a_record_that_says_the_same(store: EventStore) -> None:
    belinda = replays.find_library_deal("belinda")
    assert belinda is not None
    (one,) = brought(store, belinda.jsonl)
    kept = read_log(store, one.record_id)
    assert [entry.event for entry in kept] == [entry.event for entry in belinda.read_log()]
    assert all(entry.metadata.stored_at and entry.metadata.id for entry in kept)
    assert one.new_entries == one.version == len(kept)


def test_who_recorded_and_when_stays_as_the_file_says(store: EventStore) -> None:
    then, device = "1999-12-31T20:00:00.000Z", "1999-12-31T20:59:00+01:00"
    lines = ALONE.replace(b'{"type"', b'{"stored_at":"%s","recorded_by":"Eva","type"' % then.encode(), 1)
    lines = lines.replace(
        b'{"type"',
        b'{"stored_at":"%s","recorded_at":"%s","type"' % (b"2000" + then[4:].encode(), device.encode()),
    )
    (one,) = brought(store, lines)
    found = [entry.metadata for entry in read_log(store, one.record_id)]
    assert [(record.recorded_at, record.recorded_by) for record in found] == [(then, "Eva"), (device, None)]
    assert all(record.stored_at is not None and record.stored_at > "2001" for record in found)


def test_a_log_that_has_grown_brings_the_rest(store: EventStore) -> None:
    brought(store, NAMED)
    (one,) = brought(store, NAMED + b'{"type":"note_added","text":"Late."}\n')
    assert (one.version, one.new_entries) == (3, 1)


def test_a_table_comes_with_its_deals_and_its_ledger(store: EventStore) -> None:
    table, first, second = brought(store, EVENING)
    started = [one.deal for one in read_table(store, table.record_id).deals]
    assert started == [first.record_id, second.record_id]
    assert store.stream_info(first.record_id).root == table.record_id
    assert len(build_ledger(read_log(store, table.record_id), lambda deal: read_log(store, deal)).lines) == 2
    events = [entry.event for entry in read_log(store, table.record_id)]
    assert getattr(events[3], "deal", None) == second.record_id
    assert first.record_id not in ("first", "second")


def test_a_deal_that_the_table_took_back_stays_a_deal_of_the_table(store: EventStore) -> None:
    deal = "018f5e2a-7b1c-7d3e-9f40-000000000001"
    table_lines = EVENING.split(b'{"type":"deal_opened"')[0].replace(b'"first"', f'"{deal}"'.encode())
    taken_back = b'{"type":"correction_made","reason":"Entered twice.","replaces":[2],"with":[]}\n'
    table, first = brought(store, table_lines + taken_back + NAMED)
    assert len(read_table(store, table.record_id).deals) == 1
    assert (first.record_id, store.stream_info(deal).root) == (deal, table.record_id)


def test_another_log_under_a_taken_id_is_told_and_the_rest_is_imported(store: EventStore) -> None:
    brought(store, NAMED)
    other, alone = brought(store, NAMED.replace(b"Anna", b"Dora") + ALONE)
    assert other.failure_reason is not None and "018f5e2a" in other.failure_reason
    assert (alone.new_entries, alone.failure_reason) == (2, None)


def test_a_deal_that_holds_what_only_a_table_has_is_refused(store: EventStore) -> None:
    (one,) = brought(store, ALONE + b'{"type":"payment_made","from":"Bo","to":"Anna","amount":3}\n')
    assert one.failure_reason == "payment_made belongs to a table, but this is a deal."
    assert store.head() == 0
