"""``spadille score``: what deals pay, and why."""

from collections.abc import Iterator
from dataclasses import dataclass

import click

from engine import Audit
from engine.core.vocabulary import Seq
from schemas.answers.states import score_object
from service.cli.io import options
from service.cli.io.bulk import Source, run
from service.cli.io.deal_titles import heading
from service.cli.io.inputs import Deal
from service.cli.io.output import Written, line_of, text_of
from service.cli.io.points import Point
from service.cli.io.safe_group import SOUND, UNREADABLE
from service.cli.io.work import Judging
from service.presentation.text.accounts import INDENT, score_lines
from service.presentation.text.layout import wrapped
from service.presentation.text.put_right import see_audit
from service.presentation.text.style import Style, style_here


@click.command(epilog="Example: spadille score --lang da belinda")
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
def score(
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
    """Say who pays whom, and why.

    FILE is a log (JSON Lines or the notation), - for standard input, or a deal of the library.
    With --at or --as-of it says what was decided then, and what was still possible.
    """
    point = Point(at, as_of, viewer, options.book_from(ctx, rules_files))
    work = Scoring(point, output == "text", style_here(lang))
    ran = run(options.sources(ctx, files, resume_after), work, jobs, not silent)
    ctx.exit(UNREADABLE if ran.unreadable else SOUND)


@dataclass(frozen=True, slots=True)
class Scoring(Judging):
    """What ``score`` does with a deal."""

    style: Style

    def told(self, deal: Deal, audited: Audit) -> Iterator[Written]:
        """What the deal pays, and why."""
        if self.plain:
            yield text_of([*_lines(deal, audited, self.style), ""], self.style)
        else:
            yield line_of({"file": deal.file, "deal": deal.number, **score_object(audited.score)})


def _lines(deal: Deal, audited: Audit, style: Style) -> Iterator[str]:
    yield from heading(deal, audited.state, style)
    yield from score_lines(audited.state, audited.score, style, tricks=True)
    if hint := see_audit(audited, style):
        yield from ("", *wrapped(hint, style.width, INDENT))
