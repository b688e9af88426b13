"""docs/notation.md: every example is read; what is shown as canonical is; nothing is left out."""

import io
import re
from itertools import pairwise
from pathlib import Path

import pytest

from schemas.notation import NOTATION_MEDIA_TYPE, NOTATION_SUFFIX, format_notation_log, read_notation_logs
from schemas.notation.alphabets import ALPHABETS
from schemas.notation.opening_tags import TAGS_BY_OPENER
from schemas.notation.sentence_forms import SENTENCE_FORMS
from schemas.wire.field_specs import EVENT_SPECS
from schemas.wire.jsonlines import ParsedLog

DOC = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(deal|text)\n(.*?)```", DOC, re.DOTALL)
CANONICAL = [text for kind, text in BLOCKS if kind == "deal"]


def read_one_log(text: str) -> ParsedLog:
    (log,) = read_notation_logs(io.BytesIO(text.encode("utf-8")), "notation.md")
    assert isinstance(log, ParsedLog), log.problems
    return log


@pytest.mark.parametrize("text", CANONICAL, ids=lambda text: text.split("\n")[0])
def test_an_example_is_in_canonical_form(text: str) -> None:
    assert format_notation_log(read_one_log(text).log) == text


def test_what_is_read_tolerantly_is_what_stands_below_it() -> None:
    pairs = [(text, below) for (kind, text), (_, below) in pairwise(BLOCKS) if kind == "text"]
    assert pairs
    for text, below in pairs:
        assert format_notation_log(read_one_log(text).log) == below


def test_every_event_has_its_sentence() -> None:
    for name in EVENT_SPECS:
        if name not in ("deal_opened", "table_opened"):
            assert f"| `{name}` |" in DOC
    for sentence in SENTENCE_FORMS:
        assert re.search(rf"\b{sentence.keyword}\b", DOC, re.IGNORECASE), sentence.keyword
        for word in (word for part in sentence.parts for word in part.words):
            assert re.search(rf"\b{word}\b", DOC), (sentence.type, word)


def test_every_tag_the_suffix_and_the_media_type_are_there() -> None:
    for tag in (tag for tags in TAGS_BY_OPENER.values() for tag in tags):
        assert f"`{tag.name}`" in DOC, tag.name
    assert f"`{NOTATION_SUFFIX}`" in DOC and f"`{NOTATION_MEDIA_TYPE}`" in DOC


def test_the_letters_of_each_alphabet_are_there() -> None:
    for language, letters in ALPHABETS.items():
        row = next(line for line in DOC.splitlines() if f"`{language}`" in line and line.startswith("|"))
        for spelling in (*letters.suits, *letters.ranks):
            assert re.search(rf"\b{spelling}\b", row, re.IGNORECASE) or spelling == "es", (language, spelling)
