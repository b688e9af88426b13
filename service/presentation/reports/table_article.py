"""The report on a table as the template takes it: players, faults, what was paid and is due."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engine.core.events import CorrectionMade
from engine.scoring.payments import Payments
from engine.tables.evening_audit import Settlement, effective_settlement
from engine.tables.evening_faults import EveningFault
from engine.tables.table_report import DealReport, TableReport
from engine.verdicts import table_verdict
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import ruleset_source
from service.auth.grants import replace_member_ids
from service.presentation.reports.clauses import ClauseCitations
from service.presentation.reports.deal_article import (
    UNLIMITED_WIDTH,
    build_article_finding,
    build_proposed_correction,
    format_switches,
    known_facts,
)
from service.presentation.text import names
from service.presentation.text.findings import (
    MAX_CONSEQUENCES,
    condition_sentence,
    consequence_phrase,
    finding_message,
    first_difference_phrase,
    format_engine_text,
)
from service.presentation.text.sentences import capitalize_first
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES, set_aside_sentence


class TableArticleContext(NamedTuple):
    """What a report on a table says besides its logs; texts are empty where they are not known.

    ``date`` is the day on which the table was opened, in words; ``member_names`` are by id; ``report_url``
    is the address of the report on a deal, by its stream, if there are any.
    """

    title: str
    date: str = ""
    record_id: str = ""
    member_names: Mapping[str, str | None] = {}
    report_url: Callable[[str], str] | None = None


def build_table_article(
    table_report: TableReport, lang: str, article_context: TableArticleContext
) -> dict[str, Any]:
    """Build the report in a language. Its logs are redacted for the reader."""
    return _TableArticleBuilder(table_report, TextStyle(lang, UNLIMITED_WIDTH), article_context).build()


class _TableArticleBuilder:
    """Builds the article of a report on a table and collects the clauses that it cites."""

    def __init__(
        self, table_report: TableReport, style: TextStyle, article_context: TableArticleContext
    ) -> None:
        self.table_report, self.style, self.article_context = table_report, style, article_context
        self.rules = table_report.table.rules
        self.clauses = ClauseCitations(self.rules, style.lang)
        self.numbers = {one.line.deal: one.line.number for one in table_report.deals}
        self.here = {one.line.deal: one.audit for one in table_report.deals if one.audit is not None}

    def build(self) -> dict[str, Any]:
        table_report, ruleset, lang = self.table_report, self.rules.ruleset, self.style.lang
        first, voided = table_report.first_difference, table_report.table.voided
        deals = list(map(self._build_deal, table_report.deals))
        return {
            "title": self.article_context.title,
            "players": list(map(self._replace_ids, table_report.ledger.players)),
            "set_aside": None if voided is None else set_aside_sentence(voided, lang),
            "facts": self._build_facts(),
            "verdict": self._replace_ids(format_engine_text(table_verdict(table_report), self.style)),
            "changes": [
                (one.seq, self._replace_ids(format_engine_text(one.message, self.style)))
                for one in table_report.changes
            ],
            "faults": list(map(self._build_fault, table_report.faults)),
            "first_difference_deal": self._build_deal_link(first.line.deal)
            if first and first.line.deal
            else None,
            "first_difference": first and self._replace_ids(first_difference_phrase(first, self.style)),
            "has_payments": any(one.settlements for one in table_report.deals),
            "condition": condition_sentence(table_report, self.style),
            "deals": deals,
            "deals_with_differences": [one for one in deals if one["state"] == "apart"],
            "totals": self._build_balances(
                table_report.ledger.totals, table_report.corrected_ledger.totals, table_report.difference, ""
            ),
            "ruleset": ruleset.id,
            "ruleset_name": gettext(ruleset.words, lang),
            "revision": ruleset.revision,
            "source": ruleset_source(ruleset.source, lang),
            "clauses": self.clauses.cited_sections(),
        }

    def _replace_ids(self, text: str) -> str:
        """A text with the names of members in place of their ids."""
        return replace_member_ids(text, self.article_context.member_names)

    def _build_facts(self) -> list[tuple[str, str]]:
        """When and by which rules the table was opened, and the number of its deals."""
        opening_event, rules = self.table_report.table.opening_event, self.rules
        name = gettext(rules.ruleset.words, self.style.lang)
        return known_facts(
            date=self.article_context.date,
            rules=f"{name}, {opening_event.ruleset}/{rules.ruleset.revision}"
            if rules.is_known
            else opening_event.ruleset,
            switches="; ".join(format_switches(opening_event.switches)),
            deals=len(self.table_report.deals),
            record=self.article_context.record_id,
        )

    def _build_deal_link(self, deal: str | None) -> tuple[str, str]:
        """A deal by its number, and the address of its report; empty if its record is not here."""
        label = self.style.phrase(LABEL_PHRASES["deal"], number=self.numbers.get(deal) or deal)
        address = self.article_context.report_url
        url = address(deal) if address is not None and deal is not None and deal in self.here else ""
        return capitalize_first(label), url

    # What was paid, and what is due

    def _build_deal(self, deal_report: DealReport) -> dict[str, Any]:
        """A deal scored again; ``seq`` is the entry that says what was paid."""
        paid = effective_settlement(deal_report.settlements)
        payments, due = (paid.payments if paid else ()), deal_report.due_chips or ()
        state = _check_state(deal_report, paid)
        return {
            "link": self._build_deal_link(deal_report.line.deal),
            "state": state,
            "result": self._result_phrase(deal_report),
            "expected": self._format_chips(due),
            "paid": self._format_chips(payments),
            "seq": paid and paid.seq,
            "balances": self._build_balances(due, payments, deal_report.difference, self.style.chips(0))
            if state == "apart"
            else [],
        }

    def _result_phrase(self, one: DealReport) -> str:
        """How the deal ended, as its own record says."""
        if one.audit is None:
            return ""
        phrase = names.result_phrase(one.audit.state, one.audit.score, self.style)
        return capitalize_first(self._replace_ids(phrase))

    def _format_chips(self, payments: Payments) -> str:
        """Chips by player: "Anna +4, Bo −2"."""
        return ", ".join(
            f"{self._replace_ids(player)}\N{NO-BREAK SPACE}{self.style.chips(chips)}"
            for player, chips in payments
        )

    def _build_balances(
        self, first: Payments, second: Payments, difference: Payments, absent: str
    ) -> list[tuple[str, ...]]:
        """Two amounts for each player, ``absent`` where there is none, and what was paid too much."""
        first_chips, second_chips, differences = (
            {player: self.style.chips(chips) for player, chips in one} for one in (first, second, difference)
        )
        return [
            (
                self._replace_ids(player),
                first_chips.get(player, absent),
                second_chips.get(player, absent),
                differences.get(player, ""),
            )
            for player in {**first_chips, **second_chips, **differences}
        ]

    # What is wrong

    def _build_fault(self, fault: EveningFault) -> dict[str, Any]:
        """A fault, its first consequences, and the mistakes that may explain it instead."""
        style = self.style
        return {
            "deal": None if fault.deal is None else self._build_deal_link(fault.deal),
            "seq": fault.finding.seq,
            "finding": self._build_finding(fault),
            "corrections": [self._build_correction(fault.deal, one) for one in fault.corrections],
            "consequences": [
                self._replace_ids(consequence_phrase(one, fault, self.numbers, style))
                for one in fault.consequences[:MAX_CONSEQUENCES]
            ],
            "omitted_count": max(0, len(fault.consequences) - MAX_CONSEQUENCES),
            "alternatives": [
                self._replace_ids(finding_message(one.finding, style)) for one in fault.alternatives
            ],
        }

    def _build_finding(self, fault: EveningFault) -> dict[str, Any]:
        """The finding of a fault; only clauses of the table's own rules are cited."""
        audit = self.here.get(fault.deal)
        rules = self.rules if audit is None else audit.state.opening.rules
        has_same_clauses = rules.ruleset.clauses == self.rules.ruleset.clauses
        clauses = self.clauses if has_same_clauses else ClauseCitations(rules, self.style.lang)
        found = build_article_finding(fault.finding, self.style, clauses)
        found["message"] = self._replace_ids(found["message"])
        if not has_same_clauses:
            found["sections"] = [one._replace(clauses=()) for one in found["sections"]]
        return found

    def _build_correction(self, deal: str | None, correction: CorrectionMade) -> tuple[str, list[str]]:
        audit = self.here[deal]
        replaced, sentences = build_proposed_correction(
            correction, audit.history.entries, audit.state.opening.book, self.style
        )
        return replaced, list(map(self._replace_ids, sentences))


def _check_state(one: DealReport, paid: Settlement | None) -> str:
    """Whether a deal paid what is due.

    "right", "apart", "unpaid" (no payment is recorded), "open" (what is due is not known, or the deal was
    entered twice) or "away" (its record is not here).
    """
    if one.audit is None:
        return "away"
    if one.due_chips is None:
        return "open"
    if paid is None:
        return "unpaid"
    return "apart" if one.difference else "right"
