"""``spadille score``: what deals pay, and why."""

from collections.abc import Iterator
from typing import Any

import click

from engine import Audit
from engine.play.findings import FAULT_SEVERITIES
from schemas.answers.states import score_object
from service.cli.io import options
from service.cli.io.deals import deal_title_lines
from service.cli.io.inputs import InputLog
from service.presentation.text.findings import audit_hint, finding_message
from service.presentation.text.layout import INDENT, wrap_text
from service.presentation.text.score_lines import score_lines
from service.presentation.text.style import TextStyle
from service.records.deal_points import DealPoint


@click.command(epilog="Example: spadille score --lang da belinda")
@options.output_format
@options.point
@options.rules
@options.bulk
@options.style
@options.deal_run
def score(run: options.DealRun) -> int:
    """Score deals: who pays whom, and why.

    FILE is a log (JSON Lines or the notation), the name of a library deal, or - for standard input. With --at
    or --as-of it shows what was decided then, and what was still possible. The exit status is 1 if validate
    finds a fault in a deal.
    """
    return run.process_deals(_score_lines, _score_objects).verdict_status


def _score_lines(deal: InputLog, point: DealPoint, style: TextStyle) -> Iterator[str]:
    audited = point.audit
    yield from deal_title_lines(deal, audited.state, style)
    yield from score_lines(audited.state, audited.score, style, with_tricks=True)
    if fault := _fault_sentence(audited, style):
        yield from ("", *wrap_text(fault, style.width, INDENT + style.faulty(style.sign("✗ ", "x "))))
    if hint := audit_hint(audited, style):
        yield from ("", *wrap_text(hint, style.width, INDENT))
    yield ""


def _fault_sentence(audited: Audit, style: TextStyle) -> str:
    """The first thing that validate would report as a fault, and how many more there are."""
    faults = [one for one in audited.findings if one.severity in FAULT_SEVERITIES]
    if not faults:
        return ""
    sentence = finding_message(faults[0], style)
    more = len(faults) - 1
    return f"{sentence} {style.phrase('Faults in all: {count}.', count=more + 1)}" if more else sentence


def _score_objects(deal: InputLog, point: DealPoint) -> Iterator[dict[str, Any]]:
    fault = _fault_sentence(point.audit, TextStyle())
    stated = {"fault": fault} if fault else {}
    yield {"file": deal.file, "deal": deal.number, **score_object(point.audit.score), **stated}
