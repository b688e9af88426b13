"""``spadille validate``: what deals break, and what they pay."""

from collections.abc import Iterator
from typing import Any

import click

from engine.diagnosis.finding_caveats import add_caveats
from service.cli.io import options
from service.cli.io.deals import deal_title
from service.cli.io.inputs import InputLog
from service.cli.io.output import print_lines
from service.presentation.text import names
from service.presentation.text.findings import audit_hint, finding_lines
from service.presentation.text.layout import wrap_text
from service.presentation.text.style import TextStyle
from service.records.deal_points import DealPoint


@click.command(epilog="Example: spadille validate evening.jsonl")
@options.output_format
@options.viewer
@options.rules
@options.bulk
@options.style
@options.deal_run
def validate(run: options.DealRun) -> int:
    """Check deals against the rules, and score them.

    FILE is a log (JSON Lines or the notation), the name of a library deal, or - for standard input. The exit
    status is 0 if no deal has a fault, 1 if one has, and 2 if something could not be read.
    """
    result = run.process_deals(validation_lines, validation_objects)
    sound_count, faulty_count = result.counts.get("sound", 0), result.counts.get("faulty", 0)
    if run.for_terminal and sound_count + faulty_count > 1:
        counts = run.style.phrase(
            "{count} deals: {sound} without faults, {faulty} with",
            count=sound_count + faulty_count,
            sound=sound_count,
            faulty=faulty_count,
        )
        print_lines([counts], run.style)
    return result.verdict_status


def validation_objects(deal: InputLog, point: DealPoint) -> Iterator[dict[str, Any]]:
    """The report on a deal for programs."""
    from schemas.answers.deal_reports import report_object  # it takes a while to load

    yield report_object(point.audit, deal.file, deal.number)


def validation_lines(deal: InputLog, point: DealPoint, style: TextStyle) -> Iterator[str]:
    """A deal in a line (whether it is sound, title, rules, result), then its findings."""
    audited, state = point.audit, point.audit.state
    sign = style.sound(style.sign("✓", "ok")) if audited.ok else style.faulty(style.sign("✗", "x"))
    parts = (
        style.bold(deal_title(deal, state, style)),
        names.ruleset_name(state, style),
        names.result_phrase(state, audited.score, style),
    )
    yield from wrap_text(style.sign(" · ", " - ").join(parts), style.width, f"{sign} ", "  ")
    yield from finding_lines(add_caveats(audited), style, "    ")
    if hint := audit_hint(audited, style):
        yield from wrap_text(hint, style.width, "    ")
