"""``spadille stats``: what many deals hold, in tables."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import ClassVar, Final

import click

from engine.core.cards import SEAT_NAMES
from engine.play.outcomes import BETE, CODILLE, WON
from engine.rulesets import RulesetBook
from engine.statistics import (
    UNDECIDED,
    ContractCount,
    CountKey,
    DealStatistics,
    PlayerCount,
    RulesetCount,
    SeatCount,
    build_statistics,
    count_deal,
)
from engine.tables import PlayerFigures, fold_table
from schemas.answers.statistics import PLAYER_FIGURES, average_chips_per_deal, statistics_object
from schemas.i18n.card_words import OUTCOME_TERMS, SEAT_TERMS
from schemas.i18n.catalogs import format_decimal
from schemas.i18n.translate import finding_kind_name
from service.cli.io import options
from service.cli.io.bulk_run import LogProcessor, LogResults
from service.cli.io.deals import PointOptions, deals_at_point
from service.cli.io.evenings import SeasonEvenings, read_file_evenings, read_store_evenings
from service.cli.io.inputs import MAX_MEMORY_BYTES, InputLog, Inputs, RereadableStdin
from service.cli.io.output import print_json_line, print_lines
from service.cli.io.safe_group import print_to_stderr
from service.cli.io.store_location import data_folder, optional_store_location
from service.cli.io.terminal_text import sanitize_line
from service.presentation.text.layout import (
    INDENT,
    align_columns,
    clip_text,
    display_width,
    wrap_text,
)
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES, SECTION_HEADINGS
from service.projections.seasons import (
    Season,
    build_standings,
    parse_season,
    player_totals_object,
    span_of_days,
)
from service.records.log_grouping import is_table_log

MAX_CONTRACT_WIDTH: Final = 24
"""The most columns for the name of a contract or player …"""
MIN_CONTRACT_WIDTH: Final = 8
"""… and the least, on a narrow terminal."""
SET_ASIDE: Final = "set aside"
"""Begins the key of a deal of a table that is set aside."""
OUTCOME_COLUMNS: Final = (WON, BETE, CODILLE)
"""The outcomes that have a column of their own."""


day: Final = partial(click.option, type=click.DateTime(["%Y-%m-%d"]), metavar="DAY")


@click.command(epilog="Example: spadille stats --season 2026/27 --data ~/club")
@click.option("--season", metavar="SEASON", help="The evenings of a season, as 2026/27, of a year, or all.")
@day("--from", "first", help="The evenings from this day on, as 2026-09-01.")
@day("--to", "last", help="The evenings up to this day.")
@click.option("--store", metavar="PATH|URL", help="Read the service's store instead of files.")
@options.data_path
@options.output_format
@options.viewer
@options.rules
@options.jobs
@options.style
@partial(options.deal_run, files=options.optional_inputs)
def stats(
    run: options.DealRun,
    season: str | None,
    first: datetime | None,
    last: datetime | None,
    store: str | None,
    data: Path | None,
) -> int:
    """Count contracts, outcomes, chips, players and findings.

    FILE is a log (JSON Lines or the notation), the name of a library deal, or - for standard input.

    With a season, days or a store, the command counts evenings instead: what each player did, and where they
    stand, as on the page of the season. Without files it reads the service's records.
    """
    if (season or first or last) and not (run.files or store or data):
        data = data_folder(None)
    place = optional_store_location(store, data)
    if bool(run.files) == (place is not None):
        raise click.UsageError("Name files, or a store with --data.")
    if season or first or last or place is not None:
        if run.viewer != "all":
            raise click.UsageError("--viewer is for deals in files, not for evenings.")
        span = _parse_span(season, first, last)
        found = (
            read_file_evenings(run.files, span, run.load_book())
            if place is None
            else read_store_evenings(place, span)
        )
        _print_season(span, found, run)
        return found.exit_status
    point = run.load_point()
    with SpooledTemporaryFile(max_size=MAX_MEMORY_BYTES) as spool:
        stdin = RereadableStdin(spool)
        result = run.process(StatsProcessor(point), open_stdin=stdin.open_first)
        set_aside = frozenset(key[1] for key in result.counts if key[0] == SET_ASIDE)
        inputs = Inputs(run.files, write_message=lambda _: None, open_stdin=stdin.reopen)
        counts = _without_deals(result.counts, set_aside, inputs, point) if set_aside else result.counts
    if set_aside:
        print_to_stderr(
            run.style.phrase("Not counted: the deals of tables that are set aside.", "statistics")
        )
    statistics = build_statistics(counts)
    if run.for_terminal:
        print_lines(statistics_lines(statistics, result.omitted_count, point.book, run.style), run.style)
    else:
        print_json_line(statistics_object(statistics, result.omitted_count))
    return result.exit_status


@dataclass(frozen=True, slots=True)
class StatsProcessor(LogProcessor):
    """Counts each deal, and those of tables that are set aside by their ids; writes nothing."""

    point: PointOptions
    includes_tables: ClassVar[bool] = True

    def process(self, logs: Iterable[InputLog], inputs: Inputs) -> LogResults:
        """What each log adds to the counts."""
        set_aside: dict[CountKey, int] = {}
        deals = self._without_tables(logs, set_aside)
        for deal, deal_point in deals_at_point(
            deals, inputs.report_unreadable, self.point, for_terminal=False
        ):
            yield (), count_deal(deal_point.audit, len(deal.log))
        if set_aside:
            yield (), set_aside

    def _without_tables(self, logs: Iterable[InputLog], set_aside: dict[CountKey, int]) -> Iterator[InputLog]:
        for one in logs:
            if not is_table_log(one.log):
                yield one
            elif (table := fold_table(one.log, self.point.book)) is not None and table.voided is not None:
                set_aside |= {(SET_ASIDE, started.deal): 1 for started in table.deals}


def _without_deals(
    counts: Mapping[CountKey, int], names: frozenset[str], inputs: Inputs, point: PointOptions
) -> Counter[CountKey]:
    """The counts without the deals of these names, which are read once more."""
    remaining = Counter(counts)
    for deal, deal_point in deals_at_point(
        inputs.read_deals(), inputs.report_unreadable, point, for_terminal=False
    ):
        if deal.log[0].metadata.id in names:
            remaining.subtract(count_deal(deal_point.audit, len(deal.log)))
    return Counter({key: count for key, count in remaining.items() if count and key[0] != SET_ASIDE})


def _parse_span(season: str | None, first: datetime | None, last: datetime | None) -> Season:
    """The evenings that the options name: all if they name none."""
    if first and last and first > last:
        raise click.UsageError("--from is a later day than --to.")
    if season is None:
        return span_of_days(first and first.date(), last and last.date())
    span = parse_season(season.replace("/", "-"))
    if span is None or first or last:
        raise click.UsageError("Write a season as 2026/27, 2026 or all; or days with --from and --to.")
    return span


def _print_season(span: Season, found: SeasonEvenings, run: options.DealRun) -> None:
    """The standings of a season, for a terminal or as JSON."""
    evenings = [one for one in found.evenings if one.counts]
    standings, deals = build_standings(evenings), sum(one.deals for one in evenings)
    days = [one.isoformat() if one else None for one in (span.first, span.last)]
    if not run.for_terminal:
        players = [{"place": one.place, **player_totals_object(one)} for one in standings]
        print_json_line(
            {"season": span.id, "first": days[0], "last": days[1], "evenings": len(evenings),
             "deals": deals, "players": players, "names": found.names}
        )  # fmt: skip
        return
    style, count = run.style, len(evenings)
    counted = style.phrase("1 evening" if count == 1 else "{n} evenings", n=count)
    deal_count = style.phrase("{count} deal" if deals == 1 else "{count} deals", "statistics", count=deals)
    dates = " – ".join(one or "…" for one in days) if any(days) else style.phrase("All evenings")
    lines = [*wrap_text(f"{dates}: {counted}, {deal_count}", style.width)]
    if standings:
        rows = []
        for one in standings:
            name = found.names.get(one.player, one.player)
            rows.append(_player_row(PlayerCount(name, one.settled, *_count_figures(one.figures)), style))
        lines += ["", *_player_table(rows, style)]
    print_lines(lines, style)


def _count_figures(figures: PlayerFigures) -> Iterator[int]:
    return (getattr(figures, name) for name in PLAYER_FIGURES[2:])


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
    if statistics.players:
        yield ""
        yield style.bold(style.phrase("Players"))
        yield from _player_table([_player_row(one, style) for one in statistics.players], style)
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
            _fit_named_table(table, style.width), right_aligned=range(1, len(table[0]))
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


def _player_table(rows: Sequence[tuple[str, ...]], style: TextStyle) -> list[str]:
    words = ("player", "deals", "declared", OUTCOME_TERMS[WON], OUTCOME_TERMS[BETE], OUTCOME_TERMS[CODILLE])
    headings = (*map(style.phrase, words), style.phrase("chips", "statistics"))
    table = _fit_named_table([headings, *rows], style.width)
    return _indent_columns(table, right_aligned=range(1, len(table[0])))


def _player_row(one: PlayerCount, style: TextStyle) -> tuple[str, ...]:
    counts = map(str, (one.played, one.declared, one.won, one.bete, one.codille))
    return (clip_text(sanitize_line(one.player), MAX_CONTRACT_WIDTH), *counts, style.chips(one.chips))


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


def _fit_named_table(rows: Sequence[tuple[str, ...]], width: int) -> list[tuple[str, ...]]:
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
