"""What unseen cards can be, as a director asks for it, and beside a search that tries every complete deal."""

import random

import pytest

import replays
from engine import effective, fold_all
from engine.core.cards import CODES, SEAT_NAMES, codes_in
from engine.core.events import CardPlayed, GapNoted, NoteAdded
from engine.core.log import Entry, Log
from engine.core.work_budget import Work
from engine.inference import unseen
from engine.inference.answer import hidden_cards
from engine.inference.claims import claims_of
from engine.inference.conflict import contradicts
from engine.inference.deals import Count, how_many, witness
from engine.inference.plays import MATTER_ONLY
from engine.inference.unseen import Unseen, level_of, shares
from tests.support.effort import examples
from tests.support.engine.shorthand import log_from, named, opened, plays, said, stands
from tests.support.hidden import records
from tests.support.hidden.by_trying import agreeing, as_world, compared, examined, held, seen_in, tried
from tests.support.hidden.irregular import played_irregularly
from tests.support.hidden.naive import whole, without_seconds

EACH = 10
SIXTH = 31
"""In Belinda's game the entry of Sir Anonym's card to trick 6."""


def entries_of(name: str) -> Log:
    replay = replays.find(name)
    assert replay is not None
    return effective(replay.log()).entries


def asked_of(entries: Log) -> Unseen:
    return unseen.unseen(entries, fold_all(entries))


def of_library(name: str) -> Unseen:
    return asked_of(entries_of(name))


@pytest.mark.parametrize("ruleset", records.RULESETS)
def test_what_is_not_searched_holds_all_that_is_possible(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unseen, "MOST_LOOKS", -1)
    rng = random.Random(f"unseen outlined {ruleset}")
    outlined = 0
    for _ in range(EACH):
        all_deals = tried(rng, ruleset)
        made = asked_of(effective(log_from(all_deals.visible)).entries)
        if not made.found.case.slots:
            continue
        outlined += 1
        assert (made.found.physical.agrees, made.found.physical.decided) == (None, False)
        expected = seen_in(all_deals.worlds, all_deals.visible)
        for card in made.cards:
            assert set(codes_in(card.physical)) >= expected[int(card.seq), card.place]
        for one in made.holdings:
            hands = [held(world, SEAT_NAMES[one.seat]) for world in all_deals.worlds]
            assert set(codes_in(one.physical)) >= set.union(*hands)
            assert set(codes_in(one.certain_physical)) <= set.intersection(*hands)
        assert made.physical == made.lawful == Count(0, None)
    assert outlined


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


def test_where_no_deal_agrees_an_entry_is_named_and_is_needed() -> None:
    made = of_library("belinda-as-printed")
    assert (made.physical, made.lawful, made.contradicting) == (Count(0, 0), Count(0, 0), (11,))
    assert made.witness(lawful=False) is None
    assert shares(made, SIXTH) == ()
    entries = entries_of("belinda-as-printed")
    claims, all_of_them = claims_of(entries, fold_all(entries)), {entry.seq for entry in entries}
    assert contradicts(claims.but(all_of_them - {11}), MATTER_ONLY, 300, Work())
    assert not contradicts(claims.but(all_of_them), MATTER_ONLY, 300, Work())
    clubs = [*opened(), *said("F solo, M pass, B pass"), *named("F", "solo", "H"), *stands("M B")]
    twelve = effective(log_from([*clubs, *plays("F-C? M-C? B-C? " * 4)])).entries
    assert asked_of(twelve).contradicting == tuple(range(9, 20)), "eleven clubs are needed to see it"


def test_too_many_exchanges_that_nobody_recorded_are_outlined() -> None:
    made = of_library("belinda-second-reading")
    assert len(made.found.case.readings) > 100
    assert (made.found.physical.agrees, made.found.lawful.decided) == (None, False)
    first = made.cards[0]
    assert set(codes_in(first.lawful)) == {"S4", "S6"}
    assert made.contradicting == ()


def test_a_record_longer_than_any_deal_is_outlined() -> None:
    notes = (Entry(seq, NoteAdded("Again.")) for seq in range(100, 100 + unseen.MOST_ENTRIES))
    made, short = asked_of((*entries_of("belinda"), *notes)), of_library("belinda")
    assert (made.found.lawful.agrees, made.found.lawful.decided) == (None, False)
    for one, other in zip(made.cards, short.cards, strict=True):
        assert one.lawful & other.lawful == other.lawful


def test_after_a_gap_nothing_is_certain_of_a_hand() -> None:
    gap = (*entries_of("belinda")[:20], Entry(21, GapNoted()))
    assert any(isinstance(entry.event, CardPlayed) for entry in gap)
    assert all(one.certain_lawful == one.certain_physical == 0 for one in asked_of(gap).holdings)


# --- Beside a search that tries every complete deal ------------------------------------------------


RECORDS = examples(40, 15)


@pytest.mark.parametrize("ruleset", records.RULESETS)
def test_cards_hands_counts_and_draws_are_those_that_trying_every_deal_finds(ruleset: str) -> None:
    rng = random.Random(f"naive {ruleset}")
    for _ in range(RECORDS):
        compared(tried(rng, ruleset))


@pytest.mark.parametrize("ruleset", records.RULESETS)
def test_the_revokes_that_are_proved_are_those_that_trying_every_deal_proves(ruleset: str) -> None:
    rng = random.Random(f"naive revokes {ruleset}")
    for _ in range(RECORDS // 2):
        if planted := records.with_revoke(rng, ruleset):
            compared(tried(rng, ruleset, records.cut(rng, records.with_talon(rng, planted[0]))))


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
        assert set(found.offences) == all_deals.offences, visible
        answer = {(one.seq, one.place): set(codes_in(one.physical)) for one in hidden_cards(found, entries)}
        assert answer == seen_in(all_deals.worlds, visible), visible
        assert found.physical.agrees and found.physical.decided
        those = [without_seconds(one) for one in all_deals.worlds]
        one = witness(found, False)
        assert one is not None and as_world(one) in those
        assert how_many(found, False).exact and how_many(found, False).least == len(those)
