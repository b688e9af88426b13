"""Reports on deals and tables as one file of HTML, to be signed: ``spadille audit --format html``."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

import click

from engine.report import report
from engine.rulesets import Book
from schemas.logs.pieces import PIECE
from service.cli.io.deal_titles import place
from service.cli.io.inputs import Deal, Inputs
from service.cli.io.output import Written, write
from service.cli.io.points import courses, of_size
from service.cli.io.work import Counts
from service.cli.views.table_reports import TableAudits, table_title, without_tables
from service.presentation.i18n.dates import day_called
from service.presentation.text.style import Style
from service.records.gather_logs import Evening


class Gathered:
    """Takes what a run writes, report by report, until all of it is there."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        """Keeps what is written."""
        self._parts.append(part)
        return len(part)

    def isatty(self) -> bool:
        """Nobody sees it yet."""
        return False

    def articles(self) -> list[str]:
        """The reports, each as a part of the file."""
        return b"".join(self._parts).decode().split(_END)[:-1]


_END = "\0"
"""Behind each report: it stands in no text of a log."""


@dataclass(frozen=True, slots=True)
class Filing:
    """What ``audit`` does with a deal for such a file: it reports, and counts it as sound or faulty.

    A table's log is counted only: its report takes all of its deals. ``whole``: whether the file has the
    reports on all deals that are read, so that a table's can lead to them.
    """

    viewer: str
    book: Book
    lang: str
    whole: bool
    piece: ClassVar[int] = PIECE
    with_tables: ClassVar[bool] = True

    def of(self, logs: Iterable[Deal], inputs: Inputs) -> Iterator[tuple[Iterable[Written], Counts]]:
        """The report of each deal, as a part of the file."""
        # What draws pages takes a while to load; most commands do without it.
        from service.http.web.report_file import article_html
        from service.presentation.reports.article import About
        from service.presentation.reports.vouching import unvouched

        tables = Counter[str]()
        deals = courses(without_tables(logs, tables), self.viewer, plain=False)
        for deal, course in of_size(deals, inputs.refuse):
            made = report(course, self.book)
            vouching = unvouched(course, place(deal, Style(self.lang)))
            told = article_html(made, self.lang, About(vouching), f"{vouching.digest[:8]}-")
            yield [told + _END], {"sound" if made.audit.ok else "faulty": 1}
        yield (), tables

    def of_table(self, evening: Evening[Deal]) -> tuple[bool, Written]:
        """Whether a table is sound, and its report, as a part of the file."""
        from service.http.web.report_file import START, evening_html
        from service.presentation.reports.evening import AboutTable
        from service.presentation.reports.vouching import unvouched

        audits = TableAudits(self.viewer, self.book, None)
        made, record = audits.report(evening), evening.log.log[0].record

        def begins(deal: Deal) -> str:
            return f"{unvouched(audits.known(deal.log, plain=False), '').digest[:8]}-"

        when = record.recorded_at or record.stored_at
        about = AboutTable(
            table_title(evening, Style(self.lang)),
            day_called(when, self.lang) if when else "",
            address=(lambda name: f"#{begins(evening.deals[name])}{START}") if self.whole else None,
        )
        return made.ok, evening_html(made, self.lang, about, begins(evening.log)) + _END


@contextmanager
def filed(ctx: click.Context, into: str | None, lang: str) -> Iterator[Gathered]:
    """Gathers reports, and then writes the file with all of them; none where there is none."""
    from service.http.web.report_file import file_html

    gathered = Gathered()
    yield gathered
    if articles := gathered.articles():
        write(ctx, file_html(articles, lang).encode(), into)
