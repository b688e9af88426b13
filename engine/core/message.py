"""Sentences that remember how they were made, so that another language can make them anew.

The engine says what it finds in English. Each sentence is made from a *template*, an English text with places
in braces, and from the *arguments* for these places; it keeps both. Another language has its own templates,
looks them up by the English ones and fills them with the same arguments. Nothing here knows any language but
English, and nothing is made before something is found.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

MessageArgument = str | int
"""What fills a place: a number, a text that stays as it is (a name, a card's code), or one of those below."""


class Message(str):
    """An English text that keeps how it was made: ``template``, and ``arguments`` for the places in it."""

    __slots__ = ("arguments", "template")
    template: str
    arguments: Mapping[str, MessageArgument]

    def __new__(cls, template: str, arguments: Mapping[str, MessageArgument]) -> "Message":
        """The ``template``, filled with the ``arguments``."""
        made = super().__new__(cls, template.format_map(arguments))
        made.template, made.arguments = template, arguments
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, MessageArgument]]:  # type: ignore[override]
        """How to make it again where it was sent to another process."""
        return self.template, self.arguments


class LocalizedText(str):
    """An English text with ``translations`` by language, such as what a club calls a contract of its own."""

    __slots__ = ("translations",)
    translations: Mapping[str, str]

    def __new__(cls, text: str, translations: Mapping[str, str]) -> "LocalizedText":
        """The English ``text``."""
        made = super().__new__(cls, text)
        made.translations = translations
        return made

    def __eq__(self, other: object) -> bool:
        """Whether the translations are the same too: rulesets are told apart, and cached, by their words."""
        return str.__eq__(self, other) is True and self.translations == getattr(other, "translations", None)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __getnewargs__(self) -> tuple[str, Mapping[str, str]]:  # type: ignore[override]
        """How to make it again where it was sent to another process."""
        return str(self), self.translations


class Term(str):
    """A word of the game, as the record writes it: ``kind`` says what it names, such as a suit.

    ``name`` is what the rules in force call it, where it is a word of theirs.
    """

    __slots__ = ("kind", "name")
    kind: str
    name: str

    def __new__(cls, kind: str, text: str, name: str = "") -> "Term":
        """The word ``text``."""
        made = super().__new__(cls, text)
        made.kind, made.name = kind, name
        return made

    def __getnewargs__(self) -> tuple[str, str, str]:  # type: ignore[override]
        """How to make it again where it was sent to another process."""
        return self.kind, str(self), self.name


class TextList(str):
    """Several texts joined by ``separator``."""

    __slots__ = ("separator", "texts")
    texts: tuple[str, ...]
    separator: str

    def __new__(cls, texts: Iterable[str], separator: str = ", ") -> "TextList":
        """The texts, joined."""
        parts = tuple(texts)
        made = super().__new__(cls, separator.join(parts))
        made.texts, made.separator = parts, separator
        return made

    def __getnewargs__(self) -> tuple[tuple[str, ...], str]:  # type: ignore[override]
        """How to make it again where it was sent to another process."""
        return self.texts, self.separator


EMPTY_TEXT: Final = ""
"""What fills a place that may stay empty."""


def format_message(template: str, /, **arguments: MessageArgument) -> Message:
    """What ``template`` says with ``arguments`` in its places.

    The template is a literal in the source: a test finds every template by reading the source.
    """
    return Message(template, arguments) if arguments else _constant_message(template)


@cache
def _constant_message(template: str) -> Message:
    return Message(template, {})
