"""Which events of a log a viewer may know in full: a proof shows only the commitments of the others.

And what a line of an export may say of such an event, without a proof.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine import Log, Viewer, view
from engine.core.cards import HIDDEN_CARD, Card, parse_card
from engine.core.events import CardPlayed, CardsShown, CorrectionMade, Event, TalonTurned
from engine.core.log import Entry
from engine.view import PUBLIC_VIEWER, REDACTIONS, redact_event, redact_metadata

SUBSTITUTE_CARD: Final = parse_card("SA")


def fully_visible_seqs(log: Log, viewer: Viewer) -> frozenset[int]:
    """The seqs of the entries of the whole ``log`` of which nothing is redacted for that viewer.

    They do not depend on whether a hidden card was recorded: else a proof would reveal that.
    """
    as_if_known = tuple(entry._replace(event=_substitute_hidden_cards(entry.event)) for entry in log)
    entry_pairs = zip(as_if_known, view(as_if_known, viewer), strict=True)
    return frozenset(
        seq for seq, (entry, visible_entry) in enumerate(entry_pairs, 1) if entry == visible_entry
    )


def _substitute_hidden_cards(event: Event) -> Event:
    """The event with a card in place of each that was not recorded."""
    if isinstance(event, CorrectionMade):
        return replace(event, with_=tuple(map(_substitute_hidden_cards, event.with_)))
    if isinstance(event, CardPlayed | TalonTurned):
        return replace(event, card=SUBSTITUTE_CARD) if event.card == HIDDEN_CARD else event
    cards: tuple[Card, ...] = getattr(event, "cards", ())
    if HIDDEN_CARD not in cards:
        return event
    known = tuple(SUBSTITUTE_CARD if card == HIDDEN_CARD else card for card in cards)
    return replace(event, **{"cards": known})


def is_redacted_entry(entry: Entry) -> bool:
    """Whether an entry is what `view` leaves of one whose event it redacts."""
    seq, event, record = entry
    if record != redact_metadata(record):
        return False
    if isinstance(event, CardPlayed | TalonTurned):
        return event.card == HIDDEN_CARD
    if isinstance(event, CardsShown):
        return HIDDEN_CARD in event.cards and event == redact_event(
            event, PUBLIC_VIEWER, seq, frozenset((seq,))
        )
    if type(event) not in REDACTIONS and not isinstance(event, CorrectionMade):
        return False
    return getattr(event, "cards", (HIDDEN_CARD,)) != () and event == redact_event(event, PUBLIC_VIEWER, seq)
