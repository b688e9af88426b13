"""The report on a table for people, and what ``audit`` does with the tables among its files."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from engine import view
from engine.core.log import Log
from engine.rulesets import Book
from engine.scoring.payments import Chips
from engine.tables.faults import Fault
from engine.tables.report import TableReport, table_report
from engine.tables.rescoring import Other, Rescoring, rescored
from schemas.answers.table_audits import table_audit_object
from schemas.rulesets.other_rules import written_other
from service.cli.io.deal_titles import place
from service.cli.io.inputs import STANDARD_INPUT, Deal, is_table
from service.cli.io.safe_group import tell
from service.cli.io.terminal_text import printable, readable
from service.presentation.i18n.translate import told
from service.presentation.text.findings import finding_lines, with_cards
from service.presentation.text.layout import columns, wrapped
from service.presentation.text.mistakes import FOLLOWING
from service.presentation.text.names import listed
from service.presentation.text.style import Style
from service.presentation.text.table_report_words import TABLE_REPORT
from service.presentation.text.tables import following_told, on_condition_told, parting_told
from service.presentation.text.words import LABELS, LEDGER
from service.records.gather_logs import Evening, gathered
from service.records.points import VIEWERS

INDENT: Final = "  "


def tables_among(logs: Iterable[Deal], book: Book) -> list[Evening[Deal]]:
    """The tables among what was read, each with its deals; a deal that is there twice is told."""
    found = gathered(logs, book)
    for one in found.twice:
        tell(f"{place(one)}: this deal is here twice; the first one counts at its table.")
    return found.evenings


def without_tables(logs: Iterable[Deal], counted: Counter[str]) -> Iterator[Deal]:
    """The deals among ``logs``; the logs of tables are only ``counted``."""
    for one in logs:
        if is_table(one):
            counted["tables"] += 1
        else:
            yield one


class TableAudits:
    """The reports of tables as ``viewer`` may know them, by the rulesets of ``book``.

    ``other``: the rules by which they are counted once more, where some are asked for.
    """

    def __init__(self, viewer: str, book: Book, other: Other | None) -> None:
        self.viewer, self.book, self.other = viewer, book, other

    def lines(self, evening: Evening[Deal], style: Style) -> tuple[bool, list[str]]:
        """Whether a table is sound, and its report for people."""
        made, rescoring = self._made(evening, plain=True)
        called = table_title(evening, style)
        return made.ok, report_lines(made, called, style, self.other, rescoring)

    def object(self, evening: Evening[Deal]) -> tuple[bool, dict[str, Any]]:
        """Whether a table is sound, and its report for programs."""
        made, rescoring = self._made(evening, plain=False)
        told = table_audit_object(made, str, self.other, rescoring)
        return made.ok, {"file": evening.log.file, "table": evening.log.number, **told}

    def report(self, evening: Evening[Deal]) -> TableReport:
        """The report on a table."""
        return self._made(evening, plain=False)[0]

    def _made(self, evening: Evening[Deal], *, plain: bool) -> tuple[TableReport, Rescoring | None]:
        log = self.known(evening.log.log, plain=plain)
        deals = {name: self.known(deal.log, plain=plain) for name, deal in evening.deals.items()}
        made = table_report(log, deals, self.book)
        assert made is not None  # the log is one of a table, which says how it was opened
        return made, None if self.other is None else rescored(log, deals, self.other, self.book)

    def known(self, log: Log, *, plain: bool) -> Log:
        """What the viewer may know of a log; ``plain`` makes its texts fit for a terminal."""
        return view(readable(log) if plain else log, VIEWERS[self.viewer])


def table_title(evening: Evening[Deal], style: Style) -> str:
    """What a table is called: its title, else the file it stands in."""
    opened, file = evening.table.opened, evening.log.file
    if opened.title or file == STANDARD_INPUT:
        return opened.title or LEDGER["table"][style.lang]
    return LEDGER["table_in"][style.lang].format(file=printable(file))


def report_lines(
    made: TableReport,
    title: str,
    style: Style,
    other: Other | None = None,
    rescoring: Rescoring | None = None,
) -> list[str]:
    """The report on a table, line by line; ``rescoring`` is the evening under the ``other`` rules."""
    lines = [style.bold(line) for line in wrapped(title, style.width)]
    lines += wrapped(_about(made, style), style.width)
    sections = {
        _word("faults", style): list(_faults(made, style)),
        _word("settlements", style): list(_settlements(made, style)),
    }
    if other is not None and rescoring is not None:
        heading = _word("rescored", style).format(rules=written_other(other))
        sections[heading] = list(_rescored(rescoring, style))
    for heading, told_there in sections.items():
        lines += ["", style.bold(heading), *(INDENT + line if line else line for line in told_there)]
    return lines


def _about(made: TableReport, style: Style) -> str:
    """The rules, who sits there, how many deals there were."""
    table = made.table
    rules = table.rules.ruleset.words[style.lang] if table.rules.known else table.opened.ruleset
    count = len(made.deals)
    deals = _word("deal" if count == 1 else "deals", style).format(count=count)
    return style.sign(" · ", " - ").join((rules, ", ".join(made.ledger.players), deals))


# --- What is wrong ----------------------------------------------------------------------------------


def _faults(made: TableReport, style: Style) -> Iterator[str]:
    """Each fault under its deal, with what follows from it."""
    narrow = replace(style, width=style.width - len(INDENT))
    numbers = {one.line.deal: one.line.number for one in made.deals}
    under: str | None = ""
    for fault in made.faults:
        if fault.deal != under:
            under = fault.deal
            yield _place(under, numbers, style)
        yield from finding_lines((fault.finding,), narrow, INDENT)
        yield from _put_right(fault, narrow)
        for one in fault.instead:
            instead = with_cards(told(one.finding.message, style.lang), style)
            yield from (style.dim(line) for line in wrapped(instead, narrow.width, INDENT * 2))
        yield from _follows(fault, numbers, narrow)
    if not made.faults:
        yield _word("nothing", style)


def _place(deal: str | None, numbers: dict[str | None, int | None], style: Style) -> str:
    if deal is None:
        return _word("own", style)
    return LABELS["deal"][style.lang].format(number=numbers.get(deal, deal))


def _put_right(fault: Fault, style: Style) -> list[str]:
    """Which entries a correction would put right."""
    seqs = [LABELS["entry"][style.lang].format(seq=seq) for one in fault.corrections for seq in one.replaces]
    if not seqs:
        return []
    sentence = _word("put_right", style).format(entries=listed(seqs, style))
    return [style.dim(line) for line in wrapped(sentence, style.width, INDENT * 2)]


def _follows(fault: Fault, numbers: dict[str | None, int | None], style: Style) -> Iterator[str]:
    if not fault.follows:
        return
    yield style.dim(INDENT * 2 + _word("follows", style))
    for one in fault.follows[:FOLLOWING]:
        sentence = following_told(one, fault, numbers, style)
        yield from (style.dim(line) for line in wrapped(sentence, style.width, INDENT * 3))
    if (left := len(fault.follows) - FOLLOWING) > 0:
        yield style.dim(INDENT * 3 + _word("more", style).format(count=left))


# --- What was paid ----------------------------------------------------------------------------------


def _settlements(made: TableReport, style: Style) -> Iterator[str]:
    """The first deal in which what was paid is not what is due, and all such deals."""
    if made.first is None:
        yield from wrapped(_word("agree", style), style.width - len(INDENT))
    else:
        sentence = _word("first", style).format(
            number=made.first.line.number, apart=parting_told(made.first, style)
        )
        yield from wrapped(sentence, style.width - len(INDENT))
    apart = [(str(one.line.number), one.apart) for one in made.deals if one.apart]
    if apart:
        rows = [*apart, (_word("in_all", style), made.apart)]
        yield from ("", _word("apart", style), *_by_player(rows, made.ledger.players, style))
    if condition := on_condition_told(made, style):
        yield from ("", *wrapped(condition, style.width - len(INDENT)))
    undecided = sum(one.judged is not None and not one.judged.score.decided for one in made.deals)
    yield from _counted("undecided", undecided, style)
    yield from _counted("not_here", sum(one.judged is None for one in made.deals), style)


def _counted(word: str, count: int, style: Style) -> list[str]:
    """A sentence about so many deals; none where there are none."""
    if not count:
        return []
    sentence = _word(f"one_{word}" if count == 1 else word, style).format(count=count)
    return wrapped(sentence, style.width - len(INDENT))


def _by_player(rows: list[tuple[str, Chips]], players: Iterable[str], style: Style) -> Iterator[str]:
    """Rows of chips, a column for each player."""
    there = [player for _, chips in rows for player, _ in chips]
    names = [player for player in dict.fromkeys((*players, *there)) if player in there]
    head = ("", *names)
    body = [(what, *(style.chips(dict(chips).get(name, 0)) for name in names)) for what, chips in rows]
    for line in columns([head, *body], right=range(1, len(head))):
        yield INDENT + line


# --- By other rules ---------------------------------------------------------------------------------


def _rescored(rescoring: Rescoring, style: Style) -> Iterator[str]:
    """Per player what it would have been; then the deals that pay otherwise."""
    left_open = [str(one.before.number) for one in rescoring.deals if one.difference is None]
    if left_open and len(left_open) == len(rescoring.deals):
        sentence = _word("none_comparable", style).format(deals=", ".join(left_open))
        yield from wrapped(sentence, style.width - len(INDENT))
        return
    before, after = dict(rescoring.before.totals), dict(rescoring.after.totals)
    head = ("", _word("was", style), _word("would", style), _word("difference", style))
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
    yield from columns([head, *rows], right=(1, 2, 3))
    changed = [(str(one.before.number), one.difference) for one in rescoring.deals if one.difference]
    yield ""
    if changed:
        yield _word("changed", style)
        yield from _by_player(changed, before, style)
    else:
        yield _word("none_changed", style)
    if left_open:
        sentence = _word("open_there", style).format(deals=", ".join(left_open))
        yield from wrapped(sentence, style.width - len(INDENT))


def _word(key: str, style: Style) -> str:
    return TABLE_REPORT[key][style.lang]
