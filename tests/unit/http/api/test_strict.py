"""What is found at an append: in strict mode it is refused, else it is what audit finds of the whole log."""

import random
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from engine import Finding, audit
from engine.core.log import seq_key
from engine.rulesets import PUBLISHED_RULESETS
from service.eventstore import ANY_VERSION, EventStore, MemoryStore
from service.records import fold_cache
from service.records.append import append_to_deal, audit_appended_events, open_deal
from service.records.repository import read_log
from tests.support.api.asking import API, CLOSING, Json, body_of, fetch, send
from tests.support.api.recording import (
    DEAL,
    OPENING,
    PLAYERS,
    TABLE,
    corrected,
    posted,
    recorded_deal,
    recorded_table,
    some_deal,
)
from tests.support.effort import examples

HANDS: list[Json] = [
    {"type": "hand_dealt", "seat": seat, "cards": [suit + rank for rank in "KQJ765432"]}
    for seat, suit in (("forehand", "S"), ("middlehand", "H"))
]
SOLO: list[Json] = [
    *({"type": "bid_made", "seat": seat, "bid": bid}
      for seat, bid in (("forehand", "solo"), ("middlehand", "pass"), ("backhand", "pass"))),
    {"type": "contract_named", "seat": "forehand", "contract": "solo", "trump": "D"},
    *({"type": "cards_discarded", "seat": seat, "cards": []} for seat in ("middlehand", "backhand")),
]  # fmt: skip


def append(client: FlaskClient, events: Any, version: int | str, mode: str | None = "strict") -> TestResponse:
    return send(client, f"deals/{DEAL}/events", events, version, **({"mode": mode} if mode else {}))


def play(seat: str, card: str, number: int = 0) -> Json:
    id_ = {"id": f"018f5e2b-0000-7000-8000-{number:012}"} if number else {}
    return {"type": "card_played", "seat": seat, "card": card, **id_}


@pytest.fixture
def trick(client: FlaskClient, store: EventStore) -> FlaskClient:
    recorded_deal(store, [OPENING, *HANDS])
    assert append(client, SOLO, 3).status_code == 201
    return client


def test_what_breaks_a_rule_is_refused_with_its_rule_and_place(trick: FlaskClient, store: EventStore) -> None:
    refused = body_of(append(trick, [play("forehand", "SK"), play("backhand", "S?")], 9), 422)
    assert refused["type"] == "/problems/against-the-rules"
    assert (refused["rule"], refused["seq"]) == ("5. Play", 11)
    assert refused["errors"][0]["pointer"] == "/1"
    assert refused["findings"][0]["code"] == "wrong_seat"
    not_held = body_of(append(trick, play("forehand", "D2"), 9), 422)
    assert [finding["code"] for finding in not_held["findings"]] == ["card_not_held"]
    assert store.stream_version(DEAL) == 9
    assert append(trick, {"type": "note_added", "text": "!"}, "*").status_code == 201
    assert append(trick, play("backhand", "D2"), 4).status_code == 412, "stale before it is judged"


@pytest.mark.parametrize("more", [[], [CLOSING]], ids=["alone", "with a closing in the same breath"])
def test_a_refusal_tells_nothing_of_another_hand(trick: FlaskClient, more: list[Json]) -> None:
    """Backhand's hand is not recorded: its card may be in middlehand's, which backhand does not know."""
    append(trick, [play("forehand", "SK"), play("middlehand", "HK")], 9)
    answer = body_of(append(trick, [play("backhand", "HQ"), *more], 11), 201)
    if not more:
        assert "card_duplicated" not in {finding["code"] for finding in answer["findings"]}
    everything = fetch(trick, f"deals/{DEAL}/findings")["findings"]
    assert "card_duplicated" in {finding["code"] for finding in everything}


def test_a_repeat_is_not_judged_again(trick: FlaskClient) -> None:
    card = play("forehand", "SK", 1)
    for status in (201, 200):
        assert append(trick, card, 9).status_code == status
    assert append(trick, play("middlehand", "HK", 2), 10).status_code == 201
    # Ids are looked at before the version, and the version before the rules.
    changed = [play("forehand", "SQ", 1), play("middlehand", "HK")]
    for sent in (changed, [*changed[1:], card]):
        assert append(trick, sent, 4).status_code == 409
    more = [card, play("backhand", "C4", 3)]
    assert body_of(append(trick, more, 9), 412)["version"] == 11
    answer = body_of(append(trick, more, 11), 201)
    assert [one["seq"] for one in answer["events"]] == [10, 12]
    # What is found at the entry of somebody else, between the two, is not told here.
    assert 11 not in {one["seq"] for one in answer["findings"]}


def test_a_strict_table_judges_its_deals(client: FlaskClient, store: EventStore) -> None:
    deal = [OPENING, *HANDS, *SOLO, play("forehand", "D2")]
    assert client.post(f"{API}/deals?mode=strict", json=deal).status_code == 422
    assert client.post(f"{API}/deals", json=deal).status_code == 201
    recorded_table(store, mode="strict")
    body_of(send(client, f"tables/{TABLE}/deals", {"players": PLAYERS, "id": DEAL}, 1), 201)
    bid = {"type": "bid_made", "seat": "backhand", "bid": "solo"}
    for mode, status in ((None, 422), ("strict", 422), ("as_played", 201)):
        assert append(client, bid, 1, mode).status_code == status, mode


def at_entries(found: tuple[Finding, ...], seqs: set[int]) -> tuple[Finding, ...]:
    return tuple(one for one in found if any(seq_key(seq)[0] in seqs for seq in (one.seq, *one.evidence)))


@settings(max_examples=examples(80))
@given(st.integers(0, 10**9))
def test_what_is_found_is_what_audit_finds(seed: int) -> None:
    rng = random.Random(seed)
    store = MemoryStore()
    deal = some_deal(seed, talon=rng.random() < 0.5)
    opening, *rest = corrected(deal, rng) if rng.random() < 0.5 else deal
    if rng.random() < 0.5:
        rng.shuffle(rest)
    recorded_deal(store, [opening])
    while rest:
        size = rng.choice((1, 1, 1, 2, 7))
        part, rest = rest[:size], rest[size:]
        if rng.random() < 0.2:
            fold_cache._CACHES.clear()
        new_events = [posted(event) for event in part]
        recorded = append_to_deal(store, store.stream_info(DEAL), ANY_VERSION, new_events, strict=False)
        new = {event.seq for event in recorded.append_result.events}
        assert recorded.findings == at_entries(audit(read_log(store, DEAL)).findings, new)


REPEATS: dict[str, tuple[int, list[tuple[int, list[int]]]]] = {
    # Somebody else writes the twentieth. Whose answer was lost sends the nineteenth again, and more.
    "with others between": (19, [(18, [18]), (19, [19]), (17, [17]), (20, [18, 20])]),
    "in another order": (6, [(4, [4]), (6, [5, 4])]),
}


@pytest.mark.parametrize("name", REPEATS)
def test_a_repeat_spoils_nothing_that_is_kept_of_the_log(store: EventStore, name: str) -> None:
    new_id = "018f5e2a-0000-7000-8000-{:012d}".format
    deal = [posted({**event, "id": new_id(number)}) for number, event in enumerate(some_deal())]
    count, sent = REPEATS[name]
    first, again = (open_deal(store, deal[:count], strict=False) for _ in range(2))
    assert again.findings == first.findings, "it is judged as it stood then"
    info = store.stream_info(first.append_result.stream)
    for version, places in sent:
        append_to_deal(store, info, version, [deal[place] for place in places], strict=False)
    version = store.stream_version(info.stream)
    recorded = append_to_deal(store, info, version, deal[version:], strict=False)
    assert recorded.findings == audit(read_log(store, info.stream)).findings == ()


def test_other_rules_judge_anew(store: EventStore) -> None:
    recorded_deal(store)
    gap = [posted({"type": "gap_noted"})]
    appended = append_to_deal(store, store.stream_info(DEAL), ANY_VERSION, gap, strict=False).append_result
    fewer = PUBLISHED_RULESETS[:1]
    for book in (PUBLISHED_RULESETS, fewer):
        found = audit(read_log(store, DEAL), book).findings
        assert audit_appended_events(store, appended, book) == at_entries(found, {appended.events[0].seq})
