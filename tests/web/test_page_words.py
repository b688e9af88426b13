"""What the pages say, in both languages: the texts of the templates, and those of the replayer's script."""

import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine import audit
from engine.rulesets import PUBLISHED
from schemas.reader import read_entry
from service.findings_da import RULES
from service.web import words
from tests.slow import generator
from tests.support.web.evening import codille, puesta
from tests.support.web.showing import CLUB, at, evaluated, events_of, opened

TEMPLATES = Path(words.__file__).parent / "templates"

SHORTER = {"oros"}
"""Bids that the page calls by their bare name, where the ruleset adds what it is."""


def test_every_language_has_every_text() -> None:
    texts = [words.page_words(language) for language in words.LANGUAGES]
    assert all(set(one) == set(texts[0]) for one in texts)
    assert all(text for one in texts for text in one.values())


def test_the_templates_use_every_text_and_no_other() -> None:
    source = "".join(template.read_text(encoding="utf-8") for template in TEMPLATES.glob("*.html"))
    used = set(re.findall(r"\bt\.(\w+)", source))
    from_python = {"open_deal", "forgotten", "deals_one", "deals_many", "evenings_one", "evenings_many"}
    from_python |= {"season_called", "season_year", "season_chart_told", "reading_unseen", "reading_of_suit"}
    assert used | from_python == set(words.page_words("en"))


def test_a_language_that_is_not_there_is_english() -> None:
    assert words.page_words("sv") == words.page_words("en")


@pytest.mark.parametrize(
    ("language", "outcome", "contract", "trump", "expected"),
    [
        ("en", "won", "solo", "H", "Solo in hearts: Bo won"),
        ("da", "codille", "solo", "H", "Solo i hjerter: Bo kruk"),
        ("da", "bete", "spade-game", "S", "Bedre spil: Bo bet"),
        ("en", "won", "oros", "D", "Oros: Bo won"),
        ("da", "passed_out", "", None, "Alle meldte pas"),
        ("da", None, "", None, "Ikke færdigt"),
        ("en", "strange", "solo", "H", "strange"),
    ],
)
def test_a_result_is_one_phrase(
    language: str, outcome: str | None, contract: str, trump: str | None, expected: str
) -> None:
    assert words.result_words(language, outcome, name="Bo", contract=contract, trump=trump) == expected


# The replayer's own words, asked of its modules in the browser


def asked(page: Page, language: str, body: str, *arguments: Any) -> Any:
    """What ``body`` returns, in which ``words`` is the dictionary of a language, ``given`` the arguments."""
    return evaluated(page, f"words-{language}", f"const words = it.default; {body}", *arguments)


def test_the_two_dictionaries_say_the_same_things(chromium_page: Page, origin: str) -> None:
    chromium_page.goto(origin)
    keys = """const names = (words, before) => Object.entries(words).flatMap(([name, value]) =>
        value && typeof value === "object" ? names(value, before + name + ".") : [before + name]);
        return names(words, "").sort();"""
    assert asked(chromium_page, "en", keys) == asked(chromium_page, "da", keys)


def test_every_bid_and_contract_has_the_ruleset_s_name(chromium_page: Page, origin: str) -> None:
    chromium_page.goto(origin)
    bids = {bid.id: bid.words for rules in PUBLISHED for bid in rules.ruleset.bids if bid.id not in SHORTER}
    contracts = {contract.id for rules in PUBLISHED for contract in rules.ruleset.contracts}
    assert contracts <= set(bids) | SHORTER
    for language in ("en", "da"):
        told = asked(chromium_page, language, "return given.map(words.bid);", *bids)
        assert dict(zip(bids, told, strict=True)) == {bid: name[language] for bid, name in bids.items()}


def test_rules_have_the_danish_of_the_command_line(chromium_page: Page, origin: str) -> None:
    chromium_page.goto(origin)
    rules = asked(chromium_page, "da", "return given.map(words.rule);", *RULES)
    assert rules == list(RULES.values())


def test_every_reason_for_chips_is_danish(chromium_page: Page, origin: str) -> None:
    """Of deals won and lost in every contract, given up, and round a pool."""
    reasons = reasons_for_chips()
    assert len(reasons) > 25
    chromium_page.goto(origin)
    body = "return given.map(([label, contract]) => words.item(label, words.contract(contract, null)));"
    danish = asked(chromium_page, "da", body, *reasons)
    english = re.compile(r"\b(won|lost|bête|kodille|given|paid|pool|base|tricks|made|failed|row)\b")
    left = [one for one in zip(reasons, danish, strict=True) if english.search(one[1])]
    assert left == []
    assert len(set(danish)) == len(reasons)


def reasons_for_chips() -> list[tuple[str, str]]:
    """Label and contract of every item of the scores of many deals."""
    rng = random.Random(5)
    contracts = [contract for contract in generator.CONTRACT_WEIGHTS if contract]
    deals = [generator.random_deal(rng, contract=contract) for contract in contracts for _ in range(12)]
    deals += [generator.random_deal(rng) for _ in range(60)]
    deals += [puesta(), codille(), *ruled_and_round_the_pool()]
    logs = (tuple(read_entry(event, seq) for seq, event in enumerate(deal, 1)) for deal in deals)
    scores = [audit(log).score for log in logs]
    return sorted({(item.label, score.contract or "") for score in scores for item in score.items})


def ruled_and_round_the_pool() -> list[list[dict[str, Any]]]:
    """Slips of games won round a pool, and a deal that the director settled."""
    opened, lost = puesta()[:2]
    slip = {name: value for name, value in lost.items() if name != "tricks"}
    won = {**slip, "tricks": {"forehand": 5, "middlehand": 4, "backhand": 0}, "primeras": True, "estuches": 3}
    payments = {"forehand": 2, "middlehand": -1, "backhand": -1}
    ruling = {"type": "ruling_made", "text": "It is paid so.", "payments": payments}
    vole = [{**slip, "outcome": "won", "slam": slam} for slam in ("made", "failed")]
    return [[opened, won], *([opened, one] for one in vole), [opened, lost, ruling]]


def test_the_page_speaks_danish_wherever_it_speaks_itself(chromium_page: Page, origin: str) -> None:
    """What the record says stays as it is, and is marked or quoted."""
    page = opened(chromium_page, origin + at(CLUB, lang="da"))
    page.locator(".hands summary").click()
    page.evaluate("document.activeElement.blur()")
    own = """() => {
        const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
        const said = [];
        while (texts.nextNode()) {
            const text = texts.currentNode;
            const others = text.parentElement.closest('noscript, [lang="en"], .source, .auction i');
            if (!others) said.push(text.data);
        }
        return said.join(" ");
    }"""
    english = re.compile(
        r"\b(the|of|and|is|has|tricks?|cards?|entry|won|from|each|rules?|play|plays|leads|forehand|middlehand|"
        r"backhand|hearts|spades|clubs|diamonds|bids?|pass(es)?|discard(s|ed)?|drew|shows|depends|record)\b",
        re.IGNORECASE,
    )
    for _ in range(len(events_of(CLUB))):
        text = page.evaluate(own)
        assert [text[found.start() - 20 : found.end() + 20] for found in english.finditer(text)] == []
        page.keyboard.press("ArrowRight")
    revoke = page.locator(".finding", has_text="kulørsvigt").first
    expect(revoke).to_contain_text("Imod reglerne. I stik 4 spillede Bo")
