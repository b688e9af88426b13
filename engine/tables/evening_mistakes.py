"""What was plainly entered wrongly in an evening, and the evening without it; the record stays as it is.

A deal may be entered twice, as when two people type one slip (RULES 9). The same nine cards in a hand, or
nine plays in the same order, are no chance. A slip without cards counts only where the same people sit in the
same seats out of turn.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from engine.core import events
from engine.core.cards import CARD_BITS, HAND_SIZE, Card, Seat
from engine.core.events import CorrectionMade, Event
from engine.core.field_types import Seq
from engine.core.log import Entry, Log
from engine.core.message import format_message
from engine.core.table_events import DealStarted
from engine.diagnosis.explanations import Explanation, append_corrections, explain_findings, relocate_finding
from engine.play.findings import Finding, build_finding
from engine.play.history import effective
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.tables.evening_audit import EveningAudit

MIN_SHARED_PLAYS: Final = HAND_SIZE
"""The fewest cards in the same place that are no coincidence."""
ADMINISTRATIVE_EVENTS: Final = (
    events.DealOpened,
    events.NoteAdded,
    events.GapNoted,
    events.DealSettled,
    events.DealClosed,
)
"""Entries that do not say what happened in a deal."""


class DuplicateDeal(NamedTuple):
    """A deal that was entered before: that deal, and the entries that show it, in this one's own log.

    ``is_certain``: its cards show it; of a slip it is only likely.
    """

    first: str
    evidence: tuple[Seq, ...]
    is_certain: bool


class _DealFingerprint(NamedTuple):
    """What distinguishes deals: whole hands dealt, cards played, and other events."""

    opening_event: events.DealOpened | None
    hands: Mapping[Seat, frozenset[Card]]
    plays: tuple[events.CardPlayed, ...]
    other_events: tuple[Event, ...]
    dealt_at: tuple[Seq, ...]
    played_at: tuple[Seq, ...]


def find_duplicate_deals(
    names: Iterable[str], deals: Mapping[str, Log], misseated: Collection[str]
) -> dict[str, DuplicateDeal]:
    """The deals that were entered before, by their names.

    ``names``: the deals of a table in the order in which they were started; ``misseated``: those in which
    people sit otherwise than the order of the deals has them.
    """
    found: dict[str, DuplicateDeal] = {}
    known: dict[str, _DealFingerprint] = {}
    for name in dict.fromkeys(names):
        if name not in deals:
            continue
        deal = _build_fingerprint(deals[name])
        for first, other in known.items():
            evidence = _find_shared_entries(deal, other, is_misseated=name in misseated)
            if evidence:
                found[name] = DuplicateDeal(first, evidence, is_certain=bool(deal.hands or deal.plays))
                break
        else:
            known[name] = deal
    return found


def _build_fingerprint(log: Log) -> _DealFingerprint:
    entries = effective(log).entries
    dealt = [(entry.seq, hand) for entry in entries for hand in _whole_hands(entry)]
    played = [(entry.seq, entry.event) for entry in entries if isinstance(entry.event, events.CardPlayed)]
    return _DealFingerprint(
        next((entry.event for entry in entries if isinstance(entry.event, events.DealOpened)), None),
        dict(hand for _, hand in dealt),
        tuple(event for _, event in played),
        tuple(entry.event for entry in entries if not isinstance(entry.event, ADMINISTRATIVE_EVENTS)),
        tuple(seq for seq, _ in dealt),
        tuple(seq for seq, _ in played),
    )


def _whole_hands(entry: Entry) -> Iterator[tuple[Seat, frozenset[Card]]]:
    event = entry.event
    if (
        isinstance(event, events.HandDealt)
        and len({card for card in event.cards if CARD_BITS[card]}) == HAND_SIZE
    ):
        yield event.seat, frozenset(event.cards)


def _find_shared_entries(
    deal: _DealFingerprint, other: _DealFingerprint, *, is_misseated: bool
) -> tuple[Seq, ...]:
    """The entries that show a deal to be the same as another; none where it is not."""
    if _has_same_hands(deal, other):
        return deal.dealt_at
    if _has_same_plays(deal, other):
        return deal.played_at
    opening_event, other_opening = deal.opening_event, other.opening_event
    if (
        not is_misseated
        or opening_event is None
        or other_opening is None
        or not deal.other_events
        or deal.plays
        or deal.hands
    ):
        return ()
    again = (opening_event.players, opening_event.dealer, deal.other_events) == (
        other_opening.players,
        other_opening.dealer,
        other.other_events,
    )
    return (1,) if again else ()


def _has_same_hands(deal: _DealFingerprint, other: _DealFingerprint) -> bool:
    """Whether the hands that both record whole are the same; boards deal the same hands on purpose."""
    boards = [one.opening_event is not None and one.opening_event.board is not None for one in (deal, other)]
    seats = deal.hands.keys() & other.hands.keys()
    return bool(seats) and not all(boards) and all(deal.hands[seat] == other.hands[seat] for seat in seats)


def _has_same_plays(deal: _DealFingerprint, other: _DealFingerprint) -> bool:
    """Whether the same cards were played in the same order, and enough of them are recorded."""
    cards = [(play.seat, play.card) for play in deal.plays]
    known = sum(bool(CARD_BITS[card]) for _, card in cards)
    return known >= MIN_SHARED_PLAYS and cards == [(play.seat, play.card) for play in other.plays]


class EveningMistakes(NamedTuple):
    """What was entered wrongly, by the streams' names of deals: those entered twice, those explained.

    ``log`` and ``deals``: the table's log and those of its deals without all that.
    """

    duplicates: Mapping[str, DuplicateDeal]
    explanations: Mapping[str, Explanation]
    log: Log
    deals: Mapping[str, Log]

    def relocate_finding(self, name: str, one: Finding) -> Finding:
        """A finding of the corrected deal, with the entries of the record."""
        if name not in self.explanations:
            return one
        explained = self.explanations[name]
        recorded = self.deals[name][: -len(explained.corrections)]
        return relocate_finding(one, explained.original_seqs(recorded))


def find_evening_mistakes(
    evening: EveningAudit, deals: Mapping[str, Log], book: RulesetBook = PUBLISHED_RULESETS
) -> EveningMistakes:
    """What was entered wrongly in an evening; ``deals`` are its deals' logs as recorded, by their names."""
    findings = evening.ledger.findings
    misseated = {one.deal for one in findings if one.deal and one.finding.code == "seating_mismatch"}
    duplicates = find_duplicate_deals(evening.logs, deals, misseated)
    explained = dict(_list_explanations(evening, duplicates, book))
    return EveningMistakes(
        duplicates,
        explained,
        append_corrections(evening.log, _list_duplicate_corrections(evening.log, duplicates)),
        {
            name: append_corrections(deal, explained[name].corrections) if name in explained else deal
            for name, deal in deals.items()
            if name not in duplicates
        },
    )


def _list_explanations(
    evening: EveningAudit, duplicates: Mapping[str, DuplicateDeal], book: RulesetBook
) -> Iterator[tuple[str, Explanation]]:
    for name, judged in evening.audits.items():
        if judged.findings and name not in duplicates:
            found = explain_findings(evening.logs[name], judged, book)
            if found.mistakes:
                yield name, found


def _list_duplicate_corrections(
    log: Log, duplicates: Mapping[str, DuplicateDeal]
) -> Iterator[CorrectionMade]:
    """The corrections of a table's log that leave out the deals that were entered twice."""
    for entry in effective(log).entries:
        if isinstance(entry.event, DealStarted) and entry.event.deal in duplicates:
            yield CorrectionMade("", (entry.seq,), None, ())


def build_duplicate_finding(evening: EveningAudit, duplicate: DuplicateDeal) -> Finding:
    """That a deal was entered before, as a finding at the first entry that shows it; of a slip a warning."""
    number = next(line.number or 0 for line in evening.ledger.lines if line.deal == duplicate.first)
    message = format_message(
        "This deal is deal {number} once more; it counts twice until one of them is taken back.",
        number=number,
    )
    if not duplicate.is_certain:
        message = format_message(
            "This slip says what that of deal {number} says, of the same people in the same seats and "
            "out of turn: perhaps it is that deal once more.",
            number=number,
        )
    seq, *others = duplicate.evidence
    finding = build_finding(seq, "deal_doubled", message, "9. Record", evidence=tuple(others))
    return finding if duplicate.is_certain else finding._replace(severity="warning")
