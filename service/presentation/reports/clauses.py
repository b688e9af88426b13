"""The clauses in force: each section that the report leans on, its clauses numbered as the ruleset has them.

A published revision never changes, so a clause of it keeps its number: 5.2 is the second clause of section 5.
"""

from typing import Final, NamedTuple

from engine.rulesets import PUBLISHED_RULESETS, CompiledRuleset
from engine.rulesets.model import Clause
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import rule_section_name, ruleset_source
from schemas.rulesets.rulebook import NOT_STATED, OUR_DECISION

REVOKE_SECTION: Final = "9. Revoke"
"""The section that says what a revoke costs, or that nobody knows: no finding names it."""
_PUBLISHED_CLAUSES: Final = frozenset(
    clause for rules in PUBLISHED_RULESETS for clause in rules.ruleset.clauses
)


class NumberedClause(NamedTuple):
    """A clause: its number, its text (in English, as the rulesets have them), and where it was read.

    ``chapter_position``: its place in its chapter, from 1; ``subjects``: what it is the clause of;
    ``applies_to_section``: a club's own that does not say what, and counts for all of its section.
    """

    number: str
    text: str
    source: str
    chapter_position: int
    subjects: frozenset[str]
    applies_to_section: bool


class CitedSection(NamedTuple):
    """A section of the rules that a finding or a payment names, and the clauses of it that are meant."""

    rule: str
    title: str
    clauses: tuple[NumberedClause, ...]

    @property
    def numbers(self) -> str:
        """Its clauses by their numbers: "5.1, 5.3–5.5"; empty where the ruleset has none of that section."""
        runs: list[tuple[NumberedClause, NumberedClause]] = []
        for one in self.clauses:
            if runs and one.chapter_position == runs[-1][1].chapter_position + 1:
                runs[-1] = (runs[-1][0], one)
            else:
                runs.append((one, one))
        return ", ".join(
            first.number if first is last else f"{first.number}–{last.number}" for first, last in runs
        )


class ClauseCitations:
    """The sections that were named so far, in the order of the rules.

    ``contract``: what is played, where that is one deal.
    """

    def __init__(self, rules: CompiledRuleset, lang: str, contract: str | None = None) -> None:
        self._rules, self._lang, self._contract = rules, lang, contract
        self._cited: dict[str, CitedSection] = {}

    def cite_section(self, rule: str, *subjects: str | None) -> CitedSection:
        """A section by the name that a finding has for it, with the clauses that are on one of these things.

        ``subjects``: what is looked for first, then what next, at last the contract; all clauses where none
        is on any of them. They will be printed.
        """
        clauses, wanted_subjects = self._section_clauses(rule), (*subjects, self._contract)
        marked = next(
            (
                matching
                for one in wanted_subjects
                if (matching := [clause for clause in clauses if one in clause.subjects])
            ),
            clauses,
        )
        chosen = [one for one in clauses if one in marked or one.applies_to_section]
        section_name = rule_section_name(rule, self._lang)
        cited_section = self._cited.setdefault(rule, CitedSection(rule, section_name, ()))
        cited = (one for one in clauses if one in chosen or one in cited_section.clauses)
        self._cited[rule] = cited_section._replace(clauses=tuple(cited))
        return CitedSection(rule, section_name, tuple(chosen))

    def cited_sections(self) -> tuple[CitedSection, ...]:
        """The sections that were named and have clauses in this ruleset, with all that were named of each."""
        found = sorted(self._cited.values(), key=lambda one: (_chapter_number(one.rule), one.rule))
        return tuple(one for one in found if one.clauses)

    def _section_clauses(self, rule: str) -> list[NumberedClause]:
        chapter = _chapter_number(rule)
        of_chapter = [one for one in self._rules.ruleset.clauses if _chapter_number(one.point) == chapter]
        return [
            self._number_clause(one, chapter, place)
            for place, one in enumerate(of_chapter, 1)
            if one.point == rule
        ]

    def _number_clause(self, clause: Clause, chapter: str, place: int) -> NumberedClause:
        own = not clause.on and clause not in _PUBLISHED_CLAUSES
        return NumberedClause(
            f"{chapter}.{place}", clause.text, self._clause_source(clause), place, frozenset(clause.on), own
        )

    def _clause_source(self, clause: Clause) -> str:
        """Where a clause was read; empty where that is where the whole ruleset was."""
        marks = [gettext(OUR_DECISION, self._lang)] * clause.ours + [
            gettext(NOT_STATED, self._lang)
        ] * clause.silent
        if marks:
            return ", ".join(marks)
        return (
            "" if clause.source == self._rules.ruleset.source else ruleset_source(clause.source, self._lang)
        )


def _chapter_number(rule: str) -> str:
    """The number before the name of a section."""
    return rule.partition(".")[0]
