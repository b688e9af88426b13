"""The laws of an evening: whatever is recorded, nothing is lost and everybody can be paid."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import events
from engine.core.cards import SEATS
from engine.core.field_types import Players
from tests.support.effort import examples
from tests.support.engine.dealt import even
from tests.support.engine.evenings import NAMES, Evening
from tests.support.engine.tables_laws import AT_A_TABLE, CHIPS, NAME
from tests.support.hidden.records import RULESETS

SEAT = st.integers(0, 2)
PAYMENTS = st.dictionaries(
    st.sampled_from([*NAMES, "forehand", "middlehand", "backhand"]), CHIPS, max_size=3
).map(lambda chips: tuple(chips.items()))

SLIP = st.builds(
    events.ResultRecorded,
    outcome=st.sampled_from(["won", "bete", "codille", "passed_out", "abandoned", "voided", None]),
    declarer=SEAT,
    contract=st.sampled_from(["simple", "solo", "play", "spade-solo", "oros", "nothing"]),
)
IN_A_DEAL: st.SearchStrategy[events.Event] = st.one_of(
    SLIP,
    st.builds(events.HandTakenOver, SEAT, NAME),
    st.builds(events.PuestaReserved, SEAT),
    st.builds(events.DealSettled, PAYMENTS),
    st.builds(events.DealVoided, st.just("a card too many")),
    st.builds(events.RulingMade, st.just("so be it"), payments=PAYMENTS, penalty=st.just(((1, 2),))),
)
OPENING = st.fixed_dictionaries(
    {},
    optional={
        "players": st.builds(Players, NAME, NAME, NAME, st.lists(NAME, max_size=2).map(tuple)),
        "dealer": st.none() | NAME,
        "pool": st.none() | st.integers(0, 40),
        "reserved": st.lists(st.integers(1, 20), max_size=2).map(tuple),
        "board": st.none() | st.integers(1, 9),
        "ruleset": st.sampled_from(["dlu", "ombre", "mars"]),
    },
)


def check(evening: Evening) -> None:
    """What the players have and what lies in the pools is nothing in all, and the debts make it so."""
    told = evening.ledger()
    assert even(evening)
    left = dict(told.totals)
    for player, chips in told.shares:
        left[player] = left.get(player, 0) + chips
    uneven = sum(chips != 0 for chips in left.values())
    for debt in told.debts:
        assert debt.chips > 0
        left[debt.debtor] += debt.chips
        left[debt.creditor] -= debt.chips
    assert set(left.values()) <= {0}
    assert len(told.debts) <= max(uneven - 1, 0)


@settings(deadline=None)
@given(st.data(), st.sampled_from(["ombre", "dlu", "lomber", "mars"]), st.integers(0, 6))
def test_whatever_happens_at_a_table_nothing_is_lost(data: Any, ruleset: str, players: int) -> None:
    evening = Evening(ruleset, players)
    for _ in range(data.draw(st.integers(0, 8))):
        if data.draw(st.booleans()):
            evening.table.append(data.draw(AT_A_TABLE))
            continue
        due = evening.ledger().next_deals
        opening = {"players": Players("Anna", "Bo", "Carl"), **data.draw(OPENING)}
        game = data.draw(st.sampled_from([one.game for one in due])) if due else 0
        as_due = due and data.draw(st.booleans())
        opened = evening.opening(game, **opening) if as_due else evening.bare(**opening)
        evening.play(*data.draw(st.lists(IN_A_DEAL, max_size=3)), opening=opened)
    told = evening.ledger()
    check(evening)
    for one in told.next_deals:
        assert len({*one.seating.active, *one.seating.sitting_out}) == 3 + len(one.seating.sitting_out)
        assert one.seating.dealer in (*one.seating.active, *one.seating.sitting_out)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_in_two_rounds_everybody_deals_twice_and_sits_out_as_often(ruleset: str) -> None:
    for players in (3, 4, 5):
        evening = Evening(ruleset, players)
        contract = "play" if evening.ledger().pots else "simple"
        for _ in range(2 * players):
            evening.play(events.ResultRecorded("won", SEATS[0], contract))
        seatings = [line.seating for line in evening.ledger().lines if line.seating is not None]
        assert seatings[0].dealer == NAMES[players - 1]
        out = Counter(player for seating in seatings for player in seating.sitting_out)
        for player in NAMES[:players]:
            assert sum(seating.dealer == player for seating in seatings) == 2
            assert sum(seating.forehand == player for seating in seatings) == 2
            assert out[player] == 2 * (players - 3)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_correction_in_the_middle_of_many_deals(ruleset: str) -> None:
    """Only the corrected deal pays otherwise; a later one is told where its recorded pool differs."""
    rng, evening, count = random.Random(ruleset), Evening(ruleset, 4), examples(40, 20)
    deals = [evening.play_randomly(rng) for _ in range(count)]
    before = evening.ledger()
    middle = next(at for at in range(count // 3, count) if before.lines[at].outcome == "won")
    contract = before.lines[middle].contract if before.pots else "simple"
    slip = events.ResultRecorded("bete", SEATS[0], contract, primeras=False)
    replaced = tuple(range(2, len(evening.logs[deals[middle]]) + 1))
    evening.add(deals[middle], events.CorrectionMade("misread", replaced, with_=(slip,)))
    after = evening.ledger()
    check(evening)
    pairs = enumerate(zip(before.lines, after.lines, strict=True))
    assert [at for at, (old, new) in pairs if old.chips != new.chips] == [middle]
    paid = dict(before.lines[middle].chips)
    moved = {player: chips - paid[player] for player, chips in after.lines[middle].chips}
    assert dict(after.totals) == {player: chips + moved.get(player, 0) for player, chips in before.totals}
    # What lies in the pool is what the players have lost, whatever the ledger says of it.
    differing = []
    for at, line in enumerate(after.lines[middle + 1 :], middle + 1):
        lost = -sum(chips for _, chips in (*after.lines[at - 1].totals, *line.stake))
        opened: Any = evening.logs[deals[at]][0]
        if opened.pool is not None and opened.pool + sum(opened.reserved) != lost:
            differing.append(deals[at])
    assert [one.deal for one in after.findings if one.finding.code == "pool_mismatch"] == differing
    assert bool(differing) == bool(before.pots)
    assert len(after.findings) == len(differing)


@given(st.randoms(use_true_random=False), st.sampled_from(RULESETS), st.integers(3, 6))
@settings(max_examples=examples(25))
def test_random_deals_as_they_are_due_are_never_a_mismatch(
    rng: random.Random, ruleset: str, players: int
) -> None:
    evening = Evening(ruleset, players)
    for _ in range(6):
        evening.play_randomly(rng, rng.choice(evening.ledger().next_deals).game)
    told = evening.ledger()
    check(evening)
    assert told.findings == ()
