"""Nobody innocent is accused, and what visible cards prove is found at its trick (more by `tests.hidden`)."""

import pytest

from tests.hidden.trials import Attempt, innocent, irregular, kept, misprinted, planted, slipped, tally
from tests.support.effort import examples
from tests.support.hidden.misprinting import MISPRINTS
from tests.support.hidden.pen import SLIPS
from tests.support.hidden.records import RULESETS

SOME_RULESETS = RULESETS[:: examples(1, 3)]
"""All in a thorough run, else every third."""

OF_EACH_RULESET: dict[str, tuple[Attempt, int]] = {
    "nobody innocent is accused": (innocent, examples(25, 15)),
    "a planted revoke that later cards prove is found": (planted, examples(8, 4)),
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
