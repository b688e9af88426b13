"""What unseen cards can be, as a director asks for it, and beside a search that tries every complete deal."""

import random

import pytest

import replays
from engine import effective, fold_all
from engine.core.cards import CARD_CODES, SEAT_NAMES, codes_in_mask
from engine.core.events import CardPlayed, GapNoted, NoteAdded
from engine.core.log import Entry, Log
from engine.core.work_budget import WorkBudget
from engine.inference import unseen_cards
from engine.inference.claims import collect_claims
from engine.inference.consistent_deals import DealCount, count_deals, find_witness
from engine.inference.evidence import is_contradictory
from engine.inference.inference_case import PHYSICAL_ONLY
from engine.inference.unseen_cards import UnseenCards, count_deals_by_card, forcing_level, list_hidden_cards
from tests.support.effort import examples
from tests.support.engine.shorthand import a_deal, bids, log_from, names, plays, stands
from tests.support.hidden import records
from tests.support.hidden.by_trying import (
    UNHURRIED,
    a_trial,
    agreeing,
    as_world,
    compared,
    examined,
    hand_of,
    seen_in,
)
from tests.support.hidden.irregular import played_irregularly
from tests.support.hidden.naive import whole, without_seconds

EACH = 10
SIXTH = 31
"""In Belinda's game the entry of Sir Anonym's card to trick 6."""


def entries_of(name: str) -> Log:
    replay = replays.find_library_deal(name)
    assert replay is not None
    return effective(replay.read_log()).entries


def asked_of(entries: Log) -> UnseenCards:
    return unseen_cards.analyze_unseen_cards(entries, fold_all(entries))


def of_library(name: str) -> UnseenCards:
    return asked_of(entries_of(name))


@pytest.mark.parametrize("ruleset", records.RULESETS)
def test_what_is_not_searched_holds_all_that_is_possible(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unseen_cards, "MAX_QUESTIONS", -1)
    rng = random.Random(f"unseen outlined {ruleset}")
    outlined = 0
    for _ in range(EACH):
        all_deals = a_trial(rng, ruleset)
        made = asked_of(effective(log_from(all_deals.visible)).entries)
        if not made.evidence.case.hidden_plays:
            continue
        outlined += 1
        assert (made.evidence.physical.is_consistent, made.evidence.physical.is_exact) == (None, False)
        expected = seen_in(all_deals.worlds, all_deals.visible)
        for card in made.cards:
            assert set(codes_in_mask(card.physical)) >= expected[int(card.seq), card.place]
        for one in made.hands:
            hands = [hand_of(world, SEAT_NAMES[one.seat]) for world in all_deals.worlds]
            assert set(codes_in_mask(one.physical)) >= set.union(*hands)
            assert set(codes_in_mask(one.certain_physical)) <= set.intersection(*hands)
        assert made.physical_count == made.lawful_count == DealCount(0, None)
    assert outlined


def test_belinda_s_game() -> None:
    made = of_library("belinda")
    (sixth,) = [one for one in made.cards if one.seq == SIXTH]
    assert codes_in_mask(sixth.lawful) == ["D6", "H2", "H3", "H4", "H6", "HJ"]
    assert codes_in_mask(sixth.physical & ~sixth.lawful) == ["CJ"]
    assert (made.lawful_count, made.physical_count) == (DealCount(1080, 1080), DealCount(5040, 5040))
    assert made.evidence.lawful.is_exact
    found = count_deals_by_card(made, SIXTH)
    assert found is not None
    assert {CARD_CODES[card]: deals for card, deals in found} == {
        "D6": 360, "H2": 144, "H3": 144, "H4": 144, "H6": 144, "HJ": 144,
    }  # fmt: skip


def test_on_which_level_a_card_can_be_but_one() -> None:
    (card, *_) = of_library("belinda").cards
    one, two = 1, 3
    assert forcing_level(card._replace(physical=one, lawful=one)) == "physical"
    assert forcing_level(card._replace(physical=two, lawful=one)) == "lawful"
    assert forcing_level(card._replace(physical=two, lawful=two)) is None


def test_where_no_deal_agrees_an_entry_is_named_and_is_needed() -> None:
    made = of_library("belinda-as-printed")
    assert made.physical_count == made.lawful_count == DealCount(0, 0)
    assert made.contradicting_entries == (11,)
    assert find_witness(made.evidence, lawful=False) is None
    assert count_deals_by_card(made, SIXTH) == ()
    entries = entries_of("belinda-as-printed")
    claims, all_of_them = collect_claims(entries, fold_all(entries)), {entry.seq for entry in entries}
    assert is_contradictory(claims.without_cards(all_of_them - {11}), PHYSICAL_ONLY, 300, WorkBudget())
    assert not is_contradictory(claims.without_cards(all_of_them), PHYSICAL_ONLY, 300, WorkBudget())
    clubs = [*a_deal(), *bids("F solo, M pass, B pass"), *names("F", "solo", "H"), *stands("M B")]
    twelve = effective(log_from([*clubs, *plays("F-C? M-C? B-C? " * 4)])).entries
    assert asked_of(twelve).contradicting_entries == tuple(range(9, 20)), "eleven clubs are needed to see it"


def test_too_many_exchanges_that_nobody_recorded_are_outlined() -> None:
    made = of_library("belinda-second-reading")
    assert len(made.evidence.case.scenarios) > 100
    assert (made.evidence.physical.is_consistent, made.evidence.lawful.is_exact) == (None, False)
    assert set(codes_in_mask(made.cards[0].lawful)) == {"S4", "S6"}
    assert made.contradicting_entries == ()


def test_a_record_longer_than_any_deal_is_outlined() -> None:
    notes = (Entry(seq, NoteAdded("Again.")) for seq in range(100, 100 + unseen_cards.MAX_SEARCHED_ENTRIES))
    made, short = asked_of((*entries_of("belinda"), *notes)), of_library("belinda")
    assert (made.evidence.lawful.is_consistent, made.evidence.lawful.is_exact) == (None, False)
    for one, other in zip(made.cards, short.cards, strict=True):
        assert one.lawful & other.lawful == other.lawful


def test_after_a_gap_nothing_is_certain_of_a_hand() -> None:
    gap = (*entries_of("belinda")[:20], Entry(21, GapNoted()))
    assert any(isinstance(entry.event, CardPlayed) for entry in gap)
    assert all(one.certain_lawful == one.certain_physical == 0 for one in asked_of(gap).hands)


RECORDS = examples(40, 15)


@pytest.mark.parametrize("ruleset", records.RULESETS)
def test_cards_hands_counts_and_draws_are_those_that_trying_every_deal_finds(ruleset: str) -> None:
    rng = random.Random(f"naive {ruleset}")
    for _ in range(RECORDS):
        compared(a_trial(rng, ruleset))


@pytest.mark.parametrize("ruleset", records.RULESETS)
def test_the_revokes_that_are_proved_are_those_that_trying_every_deal_proves(ruleset: str) -> None:
    rng = random.Random(f"naive revokes {ruleset}")
    for _ in range(RECORDS // 2):
        if planted := records.with_revoke(rng, ruleset):
            compared(a_trial(rng, ruleset, records.cut(rng, records.with_talon(rng, planted[0]))))


@pytest.mark.parametrize("ruleset", records.RULESETS)
def test_what_is_laid_out_of_turn_or_second_to_a_trick_is_read_as_it_was_laid(ruleset: str) -> None:
    """On the level of matter: who leads out of turn has won nothing."""
    rng = random.Random(f"naive irregular {ruleset}")
    for number in range(RECORDS):
        made = played_irregularly(rng, ruleset, revoking=number % 2 == 0, numbered=True)
        events = records.with_hands(records.cut(rng, records.with_talon(rng, made.events)))
        unsure = [card for card in records.unsure_cards(rng, events, 4) if card not in made.seconds]
        visible = records.covered(rng, events, unsure, rng.choice((0.5, 1.0)))
        all_deals = agreeing(visible, whole(events), unsure)
        found, entries, _ = examined(visible)
        assert set(found.revokes) == all_deals.offences, visible
        hidden = list_hidden_cards(found, entries)
        answer = {(one.seq, one.place): set(codes_in_mask(one.physical)) for one in hidden}
        assert answer == seen_in(all_deals.worlds, visible), visible
        assert found.physical.is_consistent and found.physical.is_exact
        those = [without_seconds(one) for one in all_deals.worlds]
        one = find_witness(found, False)
        assert one is not None and as_world(one) in those
        assert count_deals(found, False, *UNHURRIED) == DealCount(len(those), len(those))
