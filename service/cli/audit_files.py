"""Reports on deals as one file of HTML, to be read, printed and signed: ``spadille audit --format html``."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from engine.report import report
from engine.rulesets import Book
from schemas.pieces import PIECE
from service.cli.headings import place
from service.cli.inputs import Deal, Inputs
from service.cli.output import Written
from service.cli.points import courses
from service.cli.style import Style
from service.cli.work import Counts


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
    """What ``audit`` does with a deal for such a file: it reports, and counts it as sound or faulty."""

    viewer: str
    book: Book
    lang: str
    piece: ClassVar[int] = PIECE
    with_tables: ClassVar[bool] = False

    def of(self, logs: Iterable[Deal], _: Inputs) -> Iterator[tuple[Iterable[Written], Counts]]:
        """The report of each deal, as a part of the file."""
        # What draws pages takes a while to load; most commands do without it.
        from service.reporting.article import About
        from service.reporting.file import article_html
        from service.reporting.vouching import unvouched

        for deal, course in courses(logs, self.viewer, plain=False):
            made = report(course, self.book)
            vouching = unvouched(course, place(deal, Style(self.lang)))
            told = article_html(made, self.lang, About(vouching), f"{vouching.digest[:8]}-")
            yield [told + _END], {"sound" if made.audit.ok else "faulty": 1}


def file_of(gathered: Gathered, lang: str) -> bytes | None:
    """The file with all reports that were gathered; None where there is none."""
    from service.reporting.file import file_html

    articles = gathered.articles()
    return file_html(articles, lang).encode() if articles else None
