"""Deals of a table that were entered twice, as a slip that two people type (RULES 9).

The same nine cards in a hand, or nine plays in the same order, are no chance. A slip without cards counts
only where the same people sit in the same seats out of turn.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from engine.core import events
from engine.core.cards import CARD_BITS, HAND_SIZE, Card, Seat
from engine.core.events import Event
from engine.core.field_types import Seq
from engine.core.log import Entry, Log
from engine.play.history import effective

MIN_SHARED_PLAYS: Final = HAND_SIZE
"""So many cards in the same place are no chance."""
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
    """What tells a deal from another: whole hands dealt, cards played, and what happened in it otherwise."""

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
    """Whether the hands that both tell whole are the same; on a board others get them on purpose."""
    boards = [one.opening_event is not None and one.opening_event.board is not None for one in (deal, other)]
    seats = deal.hands.keys() & other.hands.keys()
    return bool(seats) and not all(boards) and all(deal.hands[seat] == other.hands[seat] for seat in seats)


def _has_same_plays(deal: _DealFingerprint, other: _DealFingerprint) -> bool:
    """Whether the same cards were played in the same order, and enough of them are told."""
    cards = [(play.seat, play.card) for play in deal.plays]
    known = sum(bool(CARD_BITS[card]) for _, card in cards)
    return known >= MIN_SHARED_PLAYS and cards == [(play.seat, play.card) for play in other.plays]
