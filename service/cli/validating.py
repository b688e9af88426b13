"""``spadille validate``: what deals break, and what they pay."""

from collections.abc import Iterator

import click

from engine import Audit
from schemas.reports import report_object
from service.cli import names, options
from service.cli.endings import FAULTY, SOUND, UNREADABLE
from service.cli.findings import finding_lines
from service.cli.headings import title
from service.cli.inputs import Deal, Inputs
from service.cli.layout import wrapped
from service.cli.output import emit, say
from service.cli.points import Point, audits
from service.cli.style import Style, style_here
from service.cli.words import LABELS


@click.command(epilog="Example: spadille validate evening.jsonl")
@options.inputs
@options.output_format
@options.viewer
@options.rules
@options.lang
@click.pass_context
def validate(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str,
    viewer: str,
    rules_files: tuple[str, ...],
    lang: str | None,
) -> None:
    """Say what deals break and what they pay.

    FILE is a log as JSON Lines, - for standard input, or a deal of the library. The exit status
    is 0 if no deal has a fault, 1 if one has, 2 if something could not be read.
    """
    inputs, style = Inputs(files), style_here(lang)
    point = Point(None, None, viewer, options.book_from(ctx, rules_files))
    sound = faulty = 0
    for deal, audited in audits(inputs, point, plain=output == "text"):
        sound, faulty = sound + audited.ok, faulty + (not audited.ok)
        if output == "json":
            emit(report_object(audited, deal.file, deal.number))
        else:
            say(report_lines(deal, audited, style), style)
    if output == "text" and sound + faulty > 1:
        counts = LABELS["deals"][style.lang].format(count=sound + faulty, sound=sound, faulty=faulty)
        say([counts], style)
    ctx.exit(UNREADABLE if inputs.unreadable else FAULTY if faulty else SOUND)


def report_lines(deal: Deal, audited: Audit, style: Style) -> Iterator[str]:
    """A deal in a line — whether it is sound, title, rules, result — and what was found in it."""
    state = audited.state
    sign = style.sound(style.sign("✓", "ok")) if audited.ok else style.faulty(style.sign("✗", "x"))
    told = (
        style.bold(title(deal, state, style)),
        names.ruleset(state, style),
        names.result(state, audited.score, style),
    )
    yield from wrapped(style.sign(" · ", " - ").join(told), style.width, f"{sign} ", "  ")
    yield from finding_lines(audited.findings, style, "    ")
