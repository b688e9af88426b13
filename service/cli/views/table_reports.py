"""The report on a table for people, and what ``audit`` does with the tables among its files."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from engine import view
from engine.audit_report import AuditReport, build_audit_report
from engine.core.log import Log
from engine.rulesets import RulesetBook
from engine.scoring.payments import Payments
from engine.tables.evening_faults import EveningFault
from engine.tables.rescoring import EveningRescoring, OtherRules, rescore_evening
from engine.tables.table_report import TableReport, compile_table_report
from schemas.answers.table_audits import table_audit_object
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.i18n.translate import translate
from schemas.rulesets.other_rules_text import format_rules_text
from service.cli.io.bulk_run import LogProcessor, LogResults
from service.cli.io.deals import (
    deal_location,
    expand_deals,
    skip_oversized_deals,
    table_rules_name,
    table_title,
)
from service.cli.io.inputs import InputLog, Inputs, is_table_input
from service.cli.io.output import OutputData
from service.cli.io.safe_group import print_to_stderr
from service.cli.io.terminal_text import sanitize_log
from service.presentation.text.findings import (
    MAX_CONSEQUENCES,
    condition_sentence,
    consequence_phrase,
    finding_lines,
    first_difference_phrase,
    format_card_codes,
)
from service.presentation.text.layout import align_columns, wrap_text
from service.presentation.text.names import join_names
from service.presentation.text.score_lines import comparison_head
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES
from service.records.deal_points import VIEWERS_BY_NAME
from service.records.log_grouping import TableLogs, group_logs

INDENT: Final = "  "


def collect_tables(logs: Iterable[InputLog], book: RulesetBook) -> list[TableLogs[InputLog]]:
    """The tables among what was read, each with its deals; a deal that is there twice is told."""
    found = group_logs(logs, book)
    for one in found.duplicate_deals:
        print_to_stderr(f"{deal_location(one)}: this deal is here twice; the first one counts at its table.")
    return found.tables


def skip_tables(logs: Iterable[InputLog], counts: Counter[str]) -> Iterator[InputLog]:
    """The deals among ``logs``; the logs of tables are only ``counts``."""
    for one in logs:
        if is_table_input(one):
            counts["tables"] += 1
        else:
            yield one


@dataclass(frozen=True, slots=True)
class ReportProcessor(LogProcessor):
    """What ``audit`` does with a deal: it reports, and counts it as sound or faulty.

    All of the report, also what was corrected, is made of what ``viewer`` may know. A table's log is counted
    only: its report takes all of its deals.
    """

    viewer: str
    book: RulesetBook
    for_terminal: bool
    includes_tables: ClassVar[bool] = True

    def process(self, logs: Iterable[InputLog], inputs: Inputs) -> LogResults:
        """The report of each deal."""
        tables = Counter[str]()
        deals = expand_deals(skip_tables(logs, tables), self.viewer, self.for_terminal)
        for deal, course in skip_oversized_deals(deals, inputs.report_unreadable):
            audit_report = build_audit_report(course, self.book)
            yield (
                self.render_deal(deal, audit_report, inputs),
                {"sound" if audit_report.audit.ok else "faulty": 1},
            )
        yield (), tables

    @abstractmethod
    def render_deal(self, deal: InputLog, audit_report: AuditReport, inputs: Inputs) -> Iterable[OutputData]:
        """The report of a deal."""

    @abstractmethod
    def render_table(self, table_logs: TableLogs[InputLog]) -> tuple[bool, OutputData]:
        """Whether a table is sound, and its report."""


class TableReporter:
    """The reports of tables as ``viewer`` may know them, by the rulesets of ``book``.

    ``other_rules``: the rules by which they are counted once more, where some are asked for.
    """

    def __init__(self, viewer: str, book: RulesetBook, other_rules: OtherRules | None) -> None:
        self.viewer, self.book, self.other_rules = viewer, book, other_rules

    def build_lines(self, table_logs: TableLogs[InputLog], style: TextStyle) -> tuple[bool, list[str]]:
        """Whether a table is sound, and its report for people."""
        table_report, rescoring = self._build_report_and_rescoring(table_logs, for_terminal=True)
        title = table_title(table_logs.table, table_logs.table_log.file, style)
        return table_report.ok, table_report_lines(table_report, title, style, self.other_rules, rescoring)

    def build_json_object(self, table_logs: TableLogs[InputLog]) -> tuple[bool, dict[str, Any]]:
        """Whether a table is sound, and its report for programs."""
        table_report, rescoring = self._build_report_and_rescoring(table_logs, for_terminal=False)
        obj = table_audit_object(table_report, SOURCE_LANGUAGE, self.other_rules, rescoring)
        return table_report.ok, {
            "file": table_logs.table_log.file,
            "table": table_logs.table_log.number,
            **obj,
        }

    def build_report(self, table_logs: TableLogs[InputLog]) -> TableReport:
        """The report on a table."""
        return self._build_report_and_rescoring(table_logs, for_terminal=False)[0]

    def _build_report_and_rescoring(
        self, table_logs: TableLogs[InputLog], *, for_terminal: bool
    ) -> tuple[TableReport, EveningRescoring | None]:
        log = self.redact_log(table_logs.table_log.log, for_terminal=for_terminal)
        deals = {
            name: self.redact_log(deal.log, for_terminal=for_terminal)
            for name, deal in table_logs.deals.items()
        }
        table_report = compile_table_report(log, deals, self.book)
        assert table_report is not None  # the log is one of a table, which says how it was opened
        return table_report, None if self.other_rules is None else rescore_evening(
            log, deals, self.other_rules, self.book
        )

    def redact_log(self, log: Log, *, for_terminal: bool) -> Log:
        """What the viewer may know of a log; ``for_terminal`` makes its texts fit for a terminal."""
        return view(sanitize_log(log) if for_terminal else log, VIEWERS_BY_NAME[self.viewer])


def table_report_lines(
    table_report: TableReport,
    title: str,
    style: TextStyle,
    other_rules: OtherRules | None = None,
    rescoring: EveningRescoring | None = None,
) -> list[str]:
    """The report on a table, line by line; ``rescoring`` is the evening under ``other_rules``."""
    lines = [style.bold(line) for line in wrap_text(title, style.width)]
    lines += wrap_text(_summary_phrase(table_report, style), style.width)
    sections = {
        style.phrase("What is wrong, each thing once"): list(_fault_lines(table_report, style)),
        style.phrase("The settlements, counted again"): list(_settlement_lines(table_report, style)),
    }
    if other_rules is not None and rescoring is not None:
        heading = style.phrase("By other rules: {rules}", rules=format_rules_text(other_rules))
        sections[heading] = list(_rescoring_lines(rescoring, style))
    for heading, section_lines in sections.items():
        lines += ["", style.bold(heading), *(INDENT + line if line else line for line in section_lines)]
    return lines


def _summary_phrase(table_report: TableReport, style: TextStyle) -> str:
    """The rules, who sits there, how many deals there were."""
    table = table_report.table
    count = len(table_report.deals)
    deals = style.phrase("1 deal" if count == 1 else "{count} deals", count=count)
    return style.sign(" · ", " - ").join(
        (table_rules_name(table, style), ", ".join(table_report.ledger.players), deals)
    )


# --- What is wrong ----------------------------------------------------------------------------------


def _fault_lines(table_report: TableReport, style: TextStyle) -> Iterator[str]:
    """Each fault under its deal, with what follows from it."""
    narrow = replace(style, width=style.width - len(INDENT))
    numbers = {one.line.deal: one.line.number for one in table_report.deals}
    current_deal: str | None = ""
    for fault in table_report.faults:
        if fault.deal != current_deal:
            current_deal = fault.deal
            yield _deal_label(current_deal, numbers, style)
        yield from finding_lines((fault.finding,), narrow, INDENT)
        yield from _corrected_entries_lines(fault, narrow)
        for one in fault.alternatives:
            misprint_sentence = format_card_codes(translate(one.finding.message, style.lang), style)
            yield from (style.dim(line) for line in wrap_text(misprint_sentence, narrow.width, INDENT * 2))
        yield from _consequence_lines(fault, numbers, narrow)
    if not table_report.faults:
        yield style.phrase("Nothing was found.")


def _deal_label(deal: str | None, numbers: dict[str | None, int | None], style: TextStyle) -> str:
    if deal is None:
        return style.phrase("The table's own log")
    return style.phrase(LABEL_PHRASES["deal"], number=numbers.get(deal, deal))


def _corrected_entries_lines(fault: EveningFault, style: TextStyle) -> list[str]:
    """Which entries a correction would put right."""
    seqs = [
        style.phrase(LABEL_PHRASES["entry"], seq=seq) for one in fault.corrections for seq in one.replaces
    ]
    if not seqs:
        return []
    sentence = style.phrase(
        "It would be put right by a correction of {entries}.", entries=join_names(seqs, style)
    )
    return [style.dim(line) for line in wrap_text(sentence, style.width, INDENT * 2)]


def _consequence_lines(
    fault: EveningFault, numbers: dict[str | None, int | None], style: TextStyle
) -> Iterator[str]:
    if not fault.consequences:
        return
    yield style.dim(INDENT * 2 + style.phrase("This follows from it:"))
    for one in fault.consequences[:MAX_CONSEQUENCES]:
        sentence = consequence_phrase(one, fault, numbers, style)
        yield from (style.dim(line) for line in wrap_text(sentence, style.width, INDENT * 3))
    if (omitted_count := len(fault.consequences) - MAX_CONSEQUENCES) > 0:
        yield style.dim(INDENT * 3 + style.phrase("And {count} more.", count=omitted_count))


# --- What was paid ----------------------------------------------------------------------------------


def _settlement_lines(table_report: TableReport, style: TextStyle) -> Iterator[str]:
    """The first deal in which what was paid is not what is due, and all such deals."""
    if table_report.first_difference is None:
        yield from wrap_text(
            style.phrase("What was paid is what is due, as far as that can be said."),
            style.width - len(INDENT),
        )
    else:
        sentence = style.phrase(
            "Deal {number} is the first to part from the rules: {apart}.",
            number=table_report.first_difference.line.number,
            apart=first_difference_phrase(table_report.first_difference, style),
        )
        yield from wrap_text(sentence, style.width - len(INDENT))
    differences = [(str(one.line.number), one.difference) for one in table_report.deals if one.difference]
    if differences:
        rows = [*differences, (style.phrase("in all"), table_report.difference)]
        yield from (
            "",
            style.phrase("Paid beside what is due, by deal:"),
            *_player_column_lines(rows, table_report.ledger.players, style),
        )
    if condition := condition_sentence(table_report, style):
        yield from ("", *wrap_text(condition, style.width - len(INDENT)))
    undecided = sum(one.audit is not None and not one.audit.score.decided for one in table_report.deals)
    if undecided:
        sentence = style.phrase(
            "What 1 deal pays cannot be said from its record alone, so it is left out here."
            if undecided == 1
            else "What {count} deals pay cannot be said from their records alone, so they are left out here.",
            count=undecided,
        )
        yield from wrap_text(sentence, style.width - len(INDENT))
    if missing := sum(one.audit is None for one in table_report.deals):
        sentence = style.phrase(
            "The record of 1 deal is not here; what it pays does not count."
            if missing == 1
            else "The records of {count} deals are not here; what they pay does not count.",
            count=missing,
        )
        yield from wrap_text(sentence, style.width - len(INDENT))


def _player_column_lines(
    rows: list[tuple[str, Payments]], players: Iterable[str], style: TextStyle
) -> Iterator[str]:
    """Rows of chips, a column for each player."""
    players_with_chips = [player for _, chips in rows for player, _ in chips]
    names = [
        player for player in dict.fromkeys((*players, *players_with_chips)) if player in players_with_chips
    ]
    head = ("", *names)
    body = [(what, *(style.chips(dict(chips).get(name, 0)) for name in names)) for what, chips in rows]
    for line in align_columns([head, *body], right_aligned=range(1, len(head))):
        yield INDENT + line


# --- By other rules ---------------------------------------------------------------------------------


def _rescoring_lines(rescoring: EveningRescoring, style: TextStyle) -> Iterator[str]:
    """Per player what it would have been; then the deals that pay otherwise."""
    undecided_deals = [str(one.before.number) for one in rescoring.deals if one.difference is None]
    if undecided_deals and len(undecided_deals) == len(rescoring.deals):
        sentence = style.phrase(
            "By one of the two no deal can be paid, so there is nothing to compare: {deals}.",
            deals=", ".join(undecided_deals),
        )
        yield from wrap_text(sentence, style.width - len(INDENT))
        return
    before, after = dict(rescoring.before.totals), dict(rescoring.after.totals)
    head = comparison_head(style)
    rows = [
        (
            name,
            *(
                style.chips(count)
                for count in (before[name], after.get(name, 0), after.get(name, 0) - before[name])
            ),
        )
        for name in before
    ]
    yield from align_columns([head, *rows], right_aligned=(1, 2, 3))
    changed = [(str(one.before.number), one.difference) for one in rescoring.deals if one.difference]
    yield ""
    if changed:
        yield style.phrase("Deals that pay otherwise:")
        yield from _player_column_lines(changed, before, style)
    else:
        yield style.phrase("No deal that both can pay pays otherwise.")
    if undecided_deals:
        sentence = style.phrase(
            "Left open by one of the two, and so not counted: {deals}.", deals=", ".join(undecided_deals)
        )
        yield from wrap_text(sentence, style.width - len(INDENT))
