"""The clauses of every published ruleset: each section of the rules told, in order, once, with its source."""

from itertools import pairwise

import pytest

from engine.rulesets import PUBLISHED
from engine.rulesets.danish import clauses, in_order
from engine.rulesets.model import Clause, Ruleset

RULESETS = {rules.ruleset.id: rules.ruleset for rules in PUBLISHED}
SECTIONS = (1, 2, 3, 4, 5, 6)


def sections(ruleset: Ruleset) -> list[int]:
    return [int(clause.point.partition(".")[0]) for clause in ruleset.clauses]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_every_section_is_told_and_in_order(ruleset: Ruleset) -> None:
    told = sections(ruleset)
    assert told == sorted(told)
    assert set(told) >= {*SECTIONS, 8 if ruleset.pool else 7}
    points = [clause.point for clause in ruleset.clauses]
    changes = 1 + sum(one != other for one, other in pairwise(points))
    assert changes == len(set(points)), "a point is told in two places"


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_no_clause_is_told_twice_and_none_is_both_decided_and_silent(ruleset: Ruleset) -> None:
    said = [(clause.point, clause.text) for clause in ruleset.clauses]
    assert len(said) == len(set(said))
    assert not [clause for clause in ruleset.clauses if clause.ours and clause.silent]
    assert all(clause.text.endswith((".", ":")) for clause in ruleset.clauses)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_what_no_rate_is_stated_for_is_told_as_silent(ruleset: Ruleset) -> None:
    paid = dict(ruleset.tariff) if ruleset.pool is None else dict(ruleset.pool.bases)
    unpaid = [one.id for one in ruleset.contracts if one.id not in paid]
    unpaid += [name for name, tariff in ruleset.tariff if not tariff.codille]
    silent = [one for one in ruleset.clauses if one.silent and one.point.endswith("Payments")]
    assert bool(unpaid) == bool(silent)


def test_clauses_stand_by_sections_and_those_on_one_point_together() -> None:
    first, second = Clause("3. Naming", "One.", "A book"), Clause("2. Deal", "Two.", "A book")
    third, fourth = Clause("3. Auction", "Three.", "A book"), Clause("3. Naming", "Four.", "A book")
    assert in_order((first, second, third, fourth)) == (second, first, fourth, third)


def test_what_the_family_tells_alike_bears_the_source_it_was_read_in() -> None:
    own = Clause("2. Deal", "Mine.", "A book", ours=True)
    told = clauses("A book", own)
    assert own in told
    assert {clause.source for clause in told} == {"A book"}
    assert [clause.text for clause in told if clause.silent]
