"""What cannot be read in the notation, told in Danish: every trouble that the tests of its reader know."""

import re

import pytest

from schemas.notation import MEDIA_TYPE
from service.app import create_app
from service.eventstore import MemoryStore
from service.presentation.i18n.notation_da import EXPECTED, SENTENCES, in_danish
from tests.support.api.clients import owner_of


def test_each_form_keeps_what_it_tells() -> None:
    for forms in (SENTENCES, EXPECTED):
        for english, danish in forms.items():
            assert set(re.findall(r"\{(\w+)\}", danish)) == set(re.findall(r"\{(\w+)\}", english)), english


@pytest.mark.parametrize(
    ("english", "danish"),
    [
        (
            'In place of "frobs", write a card, such as SA, ♥7 or ?? '
            "(the letters of cards: Letters: en, da, es or fr).",
            "I stedet for »frobs« skal her stå et kort, såsom SE, ♥7 eller ?? "
            "(kortenes bogstaver: Letters: en, da, es eller fr).",
        ),
        ("Nothing more stands here; write a suit, such as S, ♥ or clubs.",
         "Her står ikke mere; skriv en farve, såsom S, ♥ eller klør."),
        ("Something nobody has foreseen.", "Something nobody has foreseen."),
    ],
    ids=["a word", "the end", "unknown"],
)
def test_what_is_read_at_the_desk(english: str, danish: str) -> None:
    assert in_danish(english) == danish


def test_over_http_it_is_told_in_the_language_that_is_asked_for() -> None:
    client = owner_of(create_app(MemoryStore()))
    text = "Deal: A\nRules: dlu\nPlayers: Anna, Bo, Carl\nF frobs\nF passes\n"
    for lang, message in (("da", "I stedet for »frobs« skal her stå"), ("en", 'In place of "frobs", write')):
        answer = client.post(
            "/api/v1/replay?unread=skipped",
            data=text,
            headers={"Content-Type": MEDIA_TYPE, "Accept-Language": lang},
        )
        assert (answer.status_code, answer.headers["Content-Language"]) == (200, lang)
        (problem,) = answer.get_json()["problems"]
        assert problem["message"].startswith(message)
        assert (problem["line"], problem["column"]) == (4, 3)
