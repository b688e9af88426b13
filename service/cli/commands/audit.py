"""``spadille audit``: the report on a deal, for whoever has to judge it."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from tempfile import SpooledTemporaryFile
from typing import Final

import click

from engine import Entry, State, evolve, fold_all, initial_state
from engine.audit_report import (
    AuditReport,
    EntryReport,
    ReportedAmendment,
    SettlementCheck,
)
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.diagnosis.misprints import MisprintProposals, group_proposals
from engine.inference.unseen_cards import analyze_unseen_cards
from engine.rulesets import RulesetBook
from engine.rulings import list_penalties, list_ruling_effects
from engine.tables.rescoring import OtherRules, replace_rules, score_with_rules
from schemas.answers.audits import audit_object
from schemas.answers.odds import odds_object
from schemas.answers.states import score_object
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import translate
from schemas.logs.deal_size import DealTooLarge
from schemas.rulesets.other_rules_text import format_rules_text
from service.cli.commands.hidden_cards import hidden_cards_lines
from service.cli.commands.replay import history_lines as course_told
from service.cli.io import options
from service.cli.io.deals import deal_location, deal_title_lines
from service.cli.io.inputs import InputLog, Inputs, RereadableStdin
from service.cli.io.output import (
    ByteSink,
    OutputData,
    format_json_line,
    format_lines,
    open_output,
    require_not_an_input,
)
from service.cli.io.safe_group import EXIT_FAULTY, EXIT_SOUND
from service.cli.views.audit_report_words import AUDIT_REPORT_PHRASES
from service.cli.views.html_reports import HtmlReportProcessor, collect_html_reports
from service.cli.views.odds import DealOdds, OddsOptions, compute_deal_odds, odds_lines
from service.cli.views.table_reports import ReportProcessor, TableReporter, collect_tables
from service.presentation.text import hands
from service.presentation.text.bidding import next_action_phrase
from service.presentation.text.findings import (
    assumed_correction_phrase,
    consequence_sentences,
    corrected_entry_sentences,
    corrected_score_sentences,
    finding_lines,
    format_card_codes,
    similar_proposals_phrase,
)
from service.presentation.text.hidden_cards import AS_RECORDED, has_hidden_cards
from service.presentation.text.layout import wrap_text
from service.presentation.text.names import replace_seats_with_names
from service.presentation.text.score_lines import rescored_deal_lines, score_lines
from service.presentation.text.sentences import SentenceContext, entry_sentence, penalty_lines, ruling_lines
from service.presentation.text.style import TextStyle
from service.presentation.text.words import SECTION_HEADINGS
from service.records.log_grouping import TableLogs

INDENT: Final = "  "
MAX_MEMORY_BYTES: Final = 16 * 1024 * 1024
"""So much of standard input is kept in memory for the tables; of more, all is kept in a file."""
MAX_PROPOSALS: Final = 5
"""So many proposals are told, the likeliest first."""


@click.command(epilog="Example: spadille audit --lang da belinda-as-printed")
@options.choose_format(
    "text",
    "json",
    "html",
    description="Text for people, one JSON object per line for programs, or one file of HTML to print "
    "and sign.",
)
@options.into_file
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
@options.bulk
@options.style
@options.deal_run
def audit(
    run: options.DealRun, into: str | None, samples: int | None, seed: int, rescore_with: str | None
) -> int:
    """Report on deals for whoever has to judge them.

    The course, what was found, ruled, due and paid; of a table, behind all deals. FILE is a log (JSON Lines
    or the notation), - for standard input, or a deal of the library. It ends as validate does.
    """
    is_resumed = run.resume_after is not None
    if is_resumed and into not in (None, "-"):
        raise click.UsageError(
            "--resume-after continues the file of an interrupted run, and -o starts a new one; leave -o out."
        )
    if samples is not None and run.output == "html":
        raise click.UsageError("--samples is told in text and JSON; leave it out, or the HTML.")
    if run.output == "html" and rescore_with is not None:
        raise click.UsageError(
            "--rescore-with counts in text and JSON; leave it out for a file to be signed."
        )
    require_not_an_input(into, (*run.files, *run.rules_files))
    book, style = run.load_book(), run.style
    other = options.parse_other_rules(rescore_with, book)
    processor: ReportProcessor
    output_context: AbstractContextManager[ByteSink | None]
    if run.output == "html":
        processor = HtmlReportProcessor(run.viewer, book, False, style.lang, has_all_deals=not is_resumed)
        output_context = collect_html_reports(into, style.lang)
    else:
        odds_options = None if samples is None else OddsOptions(samples, seed)
        style = style if into is None else replace(style, colour=False)
        processor = AuditProcessor(run.viewer, book, run.for_terminal, style, odds_options, other)
        output_context = nullcontext() if into is None else open_output(into)
    with SpooledTemporaryFile(max_size=MAX_MEMORY_BYTES) as spool, output_context as out:
        stdin = RereadableStdin(spool)
        result = run.process(processor, out, stdin.open_first)
        is_sound = not result.counts.get("faulty", 0)
        if is_resumed or result.counts.get("tables", 0):
            table_inputs = Inputs(run.files, write_message=lambda _: None, open_stdin=stdin.reopen)
            is_sound = _write_table_reports(table_inputs, processor, out) and is_sound
    return result.exit_status or (EXIT_SOUND if is_sound else EXIT_FAULTY)


def _write_table_reports(inputs: Inputs, processor: ReportProcessor, sink: ByteSink | None) -> bool:
    """Writes the reports on the tables among the inputs; whether all are sound."""
    is_sound = True
    for evening in collect_tables(inputs.read_all_logs(), processor.book):
        is_table_sound, report = processor.render_table(evening)
        is_sound = is_table_sound and is_sound
        if sink is None:
            click.echo(report, nl=False)
        else:
            sink.write(report.encode() if isinstance(report, str) else report)
    return is_sound


@dataclass(frozen=True, slots=True)
class AuditProcessor(ReportProcessor):
    """Reports in text or JSON; each deal is counted once more by ``other_rules``."""

    style: TextStyle
    odds_options: OddsOptions | None = None
    other_rules: OtherRules | None = None

    def render_table(self, table_logs: TableLogs[InputLog]) -> tuple[bool, OutputData]:
        """Whether a table is sound, and its report."""
        audits = TableReporter(self.viewer, self.book, self.other_rules)
        if self.for_terminal:
            ok, lines = audits.build_lines(table_logs, self.style)
            return ok, format_lines([*lines, ""], self.style)
        ok, obj = audits.build_json_object(table_logs)
        return ok, format_json_line(obj)

    def render_deal(self, deal: InputLog, audit_report: AuditReport, inputs: Inputs) -> Iterator[OutputData]:
        """The report of a deal."""
        found = (
            None
            if self.odds_options is None
            else compute_deal_odds(
                audit_report.likeliest_audit, self.odds_options, _original_seqs(audit_report)
            )
        )
        if self.for_terminal:
            lines = [
                *_audit_report_lines(deal, audit_report, found, self.style),
                *self._rescored_lines(audit_report),
                "",
            ]
            yield format_lines(lines, self.style)
        else:
            try:
                obj = audit_object(audit_report)
            except DealTooLarge as error:
                inputs.report_unreadable(f"{deal_location(deal)}: {error}")
                return
            if found is not None:
                obj["likely"] = odds_object(*found)
            if self.other_rules is not None:
                obj["rescored"] = score_object(
                    score_with_rules(audit_report.log, self.other_rules, self.book)
                )
            yield format_json_line({"file": deal.file, "deal": deal.number, **obj})

    def _rescored_lines(self, audit_report: AuditReport) -> Iterator[str]:
        """What the deal would pay by the other rules."""
        if self.other_rules is None:
            return
        heading = self.style.phrase("By other rules: {rules}", rules=format_rules_text(self.other_rules))
        state = fold_all(
            replace_rules(audit_report.log, self.other_rules, self.book), initial_state(self.book)
        )
        yield from ("", self.style.bold(heading), *rescored_deal_lines(audit_report.audit, state, self.style))


def _audit_report_lines(
    deal: InputLog, audit_report: AuditReport, odds: DealOdds | None, style: TextStyle
) -> Iterator[str]:
    state, score = audit_report.audit.state, audit_report.audit.score
    yield from deal_title_lines(deal, state, style)
    parts = _build_sections(audit_report, state, style)
    if odds is not None:
        sentences = [
            *_assumed_correction_lines(audit_report, style),
            *odds_lines(odds, audit_report.likeliest_audit, style),
        ]
        parts["likely"] = _flatten(wrap_text(line, style.width, INDENT, INDENT * 2) for line in sentences)
    for part, lines in parts.items():
        if lines:
            yield from ("", style.bold(gettext(AUDIT_REPORT_PHRASES[part], style.lang)), *lines)
    yield from ["", style.bold(gettext(SECTION_HEADINGS["score"], style.lang))]
    if corrected_score := corrected_score_sentences(audit_report, style):
        yield from wrap_text(corrected_score, style.width, INDENT)
    yield from score_lines(state, score, style, with_tricks=True)


def _build_sections(audit_report: AuditReport, state: State, style: TextStyle) -> dict[str, list[str]]:
    """The parts of the report by their headings, each in lines."""
    entries = audit_report.audit.history.entries
    return {
        "course": list(course_told(audit_report.audit.history, style, state.opening.book)),
        "matters": _flatten(
            _entry_report_lines(one, entries, state.opening.book, style) for one in audit_report.entry_reports
        )
        or [INDENT + gettext(AUDIT_REPORT_PHRASES["nothing"], style.lang)],
        "unseen_cards": list(_hidden_card_lines(audit_report, style)),
        "misprints": list(_misprint_lines(audit_report.misprints, style))
        if audit_report.misprints is not None
        else [],
        "mended": _flatten(_amendment_lines(one, state, style) for one in audit_report.amendments),
        "rulings": _flatten(_ruling_report_lines(one, audit_report, style) for one in audit_report.rulings),
        "penalties": _flatten(
            wrap_text(line, style.width, INDENT)
            for line in penalty_lines(
                list_penalties(audit_report.audit), SentenceContext(state, state, style)
            )
        ),
        "settled": _flatten(_settlement_lines(one, state, style) for one in audit_report.settlements),
    }


def _flatten(groups: Iterable[Iterable[str]]) -> list[str]:
    return [line for lines in groups for line in lines]


def _entry_report_lines(
    report: EntryReport, entries: Log, book: RulesetBook, style: TextStyle
) -> Iterator[str]:
    """The findings of an entry, and what follows from a mistake in it.

    Then the hands before it, what was open, and what the card cost.
    """
    yield from finding_lines(report.findings, style)
    yield from _proposed_correction_lines(report, entries, book, style)
    if report.state_before is None:
        return
    current_hands = hands.current_hands(report.state_before)
    if current_hands is not None and hands.has_known_card(current_hands):
        section = hands.hands_section("now", current_hands, report.state_before, style)
        yield from (INDENT * 2 + line.text for line in section.lines)
    if report.legal_actions is not None:
        yield from _phrase_lines(
            "open", style, what=next_action_phrase(report.legal_actions, report.state_before, style)
        )
    if report.play_value is not None and report.play_value.cost_text:
        cost = format_card_codes(
            translate(replace_seats_with_names(report.play_value.cost_text, report.state_before), style.lang),
            style,
        )
        yield from wrap_text(cost, style.width, INDENT * 2)


def _proposed_correction_lines(
    report: EntryReport, entries: Log, book: RulesetBook, style: TextStyle
) -> Iterator[str]:
    """What would stand in the record if a mistake were put right, and what would not be found then."""
    for one in report.corrections:
        corrected = "; ".join(corrected_entry_sentences(entries, one, book, style))
        corrected = f"{corrected}." if corrected else style.phrase("it is taken out.")
        line = style.phrase("Proposed correction of entry {seq}: {what}", seq=one.replaces[0], what=corrected)
        yield from wrap_text(line, style.width, INDENT * 2)
    if report.consequences:
        yield style.dim(INDENT * 2 + style.phrase("This follows from it:"))
    for line in consequence_sentences(report.consequences, style):
        yield from (style.dim(part) for part in wrap_text(line, style.width, INDENT * 3))


def _hidden_card_lines(audit_report: AuditReport, style: TextStyle) -> Iterator[str]:
    """What the hidden cards can be, where the record, put right as proposed, can be and hides any."""
    audited = audit_report.likeliest_audit
    if not has_hidden_cards(audited):
        return
    found = analyze_unseen_cards(audited.history.entries, audited.state)
    if found.evidence.physical.is_consistent is not False:
        for line in _assumed_correction_lines(audit_report, style):
            yield from wrap_text(line, style.width, INDENT)
        yield from hidden_cards_lines(found, audited, style, original_seqs=_original_seqs(audit_report))


def _assumed_correction_lines(audit_report: AuditReport, style: TextStyle) -> Iterator[str]:
    """That what follows speaks of the record put right, where a mistake of the pen explains it."""
    if audit_report.corrected is not None:
        yield assumed_correction_phrase(audit_report.corrected, style)


def _original_seqs(audit_report: AuditReport) -> Mapping[Seq, Seq]:
    """By entries that are none of the record, those that they are told as."""
    return AS_RECORDED if audit_report.corrected is None else audit_report.corrected.original_seqs


def _misprint_lines(found: MisprintProposals, style: TextStyle) -> Iterator[str]:
    """What would make the record possible, the likeliest first, each with what would be corrected and why."""
    groups = group_proposals(found.proposals)
    for number, group in enumerate(groups[:MAX_PROPOSALS], 1):
        one = group.first
        reasons = " ".join(translate(reason, style.lang) for reason in one.reasons)
        corrections = " ".join(translate(correction.reason, style.lang) for correction in one.corrections)
        yield from wrap_text(format_card_codes(corrections, style), style.width, f"{INDENT}{number}. ")
        yield from (
            style.dim(line)
            for line in wrap_text(format_card_codes(reasons, style), style.width, INDENT * 2 + " ")
        )
        yield from (
            wrap_text(similar_proposals_phrase(group, style), style.width, INDENT * 2 + " ")
            if group.others
            else ()
        )
    if found.is_complete and not found.proposals:
        yield from _phrase_lines("no_proposal", style)
    if (omitted_count := sum(1 + len(one.others) for one in groups[MAX_PROPOSALS:])) > 0:
        yield from _phrase_lines("more", style, count=omitted_count)
    if not found.is_complete:
        yield from _phrase_lines("not_all", style)


def _amendment_lines(amendment: ReportedAmendment, state: State, style: TextStyle) -> Iterator[str]:
    """What was recorded, why it was corrected and by whom, and what stands there now."""
    yield from _entry_lines(amendment.amendment.entry, state, style)
    for line, entries in (
        ("was", amendment.amendment.replaced_entries),
        ("is", amendment.replacement_entries),
    ):
        before = amendment.state_before
        for one in entries:
            after = evolve(before, one)
            yield from _phrase_lines(
                line, style, what=entry_sentence(one, SentenceContext(before, after, style))
            )
            before = after


def _entry_lines(entry: Entry, state: State, style: TextStyle) -> Iterator[str]:
    """An entry in words, with who wrote it down and when."""
    what = entry_sentence(entry, SentenceContext(state, state, style))
    yield from wrap_text(_format_phrase("entry", style, seq=entry.seq, what=what), style.width, INDENT)
    recorded_by, recorded_at = (
        entry.metadata.recorded_by,
        entry.metadata.recorded_at or entry.metadata.stored_at,
    )
    marks = [gettext(AUDIT_REPORT_PHRASES["by"], style.lang).format(name=recorded_by)] if recorded_by else []
    marks += [recorded_at] if recorded_at else []
    if marks:
        yield from (style.dim(line) for line in wrap_text(", ".join(marks), style.width, INDENT * 2))


def _ruling_report_lines(entry: Entry, audit_report: AuditReport, style: TextStyle) -> Iterator[str]:
    """What was said or ruled, and what a ruling changes of what the deal pays."""
    state = audit_report.audit.state
    yield from _entry_lines(entry, state, style)
    for one in list_ruling_effects(audit_report.audit, state.opening.book):
        if one.seq == entry.seq:
            for line in ruling_lines(one, SentenceContext(state, state, style)):
                yield from wrap_text(line, style.width, INDENT * 2)


def _settlement_lines(settled: SettlementCheck, state: State, style: TextStyle) -> Iterator[str]:
    """What was paid, and whether that is what is due."""
    yield from _entry_lines(settled.entry, state, style)
    if settled.differences is None:
        yield from _phrase_lines("undecided", style)
    elif settled.differences:
        payments = SentenceContext(state, state, style).format_chips(settled.differences)
        yield from _phrase_lines("parted", style, payments=payments)
    else:
        yield from _phrase_lines("right", style)


def _phrase_lines(key: str, style: TextStyle, **parts: object) -> list[str]:
    return wrap_text(_format_phrase(key, style, **parts), style.width, INDENT * 2)


def _format_phrase(key: str, style: TextStyle, **parts: object) -> str:
    """A line of the report; what it ends with may have a full stop of its own."""
    phrase = gettext(AUDIT_REPORT_PHRASES[key], style.lang).format(**parts)
    return phrase[:-1] if phrase.endswith("..") and not phrase.endswith("...") else phrase
