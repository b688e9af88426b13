"""Two accounts of one deal: side by side, every difference, who contradicts himself, one record."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import audit, effective
from engine.core.cards import BACKHAND, CARD_CODES, parse_card
from engine.core.events import CardPlayed, GapNoted, HandDealt, NoteAdded
from engine.core.log import Entry, EntryMetadata
from engine.reconcile import (
    CONFLICTING,
    MAX_ACCOUNT_ENTRIES,
    MORE_DETAIL,
    ONLY_ONE,
    AccountComparison,
    AccountTooLong,
    DealAccount,
    compare_accounts,
)
from tests.support.effort import examples
from tests.support.engine.shorthand import Event, a_deal, bids, corrected, gap, log_from, names, plays, stands
from tests.support.hidden.misprinting import PACK, as_told, misread, same
from tests.support.hidden.records import RULESETS, covered, cut, random_record

HAND = "SA S2 CA HK HQ HJ D7 D6 D5"


def of(one: list[Event], other: list[Event], **more: object) -> AccountComparison:
    accounts = DealAccount("Bo's phone", log_from(one)), DealAccount("the book", log_from(other))
    return compare_accounts(*accounts, **more)  # type: ignore[arg-type]


def merged_events(found: AccountComparison) -> list[Event]:
    return [{k: v for k, v in as_told(entry).items() if k != "accounts"} for entry in found.merged_log]


def kinds(found: AccountComparison) -> list[str]:
    return [one.kind for one in found.differences]


def a_game(hand: str = HAND) -> list[Event]:
    return [*a_deal(hand), *bids("F simple, M pass, B pass"), *names("F", "simple", "H"), *stands()]


PLAYED = plays("F-SA M-H4 B-H3")
RIGHT = [*a_game(), *PLAYED]


def test_accounts_that_agree_or_complete_each_other_are_one_record_that_both_tell() -> None:
    found = of(a_game(), a_game())
    assert found.differences == ()
    assert same(merged_events(found), a_game())
    assert {entry.metadata.accounts for entry in found.merged_log} == {("Bo's phone", "the book")}
    one = [*a_game("SA S2 CA ?? ?? ?? ?? ?? ??"), *plays("F-SA M-?? B-H3")]
    found = of(one, [*a_game("?? ?? ?? HK HQ HJ D7 D6 D5"), *plays("F-SA M-H4 B-H?")])
    assert kinds(found) == [MORE_DETAIL, MORE_DETAIL, MORE_DETAIL]
    assert same(merged_events(found), RIGHT)
    suits = of(a_game("SA S? S? ?? ?? ?? ?? ?? ??"), a_game("S2 C? ?? ?? ?? ?? ?? ?? ??")).merged_log[1].event
    assert isinstance(suits, HandDealt)
    assert sorted(CARD_CODES[card] for card in suits.cards) == sorted(["SA", "S2", "S?", "C?", *["??"] * 5])


def test_where_they_tell_otherwise_it_is_said_in_what_and_whom_the_record_follows() -> None:
    other = [*a_game(), *plays("F-SA M-H5 B-H3")]
    found = of(RIGHT, other)
    (difference,) = found.differences
    assert (difference.kind, difference.fields, difference.followed_account) == (CONFLICTING, ("card",), 0)
    assert difference.first is not None and difference.second is not None
    assert same(merged_events(found), RIGHT)
    assert difference.seq is not None
    entry = found.merged_log[difference.seq - 1]
    assert (entry.seq, entry.metadata.accounts) == (difference.seq, ("Bo's phone",))
    assert same(merged_events(of(RIGHT, other, choices={difference.seq: 1})), other)
    seat = of(RIGHT, [*a_game(), *plays("F-SA B-H4 B-H3")])
    assert [(one.kind, one.fields) for one in seat.differences] == [(CONFLICTING, ("seat",))]


def test_an_account_that_contradicts_itself_is_named_and_not_followed() -> None:
    found = of([*a_game(), *plays("F-SK M-H4 B-H3")], RIGHT)
    contradicting = [[one.code for one in account] for account in found.impossible_findings]
    assert contradicting == [["card_not_held"], []]
    assert found.differences[0].followed_account == 1
    assert same(merged_events(found), RIGHT)


def test_a_gap_that_the_other_fills_is_left_out() -> None:
    whole = [*a_game(), *plays("F-SA@1 M-H4@1 B-H3@1 F-S2@2 M-H5@2 B-C2@2 F-HK@3")]
    torn = [*a_game(), *plays("F-SA@1 M-H4@1 B-H3@1"), gap(), *plays("F-HK@3")]
    for one, other in ((whole, torn), (torn, whole)):
        found = of(one, other)
        assert same(merged_events(found), whole)
        assert kinds(found) == [ONLY_ONE] * 4
        assert sum(isinstance((d.first or d.second).event, GapNoted) for d in found.differences) == 1  # type: ignore[union-attr]


def test_notes_are_kept_at_the_entry_they_are_about() -> None:
    note = {"type": "note_added", "text": "A long think.", "on": 9}
    noted = of([*a_game(), *PLAYED[:1], note], [*a_game(), *PLAYED[:1]]).merged_log
    assert isinstance(noted[-1].event, NoteAdded)
    about = noted[int(noted[-1].event.on or 0) - 1]
    assert (as_told(about)["type"], noted[-1].metadata.accounts) == ("cards_discarded", ("Bo's phone",))


def test_accounts_merged_or_corrected_before_and_too_long_ones() -> None:
    log = log_from(a_game())
    by_both = EntryMetadata(basis="seen", accounts=("Anna", "Bo"))
    before = tuple(entry._replace(metadata=by_both) for entry in log)
    merged = compare_accounts(DealAccount("together", before), DealAccount("the book", log)).merged_log
    assert {entry.metadata.accounts for entry in merged} == {("Anna", "Bo", "the book")}
    assert {entry.metadata.basis for entry in merged} == {None}
    wrong = [*a_game(), *plays("F-SA M-H5")]
    wrong.append(corrected([len(wrong)], *plays("M-H4")))
    assert of(wrong, [*a_game(), *PLAYED[:2]]).differences == ()
    card = CardPlayed(BACKHAND, parse_card("H3"))
    too_long = tuple(Entry(seq, card) for seq in range(1, MAX_ACCOUNT_ENTRIES + 2))
    with pytest.raises(AccountTooLong, match="at most"):
        compare_accounts(DealAccount("a", too_long), DealAccount("b", ()))


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 2**32), ruleset=st.sampled_from(RULESETS))
def test_two_who_saw_different_parts_of_a_deal_never_tell_otherwise(seed: int, ruleset: str) -> None:
    rng = random.Random(seed)
    whole = cut(rng, random_record(rng, ruleset))
    events = [{name: value for name, value in event.items() if name != "trick"} for event in whole]
    views = [covered(rng, events, PACK, rng.random()) for _ in range(2)]
    found = of(*views)
    assert {one.kind for one in found.differences} <= {MORE_DETAIL}
    assert len(found.merged_log) == len(events)
    assert not [one for one in audit(found.merged_log).findings if one.severity in ("impossible", "error")]
    known = [sum(code[1] != "?" for code in finding_codes(event)) for event in merged_events(found)]
    for view in views:
        assert all(sum(c[1] != "?" for c in finding_codes(e)) <= n for e, n in zip(view, known, strict=True))


def finding_codes(event: Event) -> list[str]:
    cards: list[str] = [event["card"]] if "card" in event else event.get("cards", [])
    return cards


@settings(max_examples=examples(30))
@given(seed=st.integers(0, 2**32), ruleset=st.sampled_from(RULESETS))
def test_a_card_misread_in_one_is_a_difference_at_that_card_and_nowhere_else(seed: int, ruleset: str) -> None:
    rng = random.Random(seed)
    events = random_record(rng, ruleset)
    wrong = misread(rng, events)
    at = next(place for place, pair in enumerate(zip(events, wrong, strict=True), 1) if pair[0] != pair[1])
    found = of(wrong, events)
    assert [(one.seq, one.kind) for one in found.differences] == [(at, CONFLICTING)]
    if found.impossible_findings[0]:
        assert same(merged_events(found), events)
    assert found.impossible_findings[1] == ()
    assert effective(found.merged_log).entries == found.merged_log
