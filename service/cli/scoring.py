"""``spadille score``: what deals pay, and why."""

from collections.abc import Iterator

import click

from engine import Audit
from engine.vocabulary import Seq
from schemas.states import score_object
from service.cli import options
from service.cli.accounts import score_lines
from service.cli.endings import SOUND, UNREADABLE
from service.cli.headings import heading
from service.cli.inputs import Deal, Inputs
from service.cli.output import emit, say
from service.cli.points import Point, audits
from service.cli.style import Style, style_here


@click.command(epilog="Example: spadille score --lang da belinda")
@options.inputs
@options.output_format
@options.at
@options.known
@options.viewer
@options.rules
@options.lang
@click.pass_context
def score(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str,
    at: Seq | None,
    known: int | None,
    viewer: str,
    rules_files: tuple[str, ...],
    lang: str | None,
) -> None:
    """Say who pays whom, and why.

    FILE is a log as JSON Lines, - for standard input, or a deal of the library. With --at or
    --known it says what was decided then, and what was still possible.
    """
    inputs, style = Inputs(files), style_here(lang)
    for deal, audited in audits(
        inputs, Point(at, known, viewer, options.book_from(ctx, rules_files)), plain=output == "text"
    ):
        if output == "json":
            emit({"file": deal.file, "deal": deal.number, **score_object(audited.score)})
        else:
            say([*_lines(deal, audited, style), ""], style)
    ctx.exit(UNREADABLE if inputs.unreadable else SOUND)


def _lines(deal: Deal, audited: Audit, style: Style) -> Iterator[str]:
    yield from heading(deal, audited.state, style)
    yield from score_lines(audited.state, audited.score, style, tricks=True)
