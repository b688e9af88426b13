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
from engine.core.field_types import Players, Seq
from engine.core.log import Log
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
    """What distinguishes deals: who sat where, whole hands dealt, cards played, and other events."""

    opening_event: events.DealOpened | None
    hands: dict[Seat, frozenset[Card]]
    plays: list[tuple[Seat, Card]]
    other_events: list[Event]
    dealt_at: list[Seq]
    played_at: list[Seq]

    @property
    def seating(self) -> tuple[Players, str | None] | None:
        """The players and the dealer, as recorded."""
        return None if self.opening_event is None else (self.opening_event.players, self.opening_event.dealer)

    @property
    def is_board(self) -> bool:
        """Whether the deal was played from a board."""
        return self.opening_event is not None and self.opening_event.board is not None


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
                found[name] = DuplicateDeal(first, tuple(evidence), is_certain=bool(deal.hands or deal.plays))
                break
        else:
            known[name] = deal
    return found


def _build_fingerprint(log: Log) -> _DealFingerprint:
    deal = _DealFingerprint(None, {}, [], [], [], [])
    for seq, event, _ in effective(log).entries:
        if isinstance(event, events.DealOpened) and deal.opening_event is None:
            deal = deal._replace(opening_event=event)
        elif isinstance(event, events.HandDealt) and _is_whole_hand(event):
            deal.hands[event.seat] = frozenset(event.cards)
            deal.dealt_at.append(seq)
        elif isinstance(event, events.CardPlayed):
            deal.plays.append((event.seat, event.card))
            deal.played_at.append(seq)
        if not isinstance(event, ADMINISTRATIVE_EVENTS):
            deal.other_events.append(event)
    return deal


def _is_whole_hand(event: events.HandDealt) -> bool:
    return len({card for card in event.cards if CARD_BITS[card]}) == HAND_SIZE


def _find_shared_entries(deal: _DealFingerprint, other: _DealFingerprint, *, is_misseated: bool) -> list[Seq]:
    """The entries that show a deal to be the same as another; none where it is not."""
    seats = deal.hands.keys() & other.hands.keys()
    # Boards deal the same hands on purpose.
    is_board = deal.is_board and other.is_board
    if seats and not is_board and all(deal.hands[seat] == other.hands[seat] for seat in seats):
        return deal.dealt_at
    known_plays = sum(bool(CARD_BITS[card]) for _, card in deal.plays)
    if known_plays >= MIN_SHARED_PLAYS and deal.plays == other.plays:
        return deal.played_at
    is_slip = bool(deal.other_events) and not (deal.plays or deal.hands)
    is_same_slip = (deal.seating, deal.other_events) == (other.seating, other.other_events)
    return [1] if is_misseated and is_slip and is_same_slip and deal.seating is not None else []


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
        "This deal repeats deal {number}; it counts twice until one of them is withdrawn.",
        number=number,
    )
    if not duplicate.is_certain:
        message = format_message(
            "This slip says the same as that of deal {number}, with the same players in the same "
            "seats and out of turn: perhaps it is the same deal again.",
            number=number,
        )
    seq, *others = duplicate.evidence
    finding = build_finding(seq, "deal_doubled", message, "9. Record", evidence=tuple(others))
    return finding if duplicate.is_certain else finding._replace(severity="warning")
