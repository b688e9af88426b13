"""A deal in dispute, and revokes planted in a log."""

from collections.abc import Iterator
from dataclasses import replace

from engine import effective, evolve, initial_state, legal
from engine.core.cards import CARD_BY_CODE, codes_in_mask
from engine.core.events import CardPlayed
from engine.core.log import Log, seq_key
from tests.support.cli.deals import OPEN, Json
from tests.support.engine.shorthand import corrected, plays, ruled

DISPUTE: list[Json] = [
    *OPEN[:8],
    *plays("M-H7 B-SK"),
    corrected([10], *plays("B-SQ")) | {"reason": "It was the queen.", "recorded_by": "Anna"},
    {"type": "irregularity_noted", "seat": "middlehand", "kind": "revoke", "by_seat": "forehand"},
    ruled(text="Bo has revoked.", at_fault="middlehand", outcome="bete"),
]
"""A nolo ouvert in which Bo revokes; what backhand played was written down wrongly."""


def with_revokes(log: Log) -> Iterator[Log]:
    """The log up to each play at which another card of the hand would have been a revoke, and that one."""
    state = initial_state()
    for entry in effective(log).entries:
        due, event = legal(state), entry.event
        if isinstance(event, CardPlayed) and due is not None:
            for card in sorted(set(codes_in_mask(state.play.known_cards[event.seat])) - set(due.cards)):
                revoke = entry._replace(event=replace(event, card=CARD_BY_CODE[card]))
                yield (*log[: seq_key(entry.seq)[0] - 1], revoke)
        state = evolve(state, entry)
