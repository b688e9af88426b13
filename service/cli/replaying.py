"""``spadille replay``: deals entry by entry."""

from collections.abc import Iterator

import click

from engine import History, State, evolve, start
from engine.rulesets import PUBLISHED, Book
from engine.vocabulary import Seq
from schemas.reports import frames
from service.cli import options
from service.cli.endings import SOUND, UNREADABLE
from service.cli.headings import heading
from service.cli.inputs import Inputs
from service.cli.layout import padded, wrapped
from service.cli.output import emit, say
from service.cli.points import Point, audits
from service.cli.sentences import Telling, sentence
from service.cli.style import Style, style_here


@click.command(epilog="Example: spadille replay --at 20 belinda")
@options.inputs
@options.output_format
@options.at
@options.known
@options.viewer
@options.rules
@options.lang
@click.pass_context
def replay(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str,
    at: Seq | None,
    known: int | None,
    viewer: str,
    rules_files: tuple[str, ...],
    lang: str | None,
) -> None:
    """Tell deals entry by entry, in words or as states.

    FILE is a log as JSON Lines, - for standard input, or a deal of the library. With --format
    json each line has the event, the state after it, what may happen next and the score.
    """
    inputs, style = Inputs(files), style_here(lang)
    for deal, audited in audits(
        inputs, Point(at, known, viewer, options.book_from(ctx, rules_files)), plain=output == "text"
    ):
        if output == "json":
            for frame in frames(audited.history, audited.state.opening.book):
                emit(frame)
        else:
            book = audited.state.opening.book
            say([*heading(deal, audited.state, style), *told(audited.history, style, book), ""], style)
    ctx.exit(UNREADABLE if inputs.unreadable else SOUND)


def told(history: History, style: Style, book: Book = PUBLISHED) -> Iterator[str]:
    """The entries in words, each with its number before it."""
    before: State = start(book)
    width = max((len(str(entry.seq)) for entry in history.entries), default=0) + 2
    for entry in history.entries:
        after = evolve(before, entry)
        number = padded(str(entry.seq), width, right=True) + "  "
        yield from wrapped(sentence(entry, Telling(before, after, style)), style.width, number)
        before = after
