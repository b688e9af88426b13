"""The report on a deal as the template takes it."""

from collections.abc import Iterable, Mapping
from itertools import starmap
from typing import Any, Final, NamedTuple

from engine import Entry, Finding, History, State, evolve, initial_state
from engine.audit_report import RULING_EVENTS, AuditReport, EntryReport, ReportedAmendment
from engine.core.cards import CARD_BY_CODE, SEATS, Card
from engine.core.events import (
    CardPlayed,
    CorrectionMade,
    DealClosed,
    DealOpened,
    DealSettled,
    ResultRecorded,
    RulingMade,
)
from engine.core.field_types import Switches
from engine.core.log import Log
from engine.diagnosis.misprints import MisprintProposals, group_proposals
from engine.play.findings import FAULT_SEVERITIES, SEVERITIES
from engine.rulesets import RulesetBook
from engine.rulings import list_penalties, list_ruling_effects
from engine.solver.evaluation import PlayEvaluation
from engine.solver.position_value import PositionValue
from engine.verdicts import deal_verdict
from engine.view import is_uuid
from schemas.i18n.card_words import OUTCOME_TERMS
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import finding_kind_name, ruleset_source
from service.presentation.i18n.dates import format_day, format_moment
from service.presentation.reports.attestation import UnattestedRecord
from service.presentation.reports.card_markup import ensure_full_stop
from service.presentation.reports.clauses import REVOKE_SECTION, ClauseCitations
from service.presentation.reports.deal_course import build_deal_course
from service.presentation.reports.diagrams import (
    DiagramMarks,
    build_article_hidden_cards,
    build_position_diagram,
    cards_known_later,
)
from service.presentation.reports.settlement import build_article_settlement
from service.presentation.text import findings, names
from service.presentation.text.bidding import next_action_phrase
from service.presentation.text.findings import format_engine_text
from service.presentation.text.names import replace_seats_with_names
from service.presentation.text.sentences import (
    SentenceContext,
    entry_sentence,
    penalty_lines,
    ruling_lines,
    successive_sentences,
)
from service.presentation.text.style import TextStyle

MAX_PROPOSALS: Final = 5
"""Only this many proposals are shown, the likeliest first."""
WHOLE_DEAL_EVENTS: Final = (*RULING_EVENTS, DealSettled, DealClosed, ResultRecorded)
"""Events about a deal as a whole, which have no position."""
UNLIMITED_WIDTH: Final = 100_000
"""Columns: wide enough that nothing is clipped."""


class ArticleContext(NamedTuple):
    """What a report says besides its log.

    ``title`` replaces that of the record; ``table_title`` is that of its table; ``author_names`` are the
    names to which grants were given, by id, as far as the reader may know them.
    """

    attestation: dict[str, Any] | UnattestedRecord
    title: str = ""
    table_title: str = ""
    record_id: str = ""
    author_names: Mapping[str, str] = {}


MAX_DIAGRAMS: Final = 30
"""Later entry reports have no diagram; no real deal has this many."""


def build_deal_article(
    audit_report: AuditReport, lang: str, article_context: ArticleContext
) -> dict[str, Any]:
    """Build the report in a language. Its log is redacted for the reader, and has members' names."""
    return _DealArticleBuilder(audit_report, TextStyle(lang, UNLIMITED_WIDTH), article_context).build()


class _DealArticleBuilder:
    """Builds the article of a report and collects the clauses that it cites."""

    def __init__(self, audit_report: AuditReport, style: TextStyle, article_context: ArticleContext) -> None:
        self.audit_report, self.style, self.article_context = audit_report, style, article_context
        self.state, self.score = audit_report.audit.state, audit_report.audit.score
        self.history: History = audit_report.audit.history
        self.rulings = list_ruling_effects(audit_report.audit, self.state.opening.book)
        self.clauses = ClauseCitations(self.state.opening.rules, style.lang, self.score.contract)

    def build(self) -> dict[str, Any]:
        audit_report, style, state = self.audit_report, self.style, self.state
        marked = {
            seq: number
            for number, one in enumerate(audit_report.entry_reports, 1)
            for seq in (*(consequence.seq for consequence in one.consequences), one.entry.seq)
        }
        opening_event, entries = state.opening.event, self.history.entries
        sentences = self._successive_sentences(initial_state(state.opening.book), entries)
        return {
            "title": self.article_context.title or (opening_event and opening_event.title),
            "players": [names.player_label(state, seat, style) for seat in SEATS],
            "facts": self._build_facts(opening_event),
            "verdict": format_engine_text(deal_verdict(audit_report), style),
            "result": names.result_phrase(state, self.score, style),
            "corrected_score": findings.corrected_score_sentences(audit_report, style),
            "course": build_deal_course(self.history, state, style, marked),
            "entry_reports": list(
                starmap(self._build_entry_report, enumerate(audit_report.entry_reports, 1))
            ),
            "hidden_cards": build_article_hidden_cards(audit_report, style),
            "misprints": audit_report.misprints and self._build_misprints(audit_report.misprints),
            "amendments": list(map(self._build_amendment, audit_report.amendments)),
            "rulings": list(map(self._build_entry, audit_report.rulings)),
            "penalties": list(
                penalty_lines(list_penalties(audit_report.audit), SentenceContext(state, state, style))
            ),
            "settlement": build_article_settlement(
                self.score, state, audit_report.settlements, style, self.clauses
            ),
            "entry_sentences": [(entry.seq, one) for entry, one in zip(entries, sentences, strict=True)],
            "ruleset": state.opening.rules.ruleset.id,
            "ruleset_name": names.ruleset_name(state, style),
            "revision": state.opening.rules.ruleset.revision,
            "source": ruleset_source(state.opening.rules.ruleset.source, style.lang),
            "clauses": self.clauses.cited_sections(),
            "switches": format_switches(opening_event.switches if opening_event else ()),
            "attestation": self.article_context.attestation,
        }

    # The heading

    def _build_facts(self, opening_event: DealOpened | None) -> list[tuple[str, str]]:
        """When, where and by which rules the deal was opened."""
        if opening_event is None:
            return []
        log, rules, table = self.audit_report.log, self.state.opening.rules, opening_event.table
        recorded_at = next((one.metadata.recorded_at or one.metadata.stored_at for one in log), None)
        revision = f", {opening_event.ruleset}/{rules.ruleset.revision}" if rules.is_known else ""
        return known_facts(
            day=opening_event.date and format_day(opening_event.date, self.style.lang),
            date=None if opening_event.date else recorded_at and format_day(recorded_at, self.style.lang),
            rules=names.ruleset_name(self.state, self.style) + revision,
            # An id tells a reader nothing.
            table=self.article_context.table_title or ("" if is_uuid(table or "") else table),
            number=opening_event.number,
            board=opening_event.board,
            dealer=opening_event.dealer,
            pool=opening_event.pool,
            sitting_out=", ".join(opening_event.players.sitting_out),
            source=opening_event.source,
            record=self.article_context.record_id,
        )

    # Matters

    def _build_entry_report(self, number: int, report: EntryReport) -> dict[str, Any]:
        """An entry with findings, the position before it, and what was legal."""
        state_before = report.state_before
        if number > MAX_DIAGRAMS or isinstance(report.entry.event, WHOLE_DEAL_EVENTS):
            state_before = None
        return {
            "number": number,
            "entry": self._build_entry(report.entry, state_before),
            "findings": [
                build_article_finding(one, self.style, self.clauses)
                for one in sorted(report.findings, key=lambda one: SEVERITIES.index(one.severity))
            ],
            "corrections": [
                build_proposed_correction(one, self.history.entries, self.state.opening.book, self.style)
                for one in report.corrections
            ],
            "consequences": findings.consequence_sentences(report.consequences, self.style),
            **({} if state_before is None else self._build_position(report, state_before)),
        }

    def _build_position(self, report: EntryReport, state_before: State) -> dict[str, Any]:
        """The position before an entry: the hands, what was legal, and the value of each card."""
        event, legal, played = report.entry.event, report.legal_actions, report.play_value
        place = next(at for at, one in enumerate(self.history.entries) if one.seq == report.entry.seq)
        marks = DiagramMarks(
            frozenset(CARD_BY_CODE[code] for code in legal.cards) if legal else (),
            event.card if isinstance(event, CardPlayed) else None,
            cards_known_later(state_before, self.history.entries[place:], self.state),
        )
        cost = (
            replace_seats_with_names(played.cost_text, state_before) if played and played.cost_text else None
        )
        return {
            "diagram": build_position_diagram(state_before, self.style, marks),
            "legal_actions": legal and next_action_phrase(legal, state_before, self.style),
            "cost": cost and format_engine_text(cost, self.style),
            "card_worths": self._build_card_worths(played) if played else [],
        }

    def _build_card_worths(self, played: PlayEvaluation) -> list[dict[str, Any]]:
        """The value of each legal card and of the card played; cards of the same value together."""
        groups: dict[tuple[str, tuple[str, ...]], list[Card]] = {}
        for choice in played.turn.choices:
            groups.setdefault(self._format_value(choice.value), []).append(choice.card)
        worths = [(value, cards, True) for value, cards in groups.items()]
        if not played.is_legal:
            worths.append((self._format_value(played.value), [played.card], False))
        return [
            {
                "cards": self.style.cards(tuple(cards)),
                "outcome": outcome,
                "chips": chips,
                "is_lawful": is_lawful,
                "is_played": played.card in cards,
            }
            for (outcome, chips), cards, is_lawful in worths
        ]

    def _format_value(self, value: PositionValue) -> tuple[str, tuple[str, ...]]:
        chips = [value.chips_for_seat(seat) for seat in SEATS]
        outcomes = dict.fromkeys(
            gettext(OUTCOME_TERMS[one.outcome], self.style.lang) for one in value.ends_by_defender
        )
        return " / ".join(outcomes), tuple("?" if one is None else self.style.chips(one) for one in chips)

    # Entries in words

    def _build_entry(self, entry: Entry, state_before: State | None = None) -> dict[str, Any]:
        """An entry in a sentence, with its author and time as far as they are known."""
        state = self.state if state_before is None else state_before
        after = state if state_before is None else evolve(state_before, entry)
        metadata, event, context = entry.metadata, entry.event, SentenceContext(state, after, self.style)
        recorded_at = metadata.recorded_at or metadata.stored_at
        author, is_link_id = self._author(metadata.recorded_by)
        ruling = event if isinstance(event, RulingMade) else None
        return {
            "seq": entry.seq,
            "sentence": ensure_full_stop(entry_sentence(entry, context) if ruling is None else ruling.text),
            "author": author,
            "is_link_id": is_link_id,
            "recorded_at": format_moment(recorded_at, self.style.lang) if recorded_at else "",
            "ruling_facts": [] if ruling is None else _ruling_facts(ruling, context),
            "effect_sentences": [
                *findings.answer_sentences(self.audit_report.answers, entry.seq, self.style),
                *(
                    line
                    for one in self.rulings
                    if one.seq == entry.seq
                    for line in ruling_lines(one, context)
                ),
            ],
        }

    def _author(self, name: str | None) -> tuple[str, bool]:
        """The author of an entry, and whether that is only the end of the id of a link."""
        if name is None or not is_uuid(name):
            return name or "", False
        known = self.article_context.author_names.get(name)
        return (known, False) if known else (name[-8:], True)

    def _build_amendment(self, amendment: ReportedAmendment) -> dict[str, Any]:
        before = amendment.state_before
        return {
            "entry": self._build_entry(amendment.amendment.entry),
            "original_sentences": self._successive_sentences(before, amendment.amendment.replaced_entries),
            "replacement_sentences": self._successive_sentences(before, amendment.replacement_entries),
        }

    def _successive_sentences(self, before: State, log: Log) -> list[str]:
        return list(map(ensure_full_stop, successive_sentences(before, log, self.style)))

    def _build_misprints(self, found: MisprintProposals) -> dict[str, Any]:
        groups = group_proposals(found.proposals)

        def join_texts(texts: Iterable[str]) -> str:
            return " ".join(format_engine_text(one, self.style) for one in texts)

        return {
            "proposals": [
                {
                    "corrections": join_texts(entry.reason for entry in one.first.corrections),
                    "reasons": join_texts(one.first.reasons),
                    "similar_proposals": findings.similar_proposals_phrase(one, self.style),
                }
                for one in groups[:MAX_PROPOSALS]
            ],
            "omitted_count": sum(1 + len(one.others) for one in groups[MAX_PROPOSALS:]),
            "is_complete": found.is_complete,
        }


def _ruling_facts(event: RulingMade, context: SentenceContext) -> list[tuple[str, str]]:
    """What a director decided, besides the words of the ruling."""
    outcome, at_fault = event.outcome, event.at_fault
    return known_facts(
        outcome=outcome and gettext(OUTCOME_TERMS[outcome], context.style.lang),
        at_fault=None if at_fault is None else context.player_label(at_fault),
        payments=event.payments and context.format_chips(event.payments),
        penalty=event.penalty and context.format_counts(event.penalty),
    )


def known_facts(**facts: object) -> list[tuple[str, str]]:
    """The facts that are known, each with the key of its label."""
    return [(key, str(value)) for key, value in facts.items() if value not in (None, "", ())]


def build_proposed_correction(
    correction: CorrectionMade, entries: Log, book: RulesetBook, style: TextStyle
) -> tuple[str, list[str]]:
    """The numbers of the entries that a correction replaces, and what it says instead."""
    sentences = findings.corrected_entry_sentences(entries, correction, book, style)
    return ", ".join(map(str, correction.replaces)), list(map(ensure_full_stop, sentences))


def build_article_finding(finding: Finding, style: TextStyle, citations: ClauseCitations) -> dict[str, Any]:
    """A finding in words; adds the sections of the rules that it names to ``citations``."""
    lang = style.lang
    sections = [citations.cite_section(finding.rule, finding.about, finding.code)]
    if finding.code == "revoke":
        sections.append(citations.cite_section(REVOKE_SECTION))
    return {
        "is_grave": finding.severity in FAULT_SEVERITIES,
        "message": findings.finding_message(finding, style),
        "severity": gettext(finding.severity, lang),
        "kind": finding_kind_name(finding.code, lang),
        "sections": sections,
        "other_entries": findings.other_entries_phrase(finding, style),
    }


def format_switches(switches: Switches) -> list[str]:
    """House rules with what each is set to."""
    return [f"{name}: {str(value).lower() if isinstance(value, bool) else value}" for name, value in switches]
