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
from schemas.i18n.card_words import OUTCOME_TERMS
from schemas.i18n.card_words import SEAT_TERMS as SEAT_WORDS
from schemas.i18n.catalogs import format_decimal, gettext
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
"""A contract's name takes at most so many columns …"""
MIN_CONTRACT_WIDTH: Final = 8
"""… and, where the terminal is narrow, at least so many."""
OUTCOME_COLUMNS: Final = (WON, BETE, CODILLE)
"""The outcomes that have a column of their own."""
STATISTICS_PHRASES: Final = {
    "total": "{deals}, {entries}; {faulty} with a fault",
    "left_out": "{count} left out that cannot be read",
    "deals": "{deals}, {entries}",
    "deal": "{count} deal",
    "many_deals": "{count} deals",
    "entry": "{count} entry",
    "many_entries": "{count} entries",
    "unknown_ruleset": "Rules that are not known here",
    "unknown_contract": "not known",
    "contract": "contract",
    "played": "played",
    "other": "other",
    "open": "open",
    "average": "a deal",
    "seat": "seat",
    "declarer": "played",
    "chips": "chips",
    "times": "times",
    "severity": "severity",
    "kind": "kind",
    "in_deals": "deals",
}


@click.command(epilog="Example: spadille stats --jobs auto season.jsonl")
@options.output_format
@options.viewer
@options.rules
@options.jobs
@options.style
@options.deal_run
def stats(run: options.DealRun) -> int:
    """Count what many deals hold: contracts, outcomes, chips, findings.

    FILE is a log (JSON Lines or the notation), - for standard input, or a deal of the library.
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
    """What ``stats`` does with a deal: it writes nothing, and counts."""

    point: PointOptions

    def process(self, logs: Iterable[InputLog], inputs: Inputs) -> LogResults:
        """What each deal adds to the counts."""
        for deal, deal_point in deals_at_point(
            logs, inputs.report_unreadable, self.point, for_terminal=False
        ):
            yield (), count_deal(deal_point.audit, len(deal.log))


def statistics_lines(
    deal_statistics: DealStatistics, omitted_count: int, book: RulesetBook, style: TextStyle
) -> Iterator[str]:
    """The counts in tables: for each ruleset its contracts and seats, then the findings."""
    words = {name: gettext(text, style.lang, "statistics") for name, text in STATISTICS_PHRASES.items()}
    total = words["total"].format(
        **_format_counts(deal_statistics, words), faulty=deal_statistics.faulty_deals
    )
    yield from wrap_text(total, style.width)
    if omitted_count:
        yield from wrap_text(words["left_out"].format(count=omitted_count), style.width)
    for one in deal_statistics.rulesets:
        yield ""
        yield from _ruleset_lines(one, book, style, words)
    if deal_statistics.findings:
        yield ""
        yield style.bold(gettext(SECTION_HEADINGS["findings"], style.lang))
        yield from _indent_columns(_finding_rows(deal_statistics, style, words), right_aligned=(0, 3))


def _ruleset_lines(
    one: RulesetCount, book: RulesetBook, style: TextStyle, words: Mapping[str, str]
) -> Iterator[str]:
    rules = next((rules.ruleset for rules in reversed(book) if rules.ruleset.id == one.ruleset), None)
    title = gettext(rules.words, style.lang) if rules else words["unknown_ruleset"]
    yield from (style.bold(line) for line in wrap_text(title, style.width))
    without = {
        outcome: one.outcomes.get(outcome, 0) - _count_outcome(one, outcome) for outcome in one.outcomes
    }
    outcome_counts = [
        f"{_outcome_heading(outcome, style)} {count}" for outcome, count in without.items() if count
    ]
    counts = words["deals"].format(**_format_counts(one, words))
    yield from wrap_text("; ".join((counts, *outcome_counts)), style.width, INDENT)
    names = (
        {contract.id: gettext(contract.words, style.lang) for contract in rules.contracts} if rules else {}
    )
    if one.contracts:
        yield ""
        head = (
            words["contract"],
            words["played"],
            *(_outcome_heading(end, style) for end in OUTCOME_COLUMNS),
        )
        rows = [_contract_row(played, names, style, words) for played in one.contracts]
        table = [(*head, words["other"], words["open"], words["average"]), *rows]
        yield from _indent_columns(
            _fit_contract_table(table, style.width), right_aligned=range(1, len(table[0]))
        )
    if any(seat.paid_deals or seat.declared_deals for seat in one.seats):
        yield ""
        seat_head = (
            words["seat"],
            words["declarer"],
            gettext(OUTCOME_TERMS[WON], style.lang),
            words["chips"],
            words["average"],
        )
        seats = [_seat_row(seat, number, style) for number, seat in enumerate(one.seats)]
        yield from _indent_columns([seat_head, *seats], right_aligned=range(1, 5))


def _format_counts(statistics: DealStatistics | RulesetCount, words: Mapping[str, str]) -> dict[str, str]:
    """How many deals and entries there are, in words."""
    deals, entries = statistics.deals, statistics.entries
    return {
        "deals": words["deal" if deals == 1 else "many_deals"].format(count=deals),
        "entries": words["entry" if entries == 1 else "many_entries"].format(count=entries),
    }


def _count_outcome(one: RulesetCount, outcome: str) -> int:
    """How many deals with a contract ended so."""
    return sum(played.outcomes.get(outcome, 0) for played in one.contracts)


def _contract_row(
    one: ContractCount, names: Mapping[str, str], style: TextStyle, words: Mapping[str, str]
) -> tuple[str, ...]:
    name = clip_text(names.get(one.name, words["unknown_contract"]), MAX_CONTRACT_WIDTH)
    shown_counts = [one.outcomes.get(outcome, 0) for outcome in OUTCOME_COLUMNS]
    undecided = one.outcomes.get(UNDECIDED, 0)
    other = one.deals - sum(shown_counts) - undecided
    return (
        name,
        *map(str, (one.deals, *shown_counts, other, undecided)),
        _format_average(one.chips, one.paid_deals, style),
    )


def _seat_row(one: SeatCount, number: int, style: TextStyle) -> tuple[str, ...]:
    average_chips = _format_average(one.chips, one.paid_deals, style)
    name = gettext(SEAT_WORDS[SEAT_NAMES[number]], style.lang)
    return (name, str(one.declared_deals), str(one.won_deals), style.chips(one.chips), average_chips)


def _finding_rows(
    statistics: DealStatistics, style: TextStyle, words: Mapping[str, str]
) -> list[tuple[str, ...]]:
    head = tuple(words[name] for name in ("times", "severity", "kind", "in_deals"))
    rows = [
        (
            str(one.occurrences),
            gettext(one.severity, style.lang),
            finding_kind_name(one.code, style.lang),
            str(one.deals),
        )
        for one in statistics.findings
    ]
    return [head, *rows]


def _outcome_heading(outcome: str, style: TextStyle) -> str:
    return (
        gettext(LABEL_PHRASES["open"], style.lang)
        if outcome == UNDECIDED
        else gettext(OUTCOME_TERMS[outcome], style.lang)
    )


def _format_average(chips: int, paid: int, style: TextStyle) -> str:
    """Chips a deal with their sign, and a comma in Danish; nothing where there is no deal."""
    value = average_chips_per_deal(chips, paid)
    if value is None:
        return ""
    sign = "+" if value > 0 else style.sign("−", "-") if value < 0 else ""
    text = f"{sign}{abs(value):.2f}"
    return format_decimal(text, style.lang)


def _fit_contract_table(rows: Sequence[tuple[str, ...]], width: int) -> list[tuple[str, ...]]:
    """A table that has room in ``width``: where need be without outcomes that nothing had, names shorter."""
    if _excess_width(rows, width) > 0:
        shown_columns = [
            number for number, (_, *counts) in enumerate(zip(*rows, strict=True)) if {*counts} != {"0"}
        ]
        rows = [tuple(row[number] for number in shown_columns) for row in rows]
    excess_width = _excess_width(rows, width)
    name_width = max(display_width(name) for name, *_ in rows) - max(excess_width, 0)
    return [(clip_text(name, max(name_width, MIN_CONTRACT_WIDTH)), *rest) for name, *rest in rows]


def _excess_width(rows: Sequence[tuple[str, ...]], width: int) -> int:
    """By how many columns a table is too wide."""
    return max(map(display_width, _indent_columns(rows, right_aligned=()))) - width


def _indent_columns(rows: Sequence[Sequence[str]], right_aligned: Sequence[int]) -> list[str]:
    return [INDENT + line for line in align_columns(rows, right_aligned)]
