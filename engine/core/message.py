"""Sentences that remember how they were made, so that another language can make them anew.

The engine says what it finds in English. Each sentence is made from a *form*, an English text with places in
braces, and what is *given* for these; both stay with it. Whoever speaks another language has forms of his
own, looked up by the English ones, and fills them with the same. Nothing here knows any language but English,
and nothing is made before something is found.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final

Given = str | int
"""What fills a place: a number, a text that stays as it is (a name, a card's code), or one of those below."""


class Said(str):
    """An English text and how it was made: its ``form``, and what was ``given`` for each place in it."""

    __slots__ = ("form", "given")
    form: str
    given: Mapping[str, Given]

    def __new__(cls, form: str, given: Mapping[str, Given]) -> "Said":
        """The form, filled with what is given."""
        made = super().__new__(cls, form.format_map(given))
        made.form, made.given = form, given
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, Given]]:  # type: ignore[override]
        """How to make it again where it was sent to another process."""
        return self.form, self.given


class Term(str):
    """A word of the game, as the record writes it: ``kind`` says what it names, such as a suit.

    ``danish`` is what the rules in force call it in Danish, where it is a word of theirs.
    """

    __slots__ = ("danish", "kind")
    kind: str
    danish: str | None

    def __new__(cls, kind: str, text: str, danish: str | None = None) -> "Term":
        """The word ``text``."""
        made = super().__new__(cls, text)
        made.kind, made.danish = kind, danish
        return made

    def __getnewargs__(self) -> tuple[str, str, str | None]:  # type: ignore[override]
        """How to make it again where it was sent to another process."""
        return self.kind, str(self), self.danish


class Listed(str):
    """Several texts one after another, with ``between`` them."""

    __slots__ = ("between", "texts")
    texts: tuple[str, ...]
    between: str

    def __new__(cls, texts: Iterable[str], between: str = ", ") -> "Listed":
        """The texts, joined."""
        kept = tuple(texts)
        made = super().__new__(cls, between.join(kept))
        made.texts, made.between = kept, between
        return made

    def __getnewargs__(self) -> tuple[tuple[str, ...], str]:  # type: ignore[override]
        """How to make it again where it was sent to another process."""
        return self.texts, self.between


Telling = Callable[[], Said]
"""Says something when it is asked: for what is only said where something is found."""

NOTHING: Final = ""
"""What fills a place that may stay empty."""


def said(form: str, /, **given: Given) -> Said:
    """What ``form`` says with what is given for its places; the form stands in the source as it is.

    A test finds every form by reading the source, so it is a literal there.
    """
    return Said(form, given) if given else _constant(form)


@cache
def _constant(form: str) -> Said:
    return Said(form, {})
