"""Messages that keep their template and arguments, so that they can be translated.

The engine states its findings in English. Each message is made from a *template*, an English text with
placeholders in braces, and from the *arguments* for them; it keeps both. A translation has its own templates,
finds them by the English ones and fills them with the same arguments. This module contains only English, and
messages are made only when something is found.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

MessageArgument = str | int
"""The value of a placeholder: a number, a text that stays as it is (a name, a card's code), or a type
below."""


class Message(str):
    """An English text that keeps its ``template`` and the ``arguments`` for its placeholders."""

    __slots__ = ("arguments", "template")
    template: str
    arguments: Mapping[str, MessageArgument]

    def __new__(cls, template: str, arguments: Mapping[str, MessageArgument]) -> "Message":
        """The ``template``, filled with the ``arguments``."""
        made = super().__new__(cls, template.format_map(arguments))
        made.template, made.arguments = template, arguments
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, MessageArgument]]:  # type: ignore[override]
        """Arguments to rebuild it after it was sent to another process."""
        return self.template, self.arguments


class LocalizedText(str):
    """An English text with ``translations`` by language, such as a club's name for its own contract."""

    __slots__ = ("translations",)
    translations: Mapping[str, str]

    def __new__(cls, text: str, translations: Mapping[str, str]) -> "LocalizedText":
        """The English ``text``."""
        made = super().__new__(cls, text)
        made.translations = translations
        return made

    def __eq__(self, other: object) -> bool:
        """Whether the translations are equal too: rulesets are compared, and cached, by their words."""
        return str.__eq__(self, other) is True and self.translations == getattr(other, "translations", None)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __getnewargs__(self) -> tuple[str, Mapping[str, str]]:  # type: ignore[override]
        """Arguments to rebuild it after it was sent to another process."""
        return str(self), self.translations


class Term(str):
    """A word of the game as the record writes it: ``kind`` says what it names, such as a suit.

    ``name`` is the ruleset's own word for it, if it has one.
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
        """Arguments to rebuild it after it was sent to another process."""
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
        """Arguments to rebuild it after it was sent to another process."""
        return self.texts, self.separator


EMPTY_TEXT: Final = ""
"""The value of a placeholder that may stay empty."""


def format_message(template: str, /, **arguments: MessageArgument) -> Message:
    """Fill ``template`` with ``arguments``.

    The template is a literal in the source: a test finds every template by reading the source.
    """
    return Message(template, arguments) if arguments else _constant_message(template)


@cache
def _constant_message(template: str) -> Message:
    return Message(template, {})
