"""Hidden characters in names: some change the direction of the text after them, some are invisible.

They can reverse the figures after a name, or make it look like another. New names with them are refused; in
older records they are replaced for display.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

BIDI_CONTROLS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of the text after them, also of text by others."""
INVISIBLE_CHARACTERS: Final = frozenset(
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u2800\u3164"
    "\ufeff\uffa0\ufff9\ufffa\ufffb\ufffc"
)
"""Invisible characters, except joiners and variation selectors, which scripts and emoji need."""
REPLACEMENT_CHARACTER: Final = "\N{REPLACEMENT CHARACTER}"
FREE_TEXT_FIELDS: Final = frozenset({"text", "reason", "said", "source"})
"""The fields of events with free text, not names."""

_HIDDEN_PATTERN: Final = re.compile(f"[{''.join(sorted(BIDI_CONTROLS | INVISIBLE_CHARACTERS))}]")


def find_name_fault(text: str) -> str | None:
    """Advice on a new name that is refused; None if it is accepted."""
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in text):
        return "write it on one line, without control characters."
    if BIDI_CONTROLS.intersection(text):
        return "write it without characters that change the direction of writing."
    if INVISIBLE_CHARACTERS.intersection(text):
        return "write it without invisible characters."
    if text and not text.strip("\u200c\u200d "):
        return "write a text that is not blank."
    return None


def replace_hidden_characters(text: str) -> str:
    """Replace each hidden character by U+FFFD.

    >>> replace_hidden_characters("Bo\\u202e +40")
    'Bo\ufffd +40'
    """
    return text if text.isascii() else _HIDDEN_PATTERN.sub(REPLACEMENT_CHARACTER, text)


def find_hidden_in_names(event_json: Any, pointer: str = "") -> Iterator[str]:
    """The pointers to names with hidden characters in an event as sent, also inside corrections."""
    if isinstance(event_json, str):
        if not event_json.isascii() and _HIDDEN_PATTERN.search(event_json):
            yield pointer
    elif isinstance(event_json, list):
        for index, part in enumerate(event_json):
            yield from find_hidden_in_names(part, f"{pointer}/{index}")
    elif isinstance(event_json, dict):
        for name, part in event_json.items():
            if name not in FREE_TEXT_FIELDS:
                yield from find_hidden_in_names(name, pointer)
                yield from find_hidden_in_names(part, f"{pointer}/{name}")
