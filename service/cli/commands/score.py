"""``spadille score``: what deals pay, and why."""

from collections.abc import Iterator
from dataclasses import dataclass

import click

from engine import Audit
from engine.core.field_types import Seq
from schemas.answers.states import score_object
from service.cli.io import options
from service.cli.io.audited_deals import PointOptions
from service.cli.io.bulk_run import InputSource, process_sources
from service.cli.io.deal_titles import deal_title_lines
from service.cli.io.inputs import InputLog
from service.cli.io.log_processor import DealProcessor
from service.cli.io.output import OutputData, format_json_line, format_lines
from service.cli.io.safe_group import EXIT_SOUND, EXIT_UNREADABLE
from service.presentation.text.layout import wrap_text
from service.presentation.text.score_lines import INDENT, score_lines
from service.presentation.text.style import TextStyle
from service.presentation.text.suggestions import audit_hint


@click.command(epilog="Example: spadille score --lang da belinda")
@options.inputs
@options.output_format
@options.at
@options.as_of
@options.viewer
@options.rules
@options.jobs
@options.resume_after
@options.style
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
    resume_after: InputSource | None,
    style: TextStyle,
) -> None:
    """Say who pays whom, and why.

    FILE is a log (JSON Lines or the notation), - for standard input, or a deal of the library.
    With --at or --as-of it says what was decided then, and what was still possible.
    """
    point = PointOptions(at, as_of, viewer, options.load_rule_book(rules_files))
    processor = ScoreProcessor(point, output == "text", style)
    result = process_sources(options.build_sources(files, resume_after), processor, jobs, not silent)
    ctx.exit(EXIT_UNREADABLE if result.has_unreadable else EXIT_SOUND)


@dataclass(frozen=True, slots=True)
class ScoreProcessor(DealProcessor):
    """What ``score`` does with a deal."""

    style: TextStyle

    def render(self, deal: InputLog, audited: Audit) -> Iterator[OutputData]:
        """What the deal pays, and why."""
        if self.for_terminal:
            yield format_lines([*_deal_score_lines(deal, audited, self.style), ""], self.style)
        else:
            yield format_json_line({"file": deal.file, "deal": deal.number, **score_object(audited.score)})


def _deal_score_lines(deal: InputLog, audited: Audit, style: TextStyle) -> Iterator[str]:
    yield from deal_title_lines(deal, audited.state, style)
    yield from score_lines(audited.state, audited.score, style, with_tricks=True)
    if hint := audit_hint(audited, style):
        yield from ("", *wrap_text(hint, style.width, INDENT))
