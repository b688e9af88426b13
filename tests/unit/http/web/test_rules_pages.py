"""The pages of the rulesets: every clause has an address, and two rulesets are laid side by side."""

import re
from html import unescape

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


@pytest.mark.parametrize("rules", PUBLISHED_RULESETS, ids=lambda rules: rules.ruleset.id)
def test_games_and_values_have_names_and_suits_their_colours(
    library: FlaskClient, rules: CompiledRuleset
) -> None:
    ruleset = rules.ruleset
    page = text(library, f"/rules/{ruleset.id}?lang=en")
    # The addresses of other rulesets have their ids.
    page = re.sub("<details.*?</details>", "", page, flags=re.DOTALL)
    shown = set(re.findall(r"[\w-]+", re.sub("<[^>]*>", " ", page)))
    ids = {one.id for one in ruleset.bids} | {one.id for one in ruleset.contracts}
    ids |= {one.id for one in ruleset.switches}
    ids |= {str(value) for switch in ruleset.switches for value in switch.values}
    assert {one for one in ids if "-" in one or one in ("True", "tourne")} & shown == set()
    assert "clubs" in shown and "true" not in shown and "pip-red" in page and not re.search("[♥♦]", page)


def test_the_rules_that_a_reader_comes_from_are_listed_first(library: FlaskClient) -> None:
    page = text(library, "/rules/tresillo?lang=en")
    (listed,) = re.findall(r'href="(/rules\?\S+)">All rules', page)
    titles = re.findall(r'class="contents-title" href="/rules/([\w-]+)', text(library, unescape(listed)))
    assert titles[0] == "tresillo" and len(titles) > 1


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
    page = text(library, "/rules/dlu/compare/tresillo?lang=en")
    assert "netlhombre.dk" not in page, "the source of the whole ruleset stands at none of its clauses"


def test_an_unknown_ruleset_is_not_found(library: FlaskClient) -> None:
    assert library.get("/rules/whist").status_code == 404
    assert library.get("/rules/dlu/compare/whist").status_code == 404
