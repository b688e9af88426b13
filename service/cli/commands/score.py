"""``spadille score``: what deals pay, and why."""

from collections.abc import Iterator
from typing import Any

import click

from engine import Audit
from schemas.answers.states import score_object
from service.cli.io import options
from service.cli.io.bulk_run import DealProcessor
from service.cli.io.deals import deal_title_lines
from service.cli.io.inputs import InputLog
from service.presentation.text.findings import audit_hint
from service.presentation.text.layout import wrap_text
from service.presentation.text.score_lines import INDENT, score_lines
from service.presentation.text.style import TextStyle


@click.command(epilog="Example: spadille score --lang da belinda")
@options.output_format
@options.point
@options.rules
@options.bulk
@options.style
@options.deal_run
def score(run: options.DealRun) -> int:
    """Say who pays whom, and why.

    FILE is a log (JSON Lines or the notation), - for standard input, or a deal of the library.
    With --at or --as-of it says what was decided then, and what was still possible.
    """
    processor = DealProcessor(run.load_point(), run.for_terminal, run.style, _score_lines, _score_objects)
    return run.process(processor).exit_status


def _score_lines(deal: InputLog, audited: Audit, style: TextStyle) -> Iterator[str]:
    yield from deal_title_lines(deal, audited.state, style)
    yield from score_lines(audited.state, audited.score, style, with_tricks=True)
    if hint := audit_hint(audited, style):
        yield from ("", *wrap_text(hint, style.width, INDENT))
    yield ""


def _score_objects(deal: InputLog, audited: Audit) -> Iterator[dict[str, Any]]:
    yield {"file": deal.file, "deal": deal.number, **score_object(audited.score)}
