"""What the pages say, in both languages: the texts of the templates, and those of the replayer's script."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from service.web import words
from tests.support.web.showing import CLUB, at, evaluated, events_of, opened

TEMPLATES = Path(words.__file__).parent / "templates"


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
