"""A report as the template sets it: heading, matters, corrections and rulings in words, with hands drawn."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine import Entry, Finding, History, State, evolve, start
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
from engine.core.log import Log
from engine.core.vocabulary import Seq
from engine.diagnosis.misprints import Misprints, grouped
from engine.play.findings import GRAVE
from engine.play.findings import SEVERITIES as BY_GRAVITY
from engine.report import SAID_OF_THE_DEAL, Matter, Mended, Report
from engine.rulings import penalties, rulings
from engine.solver import Played
from engine.solver.values import Value
from engine.view import is_id
from service.presentation.i18n.card_words import OUTCOMES
from service.presentation.i18n.dates import day_called, moment_called
from service.presentation.i18n.translate import kind_called, told
from service.presentation.reports.clauses import REVOKE, Clauses, Section, source_called
from service.presentation.reports.course import Course, course_of
from service.presentation.reports.diagrams import Diagram, Marks, at_a_point, cards_of, known_later
from service.presentation.reports.settlement import Settlement, settlement_of
from service.presentation.reports.signs import stopped, typeset
from service.presentation.reports.unseen import UnseenTold, unseen_of
from service.presentation.reports.vouching import Unvouched, Vouched
from service.presentation.text import names
from service.presentation.text.findings import with_cards
from service.presentation.text.mistakes import following, like_it, put_right
from service.presentation.text.next_acts import next_act
from service.presentation.text.players import by_name
from service.presentation.text.put_right import score_told
from service.presentation.text.ruled import penalty_lines, ruling_lines
from service.presentation.text.sentences import Telling, sentence
from service.presentation.text.style import Style
from service.presentation.text.words import LABELS, SEVERITIES

PROPOSED: Final = 5
"""So many proposals are told, the likeliest first."""
NO_ACTS: Final = (*SAID_OF_THE_DEAL, DealSettled, DealClosed, ResultRecorded)
"""What is said of a deal as a whole: no position belongs to it."""
WIDE: Final = 1_000
"""Columns: nothing is cut off on account of the width of a line."""


class About(NamedTuple):
    """What a report says beside what the log does.

    ``title`` is what the deal is called where not as its record says, and ``table`` what its table is where
    that is recorded, too; ``vouching`` what vouches for it;
    ``authors`` tells who a grant was given to, by its id, as far as the reader may know; ``record`` is the
    record's id.
    """

    vouching: Vouched | Unvouched
    title: str = ""
    table: str = ""
    record: str = ""
    authors: Mapping[str, str] = {}


class Fact(NamedTuple):
    """A line of the heading: what it is of (a key of the template's words), and what it says."""

    key: str
    told: str


class Found(NamedTuple):
    """A finding in words; ``grave`` where it makes the record faulty."""

    grave: bool
    message: str
    severity: str
    kind: str
    sections: tuple[Section, ...]
    shown_at: str


class Said(NamedTuple):
    """An entry in a sentence, with who wrote it down and when, as far as that is known.

    ``link``: of who wrote it only the end of the id of his link is known. ``ruled`` are the parts of a ruling
    beside its words, ``effect`` says what it changes of what the deal pays.
    """

    seq: Seq
    told: str
    by: str
    link: bool
    when: str
    ruled: tuple[Fact, ...] = ()
    effect: tuple[str, ...] = ()


class Worth(NamedTuple):
    """Cards that were worth as much: how best play ends after them, and what each player has then."""

    cards: str
    end: str
    chips: tuple[str, ...]
    lawful: bool
    played: bool


class Put(NamedTuple):
    """A correction that is proposed: the entries that it replaces, as numbers, and what would stand there."""

    entries: str
    now: tuple[str, ...]


class MatterTold(NamedTuple):
    """An entry at which something is found, with the position drawn and what was open.

    Of a mistake of the pen also the ``corrections`` that are proposed, and what ``follows`` from it.
    """

    number: int
    entry: Said
    found: tuple[Found, ...]
    corrections: tuple[Put, ...]
    follows: tuple[str, ...]
    diagram: Diagram | None
    open: str
    cost: str
    worth: tuple[Worth, ...]


class MendedTold(NamedTuple):
    """A correction, what stood there, and what stands there now."""

    entry: Said
    was: tuple[str, ...]
    now: tuple[str, ...]


class Proposal(NamedTuple):
    """What would be put right, why it is likely, and which others are like it; empty where none is."""

    corrections: str
    reasons: str
    others: str


class Misprinted(NamedTuple):
    """What may be misprinted: the likeliest proposals, how many more, and whether all was looked at."""

    proposals: tuple[Proposal, ...]
    more: int
    complete: bool


class Article(NamedTuple):
    """A report as it is printed.

    ``put_right``: what the deal pays once a mistake of the pen is put right, where that is another thing.
    """

    title: str
    players: tuple[str, ...]
    facts: tuple[Fact, ...]
    verdict: str
    put_right: str
    course: Course
    matters: tuple[MatterTold, ...]
    unseen: UnseenTold | None
    misprints: Misprinted | None
    mended: tuple[MendedTold, ...]
    rulings: tuple[Said, ...]
    penalties: tuple[str, ...]
    settlement: Settlement
    record: tuple[tuple[Seq, str], ...]
    rules: str
    revision: int
    source: str
    clauses: tuple[Section, ...]
    switches: tuple[str, ...]
    vouching: Vouched | Unvouched


MOST_DRAWN: Final = 30
"""From here on matters are described without a diagram: no real deal has as many."""


def article_of(made: Report, lang: str, about: About) -> Article:
    """The report in a language. Its log was cut already for whoever reads it, and has members' names."""
    telling = _Article(made, Style(lang, WIDE), about)
    return telling.told()


class _Article:
    """One telling of a report: sentences, numbers of matters and clauses that are named on the way."""

    def __init__(self, made: Report, style: Style, about: About) -> None:
        self.made, self.style, self.about = made, style, about
        self.state, self.score = made.audit.state, made.audit.score
        self.history: History = made.audit.history
        self.ruled = rulings(made.audit, self.state.opening.book)
        self.clauses = Clauses(self.state.opening.rules, style.lang, self.score.contract)

    def told(self) -> Article:
        made, style, state = self.made, self.style, self.state
        marked = {
            seq: number
            for number, one in enumerate(made.matters, 1)
            for seq in (*(below.seq for below in one.follows), one.entry.seq)
        }
        opened = state.opening.opened
        matters = tuple(self._matter(number, one) for number, one in enumerate(made.matters, 1))
        settlement = settlement_of(self.score, state, made.settled, style, self.clauses)
        return Article(
            self.about.title or (opened.title if opened and opened.title else ""),
            tuple(names.player(state, seat, style) for seat in SEATS),
            tuple(self._facts(opened)),
            names.result(state, self.score, style),
            score_told(made, style),
            course_of(self.history, state, style, marked),
            matters,
            unseen_of(made, style),
            None if made.misprints is None else self._misprinted(made.misprints),
            tuple(map(self._mended, made.mended)),
            tuple(map(self._said, made.rulings)),
            tuple(penalty_lines(penalties(made.audit), Telling(state, state, style))),
            settlement,
            tuple(self._record()),
            names.ruleset(state, style),
            state.opening.rules.ruleset.revision,
            source_called(state.opening.rules.ruleset.source, style.lang),
            self.clauses.named(),
            tuple(f"{name}: {value_told(value)}" for name, value in (opened.switches if opened else ())),
            self.about.vouching,
        )

    # The heading

    def _facts(self, opened: DealOpened | None) -> Iterator[Fact]:
        """When it was opened, by which rules, where and for what."""
        lang, state = self.style.lang, self.state
        if opened is None:
            return
        log = self.made.log
        when = next((one.record.recorded_at or one.record.stored_at for one in log), None)
        rules = state.opening.rules
        if when:
            yield Fact("date", day_called(when, lang))
        called = names.ruleset(state, self.style)
        revision = f"{called}, {opened.ruleset}/{rules.ruleset.revision}" if rules.known else called
        yield Fact("rules", revision)
        for key in ("table", "number", "board", "dealer", "pool"):
            value = self._table(opened.table) if key == "table" else getattr(opened, key)
            if value not in (None, ""):
                yield Fact(key, str(value))
        if opened.players.sitting_out:
            yield Fact("sitting_out", ", ".join(opened.players.sitting_out))
        if opened.source:
            yield Fact("source", opened.source)
        if self.about.record:
            yield Fact("record", self.about.record)

    def _table(self, table: str | None) -> str | None:
        """The table by its name; an id tells a reader nothing."""
        return self.about.table or (None if table is not None and is_id(table) else table)

    # Matters

    def _matter(self, number: int, matter: Matter) -> MatterTold:
        before, style, event = matter.before, self.style, matter.entry.event
        found = tuple(found_told(one, style, self.clauses) for one in sorted(matter.findings, key=_gravity))
        below = (
            tuple(map(self._put, matter.corrections)),
            tuple(map(typeset, following(matter.follows, style))),
        )
        if before is None or number > MOST_DRAWN or isinstance(event, NO_ACTS):
            return MatterTold(number, self._said(matter.entry), found, *below, None, "", "", ())
        card = event.card if isinstance(event, CardPlayed) else None
        open_cards = cards_of(matter.due.cards) if matter.due is not None else ()
        marks = Marks(open_cards, card, known_later(before, self._from(matter.entry), self.state))
        cost = matter.played.told if matter.played is not None else None
        return MatterTold(
            number,
            self._said(matter.entry, before),
            found,
            *below,
            at_a_point(before, style, marks),
            next_act(matter.due, before, style) if matter.due is not None else "",
            with_cards(told(by_name(cost, before), style.lang), style) if cost else "",
            tuple(self._worth(matter.played)) if matter.played is not None else (),
        )

    def _put(self, correction: CorrectionMade) -> Put:
        now = put_right(self.history.entries, correction, self.state.opening.book, self.style)
        return Put(", ".join(map(str, correction.replaces)), tuple(map(stopped, now)))

    def _from(self, entry: Entry) -> Log:
        """An entry of the history and all that come behind it."""
        entries = self.history.entries
        return entries[next(place for place, one in enumerate(entries) if one.seq == entry.seq) :]

    def _worth(self, played: Played) -> Iterator[Worth]:
        """What each legal card was worth, and the one that was played; cards of the same worth together."""
        groups: dict[tuple[str, tuple[str, ...]], list[Card]] = {}
        for choice in played.point.choices:
            groups.setdefault(self._value(choice.value), []).append(choice.card)
        for (end, chips), cards in groups.items():
            yield Worth(self.style.cards(tuple(cards)), end, chips, True, played.card in cards)
        if not played.lawful:
            end, chips = self._value(played.value)
            yield Worth(self.style.card(played.card), end, chips, False, True)

    def _value(self, value: Value) -> tuple[str, tuple[str, ...]]:
        chips = [value.chips(seat) for seat in SEATS]
        ends = dict.fromkeys(OUTCOMES[one.outcome][self.style.lang] for one in value.ends)
        return " / ".join(ends), tuple("?" if one is None else self.style.chips(one) for one in chips)

    # Entries in words

    def _said(self, entry: Entry, before: State | None = None) -> Said:
        state = self.state if before is None else before
        after = state if before is None else evolve(before, entry)
        record, event, telling = entry.record, entry.event, Telling(state, after, self.style)
        when = record.recorded_at or record.stored_at
        by, link = self._author(record.recorded_by)
        ruling = event if isinstance(event, RulingMade) else None
        return Said(
            entry.seq,
            stopped(sentence(entry, telling) if ruling is None else ruling.text),
            by,
            link,
            moment_called(when, self.style.lang) if when else "",
            () if ruling is None else tuple(_ruled(ruling, telling)),
            tuple(self._effect(entry.seq, telling)),
        )

    def _effect(self, seq: Seq, telling: Telling) -> Iterator[str]:
        for one in self.ruled:
            if one.seq == seq:
                yield from ruling_lines(one, telling)

    def _author(self, name: str | None) -> tuple[str, bool]:
        """Who wrote an entry down, and whether that is but the end of the id of the link he wrote with."""
        if name is None or not is_id(name):
            return name or "", False
        known = self.about.authors.get(name)
        return (known, False) if known else (name[-8:], True)

    def _mended(self, mended: Mended) -> MendedTold:
        was, now = (
            tuple(self._one_after_another(mended.before, log))
            for log in (mended.mending.before, mended.since)
        )
        return MendedTold(self._said(mended.mending.entry), was, now)

    def _one_after_another(self, before: State, log: Log) -> Iterator[str]:
        for entry in log:
            after = evolve(before, entry)
            yield stopped(sentence(entry, Telling(before, after, self.style)))
            before = after

    def _misprinted(self, found: Misprints) -> Misprinted:
        style, lang = self.style, self.style.lang
        groups = grouped(found.proposals)
        proposals = tuple(
            Proposal(
                with_cards(" ".join(told(entry.reason, lang) for entry in one.first.corrections), style),
                with_cards(" ".join(told(reason, lang) for reason in one.first.reasons), style),
                like_it(one, style),
            )
            for one in groups[:PROPOSED]
        )
        left = sum(1 + len(one.others) for one in groups[PROPOSED:])
        return Misprinted(proposals, left, found.complete)

    def _record(self) -> Iterator[tuple[Seq, str]]:
        """Every entry that stands, in a sentence."""
        entries = self.history.entries
        before = start(self.state.opening.book)
        for entry in entries:
            after = evolve(before, entry)
            yield entry.seq, stopped(sentence(entry, Telling(before, after, self.style)))
            before = after


def _ruled(event: RulingMade, telling: Telling) -> Iterator[Fact]:
    """What a director decided, beyond his words."""
    if event.outcome is not None:
        yield Fact("outcome", OUTCOMES[event.outcome][telling.style.lang])
    if event.at_fault is not None:
        yield Fact("at_fault", telling.name(event.at_fault))
    if event.payments:
        yield Fact("payments", telling.chips(event.payments))
    if event.penalty:
        yield Fact("penalty", telling.counts(event.penalty))


def _gravity(finding: Finding) -> int:
    return BY_GRAVITY.index(finding.severity)


def found_told(finding: Finding, style: Style, clauses: Clauses) -> Found:
    """A finding in words; the sections of the rules that it names are named to ``clauses``."""
    lang = style.lang
    named = [clauses.section(finding.rule, finding.about, finding.code)]
    if finding.code == "revoke":
        named.append(clauses.section(REVOKE))
    others = ", ".join(str(seq) for seq in finding.evidence if seq != finding.seq)
    return Found(
        finding.severity in GRAVE,
        typeset(with_cards(told(finding.message, lang), style)),
        SEVERITIES[finding.severity][lang],
        kind_called(finding.code, lang),
        tuple(named),
        LABELS["shown_at"][lang].format(seqs=others) if others else "",
    )


def value_told(value: object) -> str:
    """What a house rule is set to."""
    return str(value).lower() if isinstance(value, bool) else str(value)
