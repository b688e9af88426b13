"""``spadille validate``: what deals break, and what they pay."""

from collections.abc import Iterator
from dataclasses import dataclass

import click

from engine import Audit
from engine.diagnosis.finding_caveats import add_caveats
from schemas.answers.deal_reports import report_object
from service.cli.io import options
from service.cli.io.audited_deals import PointOptions
from service.cli.io.bulk_run import InputSource, process_sources
from service.cli.io.deal_titles import deal_title
from service.cli.io.inputs import InputLog
from service.cli.io.log_processor import Counts, DealProcessor
from service.cli.io.output import OutputData, format_json_line, format_lines, print_lines
from service.cli.io.safe_group import EXIT_FAULTY, EXIT_SOUND, EXIT_UNREADABLE
from service.presentation.text import names
from service.presentation.text.findings import finding_lines
from service.presentation.text.layout import wrap_text
from service.presentation.text.style import TextStyle
from service.presentation.text.suggestions import audit_hint


@click.command(epilog="Example: spadille validate evening.jsonl")
@options.inputs
@options.output_format
@options.viewer
@options.rules
@options.jobs
@options.resume_after
@options.style
@click.pass_context
def validate(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str,
    viewer: str,
    rules_files: tuple[str, ...],
    jobs: int,
    silent: bool,
    resume_after: InputSource | None,
    style: TextStyle,
) -> None:
    """Say what deals break and what they pay.

    FILE is a log (JSON Lines or the notation), - for standard input, or a deal of the library.
    The exit status is 0 if no deal has a fault, 1 if one has, 2 if something could not be read.
    """
    book = options.load_rule_book(rules_files)
    processor = ValidateProcessor(PointOptions(None, None, viewer, book), output == "text", style)
    result = process_sources(options.build_sources(files, resume_after), processor, jobs, not silent)
    sound_count, faulty_count = result.counts.get("sound", 0), result.counts.get("faulty", 0)
    if output == "text" and sound_count + faulty_count > 1:
        counts = style.phrase(
            "{count} deals: {sound} without fault, {faulty} with",
            count=sound_count + faulty_count,
            sound=sound_count,
            faulty=faulty_count,
        )
        print_lines([counts], style)
    ctx.exit(EXIT_UNREADABLE if result.has_unreadable else EXIT_FAULTY if faulty_count else EXIT_SOUND)


@dataclass(frozen=True, slots=True)
class ValidateProcessor(DealProcessor):
    """What ``validate`` does with a deal: it reports, and counts it as sound or faulty."""

    style: TextStyle

    def render(self, deal: InputLog, audited: Audit) -> Iterator[OutputData]:
        """The report of a deal."""
        if self.for_terminal:
            yield format_lines(validation_lines(deal, audited, self.style), self.style)
        else:
            yield format_json_line(report_object(audited, deal.file, deal.number))

    def count(self, deal: InputLog, audited: Audit) -> Counts:
        """Whether it is sound."""
        return {"sound" if audited.ok else "faulty": 1}


def validation_lines(deal: InputLog, audited: Audit, style: TextStyle) -> Iterator[str]:
    """A deal in a line — whether it is sound, title, rules, result — and what was found in it."""
    state = audited.state
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
