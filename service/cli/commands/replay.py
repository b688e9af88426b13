"""``spadille replay``: deals entry by entry."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import click

from engine import Audit, History, State, evolve, start
from engine.core.vocabulary import Seq
from engine.rulesets import PUBLISHED, Book
from schemas.answers.reports import frames
from service.cli.io import options
from service.cli.io.bulk import Source, run
from service.cli.io.deal_titles import heading
from service.cli.io.inputs import Deal
from service.cli.io.output import Written, line_of, text_of
from service.cli.io.points import Point
from service.cli.io.safe_group import SOUND, UNREADABLE
from service.cli.io.work import Judging
from service.presentation.text.layout import padded, wrapped
from service.presentation.text.sentences import Telling, sentence
from service.presentation.text.style import Style, style_here


@click.command(epilog="Example: spadille replay --at 20 belinda")
@options.inputs
@options.output_format
@options.at
@options.as_of
@options.viewer
@options.rules
@options.jobs
@options.resume_after
@options.lang
@click.pass_context
def replay(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str,
    at: Seq | None,
    as_of: int | None,
    viewer: str,
    rules_files: tuple[str, ...],
    jobs: int,
    silent: bool,
    resume_after: Source | None,
    lang: str | None,
) -> None:
    """Tell deals entry by entry, in words or as states.

    FILE is a log (JSON Lines or the notation), - for standard input, or a deal of the library.
    With --format json each line has the event, the state after it, what may happen next and the
    score.
    """
    point = Point(at, as_of, viewer, options.book_from(ctx, rules_files))
    work = Replaying(point, output == "text", style_here(lang))
    ran = run(options.sources(ctx, files, resume_after), work, jobs, not silent)
    ctx.exit(UNREADABLE if ran.unreadable else SOUND)


@dataclass(frozen=True, slots=True)
class Replaying(Judging):
    """What ``replay`` does with a deal. Its answer is many times as long as the deal, so pieces are small."""

    style: Style
    piece: ClassVar[int] = 64 << 10

    def told(self, deal: Deal, audited: Audit) -> Iterator[Written]:
        """The deal, entry by entry."""
        state, style = audited.state, self.style
        book = state.opening.book
        if self.plain:
            yield text_of([*heading(deal, state, style), *told(audited.history, style, book), ""], style)
        else:
            yield from map(line_of, frames(audited.history, book))


def told(history: History, style: Style, book: Book = PUBLISHED) -> Iterator[str]:
    """The entries in words, each with its number before it."""
    before: State = start(book)
    width = max((len(str(entry.seq)) for entry in history.entries), default=0) + 2
    for entry in history.entries:
        after = evolve(before, entry)
        number = padded(str(entry.seq), width, right=True) + "  "
        yield from wrapped(sentence(entry, Telling(before, after, style)), style.width, number)
        before = after
