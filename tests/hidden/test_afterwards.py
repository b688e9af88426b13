"""What the audit finds of hidden cards: at its trick, once, and nothing of anybody innocent."""

import random
from typing import Any

import pytest

import replays
from engine import EVERYTHING, PUBLIC, Audit, audit, effective, fold_all, in_seat, view
from engine.core.cards import BACKHAND, FOREHAND
from engine.core.log import Log
from engine.inference.afterwards import found_afterwards
from engine.play.findings import CODES
from service.records.points import point_of
from tests.hidden import trials
from tests.hidden.trials import Attempt, innocent, irregular, kept, misprinted, slipped, tally
from tests.slow.__main__ import COMPARED
from tests.slow.planting import PLANTERS, planted
from tests.support.effort import examples
from tests.support.engine.shorthand import dealt, gap, log_from, named, opened, plays, said, stands
from tests.support.hidden.misprinting import MISPRINTS
from tests.support.hidden.pen import SLIPS
from tests.support.hidden.records import RULESETS, deal, hidden_at_random
from tests.support.hidden.revokes import game

Event = dict[str, Any]
PROVING = 12
"""The entry without which nothing is proved."""


def counted() -> Log:
    """The library's deal in which only counting shows that Bo had to follow."""
    found = replays.find("findings-revoke-by-counting")
    assert found is not None
    return found.log()


def grave(judged: Audit) -> list[tuple[int | str, str]]:
    return [(one.seq, one.code) for one in judged.findings if one.severity in ("impossible", "error")]


def test_nobody_is_accused_by_a_card_laid_out_of_turn() -> None:
    """Bo lays ♣2 as a second card to trick 2: nobody knows whether he had it back when clubs were led."""
    events = [*opened(), *said("F spade-solo, M pass, B pass"), *named("F", "spade-solo", "S")]
    events += stands("M B") + plays("F-HK M-H4 B-H5 F-DK M-D4 M-C2 B-D3 F-CK M-H2 B-C4")
    found = audit(log_from(events)).findings
    assert [one.code for one in found if one.severity == "error"] == ["wrong_seat"]


def test_before_the_entry_that_proves_it_nobody_is_accused() -> None:
    assert grave(audit(counted()[:-1])) == []
    assert point_of(counted(), 11).audit.findings == ()
    assert [one.seq for one in point_of(counted(), PROVING).audit.findings] == [11]


@pytest.mark.parametrize(
    ("viewer", "accused"),
    [(EVERYTHING, True), (in_seat(FOREHAND), False), (in_seat(BACKHAND), False), (PUBLIC, False)],
    ids=["recorder", "forehand", "backhand", "public"],
)
def test_a_viewer_is_told_what_follows_from_what_he_may_know(viewer: Any, accused: bool) -> None:
    """Forehand knows his own five diamonds and the talon; who has the other five he does not."""
    assert grave(audit(view(counted(), viewer))) == ([(11, "revoke")] if accused else [])


def test_a_record_that_is_impossible_otherwise_proves_nothing_more() -> None:
    events = [*game()[:1], dealt("F", "SA SA S2 S3 S4 S5 S6 S7 SJ"), *game()[1:], *plays("F-SK")]
    codes = {code for _, code in grave(audit(log_from(events)))}
    assert "card_duplicated" in codes
    assert "contradiction" not in codes


def test_where_nothing_is_hidden_or_nothing_known_nothing_is_asked() -> None:
    whole = log_from(deal(random.Random(1), "dlu"))
    for log in (whole, whole[:1], log_from([*game(), gap()])):
        entries = effective(log).entries
        assert found_afterwards(entries, fold_all(entries), ()) == ()


@pytest.mark.parametrize("ruleset", COMPARED)
def test_what_is_against_the_rules_contradicts_nothing(ruleset: str) -> None:
    """Every fault that can be played at a table, with cards hidden at random: it happened, so it can be."""
    make, second = COMPARED[ruleset]
    rng = random.Random(f"faults {ruleset}")
    for name in PLANTERS:
        for events, codes in planted(name, (make(seed) for seed in range(12)), second, rng, 1):
            if any(CODES[code][0] == "impossible" for code in codes):
                continue
            found = grave(audit(log_from(hidden_at_random(rng, events))))
            assert "contradiction" not in {code for _, code in found}, events
            assert "revoke" in codes or "revoke" not in {code for _, code in found}, events


def test_who_forbids_a_surrender_has_exchanged_as_a_defender() -> None:
    """In a solo the declarer may not exchange; Bo, who did, becomes the declarer afterwards."""
    events = [*opened(middlehand="D7 D5 SQ H5 CQ CK D6 H2 CA", ruleset="ombre", pool=5)]
    events += [*said("F solo, M pass, B pass"), *named("F", "solo", "S")]
    events += [{"type": "surrender_offered", "seat": "forehand"}]
    events += [{"type": "surrender_answered", "seat": "middlehand", "answer": "forbid"}, gap()]
    assert grave(audit(log_from([*events, *plays("F-S2 M-SK")]))) == []


# --- Trials on random deals (more by `tests.hidden`) -----------------------------------------------


SOME_RULESETS = RULESETS[:: examples(1, 3)]
"""All in a thorough run, else every third."""

OF_EACH_RULESET: dict[str, tuple[Attempt, int]] = {
    "nobody innocent is accused": (innocent, examples(25, 15)),
    "a planted revoke that later cards prove is found": (trials.planted, examples(8, 4)),
    "a card laid out of turn or second to a trick accuses nobody": (irregular, examples(25, 12)),
    "a true revoke stays in the report, all hands being told": (kept(hidden=False), examples(3, 1)),
    "a true revoke stays in the report, no hand being told": (kept(hidden=True), examples(3, 1)),
}


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("law", OF_EACH_RULESET)
def test_in_every_ruleset(law: str, ruleset: str) -> None:
    attempt, deals = OF_EACH_RULESET[law]
    assert tally(attempt, law, ruleset, deals).wrong == []


@pytest.mark.parametrize("hidden", [False, True], ids=["hands told", "none told"])
@pytest.mark.parametrize("kind", SLIPS)
def test_a_slip_of_the_pen_accuses_nobody_without_a_condition(kind: str, *, hidden: bool) -> None:
    for ruleset in SOME_RULESETS:
        assert tally(slipped(kind, hidden=hidden), "slipped", ruleset, 1).wrong == []


def test_the_true_correction_is_proposed_mostly_first_and_each_makes_the_record_possible() -> None:
    kinds, rulesets = sorted(MISPRINTS), SOME_RULESETS[: examples(9, 1)]
    found = [tally(misprinted(kind, hidden=False), kind, one, 1) for kind in kinds for one in rulesets]
    assert [record for one in found for record in one.wrong] == []
    assert sum(one.notes["corrected"] for one in found) == len(found)
    assert 2 * sum(one.notes["by the first proposal"] for one in found) >= len(found)
    for kind in kinds[: examples(4, 1)]:
        assert tally(misprinted(kind, hidden=True), "hidden", "dlu", 1).wrong == []
