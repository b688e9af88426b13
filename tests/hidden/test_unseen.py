"""What unseen cards can be, as a director asks for it: beside a search that tries every complete deal."""

import random
from collections import Counter

import pytest

import replays
from engine import effective, fold_all
from engine.core.cards import CODES, SEAT_NAMES, codes_in
from engine.core.events import CardPlayed, GapNoted, NoteAdded
from engine.core.log import Entry
from engine.inference import unseen
from engine.inference.deals import Count
from engine.inference.unseen import Unseen, level_of, shares
from tests.support.engine.shorthand import log_from
from tests.support.hidden.by_trying import as_world, plays_of, seen_in
from tests.support.hidden.drawing import lawful_worlds
from tests.support.hidden.naive import Event, World, agrees, rearranged, whole
from tests.support.hidden.records import RULESETS, covered, cut, deal, unsure_cards, with_hands

EACH = 15
SIXTH = 31
"""In Belinda's game the entry of Sir Anonym's card to trick 6."""


def examined(events: list[Event]) -> Unseen:
    entries = effective(log_from(events)).entries
    return unseen.unseen(entries, fold_all(entries))


def of_library(name: str) -> Unseen:
    replay = replays.find(name)
    assert replay is not None
    entries = effective(replay.log()).entries
    return unseen.unseen(entries, fold_all(entries))


def record(rng: random.Random, ruleset: str) -> tuple[list[Event], list[World], list[World]]:
    """A record with gaps, every deal that agrees with it as matter, and those of them that are lawful."""
    events = with_hands(cut(rng, deal(rng, ruleset)))
    unsure = unsure_cards(rng, events, rng.randint(2, 4))
    visible = covered(rng, events, unsure, rng.choice((0.5, 1.0)))
    worlds = [one for one in rearranged(whole(events), unsure) if agrees(one, visible)]
    return visible, worlds, lawful_worlds(visible, whole(events), unsure)


def held(world: World, seat: str) -> set[str]:
    """What a seat holds at the end of a world."""
    played = {card for _, who, card in world.plays if who == seat}
    return set(world.dealt[seat] - world.away[seat] | world.drawn[seat]) - played


@pytest.mark.parametrize("ruleset", RULESETS)
def test_cards_hands_and_counts_are_those_of_all_deals_by_trying(ruleset: str) -> None:
    rng = random.Random(f"unseen {ruleset}")
    for _ in range(EACH):
        visible, worlds, kept = record(rng, ruleset)
        made = examined(visible)
        for lawful, those in ((False, worlds), (True, kept)):
            level, count = (
                (made.found.lawful, made.lawful) if lawful else (made.found.physical, made.physical)
            )
            expected = seen_in(those, visible)
            for one in made.cards:
                can = set(codes_in(one.lawful if lawful else one.physical))
                there = expected[int(one.seq), one.place]
                assert can >= there
                assert not level.decided or can == there
            assert count.least <= len(those) <= (count.most or len(those))
            assert count.exact
            witness = made.witness(lawful)
            assert witness is not None and as_world(witness) in those
        assert made.contradicting == ()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_a_hand_can_hold_and_holds_for_certain(ruleset: str) -> None:
    rng = random.Random(f"unseen hands {ruleset}")
    for _ in range(EACH):
        visible, worlds, kept = record(rng, ruleset)
        made = examined(visible)
        for one in made.holdings:
            seat = SEAT_NAMES[one.seat]
            for those, can, certain in (
                (worlds, one.physical, one.certain_physical),
                (kept, one.lawful, one.certain_lawful),
            ):
                hands = [held(world, seat) for world in those]
                assert set(codes_in(can)) == set.union(*hands)
                assert set(codes_in(certain)) == set.intersection(*hands)
                assert all(len(hand) == one.size for hand in hands)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_not_searched_holds_all_that_is_possible(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unseen, "MOST_LOOKS", -1)
    rng = random.Random(f"unseen outlined {ruleset}")
    outlined = 0
    for _ in range(EACH):
        visible, worlds, _ = record(rng, ruleset)
        made = examined(visible)
        if not made.found.case.slots:
            continue
        outlined += 1
        assert (made.found.physical.agrees, made.found.physical.decided) == (None, False)
        expected = seen_in(worlds, visible)
        for card in made.cards:
            assert set(codes_in(card.physical)) >= expected[int(card.seq), card.place]
        for one in made.holdings:
            hands = [held(world, SEAT_NAMES[one.seat]) for world in worlds]
            assert set(codes_in(one.physical)) >= set.union(*hands)
            assert set(codes_in(one.certain_physical)) <= set.intersection(*hands)
        assert made.physical == made.lawful == Count(0, None)
    assert outlined


@pytest.mark.parametrize("ruleset", RULESETS)
def test_shares_are_those_of_all_lawful_deals(ruleset: str) -> None:
    rng = random.Random(f"unseen shares {ruleset}")
    counted = 0
    for _ in range(EACH):
        visible, _, kept = record(rng, ruleset)
        made = examined(visible)
        for number, seq in enumerate(plays_of(visible)):
            found = shares(made, seq)
            if visible[seq - 1]["card"][1] != "?":
                assert found is None
                continue
            counted += 1
            assert found is not None
            assert {CODES[card]: deals for card, deals in found} == Counter(
                world.plays[number][2] for world in kept
            )
    assert counted


def test_belinda_s_game() -> None:
    made = of_library("belinda")
    (sixth,) = [one for one in made.cards if one.seq == SIXTH]
    assert codes_in(sixth.lawful) == ["D6", "H2", "H3", "H4", "H6", "HJ"]
    assert codes_in(sixth.physical & ~sixth.lawful) == ["CJ"]
    assert (made.lawful, made.physical) == (Count(1080, 1080), Count(5040, 5040))
    assert made.found.lawful.decided
    found = shares(made, SIXTH)
    assert found is not None
    assert {CODES[card]: deals for card, deals in found} == {
        "D6": 360, "H2": 144, "H3": 144, "H4": 144, "H6": 144, "HJ": 144,
    }  # fmt: skip


def test_on_which_level_a_card_can_be_but_one() -> None:
    (card, *_) = of_library("belinda").cards
    one, two = 1, 3
    assert level_of(card._replace(physical=one, lawful=one)) == "physical"
    assert level_of(card._replace(physical=two, lawful=one)) == "lawful"
    assert level_of(card._replace(physical=two, lawful=two)) is None


def test_where_no_deal_agrees_an_entry_is_named() -> None:
    made = of_library("belinda-as-printed")
    assert (made.physical, made.lawful, made.contradicting) == (Count(0, 0), Count(0, 0), (11,))
    assert made.witness(lawful=False) is None
    assert shares(made, SIXTH) == ()


def test_too_many_exchanges_that_nobody_recorded_are_outlined() -> None:
    made = of_library("belinda-second-reading")
    assert len(made.found.case.readings) > 100
    assert (made.found.physical.agrees, made.found.lawful.decided) == (None, False)
    first = made.cards[0]
    assert set(codes_in(first.lawful)) == {"S4", "S6"}
    assert made.contradicting == ()


def test_a_record_longer_than_any_deal_is_outlined() -> None:
    replay = replays.find("belinda")
    assert replay is not None
    entries = effective(replay.log()).entries
    notes = (Entry(seq, NoteAdded("Again.")) for seq in range(100, 100 + unseen.MOST_ENTRIES))
    many = (*entries, *notes)
    made = unseen.unseen(many, fold_all(many))
    assert (made.found.lawful.agrees, made.found.lawful.decided) == (None, False)
    short = of_library("belinda")
    for one, other in zip(made.cards, short.cards, strict=True):
        assert one.lawful & other.lawful == other.lawful


def test_after_a_gap_nothing_is_certain_of_a_hand() -> None:
    replay = replays.find("belinda")
    assert replay is not None
    entries = effective(replay.log()).entries[:20]
    gap = (*entries, Entry(21, GapNoted()))
    made = unseen.unseen(gap, fold_all(gap))
    assert any(isinstance(entry.event, CardPlayed) for entry in gap)
    assert all(one.certain_lawful == one.certain_physical == 0 for one in made.holdings)
