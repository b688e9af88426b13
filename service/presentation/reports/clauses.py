"""The clauses in force: each section that the report leans on, its clauses numbered as the ruleset has them.

A published revision never changes, so a clause of it keeps its number: 5.2 is the second clause of section 5.
"""

from typing import Final, NamedTuple

from engine.rulesets import PUBLISHED, Rules
from engine.rulesets.model import Clause, Words
from schemas.rulesets.rulebook import OURS, SILENT
from service.presentation.i18n.source_words import DANISH_SOURCES
from service.presentation.i18n.translate import rule_called

REVOKE: Final = "9. Revoke"
"""The section that says what a revoke costs, or that nobody knows: no finding names it."""
_PUBLISHED: Final = frozenset(clause for rules in PUBLISHED for clause in rules.ruleset.clauses)
_CALLED: Final = {REVOKE: Words(REVOKE, "9. Kulørsvigt")}


class Numbered(NamedTuple):
    """A clause: its number, its text (in English, as the rulesets have them), and where it was read.

    ``place``: its place in its chapter, from 1; ``on``: what it is the clause of; ``of_all``: a club's own
    that does not say what, and counts for all of its section.
    """

    number: str
    text: str
    source: str
    place: int
    on: frozenset[str]
    of_all: bool


class Section(NamedTuple):
    """A section of the rules that a finding or a payment names, and the clauses of it that are meant."""

    rule: str
    called: str
    clauses: tuple[Numbered, ...]

    @property
    def numbers(self) -> str:
        """Its clauses by their numbers: "5.1, 5.3–5.5"; empty where the ruleset has none of that section."""
        runs: list[tuple[Numbered, Numbered]] = []
        for one in self.clauses:
            if runs and one.place == runs[-1][1].place + 1:
                runs[-1] = (runs[-1][0], one)
            else:
                runs.append((one, one))
        return ", ".join(
            first.number if first is last else f"{first.number}–{last.number}" for first, last in runs
        )


class Clauses:
    """The sections that were named so far, in the order of the rules.

    ``contract``: what is played, where that is one deal.
    """

    def __init__(self, rules: Rules, lang: str, contract: str | None = None) -> None:
        self._rules, self._lang, self._contract = rules, lang, contract
        self._named: dict[str, Section] = {}

    def section(self, rule: str, *of: str | None) -> Section:
        """A section by the name that a finding has for it, with the clauses that are on one of these things.

        ``of``: what is looked for first, then what next, at last the contract; all clauses where none is on
        any of them. They will be printed.
        """
        whole, sought = self._in(rule), (*of, self._contract)
        marked = next((some for one in sought if (some := [each for each in whole if one in each.on])), whole)
        chosen = [one for one in whole if one in marked or one.of_all]
        words = _CALLED.get(rule)
        called = rule_called(rule, self._lang) if words is None else words[self._lang]
        printed = self._named.setdefault(rule, Section(rule, called, ()))
        named = (one for one in whole if one in chosen or one in printed.clauses)
        self._named[rule] = printed._replace(clauses=tuple(named))
        return Section(rule, called, tuple(chosen))

    def named(self) -> tuple[Section, ...]:
        """The sections that were named and have clauses in this ruleset, with all that were named of each."""
        found = sorted(self._named.values(), key=lambda one: (_chapter(one.rule), one.rule))
        return tuple(one for one in found if one.clauses)

    def _in(self, rule: str) -> list[Numbered]:
        chapter = _chapter(rule)
        of_chapter = [one for one in self._rules.ruleset.clauses if _chapter(one.point) == chapter]
        return [
            self._numbered(one, chapter, place)
            for place, one in enumerate(of_chapter, 1)
            if one.point == rule
        ]

    def _numbered(self, clause: Clause, chapter: str, place: int) -> Numbered:
        own = not clause.on and clause not in _PUBLISHED
        return Numbered(
            f"{chapter}.{place}", clause.text, self._read(clause), place, frozenset(clause.on), own
        )

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
