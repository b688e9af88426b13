"""``spadille stats``: what many deals hold, in tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import click

from engine.core.cards import SEAT_NAMES
from engine.play.outcomes import BETE, CODILLE, WON
from engine.rulesets import RulesetBook
from engine.statistics import (
    UNDECIDED,
    ContractCount,
    DealStatistics,
    RulesetCount,
    SeatCount,
    build_statistics,
    count_deal,
)
from schemas.answers.statistics import average_chips_per_deal, statistics_object
from schemas.i18n.card_words import OUTCOME_TERMS, SEAT_TERMS
from schemas.i18n.catalogs import format_decimal
from schemas.i18n.translate import finding_kind_name
from service.cli.io import options
from service.cli.io.bulk_run import LogProcessor, LogResults
from service.cli.io.deals import PointOptions, deals_at_point
from service.cli.io.inputs import InputLog, Inputs
from service.cli.io.output import print_json_line, print_lines
from service.presentation.text.layout import align_columns, clip_text, display_width, wrap_text
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES, SECTION_HEADINGS

INDENT: Final = "  "
MAX_CONTRACT_WIDTH: Final = 24
"""The most columns for a contract's name …"""
MIN_CONTRACT_WIDTH: Final = 8
"""… and the least, on a narrow terminal."""
OUTCOME_COLUMNS: Final = (WON, BETE, CODILLE)
"""The outcomes that have a column of their own."""


@click.command(epilog="Example: spadille stats --jobs auto season.jsonl")
@options.output_format
@options.viewer
@options.rules
@options.jobs
@options.style
@options.deal_run
def stats(run: options.DealRun) -> int:
    """Count contracts, outcomes, chips and findings in many deals.

    FILE is a log (JSON Lines or the notation), the name of a library deal, or - for standard input.
    """
    point = run.load_point()
    result = run.process(StatsProcessor(point))
    statistics = build_statistics(result.counts)
    if run.for_terminal:
        print_lines(statistics_lines(statistics, result.omitted_count, point.book, run.style), run.style)
    else:
        print_json_line(statistics_object(statistics, result.omitted_count))
    return result.exit_status


@dataclass(frozen=True, slots=True)
class StatsProcessor(LogProcessor):
    """Counts each deal, and writes nothing."""

    point: PointOptions

    def process(self, logs: Iterable[InputLog], inputs: Inputs) -> LogResults:
        """What each deal adds to the counts."""
        for deal, deal_point in deals_at_point(
            logs, inputs.report_unreadable, self.point, for_terminal=False
        ):
            yield (), count_deal(deal_point.audit, len(deal.log))


def statistics_lines(
    statistics: DealStatistics, omitted_count: int, book: RulesetBook, style: TextStyle
) -> Iterator[str]:
    """The counts in tables: for each ruleset its contracts and seats, then the findings."""
    counts, faulty = _count_phrases(statistics, style), statistics.faulty_deals
    total = style.phrase("{deals}, {entries}; {faulty} with a fault", "statistics", faulty=faulty, **counts)
    yield from wrap_text(total, style.width)
    if omitted_count:
        omitted = style.phrase("{count} unreadable and left out", "statistics", count=omitted_count)
        yield from wrap_text(omitted, style.width)
    for one in statistics.rulesets:
        yield ""
        yield from _ruleset_lines(one, book, style)
    if statistics.findings:
        yield ""
        yield style.bold(style.phrase(SECTION_HEADINGS["findings"]))
        yield from _indent_columns(_finding_rows(statistics, style), right_aligned=(0, 3))


def _ruleset_lines(one: RulesetCount, book: RulesetBook, style: TextStyle) -> Iterator[str]:
    rules = next((rules.ruleset for rules in reversed(book) if rules.ruleset.id == one.ruleset), None)
    title = style.phrase(rules.words) if rules else style.phrase("Unknown rules", "statistics")
    yield from map(style.bold, wrap_text(title, style.width))
    counts = [style.phrase("{deals}, {entries}", "statistics", **_count_phrases(one, style))]
    for outcome, deals in one.outcomes.items():
        if without_contract := deals - _count_outcome(one, outcome):
            counts.append(f"{_outcome_heading(outcome, style)} {without_contract}")
    yield from wrap_text("; ".join(counts), style.width, INDENT)
    if one.contracts:
        yield ""
        names = {contract.id: style.phrase(contract.words) for contract in rules.contracts} if rules else {}
        table = [_contract_headings(style), *(_contract_row(each, names, style) for each in one.contracts)]
        yield from _indent_columns(
            _fit_contract_table(table, style.width), right_aligned=range(1, len(table[0]))
        )
    if any(seat.paid_deals or seat.declared_deals for seat in one.seats):
        yield ""
        seats = [_seat_row(seat, number, style) for number, seat in enumerate(one.seats)]
        yield from _indent_columns([_seat_headings(style), *seats], right_aligned=range(1, 5))


def _count_phrases(statistics: DealStatistics | RulesetCount, style: TextStyle) -> dict[str, str]:
    """How many deals and entries there are, in words."""
    deals, entries = statistics.deals, statistics.entries
    return {
        "deals": style.phrase("{count} deal" if deals == 1 else "{count} deals", "statistics", count=deals),
        "entries": style.phrase(
            "{count} entry" if entries == 1 else "{count} entries", "statistics", count=entries
        ),
    }


def _contract_headings(style: TextStyle) -> tuple[str, ...]:
    return (
        style.phrase("contract", "statistics"),
        style.phrase("played", "statistics"),
        *(_outcome_heading(outcome, style) for outcome in OUTCOME_COLUMNS),
        style.phrase("other", "statistics"),
        style.phrase("open", "statistics"),
        style.phrase("a deal", "statistics"),
    )


def _seat_headings(style: TextStyle) -> tuple[str, ...]:
    return (
        style.phrase("seat", "statistics"),
        style.phrase("played", "statistics"),
        style.phrase(OUTCOME_TERMS[WON]),
        style.phrase("chips", "statistics"),
        style.phrase("a deal", "statistics"),
    )


def _count_outcome(one: RulesetCount, outcome: str) -> int:
    """How many deals with a contract ended so."""
    return sum(played.outcomes.get(outcome, 0) for played in one.contracts)


def _contract_row(one: ContractCount, names: Mapping[str, str], style: TextStyle) -> tuple[str, ...]:
    name = names.get(one.name) or style.phrase("not known", "statistics")
    shown_counts = [one.outcomes.get(outcome, 0) for outcome in OUTCOME_COLUMNS]
    undecided = one.outcomes.get(UNDECIDED, 0)
    other = one.deals - sum(shown_counts) - undecided
    counts = map(str, (one.deals, *shown_counts, other, undecided))
    return (
        clip_text(name, MAX_CONTRACT_WIDTH),
        *counts,
        _format_average(one.chips, one.paid_deals, style),
    )


def _seat_row(one: SeatCount, number: int, style: TextStyle) -> tuple[str, ...]:
    average_chips = _format_average(one.chips, one.paid_deals, style)
    name = style.phrase(SEAT_TERMS[SEAT_NAMES[number]])
    return (name, str(one.declared_deals), str(one.won_deals), style.chips(one.chips), average_chips)


def _finding_rows(statistics: DealStatistics, style: TextStyle) -> list[tuple[str, ...]]:
    headings = (
        style.phrase("times", "statistics"),
        style.phrase("severity", "statistics"),
        style.phrase("kind", "statistics"),
        style.phrase("deals", "statistics"),
    )
    rows = [
        (
            str(one.occurrences),
            style.phrase(one.severity),
            finding_kind_name(one.code, style.lang),
            str(one.deals),
        )
        for one in statistics.findings
    ]
    return [headings, *rows]


def _outcome_heading(outcome: str, style: TextStyle) -> str:
    return style.phrase(LABEL_PHRASES["open"] if outcome == UNDECIDED else OUTCOME_TERMS[outcome])


def _format_average(chips: int, paid: int, style: TextStyle) -> str:
    """Chips per deal with their sign; empty without a deal."""
    value = average_chips_per_deal(chips, paid)
    if value is None:
        return ""
    sign = "+" if value > 0 else style.sign("−", "-") if value < 0 else ""
    return format_decimal(f"{sign}{abs(value):.2f}", style.lang)


def _fit_contract_table(rows: Sequence[tuple[str, ...]], width: int) -> list[tuple[str, ...]]:
    """A table that fits in ``width``, if needed without empty outcomes and with shorter names."""
    if _excess_width(rows, width) > 0:
        shown_columns = [
            number for number, (_, *counts) in enumerate(zip(*rows, strict=True)) if {*counts} != {"0"}
        ]
        rows = [tuple(row[number] for number in shown_columns) for row in rows]
    excess_width = _excess_width(rows, width)
    name_width = max(display_width(name) for name, *_ in rows) - max(excess_width, 0)
    return [(clip_text(name, max(name_width, MIN_CONTRACT_WIDTH)), *rest) for name, *rest in rows]


def _excess_width(rows: Sequence[tuple[str, ...]], width: int) -> int:
    """How many columns a table is too wide by."""
    return max(map(display_width, _indent_columns(rows, right_aligned=()))) - width


def _indent_columns(rows: Sequence[Sequence[str]], right_aligned: Sequence[int]) -> list[str]:
    return [INDENT + line for line in align_columns(rows, right_aligned)]
