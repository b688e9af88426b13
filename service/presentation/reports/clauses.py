"""The clauses that a report cites, numbered as the ruleset has them.

A published revision never changes, so a clause of it keeps its number: 5.2 is the second clause of section 5.
"""

import re
from collections import Counter
from typing import Final, NamedTuple

from engine.rulesets import PUBLISHED_RULESETS, CompiledRuleset
from engine.rulesets.model import Clause, Ruleset
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import rule_section_name
from schemas.rulesets.rulebook import clause_source

REVOKE_SECTION: Final = "9. Revoke"
"""The section on what a revoke costs; no finding names it."""
SAME_CLAUSES: Final[dict[str | None, tuple[str, ...]]] = {
    "wrong_phase": ("wrong_seat", "contract_not_allowed", "hand_size"),
    "exchange order": ("wrong_seat",),
    "turned card": ("talon_mismatch",),
    "talon_mismatch": ("hand_size",),
    "hand_mismatch": ("hand_size",),
    "bid_not_allowed": ("bid_too_low",),
    "incomplete": ("contract_not_allowed",),
}
"""Subjects of findings without clauses of their own: they are on the first of these that a section has."""
_PUBLISHED_CLAUSES: Final = frozenset(
    clause for rules in PUBLISHED_RULESETS for clause in rules.ruleset.clauses
)


class NumberedClause(NamedTuple):
    """A clause in one language, with its number; ``chapter_position`` is its place in its chapter, from 1."""

    number: str
    text: str
    source: str
    chapter_position: int
    clause: Clause


class CitedSection(NamedTuple):
    """A section of the rules that a finding or a payment names, and the clauses that are meant."""

    rule: str
    title: str
    clauses: tuple[NumberedClause, ...]

    @property
    def numbers(self) -> str:
        """The numbers of its clauses, "5.1, 5.3–5.5"; empty where the ruleset has none in that section."""
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
    """The sections cited so far; ``contract`` is what is played, for a report on one deal."""

    def __init__(self, rules: CompiledRuleset, lang: str, contract: str | None = None) -> None:
        self._rules, self._lang, self._contract = rules, lang, contract
        self._cited: dict[str, CitedSection] = {}

    def cite_section(self, rule: str, *subjects: str | None) -> CitedSection:
        """Cite a section, with its clauses on the first of ``subjects`` that has any, else on the contract.

        All its clauses if there are none on any of these. A club's own clause that names no subject is always
        included.
        """
        clauses = self._section_clauses(rule)
        candidates = [it for one in subjects for it in (one, *SAME_CLAUSES.get(one, ()))]
        by_subject = ([one for one in clauses if it in one.clause.on] for it in (*candidates, self._contract))
        marked = next(filter(None, by_subject), clauses)
        chosen = [one for one in clauses if one in marked or self._is_on_whole_section(one.clause)]
        section = CitedSection(rule, rule_section_name(rule, self._lang), tuple(chosen))
        before = self._cited[rule].clauses if rule in self._cited else ()
        cited = tuple(one for one in clauses if one in chosen or one in before)
        self._cited[rule] = section._replace(clauses=cited)
        return section

    def cited_sections(self) -> tuple[CitedSection, ...]:
        """The cited sections that have clauses in this ruleset, in order, with all cited clauses of each."""
        found = sorted(self._cited.values(), key=lambda one: (_chapter_number(one.rule), one.rule))
        return tuple(one for one in found if one.clauses)

    def _section_clauses(self, rule: str) -> list[NumberedClause]:
        return [one for one in number_clauses(self._rules.ruleset, self._lang) if one.clause.point == rule]

    def _is_on_whole_section(self, clause: Clause) -> bool:
        return not clause.on and clause not in _PUBLISHED_CLAUSES


def number_clauses(ruleset: Ruleset, lang: str) -> list[NumberedClause]:
    """All clauses of a ruleset, in order: 5.2 is the second of chapter 5."""
    counts: Counter[str] = Counter()
    numbered = []
    for clause in ruleset.clauses:
        chapter = _chapter_number(clause.point)
        counts[chapter] += 1
        place = counts[chapter]
        text, source = gettext(clause.text, lang), clause_source(clause, ruleset, lang)
        numbered.append(NumberedClause(f"{chapter}.{place}", text, source, place, clause))
    return numbered


def section_anchor(rule: str) -> str:
    """The id of a section on the page of its ruleset: "7. Payments" is at ``#7-Payments``."""
    return re.sub(r"\W+", "-", rule)


def _chapter_number(rule: str) -> str:
    return rule.partition(".")[0]
