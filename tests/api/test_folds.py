"""What is found at an append is what `audit` finds, whatever was kept of the log before it."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import audit
from engine.core.log import place
from engine.rulesets import PUBLISHED
from service.eventstore import ANY, EventStore, MemoryStore
from service.records import fold_cache
from service.records.append import continue_deal, findings_at, open_deal
from service.records.records import Posted, log_in
from tests.support.api.feeds import corrected
from tests.support.api.recording import DEAL, Json, posted, recorded_deal, some_deal
from tests.support.effort import examples


@settings(max_examples=examples(80))
@given(st.integers(0, 10**9))
def test_what_is_found_is_what_audit_finds(seed: int) -> None:
    rng = random.Random(seed)
    store = MemoryStore()
    deal = some_deal(seed, talon=rng.random() < 0.5)
    events = corrected(deal, rng) if rng.random() < 0.5 else deal
    opening, *rest = events
    if rng.random() < 0.5:
        rng.shuffle(rest)
    recorded_deal(store, [opening])
    while rest:
        size = rng.choice((1, 1, 1, 2, 7))
        part, rest = rest[:size], rest[size:]
        if rng.random() < 0.2:
            fold_cache._FOLDS.clear()
        recorded = continue_deal(
            store, store.describe(DEAL), ANY, [posted(event) for event in part], strict=False
        )
        new = {event.seq for event in recorded.appended.events}
        whole = audit(log_in(store, DEAL)).findings
        expected = [one for one in whole if any(place(seq)[0] in new for seq in (one.seq, *one.evidence))]
        assert list(recorded.findings) == expected


def numbered(deal: list[Json]) -> list[Posted]:
    """The events of a deal as somebody sends them, with ids."""
    return [posted({**event, "id": f"018f5e2a-0000-7000-8000-{n:012d}"}) for n, event in enumerate(deal)]


def test_what_was_stored_before_is_judged_as_it_stood_then(store: EventStore) -> None:
    sent = numbered(some_deal()[:14])
    first, again = (open_deal(store, sent, strict=False) for _ in range(2))
    assert again.findings == first.findings


def test_what_others_wrote_between_a_repeat_and_what_is_new_is_folded(store: EventStore) -> None:
    deal = numbered(some_deal())
    info = store.describe(open_deal(store, deal[:19], strict=False).appended.stream)
    # Somebody else writes the twentieth. Whose answer was lost sends the nineteenth again, and more.
    for version, sent in (
        (18, deal[18:19]), (19, deal[19:20]), (17, deal[17:18]), (20, [*deal[18:19], *deal[20:21]])
    ):  # fmt: skip
        continue_deal(store, info, version, sent, strict=False)
    recorded = continue_deal(store, info, 21, deal[21:], strict=False)
    assert recorded.findings == audit(log_in(store, info.stream)).findings == ()


def test_a_repeat_in_another_order_spoils_nothing_that_is_kept(store: EventStore) -> None:
    deal = numbered(some_deal())
    info = store.describe(open_deal(store, deal[:6], strict=False).appended.stream)
    continue_deal(store, info, 4, deal[4:5], strict=False)
    continue_deal(store, info, 6, [deal[5], deal[4]], strict=False)
    recorded = continue_deal(store, info, 5, deal[5:], strict=False)
    assert recorded.findings == audit(log_in(store, info.stream)).findings == ()


def test_other_rules_judge_anew(store: EventStore) -> None:
    recorded_deal(store)
    gap = [posted({"type": "gap_noted"})]
    appended = continue_deal(store, store.describe(DEAL), ANY, gap, strict=False).appended
    fewer = PUBLISHED[:1]
    assert findings_at(store, appended, PUBLISHED) == findings_at(store, appended, PUBLISHED)
    assert findings_at(store, appended, fewer) == tuple(
        one
        for one in audit(log_in(store, DEAL), fewer).findings
        if any(place(seq)[0] == appended.events[0].seq for seq in (one.seq, *one.evidence))
    )
