"""A report on a table as the template sets it: who sat there, each fault once, what was paid and is due."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from engine.core.events import CorrectionMade
from engine.core.field_types import Seq
from engine.tables.evening_faults import EveningFault
from engine.tables.table_report import TableReport
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import ruleset_source, translate
from service.auth.grants import replace_member_ids
from service.presentation.reports.card_markup import ensure_full_stop, replace_minus_signs
from service.presentation.reports.clauses import CitedSection, ClauseCitations
from service.presentation.reports.deal_article import (
    UNLIMITED_WIDTH,
    ArticleFact,
    ArticleFinding,
    ProposedCorrection,
    build_article_finding,
    format_switch_value,
)
from service.presentation.reports.ledger_check import (
    LedgerCheck,
    LedgerFormatter,
    PlayerBalance,
    build_ledger_check,
    build_total_balances,
)
from service.presentation.text import names
from service.presentation.text.findings import format_card_codes
from service.presentation.text.mistake_sentences import MAX_CONSEQUENCES, corrected_entry_sentences
from service.presentation.text.style import TextStyle
from service.presentation.text.table_phrases import condition_sentence, consequence_phrase


class TableArticleContext(NamedTuple):
    """What a report on a table says beside what the logs do.

    ``title`` is what the table is called, ``date`` the day on which it was opened, in words, ``record_id``
    its id; each is empty where that is not known. ``member_names`` tells how members of the club are
    called, by their ids. ``report_url`` gives where the report on a deal is, by the name of its stream, where
    it is anywhere.
    """

    title: str
    date: str = ""
    record_id: str = ""
    member_names: Mapping[str, str | None] = {}
    report_url: Callable[[str], str] | None = None


class DealLink(NamedTuple):
    """A deal as it is called here, and where its own report is; empty where that is nowhere."""

    label: str
    url: str


class ArticleFault(NamedTuple):
    """A fault in words; ``deal`` None for an entry of the table's own log.

    ``consequences`` are the first of the findings that follow from it, ``omitted_count`` counts the others;
    ``alternatives`` are the mistakes of the pen that may have been instead of it.
    """

    deal: DealLink | None
    seq: Seq
    finding: ArticleFinding
    corrections: tuple[ProposedCorrection, ...]
    consequences: tuple[str, ...]
    omitted_count: int
    alternatives: tuple[str, ...]


class ArticleDeal(NamedTuple):
    """A deal of the evening, and what was paid in it beside what is due."""

    deal: DealLink
    ledger_check: LedgerCheck


class TableArticle(NamedTuple):
    """A report on a table as it is printed.

    ``first_difference_deal`` is the first deal in which account and rules part, None where there is none.
    ``condition`` says for which deals the account holds only on a condition.
    """

    title: str
    players: tuple[str, ...]
    facts: tuple[ArticleFact, ...]
    is_sound: bool
    faults: tuple[ArticleFault, ...]
    first_difference_deal: DealLink | None
    first_difference: str
    condition: str
    deals: tuple[ArticleDeal, ...]
    totals: tuple[PlayerBalance, ...]
    ruleset_name: str
    revision: int
    source: str
    clauses: tuple[CitedSection, ...]

    @property
    def deals_with_differences(self) -> tuple[ArticleDeal, ...]:
        """The deals in which something else was paid than is due."""
        return tuple(one for one in self.deals if one.ledger_check.state == "apart")


def build_table_article(
    table_report: TableReport, lang: str, article_context: TableArticleContext
) -> TableArticle:
    """The report in a language. Its logs were cut already for whoever reads it."""
    return _TableArticleBuilder(table_report, TextStyle(lang, UNLIMITED_WIDTH), article_context).build()


class _TableArticleBuilder:
    """Builds the article of a report on a table; collects the clauses it cites."""

    def __init__(
        self, table_report: TableReport, style: TextStyle, article_context: TableArticleContext
    ) -> None:
        self.table_report, self.style, self.article_context = table_report, style, article_context
        self.rules = table_report.table.rules
        self.clauses = ClauseCitations(self.rules, style.lang)
        self.numbers = {one.line.deal: one.line.number for one in table_report.deals}
        self.here = {one.line.deal: one.audit for one in table_report.deals if one.audit is not None}
        self.formatter = LedgerFormatter(style, self._replace_ids)

    def build(self) -> TableArticle:
        table_report, ruleset, lang = self.table_report, self.rules.ruleset, self.style.lang
        first = table_report.first_difference
        return TableArticle(
            self.article_context.title,
            tuple(map(self._replace_ids, table_report.ledger.players)),
            tuple(self._build_facts()),
            table_report.ok,
            tuple(map(self._build_fault, table_report.faults)),
            None if first is None or first.line.deal is None else self._build_deal_link(first.line.deal),
            "" if first is None else self.formatter.format_first_difference(first),
            condition_sentence(table_report, self.style),
            tuple(
                ArticleDeal(self._build_deal_link(one.line.deal), build_ledger_check(one, self.formatter))
                for one in table_report.deals
            ),
            tuple(build_total_balances(table_report, self.formatter)),
            gettext(ruleset.words, lang),
            ruleset.revision,
            ruleset_source(ruleset.source, lang),
            self.clauses.cited_sections(),
        )

    def _replace_ids(self, text: str) -> str:
        """A text with members of the club called by name."""
        return replace_member_ids(text, self.article_context.member_names)

    def _build_facts(self) -> Iterator[ArticleFact]:
        """When the table was opened, by which rules, how many deals were started there."""
        opening_event, rules, lang = self.table_report.table.opening_event, self.rules, self.style.lang
        if self.article_context.date:
            yield ArticleFact("date", self.article_context.date)
        known = f"{gettext(rules.ruleset.words, lang)}, {opening_event.ruleset}/{rules.ruleset.revision}"
        yield ArticleFact("rules", known if rules.is_known else opening_event.ruleset)
        switches = "; ".join(
            f"{name}: {format_switch_value(value)}" for name, value in opening_event.switches
        )
        if switches:
            yield ArticleFact("switches", switches)
        yield ArticleFact("deals", str(len(self.table_report.deals)))
        if self.article_context.record_id:
            yield ArticleFact("record", self.article_context.record_id)

    def _build_deal_link(self, deal: str | None) -> DealLink:
        """A deal by its number; its report is there where its record is."""
        label = names.location_label("deal", self.style, number=self.numbers.get(deal) or str(deal))
        address = self.article_context.report_url
        url = address(deal) if address is not None and deal is not None and deal in self.here else ""
        return DealLink(f"{label[:1].upper()}{label[1:]}", url)

    # What is wrong

    def _build_fault(self, fault: EveningFault) -> ArticleFault:
        style = self.style
        return ArticleFault(
            None if fault.deal is None else self._build_deal_link(fault.deal),
            fault.finding.seq,
            self._build_finding(fault),
            tuple(
                ProposedCorrection(
                    ", ".join(map(str, one.replaces)), tuple(self._corrected_sentences(fault.deal, one))
                )
                for one in fault.corrections
            ),
            tuple(
                self._replace_ids(replace_minus_signs(consequence_phrase(one, fault, self.numbers, style)))
                for one in fault.consequences[:MAX_CONSEQUENCES]
            ),
            max(0, len(fault.consequences) - MAX_CONSEQUENCES),
            tuple(
                self._replace_ids(
                    replace_minus_signs(format_card_codes(translate(one.finding.message, style.lang), style))
                )
                for one in fault.alternatives
            ),
        )

    def _build_finding(self, fault: EveningFault) -> ArticleFinding:
        """A fault's finding. Only the clauses of the table's own rules are printed below."""
        audit = self.here.get(fault.deal)
        rules = self.rules if audit is None else audit.state.opening.rules
        has_same_clauses = rules.ruleset.clauses == self.rules.ruleset.clauses
        clauses = self.clauses if has_same_clauses else ClauseCitations(rules, self.style.lang)
        found = build_article_finding(fault.finding, self.style, clauses)
        sections = (
            found.sections if has_same_clauses else tuple(one._replace(clauses=()) for one in found.sections)
        )
        return found._replace(message=self._replace_ids(found.message), sections=sections)

    def _corrected_sentences(self, deal: str | None, correction: CorrectionMade) -> Iterator[str]:
        """What would stand in a deal in place of what is corrected, each entry as it would be read there."""
        audit = self.here[deal]
        entries, book = audit.history.entries, audit.state.opening.book
        for one in corrected_entry_sentences(entries, correction, book, self.style):
            yield self._replace_ids(ensure_full_stop(one))
