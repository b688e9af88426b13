"""The texts of the pages."""

import re
from pathlib import Path

import pytest

from service.web import words

TEMPLATES = Path(words.__file__).parent / "templates"


def test_every_language_has_every_text() -> None:
    texts = [words.page_words(language) for language in words.LANGUAGES]
    assert all(set(one) == set(texts[0]) for one in texts)
    assert all(text for one in texts for text in one.values())


def test_the_templates_use_every_text_and_no_other() -> None:
    source = "".join(template.read_text(encoding="utf-8") for template in TEMPLATES.glob("*.html"))
    used = set(re.findall(r"\bt\.(\w+)", source))
    from_python = {"open_deal"}
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
