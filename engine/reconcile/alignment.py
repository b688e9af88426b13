"""Two accounts laid side by side: which of their entries tell of the same act.

Entries of one kind can be the same act; the more they agree, the better they fit. Of all ways to lay the
accounts side by side, each in its order, the one is taken in which most fits.
"""

from typing import Final, NamedTuple

from engine.core.events import CardPlayed, Event, NoteAdded
from engine.core.log import Entry, Log
from engine.reconcile.event_merge import MergedEvent, merge_events

MAX_ACCOUNT_ENTRIES: Final = 400
"""So many entries an account may have; a deal has some sixty."""
EQUAL_SCORE, COMPATIBLE_SCORE, CONFLICT_SCORE = 12, 9, 3
"""What it is worth to lay two entries side by side: alike, one telling more, and telling otherwise."""


class AccountTooLong(ValueError):
    """An account with more entries than can be laid side by side."""


class EntryPair(NamedTuple):
    """Entries that tell of the same act, or an entry of one account alone."""

    first: Entry | None
    second: Entry | None
    merged: MergedEvent | None


def align_accounts(first: Log, second: Log) -> tuple[EntryPair, ...]:
    """The entries of two effective histories side by side, in an order that keeps that of either.

    Raises:
        AccountTooLong: one of them has more than `MAX_ACCOUNT_ENTRIES` entries.
    """
    for log in (first, second):
        if len(log) > MAX_ACCOUNT_ENTRIES:
            raise AccountTooLong(
                f"an account has {len(log)} entries, and {MAX_ACCOUNT_ENTRIES} at most can be compared"
            )
    scores = _alignment_scores(first, second)
    pairs: list[EntryPair] = []
    i = j = 0
    while i < len(first) or j < len(second):
        best = scores[i][j]
        if i < len(first) and best == scores[i + 1][j]:
            pairs.append(EntryPair(first[i], None, None))
            i += 1
        elif j < len(second) and best == scores[i][j + 1]:
            pairs.append(EntryPair(None, second[j], None))
            j += 1
        else:
            merged = merge_events(first[i].event, second[j].event)
            pairs.append(EntryPair(first[i], second[j], merged))
            i, j = i + 1, j + 1
    return tuple(pairs)


def _alignment_scores(first: Log, second: Log) -> list[list[int]]:
    """How well what follows each pair of places fits at best."""
    scores = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in range(len(first) - 1, -1, -1):
        row, row_below = scores[i], scores[i + 1]
        for j in range(len(second) - 1, -1, -1):
            best = max(row_below[j], row[j + 1])
            fit = _match_score(first[i].event, second[j].event)
            row[j] = max(best, row_below[j + 1] + fit) if fit else best
    return scores


def _match_score(one: Event, other: Event) -> int:
    """What it is worth to take two events for the same act; nothing where they cannot be."""
    if type(one) is not type(other):
        return 0
    if one == other:
        return EQUAL_SCORE
    if isinstance(one, NoteAdded):
        return 0
    conflicts = merge_events(one, other).conflicting_fields
    if not conflicts:
        return COMPATIBLE_SCORE
    if isinstance(one, CardPlayed) and ("trick" in conflicts or len(conflicts) > 1):
        return 0
    return 0 if "seat" in conflicts and not isinstance(one, CardPlayed) else CONFLICT_SCORE
