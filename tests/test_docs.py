"""The documentation keeps step with the code, and its links lead somewhere."""

import doctest
import re
from pathlib import Path

import pytest

from docs import reference

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def test_reference_pages_are_in_step_with_the_code() -> None:
    assert reference.out_of_step() == [], "run: python docs/reference.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("guide", ["accounts", "audit", "hidden", "misprints"])
def test_the_examples_of_a_guide_run(guide: str) -> None:
    tried = doctest.testfile(str(ROOT / "docs" / f"{guide}.md"), module_relative=False)
    assert tried.attempted > 0 and tried.failed == 0
