"""``spadille audit``: the report on a deal, for whoever has to judge it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import click

from engine import Entry, State, evolve, fold_all, start
from engine.core.log import Log
from engine.core.vocabulary import Seq
from engine.diagnosis.misprints import Misprints, grouped
from engine.inference.unseen import unseen
from engine.report import Matter, Mended, Report, Settled, report
from engine.rulesets import Book
from engine.rulings import penalties, rulings
from engine.tables.rescoring import Other, score_under, under
from schemas.answers.audits import audit_object
from schemas.answers.likely import likely_object
from schemas.answers.states import score_object
from schemas.logs.deal_size import DealTooLarge
from schemas.logs.pieces import PIECE
from schemas.rulesets.other_rules import written_other
from service.cli.commands.hidden_cards import unseen_lines
from service.cli.commands.replay import told as course_told
from service.cli.io import options
from service.cli.io.bulk import Source, run
from service.cli.io.deal_titles import heading, place
from service.cli.io.inputs import Deal, Inputs
from service.cli.io.output import Out, Written, line_of, text_of, written_into
from service.cli.io.output import into as into_file
from service.cli.io.points import courses, of_size
from service.cli.io.safe_group import FAULTY, SOUND, UNREADABLE
from service.cli.io.standard_input import kept_input
from service.cli.io.targets import refuse_what_is_read
from service.cli.io.work import Counts
from service.cli.views.audit_files import Filing, filed
from service.cli.views.odds import Asked, Likely, likely, likely_lines
from service.cli.views.report_words import REPORT
from service.cli.views.table_reports import TableAudits, tables_among, without_tables
from service.presentation.i18n.translate import told
from service.presentation.text import hands
from service.presentation.text.accounts import score_lines
from service.presentation.text.findings import finding_lines, with_cards
from service.presentation.text.layout import wrapped
from service.presentation.text.mistakes import following, like_it, put_right
from service.presentation.text.next_acts import next_act
from service.presentation.text.other_rules import by_other_rules
from service.presentation.text.players import by_name
from service.presentation.text.put_right import once_told, score_told
from service.presentation.text.ruled import penalty_lines, ruling_lines
from service.presentation.text.sentences import Telling, sentence
from service.presentation.text.style import Style, style_here
from service.presentation.text.table_report_words import TABLE_REPORT
from service.presentation.text.unseen import AS_RECORDED, hides_cards
from service.presentation.text.words import HEADINGS
from service.records.gather_logs import Evening

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
    "--samples",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="With hidden hands, draw N deals for what cards cost.",
)
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", default=1, help="Draw other deals.  [default: 1]"
)
@options.rescore_with
@options.jobs
@options.resume_after
@options.lang
@click.pass_context
def audit(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str,
    into: str | None,
    viewer: str,
    rules_files: tuple[str, ...],
    samples: int | None,
    seed: int,
    rescore_with: str | None,
    jobs: int,
    silent: bool,
    resume_after: Source | None,
    lang: str | None,
) -> None:
    """Report on deals for whoever has to judge them.

    The course, what was found, ruled, due and paid; of a table, behind all deals. FILE is a log (JSON Lines
    or the notation), - for standard input, or a deal of the library. It ends as validate does.
    """
    if resume_after is not None and into not in (None, "-"):
        raise click.UsageError(
            "--resume-after continues the file of an interrupted run, and -o starts a new one; leave -o out."
        )
    if samples is not None and output == "html":
        raise click.UsageError("--samples is told in text and JSON; leave it out, or the HTML.")
    if output == "html" and rescore_with is not None:
        raise click.UsageError(
            "--rescore-with counts in text and JSON; leave it out for a file to be signed."
        )
    refuse_what_is_read(into, (*files, *rules_files))
    book, style = options.book_from(ctx, rules_files), style_here(lang)
    other, sources = options.other_from(ctx, rescore_with, book), options.sources(ctx, files, resume_after)
    work: Reporting | Filing
    out_of_it: AbstractContextManager[Out | None]
    if output == "html":
        work = Filing(viewer, book, style.lang, whole=resume_after is None)
        out_of_it = filed(ctx, into, style.lang)
    else:
        asked = None if samples is None else Asked(samples, seed)
        style = style if into is None else replace(style, colour=False)
        work = Reporting(viewer, book, output == "text", style, asked, other)
        out_of_it = nullcontext() if into is None else written_into(ctx, into)
    with kept_input() as kept, out_of_it as out:
        ran = run(sources, work, jobs, not silent, out, kept.first)
        sound = not ran.counts.get("faulty", 0)
        if resume_after is not None or ran.counts.get("tables", 0):
            again = Inputs(files, tell=lambda _: None, standard=kept.again)
            sound = _tell_of_tables(again, work, out) and sound
    ctx.exit(UNREADABLE if ran.unreadable else SOUND if sound else FAULTY)


def _tell_of_tables(inputs: Inputs, work: "Reporting | Filing", out: Out | None) -> bool:
    """Writes the reports on the tables among the inputs; whether all are sound."""
    sound = True
    for evening in tables_among(inputs.logs(), work.book):
        ok, written = work.of_table(evening)
        sound = ok and sound
        if out is None:
            click.echo(written, nl=False)
        else:
            out.write(written.encode() if isinstance(written, str) else written)
    return sound


@dataclass(frozen=True, slots=True)
class Reporting:
    """What ``audit`` does with a deal: it reports, and counts it as sound or faulty.

    All of the report, also what was corrected, is made of what ``viewer`` may know. A table's log is counted
    only: its report takes all of its deals. ``other``: the rules by which each deal is counted once more.
    """

    viewer: str
    book: Book
    plain: bool
    style: Style
    asked: Asked | None = None
    other: Other | None = None
    piece: ClassVar[int] = PIECE
    with_tables: ClassVar[bool] = True

    def of(self, logs: Iterable[Deal], inputs: Inputs) -> Iterator[tuple[Iterable[Written], Counts]]:
        """The report of each deal."""
        tables = Counter[str]()
        deals = courses(without_tables(logs, tables), self.viewer, self.plain)
        for deal, course in of_size(deals, inputs.refuse):
            made = report(course, self.book)
            yield self._told(deal, made, inputs), {"sound" if made.audit.ok else "faulty": 1}
        yield (), tables

    def of_table(self, evening: Evening[Deal]) -> tuple[bool, Written]:
        """Whether a table is sound, and its report."""
        audits = TableAudits(self.viewer, self.book, self.other)
        if self.plain:
            ok, lines = audits.lines(evening, self.style)
            return ok, text_of([*lines, ""], self.style)
        ok, told = audits.object(evening)
        return ok, line_of(told)

    def _told(self, deal: Deal, made: Report, inputs: Inputs) -> Iterator[Written]:
        found = None if self.asked is None else likely(made.likeliest, self.asked, _called(made))
        if self.plain:
            lines = [*_lines(deal, made, found, self.style), *self._by_other_rules(made), ""]
            yield text_of(lines, self.style)
        else:
            try:
                report_told = audit_object(made)
            except DealTooLarge as error:
                inputs.refuse(f"{place(deal)}: {error}")
                return
            if found is not None:
                report_told["likely"] = likely_object(*found)
            if self.other is not None:
                report_told["rescored"] = score_object(score_under(made.log, self.other, self.book))
            yield line_of({"file": deal.file, "deal": deal.number, **report_told})

    def _by_other_rules(self, made: Report) -> Iterator[str]:
        """What the deal would pay by the other rules."""
        if self.other is None:
            return
        heading = TABLE_REPORT["rescored"][self.style.lang].format(rules=written_other(self.other))
        state = fold_all(under(made.log, self.other, self.book), start(self.book))
        yield from ("", self.style.bold(heading), *by_other_rules(made.audit, state, self.style))


def _lines(deal: Deal, made: Report, found: Likely | None, style: Style) -> Iterator[str]:
    state, score = made.audit.state, made.audit.score
    yield from heading(deal, state, style)
    parts = _parts(made, state, style)
    if found is not None:
        said = [*_once(made, style), *likely_lines(found, made.likeliest, style)]
        parts["likely"] = _all(wrapped(line, style.width, INDENT, INDENT * 2) for line in said)
    for part, lines in parts.items():
        if lines:
            yield from ("", style.bold(REPORT[part][style.lang]), *lines)
    yield from ["", style.bold(HEADINGS["score"][style.lang])]
    if right := score_told(made, style):
        yield from wrapped(right, style.width, INDENT)
    yield from score_lines(state, score, style, tricks=True)


def _parts(made: Report, state: State, style: Style) -> dict[str, list[str]]:
    """The parts of the report by their headings, each in lines."""
    entries = made.audit.history.entries
    return {
        "course": list(course_told(made.audit.history, style, state.opening.book)),
        "matters": _all(_matter(one, entries, state.opening.book, style) for one in made.matters)
        or [INDENT + REPORT["nothing"][style.lang]],
        "unseen_cards": list(_unseen(made, style)),
        "misprints": list(_misprints(made.misprints, style)) if made.misprints is not None else [],
        "mended": _all(_mended(one, state, style) for one in made.mended),
        "rulings": _all(_ruling(one, made, style) for one in made.rulings),
        "penalties": _all(
            wrapped(line, style.width, INDENT)
            for line in penalty_lines(penalties(made.audit), Telling(state, state, style))
        ),
        "settled": _all(_settled(one, state, style) for one in made.settled),
    }


def _all(told: Iterable[Iterable[str]]) -> list[str]:
    return [line for lines in told for line in lines]


def _matter(matter: Matter, entries: Log, book: Book, style: Style) -> Iterator[str]:
    """The findings of an entry, and what follows from a mistake in it.

    Then the hands before it, what was open, and what the card cost.
    """
    yield from finding_lines(matter.findings, style)
    yield from _mistaken(matter, entries, book, style)
    if matter.before is None:
        return
    standing = hands.now(matter.before)
    if standing is not None and hands.any_known(standing):
        section = hands.hands_section("now", standing, matter.before, style)
        yield from (INDENT * 2 + line.text for line in section.lines)
    if matter.due is not None:
        yield from _told("open", style, what=next_act(matter.due, matter.before, style))
    if matter.played is not None and matter.played.told:
        cost = with_cards(told(by_name(matter.played.told, matter.before), style.lang), style)
        yield from wrapped(cost, style.width, INDENT * 2)


def _mistaken(matter: Matter, entries: Log, book: Book, style: Style) -> Iterator[str]:
    """What would stand in the record if a mistake were put right, and what would not be found then."""
    for one in matter.corrections:
        stands = "; ".join(put_right(entries, one, book, style))
        stands = f"{stands}." if stands else TABLE_REPORT["taken_out"][style.lang]
        line = TABLE_REPORT["would_stand"][style.lang].format(seq=one.replaces[0], what=stands)
        yield from wrapped(line, style.width, INDENT * 2)
    if matter.follows:
        yield style.dim(INDENT * 2 + TABLE_REPORT["follows"][style.lang])
    for line in following(matter.follows, style):
        yield from (style.dim(part) for part in wrapped(line, style.width, INDENT * 3))


def _unseen(made: Report, style: Style) -> Iterator[str]:
    """What the hidden cards can be, where the record, put right as proposed, can be and hides any."""
    audited = made.likeliest
    if not hides_cards(audited):
        return
    found = unseen(audited.history.entries, audited.state)
    if found.found.physical.agrees is not False:
        for line in _once(made, style):
            yield from wrapped(line, style.width, INDENT)
        yield from unseen_lines(found, audited, style, called=_called(made))


def _once(made: Report, style: Style) -> Iterator[str]:
    """That what follows speaks of the record put right, where a mistake of the pen explains it."""
    if made.put_right is not None:
        yield once_told(made.put_right, style)


def _called(made: Report) -> Mapping[Seq, Seq]:
    """By entries that are none of the record, those that they are told as."""
    return AS_RECORDED if made.put_right is None else made.put_right.called


def _misprints(found: Misprints, style: Style) -> Iterator[str]:
    """What would make the record possible, the likeliest first, each with what would be corrected and why."""
    groups = grouped(found.proposals)
    for number, group in enumerate(groups[:PROPOSED], 1):
        one = group.first
        reasons = " ".join(told(reason, style.lang) for reason in one.reasons)
        corrections = " ".join(told(correction.reason, style.lang) for correction in one.corrections)
        yield from wrapped(with_cards(corrections, style), style.width, f"{INDENT}{number}. ")
        yield from (
            style.dim(line) for line in wrapped(with_cards(reasons, style), style.width, INDENT * 2 + " ")
        )
        yield from wrapped(like_it(group, style), style.width, INDENT * 2 + " ") if group.others else ()
    if found.complete and not found.proposals:
        yield from _told("no_proposal", style)
    if (left := sum(1 + len(one.others) for one in groups[PROPOSED:])) > 0:
        yield from _told("more", style, count=left)
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
