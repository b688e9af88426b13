"""Days in words, and a deal's source with its date."""

import pytest

from service.presentation.i18n.dates import format_source

BOOK = '"The Court-Gamester", Dublin 1766'


@pytest.mark.parametrize(("source", "date", "words"), [
    (BOOK, "1766", BOOK),
    (BOOK, "1766-03-04", f"{BOOK}, 4 March 1766"),
    (BOOK, "1766-03", f"{BOOK}, March 1766"),
    ("Politiken, 4. marts 1966", "1966-03-04", "Politiken, 4. marts 1966"),
    ("A letter", "1688", "A letter, 1688"),
    (BOOK, None, BOOK),
    (None, "1688", "1688"),
])  # fmt: skip
def test_a_source_is_followed_by_what_it_does_not_say_of_the_date(
    source: str | None, date: str | None, words: str
) -> None:
    assert format_source(source, date, "en") == words
