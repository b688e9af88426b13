"""The clauses in force: each section that the report leans on, its clauses numbered as the ruleset has them.

A published revision never changes, so a clause of it keeps its number: 5.2 is the second clause of section 5.
"""

from typing import Final, NamedTuple

from engine.rulesets import Rules
from engine.rulesets.model import Clause, Words
from schemas.rulebook import OURS, SILENT
from service.source_words import DANISH_SOURCES
from service.telling import rule_called

REVOKE: Final = "9. Revoke"
"""The section that says what a revoke costs, or that nobody knows: no finding names it."""
_CALLED: Final = {REVOKE: Words(REVOKE, "9. Kulørsvigt")}


class Numbered(NamedTuple):
    """A clause: its number, its text (in English, as the rulesets have them), and where it was read."""

    number: str
    text: str
    source: str


class Section(NamedTuple):
    """A section of the rules that a finding or a payment names, and the clauses in it."""

    rule: str
    called: str
    clauses: tuple[Numbered, ...]

    @property
    def numbers(self) -> str:
        """Its clauses by their numbers: "5.1–5.3"; empty where the ruleset has none of that section."""
        if not self.clauses:
            return ""
        first, last = self.clauses[0].number, self.clauses[-1].number
        return first if first == last else f"{first}–{last}"


class Clauses:
    """The sections that were named so far, in the order of the rules."""

    def __init__(self, rules: Rules, lang: str) -> None:
        self._rules, self._lang = rules, lang
        self._named: dict[str, Section] = {}

    def section(self, rule: str) -> Section:
        """A section by the name that a finding has for it; it will be printed with its clauses."""
        if rule not in self._named:
            words = _CALLED.get(rule)
            called = rule_called(rule, self._lang) if words is None else words[self._lang]
            self._named[rule] = Section(rule, called, tuple(self._in(rule)))
        return self._named[rule]

    def named(self) -> tuple[Section, ...]:
        """The sections that were named and have clauses in this ruleset."""
        found = sorted(self._named.values(), key=lambda one: (_chapter(one.rule), one.rule))
        return tuple(one for one in found if one.clauses)

    def _in(self, rule: str) -> list[Numbered]:
        chapter = _chapter(rule)
        of_chapter = [one for one in self._rules.ruleset.clauses if _chapter(one.point) == chapter]
        return [
            Numbered(f"{chapter}.{place}", one.text, self._read(one))
            for place, one in enumerate(of_chapter, 1)
            if one.point == rule
        ]

    def _read(self, clause: Clause) -> str:
        """Where a clause was read; empty where that is where the whole ruleset was."""
        marks = [OURS[self._lang]] * clause.ours + [SILENT[self._lang]] * clause.silent
        if marks:
            return ", ".join(marks)
        return "" if clause.source == self._rules.ruleset.source else source_called(clause.source, self._lang)


def source_called(source: str, lang: str) -> str:
    """Where something was read, in a language."""
    return DANISH_SOURCES.get(source, source) if lang == "da" else source


def _chapter(rule: str) -> str:
    """The number before the name of a section."""
    return rule.partition(".")[0]
