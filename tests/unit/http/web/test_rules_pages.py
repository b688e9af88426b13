"""The pages of the rulesets: every clause has an address, and two rulesets are laid side by side."""

import re

import pytest
from flask.testing import FlaskClient

from engine.rulesets import PUBLISHED_RULESETS, CompiledRuleset
from service.presentation.reports.clauses import section_anchor


def text(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.parametrize("rules", PUBLISHED_RULESETS, ids=lambda rules: rules.ruleset.id)
def test_every_section_and_clause_of_a_ruleset_has_an_address(
    library: FlaskClient, rules: CompiledRuleset
) -> None:
    page = text(library, f"/rules/{rules.ruleset.id}?revision={rules.ruleset.revision}&lang=da")
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert {section_anchor(one.point) for one in rules.ruleset.clauses} <= set(ids)
    numbers = [one for one in ids if re.fullmatch(r"\d+\.\d+", one)]
    assert len(numbers) == len(rules.ruleset.clauses)


def test_a_citation_leads_to_its_clause(library: FlaskClient) -> None:
    report = text(library, "/replays/belinda-as-printed/report?lang=en")
    cited = re.findall(r'href="(/rules/\S+?)#([\d.]+)"', report)
    assert cited
    for page, clause in cited:
        assert f'id="{clause}"' in text(library, page.replace("&amp;", "&"))


def test_where_two_rulesets_differ_is_shown_and_nothing_else(library: FlaskClient) -> None:
    page = text(library, "/rules/dlu/compare/dlu?lang=en")
    assert "These rules do not differ." in page and "<table" not in page
    page = text(library, "/rules/dlu/compare/clockwise?lang=en")
    assert "clockwise" in page and "Deal and play move to the left." in page
    assert "Where two rulesets differ" in page


def test_an_unknown_ruleset_is_not_found(library: FlaskClient) -> None:
    assert library.get("/rules/whist").status_code == 404
    assert library.get("/rules/dlu/compare/whist").status_code == 404
