"""``spadille validate``: what deals break, and what they pay."""

from collections.abc import Iterator
from dataclasses import dataclass

import click

from engine import Audit
from engine.diagnosis.conditions import with_conditions
from schemas.answers.reports import report_object
from service.cli.io import options
from service.cli.io.bulk import Source, run
from service.cli.io.deal_titles import title
from service.cli.io.inputs import Deal
from service.cli.io.output import Written, line_of, say, text_of
from service.cli.io.points import Point
from service.cli.io.safe_group import FAULTY, SOUND, UNREADABLE
from service.cli.io.work import Counts, Judging
from service.presentation.text import names
from service.presentation.text.findings import finding_lines
from service.presentation.text.layout import wrapped
from service.presentation.text.put_right import see_audit
from service.presentation.text.style import Style, style_here
from service.presentation.text.words import LABELS


@click.command(epilog="Example: spadille validate evening.jsonl")
@options.inputs
@options.output_format
@options.viewer
@options.rules
@options.jobs
@options.resume_after
@options.lang
@click.pass_context
def validate(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str,
    viewer: str,
    rules_files: tuple[str, ...],
    jobs: int,
    silent: bool,
    resume_after: Source | None,
    lang: str | None,
) -> None:
    """Say what deals break and what they pay.

    FILE is a log (JSON Lines or the notation), - for standard input, or a deal of the library.
    The exit status is 0 if no deal has a fault, 1 if one has, 2 if something could not be read.
    """
    style, book = style_here(lang), options.book_from(ctx, rules_files)
    work = Validating(Point(None, None, viewer, book), output == "text", style)
    ran = run(options.sources(ctx, files, resume_after), work, jobs, not silent)
    sound, faulty = ran.counts.get("sound", 0), ran.counts.get("faulty", 0)
    if output == "text" and sound + faulty > 1:
        counts = LABELS["deals"][style.lang].format(count=sound + faulty, sound=sound, faulty=faulty)
        say([counts], style)
    ctx.exit(UNREADABLE if ran.unreadable else FAULTY if faulty else SOUND)


@dataclass(frozen=True, slots=True)
class Validating(Judging):
    """What ``validate`` does with a deal: it reports, and counts it as sound or faulty."""

    style: Style

    def told(self, deal: Deal, audited: Audit) -> Iterator[Written]:
        """The report of a deal."""
        if self.plain:
            yield text_of(report_lines(deal, audited, self.style), self.style)
        else:
            yield line_of(report_object(audited, deal.file, deal.number))

    def counted(self, deal: Deal, audited: Audit) -> Counts:
        """Whether it is sound."""
        return {"sound" if audited.ok else "faulty": 1}


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
    yield from finding_lines(with_conditions(audited), style, "    ")
    if hint := see_audit(audited, style):
        yield from wrapped(hint, style.width, "    ")
