"""Other rules in a line of text: a ruleset, perhaps its revision, perhaps house rules.

``la-bete``, ``dlu@1``, ``dlu@1,sitter-pays=yes,kupp-most=5``: as an option and as a query write them.
"""

import re
from typing import Final

from engine.rulesets import Book, find
from engine.rulesets.switches import Settings, why_not_set
from engine.tables.rescoring import Other

LONGEST: Final = 500
"""A line is no longer than so many letters."""
_RULES: Final = re.compile(r"(?P<ruleset>[^@,=\s]{1,200})(?:@(?P<revision>[1-9][0-9]{0,8}))?")
_SWITCH: Final = re.compile(r"(?P<name>[^@,=\s]{1,200})=(?P<value>[^@,=\s]{1,200})")
YES: Final = ("yes", "true", "ja")
NO: Final = ("no", "false", "nej")


def read_other(text: str, book: Book) -> Other:
    """The rules that a line names.

    Raises:
        ValueError: it cannot be read, or ``book`` has no such rules; the text is a sentence for people.
    """
    first, *rest = [part.strip() for part in text[:LONGEST].split(",")]
    named = _RULES.fullmatch(first)
    switches = [_SWITCH.fullmatch(part) for part in rest]
    if named is None or None in switches:
        raise ValueError("Write a ruleset, such as la-bete, dlu@1 or dlu@1,sitter-pays=yes.")
    settings = tuple((one["name"], _value(one["value"])) for one in switches if one is not None)
    revision = None if named["revision"] is None else int(named["revision"])
    other = Other(named["ruleset"], revision, settings)
    _require_known(other, book)
    return other


def _value(text: str) -> bool | int | str:
    """A switch's value: yes, no, a whole number, or a word."""
    if text.lower() in YES:
        return True
    if text.lower() in NO:
        return False
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else text


def _require_known(other: Other, book: Book) -> None:
    rules = find(book, other.ruleset, other.revision, other.switches)
    if rules is None:
        ids = ", ".join(sorted({one.ruleset.id for one in book}))
        of_it = "" if other.revision is None else f" revision {other.revision} of"
        raise ValueError(f"There is no{of_it} ruleset “{other.ruleset}” here. There are: {ids}.")
    for name, value in rules.unknown:
        raise ValueError(str(why_not_set(rules.ruleset, name, value)))


def written_other(other: Other) -> str:
    """The line that names these rules."""
    revision = "" if other.revision is None else f"@{other.revision}"
    return ",".join((f"{other.ruleset}{revision}", *_switches(other.switches)))


def _switches(settings: Settings) -> list[str]:
    told = {True: "yes", False: "no"}
    return [f"{name}={told[value] if isinstance(value, bool) else value}" for name, value in settings]
