"""The report on a deal for people: ``spadille audit``."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine import Entry
from engine.audit_report import AuditReport, EntryReport, ReportedAmendment, SettlementCheck
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.diagnosis.misprints import MisprintProposals, group_proposals
from engine.inference.unseen_cards import analyze_unseen_cards
from engine.rulesets import RulesetBook
from engine.rulings import list_penalties, list_ruling_effects
from engine.verdicts import deal_verdict
from engine.view import is_uuid
from schemas.i18n.translate import translate
from service.cli.io.deals import deal_title_lines
from service.cli.io.inputs import InputLog
from service.cli.views.deal_lines import hidden_cards_lines, history_lines, sentence_lines
from service.cli.views.odds import DealOdds, odds_lines
from service.presentation.text import hands
from service.presentation.text.bidding import next_action_phrase
from service.presentation.text.findings import (
    answer_sentences,
    assumed_correction_phrase,
    consequence_sentences,
    corrected_entry_sentences,
    corrected_score_sentences,
    finding_lines,
    format_card_codes,
    format_engine_text,
    similar_proposals_phrase,
)
from service.presentation.text.hidden_cards import AS_RECORDED, MAX_LISTED_CARDS, has_hidden_cards
from service.presentation.text.layout import INDENT, wrap_text
from service.presentation.text.names import replace_seats_with_names
from service.presentation.text.score_lines import score_lines
from service.presentation.text.sentences import (
    SentenceContext,
    entry_sentence,
    penalty_lines,
    ruling_lines,
    successive_sentences,
)
from service.presentation.text.style import TextStyle
from service.presentation.text.words import SECTION_HEADINGS

MAX_PROPOSALS: Final = 5
"""How many proposals are shown, the likeliest first."""


def deal_report_lines(
    deal: InputLog, report: AuditReport, odds: DealOdds | None, style: TextStyle
) -> Iterator[str]:
    """The report: its title, then each section that has something to show."""
    audited = report.audit
    yield from deal_title_lines(deal, audited.state, style)
    yield from wrap_text(format_engine_text(deal_verdict(report), style), style.width)
    for heading, lines in _build_sections(report, odds, style).items():
        if lines:
            yield from ("", style.bold(heading), *lines)
    yield from ["", style.bold(style.phrase(SECTION_HEADINGS["score"]))]
    if corrected_score := corrected_score_sentences(report, style):
        yield from wrap_text(corrected_score, style.width, INDENT)
    yield from score_lines(audited.state, audited.score, style, with_tricks=True)


def original_seqs(report: AuditReport) -> Mapping[Seq, Seq]:
    """Entries that are not in the record, each with the entry as which it is reported."""
    return AS_RECORDED if report.corrected is None else report.corrected.original_seqs


def _build_sections(report: AuditReport, odds: DealOdds | None, style: TextStyle) -> dict[str, list[str]]:
    """The sections by their headings."""
    audited, state = report.audit, report.audit.state
    book, context = state.opening.book, SentenceContext(state, state, style)
    entries = audited.history.entries
    odds_sentences = (
        []
        if odds is None
        else [*_assumed_correction(report, style), *odds_lines(odds, report.likeliest_audit, style)]
    )
    penalties = penalty_lines(list_penalties(audited), context)
    return {
        style.phrase("The course"): list(history_lines(audited.history, style, book)),
        style.phrase("The findings, and how the deal stood"): _flatten(
            _entry_report_lines(one, entries, book, style) for one in report.entry_reports
        )
        or [INDENT + style.phrase("There are no findings.")],
        style.phrase("The hidden cards"): list(_hidden_card_lines(report, style)),
        style.phrase("Possible misprints and slips of the pen"): list(
            _misprint_lines(report.misprints, style)
        ),
        style.phrase("Corrections and withdrawals"): _flatten(
            _amendment_lines(one, context) for one in report.amendments
        ),
        style.phrase("Claims and rulings"): _flatten(
            _ruling_report_lines(one, report, context) for one in report.rulings
        ),
        style.phrase("Penalty points, apart from the chips"): _flatten(
            wrap_text(line, style.width, INDENT) for line in penalties
        ),
        style.phrase("What was paid at the table"): _flatten(
            _settlement_lines(one, context) for one in report.settlements
        ),
        style.phrase("What would have happened"): _flatten(
            wrap_text(line, style.width, INDENT, INDENT * 2) for line in odds_sentences
        ),
    }


def _flatten(groups: Iterable[Iterable[str]]) -> list[str]:
    return [line for lines in groups for line in lines]


def _entry_report_lines(
    report: EntryReport, entries: Log, book: RulesetBook, style: TextStyle
) -> Iterator[str]:
    """The findings of an entry and what follows from them, the hands before it, and what the card cost."""
    yield from finding_lines(report.findings, style)
    yield from _proposed_correction_lines(report, entries, book, style)
    state = report.state_before
    if state is None:
        return
    current_hands = hands.current_hands(state)
    if current_hands is not None and hands.has_known_card(current_hands):
        section = hands.hands_section("now", current_hands, state, style)
        yield from (INDENT * 2 + line.text for line in section.lines)
    if report.legal_actions is not None:
        what = next_action_phrase(report.legal_actions, state, style)
        yield from sentence_lines(style.phrase("Possible then: {what}.", what=what), style)
    if report.play_value is not None and report.play_value.cost_text:
        cost = translate(replace_seats_with_names(report.play_value.cost_text, state), style.lang)
        yield from wrap_text(format_card_codes(cost, style), style.width, INDENT * 2)


def _proposed_correction_lines(
    report: EntryReport, entries: Log, book: RulesetBook, style: TextStyle
) -> Iterator[str]:
    """Each proposed correction, and the findings that would go with it."""
    for one in report.corrections:
        corrected = "; ".join(corrected_entry_sentences(entries, one, book, style))
        corrected = f"{corrected}." if corrected else style.phrase("the entry is removed.")
        line = style.phrase("Proposed correction of entry {seq}: {what}", seq=one.replaces[0], what=corrected)
        yield from wrap_text(line, style.width, INDENT * 2)
    if report.consequences:
        yield style.dim(INDENT * 2 + style.phrase("As a result:"))
    for line in consequence_sentences(report.consequences, style):
        yield from (style.dim(part) for part in wrap_text(line, style.width, INDENT * 3))


def _hidden_card_lines(report: AuditReport, style: TextStyle) -> Iterator[str]:
    """What the hidden cards can be, in the record as proposed to be corrected, if that is consistent."""
    audited = report.likeliest_audit
    if not has_hidden_cards(audited):
        return
    found = analyze_unseen_cards(audited.history.entries, audited.state)
    if found.evidence.physical.is_consistent is not False:
        for line in _assumed_correction(report, style):
            yield from wrap_text(line, style.width, INDENT)
        yield from hidden_cards_lines(
            found, audited, style, original_seqs=original_seqs(report), max_cards=MAX_LISTED_CARDS
        )


def _assumed_correction(report: AuditReport, style: TextStyle) -> list[str]:
    """The sentence that what follows assumes a correction, if it does."""
    return [] if report.corrected is None else [assumed_correction_phrase(report.corrected, style)]


def _misprint_lines(found: MisprintProposals | None, style: TextStyle) -> Iterator[str]:
    """The corrections that would make the record possible, the likeliest first, each with its reasons."""
    if found is None:
        return
    indent = INDENT * 2 + " "
    groups = group_proposals(found.proposals)
    for number, group in enumerate(groups[:MAX_PROPOSALS], 1):
        one = group.first
        corrections = " ".join(translate(correction.reason, style.lang) for correction in one.corrections)
        reasons = " ".join(translate(reason, style.lang) for reason in one.reasons)
        yield from wrap_text(format_card_codes(corrections, style), style.width, f"{INDENT}{number}. ")
        yield from map(style.dim, wrap_text(format_card_codes(reasons, style), style.width, indent))
        if group.others:
            yield from wrap_text(similar_proposals_phrase(group, style), style.width, indent)
    if found.is_complete and not found.proposals:
        text = style.phrase("Changing one or two cards would not make the record possible.")
        yield from sentence_lines(text, style)
    if (omitted_count := sum(1 + len(one.others) for one in groups[MAX_PROPOSALS:])) > 0:
        yield from sentence_lines(style.phrase("And {count} more.", count=omitted_count), style)
    if not found.is_complete:
        yield from sentence_lines(style.phrase("The search was not complete; there may be more."), style)


def _amendment_lines(amendment: ReportedAmendment, context: SentenceContext) -> Iterator[str]:
    """A correction, the entries that it replaced, and those that stand there now."""
    style = context.style
    yield from _entry_lines(amendment.amendment.entry, context)
    before = amendment.state_before
    for what in successive_sentences(before, amendment.amendment.replaced_entries, style):
        yield from sentence_lines(style.phrase("Before: {what}.", what=what), style)
    for what in successive_sentences(before, amendment.replacement_entries, style):
        yield from sentence_lines(style.phrase("Now: {what}.", what=what), style)


def _entry_lines(entry: Entry, context: SentenceContext) -> Iterator[str]:
    """An entry in words, with who recorded it and when."""
    style, metadata = context.style, entry.metadata
    sentence = style.phrase("Entry {seq}: {what}.", seq=entry.seq, what=entry_sentence(entry, context))
    yield from sentence_lines(sentence, style, INDENT)
    marks = [author_phrase(metadata.recorded_by, style)] if metadata.recorded_by else []
    if recorded_at := metadata.recorded_at or metadata.stored_at:
        marks.append(recorded_at)
    if marks:
        yield from map(style.dim, wrap_text(", ".join(marks), style.width, INDENT * 2))


def author_phrase(author: str, style: TextStyle) -> str:
    """Who recorded an entry: a name, or the end of a link's id."""
    if is_uuid(author):
        return style.phrase("with the link …{name}", name=author[-8:])
    return style.phrase("by {name}", name=author)


def _ruling_report_lines(entry: Entry, report: AuditReport, context: SentenceContext) -> Iterator[str]:
    """A remark and what the record says to it; a ruling and how it changes what the deal pays."""
    yield from _entry_lines(entry, context)
    for answer in answer_sentences(report.answers, entry.seq, context.style):
        yield from wrap_text(answer, context.style.width, INDENT * 2)
    for one in list_ruling_effects(report.audit, context.state_after.opening.book):
        if one.seq == entry.seq:
            for line in ruling_lines(one, context):
                yield from wrap_text(line, context.style.width, INDENT * 2)


def _settlement_lines(settled: SettlementCheck, context: SentenceContext) -> Iterator[str]:
    """What was paid, and whether it is what is due."""
    style = context.style
    yield from _entry_lines(settled.entry, context)
    if settled.differences is None:
        sentence = style.phrase("What is due is undecided, so the payments cannot be checked.")
    elif settled.differences:
        payments = context.format_chips(settled.differences)
        sentence = style.phrase("Compared to what is due: {payments}.", payments=payments)
    else:
        sentence = style.phrase("As due.")
    yield from sentence_lines(sentence, style)
