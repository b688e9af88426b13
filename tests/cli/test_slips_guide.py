"""docs/slips.md: every column and setting is in it by all its names; its examples run."""

import re
from pathlib import Path

import pytest

from schemas.spreadsheet.words import COLUMNS, OUTCOMES, SETTINGS, Term
from tests.support.cli.docs import ROOT, run_examples

TEXT = (ROOT / "docs" / "slips.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```console\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def rows(heading: str) -> list[list[str]]:
    """The rows of the table under a heading, cell by cell."""
    found = re.search(rf"^## {heading}\n.*?^\|---.*?\n(.*?)\n\n", TEXT, re.MULTILINE | re.DOTALL)
    assert found, heading
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found.group(1).splitlines()]


@pytest.mark.parametrize(("heading", "terms"), [("Above the columns", SETTINGS), ("The columns", COLUMNS)])
def test_every_name_is_in_the_guide_and_no_other(heading: str, terms: dict[str, Term]) -> None:
    told = [(row[0], row[1], tuple(filter(None, row[2].split(", ")))) for row in rows(heading)]
    wanted = [(term.words.en, term.words.da, term.others) for term in terms.values()]
    assert [one for one in told if not one[0].startswith("*")] == wanted


def test_every_outcome_is_in_the_guide() -> None:
    outcome = next(row[3] for row in rows("The columns") if row[0] == "outcome")
    assert outcome.split("; ") == [", ".join(words[:2]) for words in OUTCOMES.values()]


@pytest.mark.process
def test_the_examples_run(tmp_path: Path) -> None:
    assert len(EXAMPLES) >= 4
    run_examples(EXAMPLES, tmp_path)
