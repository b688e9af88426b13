"""``spadille stats``: what many deals hold, in tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import click

from engine import Audit
from engine.core.cards import SEAT_NAMES
from engine.play.outcomes import BETE, CODILLE, WON
from engine.rulesets import Book
from engine.statistics import UNDECIDED, Played, RulesetCount, SeatCount, Statistics, counted, statistics
from schemas.answers.statistics import average, statistics_object
from service.cli.io import options
from service.cli.io.bulk import run
from service.cli.io.inputs import Deal
from service.cli.io.output import Written, emit, say
from service.cli.io.points import Point
from service.cli.io.safe_group import SOUND, UNREADABLE
from service.cli.io.work import Counts, Judging
from service.presentation.i18n.card_words import OUTCOMES
from service.presentation.i18n.card_words import SEATS as SEAT_WORDS
from service.presentation.i18n.translate import kind_called
from service.presentation.text.layout import cells, clipped, columns, wrapped
from service.presentation.text.style import Style, style_here
from service.presentation.text.words import HEADINGS, LABELS, SEVERITIES, STATISTICS

INDENT: Final = "  "
LONGEST: Final = 24
"""A contract's name takes at most so many columns …"""
SHORTEST: Final = 8
"""… and, where the terminal is narrow, at least so many."""
SHOWN: Final = (WON, BETE, CODILLE)
"""The outcomes that have a column of their own."""


@click.command(epilog="Example: spadille stats --jobs auto season.jsonl")
@options.inputs
@options.output_format
@options.viewer
@options.rules
@options.jobs
@options.lang
@click.pass_context
def stats(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str,
    viewer: str,
    rules_files: tuple[str, ...],
    jobs: int,
    silent: bool,
    lang: str | None,
) -> None:
    """Count what many deals hold: contracts, outcomes, chips, findings.

    FILE is a log (JSON Lines or the notation), - for standard input, or a deal of the library.
    """
    book, style = options.book_from(ctx, rules_files), style_here(lang)
    work = Counting(Point(None, None, viewer, book), False)
    ran = run(options.sources(ctx, files), work, jobs, not silent)
    told = statistics(ran.counts)
    if output == "json":
        emit(statistics_object(told, ran.left_out))
    else:
        say(statistics_lines(told, ran.left_out, book, style), style)
    ctx.exit(UNREADABLE if ran.unreadable else SOUND)


@dataclass(frozen=True, slots=True)
class Counting(Judging):
    """What ``stats`` does with a deal: it writes nothing, and counts."""

    def told(self, deal: Deal, audited: Audit) -> Iterator[Written]:
        """Nothing."""
        return iter(())

    def counted(self, deal: Deal, audited: Audit) -> Counts:
        """What the deal adds."""
        return counted(audited, len(deal.log))


def statistics_lines(told: Statistics, left_out: int, book: Book, style: Style) -> Iterator[str]:
    """The counts in tables: for each ruleset its contracts and seats, then the findings."""
    words = {name: text[style.lang] for name, text in STATISTICS.items()}
    total = words["total"].format(**_counts(told, words), faulty=told.faulty)
    yield from wrapped(total, style.width)
    if left_out:
        yield from wrapped(words["left_out"].format(count=left_out), style.width)
    for one in told.rulesets:
        yield ""
        yield from _ruleset_lines(one, book, style, words)
    if told.findings:
        yield ""
        yield style.bold(HEADINGS["findings"][style.lang])
        yield from _indented(_finding_rows(told, style, words), right=(0, 3))


def _ruleset_lines(one: RulesetCount, book: Book, style: Style, words: Mapping[str, str]) -> Iterator[str]:
    rules = next((rules.ruleset for rules in reversed(book) if rules.ruleset.id == one.ruleset), None)
    title = rules.words[style.lang] if rules else words["unknown_ruleset"]
    yield from (style.bold(line) for line in wrapped(title, style.width))
    without = {outcome: one.outcomes.get(outcome, 0) - _played_so(one, outcome) for outcome in one.outcomes}
    told = [f"{_outcome(outcome, style)} {count}" for outcome, count in without.items() if count]
    counts = words["deals"].format(**_counts(one, words))
    yield from wrapped("; ".join((counts, *told)), style.width, INDENT)
    names = {contract.id: contract.words[style.lang] for contract in rules.contracts} if rules else {}
    if one.contracts:
        yield ""
        head = (words["contract"], words["played"], *(_outcome(end, style) for end in SHOWN))
        rows = [_contract_row(played, names, style, words) for played in one.contracts]
        table = [(*head, words["other"], words["open"], words["average"]), *rows]
        yield from _indented(_narrowed(table, style.width), right=range(1, len(table[0])))
    if any(seat.paid or seat.declared for seat in one.seats):
        yield ""
        seat_head = (
            words["seat"],
            words["declarer"],
            OUTCOMES[WON][style.lang],
            words["chips"],
            words["average"],
        )
        seats = [_seat_row(seat, number, style) for number, seat in enumerate(one.seats)]
        yield from _indented([seat_head, *seats], right=range(1, 5))


def _counts(told: Statistics | RulesetCount, words: Mapping[str, str]) -> dict[str, str]:
    """How many deals and entries there are, in words."""
    deals, entries = told.deals, told.entries
    return {
        "deals": words["deal" if deals == 1 else "many_deals"].format(count=deals),
        "entries": words["entry" if entries == 1 else "many_entries"].format(count=entries),
    }


def _played_so(one: RulesetCount, outcome: str) -> int:
    """How many deals with a contract ended so."""
    return sum(played.outcomes.get(outcome, 0) for played in one.contracts)


def _contract_row(
    one: Played, names: Mapping[str, str], style: Style, words: Mapping[str, str]
) -> tuple[str, ...]:
    name = clipped(names.get(one.name, words["unknown_contract"]), LONGEST)
    shown = [one.outcomes.get(outcome, 0) for outcome in SHOWN]
    undecided = one.outcomes.get(UNDECIDED, 0)
    other = one.played - sum(shown) - undecided
    return (name, *map(str, (one.played, *shown, other, undecided)), _average(one.chips, one.paid, style))


def _seat_row(one: SeatCount, number: int, style: Style) -> tuple[str, ...]:
    average_chips = _average(one.chips, one.paid, style)
    name = SEAT_WORDS[SEAT_NAMES[number]][style.lang]
    return (name, str(one.declared), str(one.won), style.chips(one.chips), average_chips)


def _finding_rows(told: Statistics, style: Style, words: Mapping[str, str]) -> list[tuple[str, ...]]:
    head = tuple(words[name] for name in ("times", "severity", "kind", "in_deals"))
    rows = [
        (
            str(one.times),
            SEVERITIES[one.severity][style.lang],
            kind_called(one.code, style.lang),
            str(one.deals),
        )
        for one in told.findings
    ]
    return [head, *rows]


def _outcome(outcome: str, style: Style) -> str:
    return LABELS["open"][style.lang] if outcome == UNDECIDED else OUTCOMES[outcome][style.lang]


def _average(chips: int, paid: int, style: Style) -> str:
    """Chips a deal with their sign, and a comma in Danish; nothing where there is no deal."""
    value = average(chips, paid)
    if value is None:
        return ""
    sign = "+" if value > 0 else style.sign("−", "-") if value < 0 else ""
    text = f"{sign}{abs(value):.2f}"
    return text.replace(".", ",") if style.lang == "da" else text


def _narrowed(rows: Sequence[tuple[str, ...]], width: int) -> list[tuple[str, ...]]:
    """A table that has room in ``width``: where need be without outcomes that nothing had, names shorter."""
    if _over(rows, width) > 0:
        told = [number for number, (_, *counts) in enumerate(zip(*rows, strict=True)) if {*counts} != {"0"}]
        rows = [tuple(row[number] for number in told) for row in rows]
    over = _over(rows, width)
    room = max(cells(name) for name, *_ in rows) - max(over, 0)
    return [(clipped(name, max(room, SHORTEST)), *rest) for name, *rest in rows]


def _over(rows: Sequence[tuple[str, ...]], width: int) -> int:
    """By how many columns a table is too wide."""
    return max(map(cells, _indented(rows, right=()))) - width


def _indented(rows: Sequence[Sequence[str]], right: Sequence[int]) -> list[str]:
    return [INDENT + line for line in columns(rows, right)]
