"""A report as the template sets it: heading, entry reports, corrections and rulings, with hands drawn."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine import Entry, Finding, History, State, evolve, initial_state
from engine.audit_report import RULING_EVENTS, AuditReport, EntryReport, ReportedAmendment
from engine.core.cards import SEATS, Card
from engine.core.events import (
    CardPlayed,
    CorrectionMade,
    DealClosed,
    DealOpened,
    DealSettled,
    ResultRecorded,
    RulingMade,
)
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.diagnosis.misprints import MisprintProposals, group_proposals
from engine.play.findings import FAULT_SEVERITIES
from engine.play.findings import SEVERITIES as BY_GRAVITY
from engine.rulings import list_penalties, list_ruling_effects
from engine.solver.evaluation import PlayEvaluation
from engine.solver.position_value import PositionValue
from engine.view import is_uuid
from schemas.i18n.card_words import OUTCOME_TERMS
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import finding_kind_name, ruleset_source, translate
from service.presentation.i18n.dates import format_day, format_moment
from service.presentation.reports.attestation import RecordAttestation, UnattestedRecord
from service.presentation.reports.card_markup import ensure_full_stop, replace_minus_signs
from service.presentation.reports.clauses import (
    REVOKE_SECTION,
    CitedSection,
    ClauseCitations,
)
from service.presentation.reports.deal_course import DealCourse, build_deal_course
from service.presentation.reports.diagrams import (
    DiagramMarks,
    HandDiagram,
    build_position_diagram,
    cards_known_later,
    parse_cards,
)
from service.presentation.reports.hidden_cards import ArticleHiddenCards, build_article_hidden_cards
from service.presentation.reports.settlement import ArticleSettlement, build_article_settlement
from service.presentation.text import names
from service.presentation.text.findings import format_card_codes
from service.presentation.text.legal_actions import next_action_phrase
from service.presentation.text.mistake_sentences import (
    consequence_sentences,
    corrected_entry_sentences,
    similar_proposals_phrase,
)
from service.presentation.text.names import replace_seats_with_names
from service.presentation.text.rulings import penalty_lines, ruling_lines
from service.presentation.text.sentences import SentenceContext, entry_sentence
from service.presentation.text.style import TextStyle
from service.presentation.text.suggestions import corrected_score_sentences
from service.presentation.text.words import LABEL_PHRASES

MAX_PROPOSALS: Final = 5
"""So many proposals are told, the likeliest first."""
WHOLE_DEAL_EVENTS: Final = (*RULING_EVENTS, DealSettled, DealClosed, ResultRecorded)
"""What is said of a deal as a whole: no position belongs to it."""
UNLIMITED_WIDTH: Final = 1_000
"""Columns: nothing is cut off on account of the width of a line."""


class ArticleContext(NamedTuple):
    """What a report says beside what the log does.

    ``title`` is what the deal is called where not as its record says, and ``table_title`` what its table is
    where that is recorded, too; ``attestation`` is what vouches for it; ``author_names`` tells who a grant
    was given to, by its id, as far as the reader may know; ``record_id`` is the record's id.
    """

    attestation: RecordAttestation | UnattestedRecord
    title: str = ""
    table_title: str = ""
    record_id: str = ""
    author_names: Mapping[str, str] = {}


class ArticleFact(NamedTuple):
    """A line of the heading: what it is of (a key of the template's words), and what it says."""

    key: str
    value: str


class ArticleFinding(NamedTuple):
    """A finding in words; ``is_grave`` where it makes the record faulty."""

    is_grave: bool
    message: str
    severity: str
    kind: str
    sections: tuple[CitedSection, ...]
    other_entries: str


class ArticleEntry(NamedTuple):
    """An entry in a sentence, with who wrote it down and when, as far as that is known.

    ``is_link_id``: of who wrote it only the end of the id of their link is known. ``ruling_facts`` are the
    parts of a ruling beside its words, ``effect_sentences`` says what it changes of what the deal pays.
    """

    seq: Seq
    sentence: str
    author: str
    is_link_id: bool
    recorded_at: str
    ruling_facts: tuple[ArticleFact, ...] = ()
    effect_sentences: tuple[str, ...] = ()


class CardWorth(NamedTuple):
    """Cards that were worth as much: how best play ends after them, and what each player has then."""

    cards: str
    outcome: str
    chips: tuple[str, ...]
    is_lawful: bool
    is_played: bool


class ProposedCorrection(NamedTuple):
    """A correction that is proposed: the entries that it replaces, as numbers, and what would stand there."""

    replaced_entries: str
    corrected_sentences: tuple[str, ...]


class ArticleEntryReport(NamedTuple):
    """An entry at which something is found, with the position drawn and what was open.

    Of a mistake of the pen also the ``corrections`` that are proposed, and its ``consequences``.
    """

    number: int
    entry: ArticleEntry
    findings: tuple[ArticleFinding, ...]
    corrections: tuple[ProposedCorrection, ...]
    consequences: tuple[str, ...]
    diagram: HandDiagram | None
    legal_actions: str
    cost: str
    card_worths: tuple[CardWorth, ...]


class ArticleAmendment(NamedTuple):
    """A correction, what stood there, and what stands there now."""

    entry: ArticleEntry
    original_sentences: tuple[str, ...]
    replacement_sentences: tuple[str, ...]


class MisprintProposal(NamedTuple):
    """What would be put right, why it is likely, and which others are like it; empty where none is."""

    corrections: str
    reasons: str
    similar_proposals: str


class ArticleMisprints(NamedTuple):
    """What may be misprinted: the likeliest proposals, how many more, and whether all was looked at."""

    proposals: tuple[MisprintProposal, ...]
    omitted_count: int
    is_complete: bool


class DealArticle(NamedTuple):
    """A report as it is printed.

    ``corrected_score``: what the deal pays once a mistake of the pen is put right, where that is another
    thing.
    """

    title: str
    players: tuple[str, ...]
    facts: tuple[ArticleFact, ...]
    verdict: str
    corrected_score: str
    course: DealCourse
    entry_reports: tuple[ArticleEntryReport, ...]
    hidden_cards: ArticleHiddenCards | None
    misprints: ArticleMisprints | None
    amendments: tuple[ArticleAmendment, ...]
    rulings: tuple[ArticleEntry, ...]
    penalties: tuple[str, ...]
    settlement: ArticleSettlement
    entry_sentences: tuple[tuple[Seq, str], ...]
    ruleset_name: str
    revision: int
    source: str
    clauses: tuple[CitedSection, ...]
    switches: tuple[str, ...]
    attestation: RecordAttestation | UnattestedRecord


MAX_DIAGRAMS: Final = 30
"""Entry reports after these have no diagram: no real deal has as many."""


def build_deal_article(audit_report: AuditReport, lang: str, article_context: ArticleContext) -> DealArticle:
    """The report in a language. Its log was cut already for whoever reads it, and has members' names."""
    builder = _DealArticleBuilder(audit_report, TextStyle(lang, UNLIMITED_WIDTH), article_context)
    return builder.build()


class _DealArticleBuilder:
    """Builds the article of a report; collects the numbers of its entry reports and the clauses it cites."""

    def __init__(self, audit_report: AuditReport, style: TextStyle, article_context: ArticleContext) -> None:
        self.audit_report, self.style, self.article_context = audit_report, style, article_context
        self.state, self.score = audit_report.audit.state, audit_report.audit.score
        self.history: History = audit_report.audit.history
        self.rulings = list_ruling_effects(audit_report.audit, self.state.opening.book)
        self.clauses = ClauseCitations(self.state.opening.rules, style.lang, self.score.contract)

    def build(self) -> DealArticle:
        audit_report, style, state = self.audit_report, self.style, self.state
        marked = {
            seq: number
            for number, one in enumerate(audit_report.entry_reports, 1)
            for seq in (*(consequence.seq for consequence in one.consequences), one.entry.seq)
        }
        opening_event = state.opening.event
        entry_reports = tuple(
            self._build_entry_report(number, one) for number, one in enumerate(audit_report.entry_reports, 1)
        )
        settlement = build_article_settlement(
            self.score, state, audit_report.settlements, style, self.clauses
        )
        return DealArticle(
            self.article_context.title
            or (opening_event.title if opening_event and opening_event.title else ""),
            tuple(names.player_label(state, seat, style) for seat in SEATS),
            tuple(self._build_facts(opening_event)),
            names.result_phrase(state, self.score, style),
            corrected_score_sentences(audit_report, style),
            build_deal_course(self.history, state, style, marked),
            entry_reports,
            build_article_hidden_cards(audit_report, style),
            None if audit_report.misprints is None else self._build_misprints(audit_report.misprints),
            tuple(map(self._build_amendment, audit_report.amendments)),
            tuple(map(self._build_entry, audit_report.rulings)),
            tuple(penalty_lines(list_penalties(audit_report.audit), SentenceContext(state, state, style))),
            settlement,
            tuple(self._numbered_sentences()),
            names.ruleset_name(state, style),
            state.opening.rules.ruleset.revision,
            ruleset_source(state.opening.rules.ruleset.source, style.lang),
            self.clauses.cited_sections(),
            tuple(
                f"{name}: {format_switch_value(value)}"
                for name, value in (opening_event.switches if opening_event else ())
            ),
            self.article_context.attestation,
        )

    # The heading

    def _build_facts(self, opening_event: DealOpened | None) -> Iterator[ArticleFact]:
        """When it was opened, by which rules, where and for what."""
        lang, state = self.style.lang, self.state
        if opening_event is None:
            return
        log = self.audit_report.log
        recorded_at = next((one.metadata.recorded_at or one.metadata.stored_at for one in log), None)
        rules = state.opening.rules
        if recorded_at:
            yield ArticleFact("date", format_day(recorded_at, lang))
        rules_name = names.ruleset_name(state, self.style)
        revision = (
            f"{rules_name}, {opening_event.ruleset}/{rules.ruleset.revision}"
            if rules.is_known
            else rules_name
        )
        yield ArticleFact("rules", revision)
        for key in ("table", "number", "board", "dealer", "pool"):
            value = self._table_name(opening_event.table) if key == "table" else getattr(opening_event, key)
            if value not in (None, ""):
                yield ArticleFact(key, str(value))
        if opening_event.players.sitting_out:
            yield ArticleFact("sitting_out", ", ".join(opening_event.players.sitting_out))
        if opening_event.source:
            yield ArticleFact("source", opening_event.source)
        if self.article_context.record_id:
            yield ArticleFact("record", self.article_context.record_id)

    def _table_name(self, table: str | None) -> str | None:
        """The table by its name; an id tells a reader nothing."""
        return self.article_context.table_title or (None if table is not None and is_uuid(table) else table)

    # Matters

    def _build_entry_report(self, number: int, report: EntryReport) -> ArticleEntryReport:
        state_before, style, event = report.state_before, self.style, report.entry.event
        found = tuple(
            build_article_finding(one, style, self.clauses)
            for one in sorted(report.findings, key=_severity_rank)
        )
        corrections_and_consequences = (
            tuple(map(self._build_proposed_correction, report.corrections)),
            tuple(map(replace_minus_signs, consequence_sentences(report.consequences, style))),
        )
        if state_before is None or number > MAX_DIAGRAMS or isinstance(event, WHOLE_DEAL_EVENTS):
            return ArticleEntryReport(
                number,
                self._build_entry(report.entry),
                found,
                *corrections_and_consequences,
                None,
                "",
                "",
                (),
            )
        card = event.card if isinstance(event, CardPlayed) else None
        open_cards = parse_cards(report.legal_actions.cards) if report.legal_actions is not None else ()
        marks = DiagramMarks(
            open_cards, card, cards_known_later(state_before, self._entries_from(report.entry), self.state)
        )
        cost = report.play_value.cost_text if report.play_value is not None else None
        return ArticleEntryReport(
            number,
            self._build_entry(report.entry, state_before),
            found,
            *corrections_and_consequences,
            build_position_diagram(state_before, style, marks),
            next_action_phrase(report.legal_actions, state_before, style)
            if report.legal_actions is not None
            else "",
            format_card_codes(translate(replace_seats_with_names(cost, state_before), style.lang), style)
            if cost
            else "",
            tuple(self._build_card_worths(report.play_value)) if report.play_value is not None else (),
        )

    def _build_proposed_correction(self, correction: CorrectionMade) -> ProposedCorrection:
        sentences = corrected_entry_sentences(
            self.history.entries, correction, self.state.opening.book, self.style
        )
        return ProposedCorrection(
            ", ".join(map(str, correction.replaces)), tuple(map(ensure_full_stop, sentences))
        )

    def _entries_from(self, entry: Entry) -> Log:
        """An entry of the history and all that come behind it."""
        entries = self.history.entries
        return entries[next(place for place, one in enumerate(entries) if one.seq == entry.seq) :]

    def _build_card_worths(self, played: PlayEvaluation) -> Iterator[CardWorth]:
        """What each legal card was worth, and the one that was played; cards of the same worth together."""
        groups: dict[tuple[str, tuple[str, ...]], list[Card]] = {}
        for choice in played.turn.choices:
            groups.setdefault(self._format_value(choice.value), []).append(choice.card)
        for (end, chips), cards in groups.items():
            yield CardWorth(self.style.cards(tuple(cards)), end, chips, True, played.card in cards)
        if not played.is_legal:
            end, chips = self._format_value(played.value)
            yield CardWorth(self.style.card(played.card), end, chips, False, True)

    def _format_value(self, value: PositionValue) -> tuple[str, tuple[str, ...]]:
        chips = [value.chips_for_seat(seat) for seat in SEATS]
        outcomes = dict.fromkeys(
            gettext(OUTCOME_TERMS[one.outcome], self.style.lang) for one in value.ends_by_defender
        )
        return " / ".join(outcomes), tuple("?" if one is None else self.style.chips(one) for one in chips)

    # Entries in words

    def _build_entry(self, entry: Entry, state_before: State | None = None) -> ArticleEntry:
        state = self.state if state_before is None else state_before
        after = state if state_before is None else evolve(state_before, entry)
        metadata, event, context = entry.metadata, entry.event, SentenceContext(state, after, self.style)
        recorded_at = metadata.recorded_at or metadata.stored_at
        author, link = self._author(metadata.recorded_by)
        ruling = event if isinstance(event, RulingMade) else None
        return ArticleEntry(
            entry.seq,
            ensure_full_stop(entry_sentence(entry, context) if ruling is None else ruling.text),
            author,
            link,
            format_moment(recorded_at, self.style.lang) if recorded_at else "",
            () if ruling is None else tuple(_ruling_facts(ruling, context)),
            tuple(self._ruling_effects(entry.seq, context)),
        )

    def _ruling_effects(self, seq: Seq, context: SentenceContext) -> Iterator[str]:
        for one in self.rulings:
            if one.seq == seq:
                yield from ruling_lines(one, context)

    def _author(self, name: str | None) -> tuple[str, bool]:
        """Who wrote an entry down, and whether that is but the end of the id of the link he wrote with."""
        if name is None or not is_uuid(name):
            return name or "", False
        known = self.article_context.author_names.get(name)
        return (known, False) if known else (name[-8:], True)

    def _build_amendment(self, amendment: ReportedAmendment) -> ArticleAmendment:
        replaced, replacement = (
            tuple(self._successive_sentences(amendment.state_before, log))
            for log in (amendment.amendment.replaced_entries, amendment.replacement_entries)
        )
        return ArticleAmendment(self._build_entry(amendment.amendment.entry), replaced, replacement)

    def _successive_sentences(self, before: State, log: Log) -> Iterator[str]:
        for entry in log:
            after = evolve(before, entry)
            yield ensure_full_stop(entry_sentence(entry, SentenceContext(before, after, self.style)))
            before = after

    def _build_misprints(self, found: MisprintProposals) -> ArticleMisprints:
        style, lang = self.style, self.style.lang
        groups = group_proposals(found.proposals)
        proposals = tuple(
            MisprintProposal(
                format_card_codes(
                    " ".join(translate(entry.reason, lang) for entry in one.first.corrections), style
                ),
                format_card_codes(" ".join(translate(reason, lang) for reason in one.first.reasons), style),
                similar_proposals_phrase(one, style),
            )
            for one in groups[:MAX_PROPOSALS]
        )
        omitted_count = sum(1 + len(one.others) for one in groups[MAX_PROPOSALS:])
        return ArticleMisprints(proposals, omitted_count, found.is_complete)

    def _numbered_sentences(self) -> Iterator[tuple[Seq, str]]:
        """Every entry that stands, in a sentence."""
        entries = self.history.entries
        before = initial_state(self.state.opening.book)
        for entry in entries:
            after = evolve(before, entry)
            yield (
                entry.seq,
                ensure_full_stop(entry_sentence(entry, SentenceContext(before, after, self.style))),
            )
            before = after


def _ruling_facts(event: RulingMade, context: SentenceContext) -> Iterator[ArticleFact]:
    """What a director decided, beyond his words."""
    if event.outcome is not None:
        yield ArticleFact("outcome", gettext(OUTCOME_TERMS[event.outcome], context.style.lang))
    if event.at_fault is not None:
        yield ArticleFact("at_fault", context.player_label(event.at_fault))
    if event.payments:
        yield ArticleFact("payments", context.format_chips(event.payments))
    if event.penalty:
        yield ArticleFact("penalty", context.format_counts(event.penalty))


def _severity_rank(finding: Finding) -> int:
    return BY_GRAVITY.index(finding.severity)


def build_article_finding(finding: Finding, style: TextStyle, citations: ClauseCitations) -> ArticleFinding:
    """A finding in words; the sections of the rules that it names are named to ``citations``."""
    lang = style.lang
    sections = [citations.cite_section(finding.rule, finding.about, finding.code)]
    if finding.code == "revoke":
        sections.append(citations.cite_section(REVOKE_SECTION))
    other_seqs = ", ".join(str(seq) for seq in finding.evidence if seq != finding.seq)
    return ArticleFinding(
        finding.severity in FAULT_SEVERITIES,
        replace_minus_signs(format_card_codes(translate(finding.message, lang), style)),
        gettext(finding.severity, lang),
        finding_kind_name(finding.code, lang),
        tuple(sections),
        gettext(LABEL_PHRASES["shown_at"], lang).format(seqs=other_seqs) if other_seqs else "",
    )


def format_switch_value(value: object) -> str:
    """What a house rule is set to."""
    return str(value).lower() if isinstance(value, bool) else str(value)
