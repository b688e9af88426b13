"""``spadille audit``: the report on a deal, for whoever has to judge it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import click

from engine import Entry, State, evolve
from engine.misprints import Misprints
from engine.report import Matter, Mended, Report, Settled, report
from engine.rulesets import Book
from engine.rulings import penalties, rulings
from schemas.audits import audit_object
from schemas.likely import likely_object
from schemas.pieces import PIECE
from service.cli import hands, options
from service.cli.accounts import score_lines
from service.cli.audit_files import Filing, Gathered, file_of
from service.cli.bulk import Source, run
from service.cli.endings import FAULTY, SOUND, UNREADABLE
from service.cli.findings import finding_lines, with_cards
from service.cli.headings import heading
from service.cli.inputs import Deal, Inputs
from service.cli.layout import wrapped
from service.cli.likely import Asked, Likely, likely, likely_lines
from service.cli.next_acts import next_act
from service.cli.output import Written, line_of, text_of, write, written_into
from service.cli.output import into as into_file
from service.cli.points import courses
from service.cli.replaying import told as course_told
from service.cli.report_words import REPORT
from service.cli.ruled import penalty_lines, ruling_lines
from service.cli.sentences import Telling, sentence
from service.cli.style import Style, style_here
from service.cli.targets import refuse_what_is_read
from service.cli.words import HEADINGS
from service.cli.work import Counts
from service.telling import told

INDENT: Final = "  "
PROPOSED: Final = 5
"""So many proposals are told, the likeliest first."""


@click.command(epilog="Example: spadille audit --lang da belinda-as-printed")
@options.inputs
@options.report_format
@into_file
@options.viewer
@options.rules
@click.option(
    "--deals",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Say what cards cost over N deals that can have been, where hands are hidden.",
)
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", default=1, help="Draw other deals.  [default: 1]"
)
@options.jobs
@options.after
@options.lang
@click.pass_context
def audit(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str,
    into: str | None,
    viewer: str,
    rules_files: tuple[str, ...],
    deals: int | None,
    seed: int,
    jobs: int,
    silent: bool,
    after: Source | None,
    lang: str | None,
) -> None:
    """Report on deals for whoever has to judge them.

    The course, what was found with the deal as it stood then and what was open, what was corrected and
    ruled, what the deal pays and what was paid. FILE is a log (JSON Lines or the notation), - for standard
    input, or a deal of the library. With --format html the reports are one file, to be printed and
    signed. The exit status is that of validate.
    """
    if after is not None and into not in (None, "-"):
        raise click.UsageError(
            "--after goes on behind what a broken run has written, and -o writes a file anew; leave -o out."
        )
    if deals is not None and output == "html":
        raise click.UsageError("--deals is told in text and JSON; leave it out, or the HTML.")
    asked = None if deals is None else Asked(deals, seed)
    refuse_what_is_read(into, (*files, *rules_files))
    book, style, sources = (
        options.book_from(ctx, rules_files),
        style_here(lang),
        options.sources(ctx, files, after),
    )
    if output == "html":
        gathered = Gathered()
        ran = run(sources, Filing(viewer, book, style.lang), jobs, not silent, gathered)
        if (made := file_of(gathered, style.lang)) is not None:
            write(ctx, made, into)
    elif into is None:
        ran = run(sources, Reporting(viewer, book, output == "text", style, asked), jobs, not silent)
    else:
        with written_into(ctx, into) as out:
            work = Reporting(viewer, book, output == "text", replace(style, colour=False), asked)
            ran = run(sources, work, jobs, not silent, out)
    ctx.exit(UNREADABLE if ran.unreadable else FAULTY if ran.counts.get("faulty", 0) else SOUND)


@dataclass(frozen=True, slots=True)
class Reporting:
    """What ``audit`` does with a deal: it reports, and counts it as sound or faulty.

    All of the report, also what was corrected, is made of what ``viewer`` may know.
    """

    viewer: str
    book: Book
    plain: bool
    style: Style
    asked: Asked | None = None
    piece: ClassVar[int] = PIECE
    with_tables: ClassVar[bool] = False

    def of(self, logs: Iterable[Deal], _: Inputs) -> Iterator[tuple[Iterable[Written], Counts]]:
        """The report of each deal."""
        for deal, course in courses(logs, self.viewer, self.plain):
            made = report(course, self.book)
            yield self._told(deal, made), {"sound" if made.audit.ok else "faulty": 1}

    def _told(self, deal: Deal, made: Report) -> Iterator[Written]:
        found = None if self.asked is None else likely(made.audit, self.asked)
        if self.plain:
            yield text_of([*_lines(deal, made, found, self.style), ""], self.style)
        else:
            report_told = audit_object(made)
            if found is not None:
                report_told["likely"] = likely_object(*found)
            yield line_of({"file": deal.file, "deal": deal.number, **report_told})


def _lines(deal: Deal, made: Report, found: Likely | None, style: Style) -> Iterator[str]:
    state, score = made.audit.state, made.audit.score
    yield from heading(deal, state, style)
    parts = _parts(made, state, style)
    if found is not None:
        said = likely_lines(found, made.audit, style)
        parts["likely"] = _all(wrapped(line, style.width, INDENT, INDENT * 2) for line in said)
    for part, lines in parts.items():
        if lines:
            yield from ("", style.bold(REPORT[part][style.lang]), *lines)
    yield from ["", style.bold(HEADINGS["score"][style.lang]), *score_lines(state, score, style, tricks=True)]


def _parts(made: Report, state: State, style: Style) -> dict[str, list[str]]:
    """The parts of the report by their headings, each in lines."""
    return {
        "course": list(course_told(made.audit.history, style, state.opening.book)),
        "matters": _all(_matter(one, style) for one in made.matters)
        or [INDENT + REPORT["nothing"][style.lang]],
        "misprints": list(_misprints(made.misprints, style)) if made.misprints is not None else [],
        "mendings": _all(_mended(one, state, style) for one in made.mended),
        "rulings": _all(_ruling(one, made, style) for one in made.rulings),
        "penalties": _all(
            wrapped(line, style.width, INDENT)
            for line in penalty_lines(penalties(made.audit), Telling(state, state, style))
        ),
        "settled": _all(_settled(one, state, style) for one in made.settled),
    }


def _all(told: Iterable[Iterable[str]]) -> list[str]:
    return [line for lines in told for line in lines]


def _matter(matter: Matter, style: Style) -> Iterator[str]:
    """The findings of an entry; then the hands before it, what was open, and what the card cost."""
    yield from finding_lines(matter.findings, style)
    if matter.before is None:
        return
    standing = hands.now(matter.before)
    if standing is not None and hands.any_known(standing):
        section = hands.hands_section("now", standing, matter.before, style)
        yield from (INDENT * 2 + line.text for line in section.lines)
    if matter.due is not None:
        yield from _told("open", style, what=next_act(matter.due, matter.before, style))
    if matter.played is not None and matter.played.told:
        yield from wrapped(told(matter.played.told, style.lang), style.width, INDENT * 2)


def _misprints(found: Misprints, style: Style) -> Iterator[str]:
    """What would make the record possible, the likeliest first, each with what would be corrected and why."""
    for number, one in enumerate(found.proposals[:PROPOSED], 1):
        reasons = " ".join(told(reason, style.lang) for reason in one.reasons)
        corrections = " ".join(told(correction.reason, style.lang) for correction in one.corrections)
        yield from wrapped(with_cards(corrections, style), style.width, f"{INDENT}{number}. ")
        yield from (
            style.dim(line) for line in wrapped(with_cards(reasons, style), style.width, INDENT * 2 + " ")
        )
    if not found.proposals:
        yield from _told("no_proposal", style)
    if (left := len(found.proposals) - PROPOSED) > 0:
        yield from _told("more_proposals", style, count=left)
    if not found.complete:
        yield from _told("not_all", style)


def _mended(mended: Mended, state: State, style: Style) -> Iterator[str]:
    """What was recorded, why it was corrected and by whom, and what stands there now."""
    yield from _said(mended.mending.entry, state, style)
    for line, entries in (("was", mended.mending.before), ("is", mended.since)):
        before = mended.before
        for one in entries:
            after = evolve(before, one)
            yield from _told(line, style, what=sentence(one, Telling(before, after, style)))
            before = after


def _said(entry: Entry, state: State, style: Style) -> Iterator[str]:
    """An entry in words, with who wrote it down and when."""
    what = sentence(entry, Telling(state, state, style))
    yield from wrapped(_line("entry", style, seq=entry.seq, what=what), style.width, INDENT)
    by, when = entry.record.recorded_by, entry.record.recorded_at or entry.record.stored_at
    marks = [REPORT["by"][style.lang].format(name=by)] if by else []
    marks += [when] if when else []
    if marks:
        yield from (style.dim(line) for line in wrapped(", ".join(marks), style.width, INDENT * 2))


def _ruling(entry: Entry, made: Report, style: Style) -> Iterator[str]:
    """What was said or ruled, and what a ruling changes of what the deal pays."""
    state = made.audit.state
    yield from _said(entry, state, style)
    for one in rulings(made.audit, state.opening.book):
        if one.seq == entry.seq:
            for line in ruling_lines(one, Telling(state, state, style)):
                yield from wrapped(line, style.width, INDENT * 2)


def _settled(settled: Settled, state: State, style: Style) -> Iterator[str]:
    """What was paid, and whether that is what is due."""
    yield from _said(settled.entry, state, style)
    if settled.parted is None:
        yield from _told("undecided", style)
    elif settled.parted:
        payments = Telling(state, state, style).chips(settled.parted)
        yield from _told("parted", style, payments=payments)
    else:
        yield from _told("right", style)


def _told(line: str, style: Style, **parts: object) -> list[str]:
    return wrapped(_line(line, style, **parts), style.width, INDENT * 2)


def _line(line: str, style: Style, **parts: object) -> str:
    """A line of the report; what it ends with may have a full stop of its own."""
    told = REPORT[line][style.lang].format(**parts)
    return told[:-1] if told.endswith("..") and not told.endswith("...") else told
