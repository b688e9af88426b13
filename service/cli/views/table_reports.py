"""The report on a table for people: ``spadille audit``."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from engine.scoring.payments import Payments
from engine.tables.evening_faults import EveningFault
from engine.tables.rescoring import EveningRescoring, OtherRules
from engine.tables.table_report import TableReport
from engine.verdicts import table_verdict
from schemas.i18n.translate import translate
from schemas.rulesets.other_rules_text import format_rules_text
from service.cli.io.deals import (
    table_rules_name,
)
from service.presentation.i18n.dates import format_day
from service.presentation.text.findings import (
    MAX_CONSEQUENCES,
    condition_sentence,
    consequence_phrase,
    finding_lines,
    first_difference_phrase,
    format_card_codes,
    format_engine_text,
)
from service.presentation.text.layout import INDENT, align_columns, wrap_text
from service.presentation.text.names import join_names
from service.presentation.text.score_lines import comparison_head
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES, set_aside_sentence


def table_report_lines(
    report: TableReport,
    title: str,
    style: TextStyle,
    other_rules: OtherRules | None = None,
    rescoring: EveningRescoring | None = None,
) -> list[str]:
    """The report on a table, line by line; ``rescoring`` is the evening under ``other_rules``."""
    narrow = replace(style, width=style.width - len(INDENT))
    lines = [style.bold(line) for line in wrap_text(title, style.width)]
    if report.table.voided is not None:
        lines += wrap_text(set_aside_sentence(report.table.voided, style.lang), style.width)
    lines += wrap_text(format_engine_text(table_verdict(report), style), style.width)
    lines += wrap_text(_summary_phrase(report, style), style.width)
    sections: dict[str, Iterable[str]] = {
        style.phrase("What is wrong, each thing once"): _fault_lines(report, narrow),
        style.phrase("The settlements, recalculated"): _settlement_lines(report, narrow),
    }
    if report.changes:
        sections[style.phrase("Who came later, who left, what was corrected")] = _change_lines(report, narrow)
    if other_rules is not None and rescoring is not None:
        heading = style.phrase("By other rules: {rules}", rules=format_rules_text(other_rules))
        sections[heading] = _rescoring_lines(rescoring, narrow)
    for heading, section_lines in sections.items():
        lines += ["", style.bold(heading), *(INDENT + line if line else line for line in section_lines)]
    return lines


def _summary_phrase(report: TableReport, style: TextStyle) -> str:
    """The rules, the players, and how many deals there were."""
    count = len(report.deals)
    deals = style.phrase("1 deal" if count == 1 else "{count} deals", count=count)
    date = report.table.opening_event.date
    parts = [format_day(date, style.lang)] if date else []
    parts += [table_rules_name(report.table, style), ", ".join(report.ledger.players), deals]
    return style.sign(" · ", " - ").join(parts)


# --- What is wrong ----------------------------------------------------------------------------------


def _fault_lines(report: TableReport, style: TextStyle) -> Iterator[str]:
    """Each fault under its deal, with what follows from it."""
    numbers = {one.line.deal: one.line.number for one in report.deals}
    for deal, faults in groupby(report.faults, key=lambda fault: fault.deal):
        yield (
            style.phrase("The table's own log")
            if deal is None
            else style.phrase(LABEL_PHRASES["deal"], number=numbers.get(deal, deal))
        )
        for fault in faults:
            yield from finding_lines((fault.finding,), style, INDENT)
            yield from map(style.dim, _corrected_entries_lines(fault, style))
            for one in fault.alternatives:
                misprint = format_card_codes(translate(one.finding.message, style.lang), style)
                yield from map(style.dim, wrap_text(misprint, style.width, INDENT * 2))
            yield from map(style.dim, _consequence_lines(fault, numbers, style))
    if not report.faults:
        yield style.phrase("There are no findings.")


def _corrected_entries_lines(fault: EveningFault, style: TextStyle) -> list[str]:
    """The entries that a correction would put right."""
    seqs = [
        style.phrase(LABEL_PHRASES["entry"], seq=seq) for one in fault.corrections for seq in one.replaces
    ]
    if not seqs:
        return []
    entries = join_names(seqs, style)
    sentence = style.phrase("A correction of {entries} would fix it.", entries=entries)
    return wrap_text(sentence, style.width, INDENT * 2)


def _consequence_lines(
    fault: EveningFault, numbers: dict[str | None, int | None], style: TextStyle
) -> Iterator[str]:
    if not fault.consequences:
        return
    yield INDENT * 2 + style.phrase("As a result:")
    for one in fault.consequences[:MAX_CONSEQUENCES]:
        yield from wrap_text(consequence_phrase(one, fault, numbers, style), style.width, INDENT * 3)
    if (omitted_count := len(fault.consequences) - MAX_CONSEQUENCES) > 0:
        yield INDENT * 3 + style.phrase("And {count} more.", count=omitted_count)


# --- What was paid ----------------------------------------------------------------------------------


def _settlement_lines(report: TableReport, style: TextStyle) -> Iterator[str]:
    """The first deal that was not paid as it is due, then all such deals."""
    first = report.first_difference
    if first is None:
        has_payments = any(one.settlements for one in report.deals)
        sentence = style.phrase(
            "What was paid is what is due, as far as the records show."
            if has_payments
            else "No payment is noted."
        )
    else:
        sentence = style.phrase(
            "Deal {number} is the first to differ from the rules: {apart}.",
            number=first.line.number,
            apart=first_difference_phrase(first, style),
        )
    yield from wrap_text(sentence, style.width)
    differences = [(str(one.line.number), one.difference) for one in report.deals if one.difference]
    if differences:
        rows = [*differences, (style.phrase("in all"), report.difference)]
        yield from ("", style.phrase("Paid compared to what is due, by deal:"))
        yield from _player_column_lines(rows, report.ledger.players, style)
    if condition := condition_sentence(report, style):
        yield from ("", *wrap_text(condition, style.width))
    undecided = sum(one.audit is not None and not one.audit.score.decided for one in report.deals)
    if undecided:
        sentence = style.phrase(
            "The record of 1 deal does not show what it pays, so it is left out here."
            if undecided == 1
            else "The records of {count} deals do not show what they pay, so they are left out here.",
            count=undecided,
        )
        yield from wrap_text(sentence, style.width)
    if missing := sum(one.audit is None for one in report.deals):
        sentence = style.phrase(
            "The record of 1 deal is missing; it does not count."
            if missing == 1
            else "The records of {count} deals are missing; they do not count.",
            count=missing,
        )
        yield from wrap_text(sentence, style.width)


def _player_column_lines(
    rows: list[tuple[str, Payments]], players: Iterable[str], style: TextStyle
) -> Iterator[str]:
    """Rows of chips, a column for each player who has some."""
    with_chips = [player for _, chips in rows for player, _ in chips]
    names = [player for player in dict.fromkeys((*players, *with_chips)) if player in with_chips]
    body = [(what, *(style.chips(dict(chips).get(name, 0)) for name in names)) for what, chips in rows]
    for line in align_columns([("", *names), *body], right_aligned=range(1, len(names) + 1)):
        yield INDENT + line


def _change_lines(report: TableReport, style: TextStyle) -> Iterator[str]:
    for one in report.changes:
        yield from wrap_text(format_engine_text(one.message, style), style.width)


# --- By other rules ---------------------------------------------------------------------------------


def _rescoring_lines(rescoring: EveningRescoring, style: TextStyle) -> Iterator[str]:
    """What each player would have, then the deals that pay otherwise."""
    undecided_deals = [str(one.before.number) for one in rescoring.deals if one.difference is None]
    if undecided_deals and len(undecided_deals) == len(rescoring.deals):
        sentence = style.phrase(
            "One of the two rulesets cannot score any deal, so there is nothing to compare: {deals}.",
            deals=", ".join(undecided_deals),
        )
        yield from wrap_text(sentence, style.width)
        return
    before, after = dict(rescoring.before.totals), dict(rescoring.after.totals)
    rows = [
        (name, *map(style.chips, (chips, after.get(name, 0), after.get(name, 0) - chips)))
        for name, chips in before.items()
    ]
    yield from align_columns([comparison_head(style), *rows], right_aligned=(1, 2, 3))
    changed = [(str(one.before.number), one.difference) for one in rescoring.deals if one.difference]
    yield ""
    if changed:
        yield style.phrase("Deals that pay differently:")
        yield from _player_column_lines(changed, before, style)
    else:
        yield style.phrase("Every deal that both rulesets can score pays the same.")
    if undecided_deals:
        sentence = style.phrase(
            "Not counted, because one of the two rulesets cannot score them: {deals}.",
            deals=", ".join(undecided_deals),
        )
        yield from wrap_text(sentence, style.width)
