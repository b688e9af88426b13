"""Other rules in a line of text: a ruleset, perhaps its revision, perhaps house rules.

``la-bete``, ``dlu@1``, ``dlu@1,sitter-pays=yes,kupp-most=5``: as an option and as a query write them.
"""

import re
from typing import Final

from engine.rulesets import RulesetBook, find_ruleset
from engine.rulesets.switches import explain_unknown_switch
from engine.tables.rescoring import OtherRules

MAX_OTHER_RULES_LENGTH: Final = 500
"""The most characters of a line."""
_RULESET_PATTERN: Final = re.compile(r"(?P<ruleset>[^@,=\s]{1,200})(?:@(?P<revision>[1-9][0-9]{0,8}))?")
_SWITCH_PATTERN: Final = re.compile(r"(?P<name>[^@,=\s]{1,200})=(?P<value>[^@,=\s]{1,200})")
YES_SPELLINGS: Final = ("yes", "true", "ja")
NO_SPELLINGS: Final = ("no", "false", "nej")


def parse_rules_text(text: str, book: RulesetBook) -> OtherRules:
    """The rules that a line names.

    Raises:
        ValueError: it cannot be read, or ``book`` has no such rules; the text is a sentence for people.
    """
    first, *rest = [part.strip() for part in text[:MAX_OTHER_RULES_LENGTH].split(",")]
    match = _RULESET_PATTERN.fullmatch(first)
    switches = [_SWITCH_PATTERN.fullmatch(part) for part in rest]
    if match is None or None in switches:
        raise ValueError("Write a ruleset, such as la-bete, dlu@1 or dlu@1,sitter-pays=yes.")
    settings = tuple((one["name"], _parse_value(one["value"])) for one in switches if one is not None)
    revision = None if match["revision"] is None else int(match["revision"])
    other = OtherRules(match["ruleset"], revision, settings)
    rules = find_ruleset(book, other.ruleset, other.revision, other.switches)
    if rules is None:
        ids = ", ".join(sorted({one.ruleset.id for one in book}))
        revision_phrase = "" if revision is None else f" revision {revision} of"
        raise ValueError(f"There is no{revision_phrase} ruleset “{other.ruleset}” here. Rulesets: {ids}.")
    for name, value in rules.unknown_switches:
        raise ValueError(str(explain_unknown_switch(rules.ruleset, name, value)))
    return other


def _parse_value(text: str) -> bool | int | str:
    """A switch's value: yes, no, a whole number, or a word."""
    if text.lower() in YES_SPELLINGS:
        return True
    if text.lower() in NO_SPELLINGS:
        return False
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else text


def format_rules_text(other_rules: OtherRules) -> str:
    """The line that names these rules."""
    revision = "" if other_rules.revision is None else f"@{other_rules.revision}"
    words = {True: "yes", False: "no"}
    switches = (
        f"{name}={words[value] if isinstance(value, bool) else value}" for name, value in other_rules.switches
    )
    return ",".join((f"{other_rules.ruleset}{revision}", *switches))
