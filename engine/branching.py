"""Variations: a deal that branches off another one (DESIGN 4).

Its log contains only its own entries, 2, 3, …, after the opening. When it is folded, its *beginning* in the
other deal is inserted before them as parts of entry 1: ``1.1`` is the opening in force, ``1.2``, … the
entries up to the branch point.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

from engine.core.events import CorrectionMade, DealOpened, Event, GapNoted, NoteAdded
from engine.core.field_types import Branch, Seq
from engine.core.log import Entry, Log, inherited_count, seq_key
from engine.core.message import Message, format_message
from engine.play.history import effective
from engine.play.state import State
from engine.view import Viewer, view

FindLog = Callable[[Branch], Log | None]
"""Finds the complete log of a variation's parent deal; None if it is not available."""

MAX_BRANCH_DEPTH: Final = 20
"""Maximum length of a chain of variations."""
MAX_INHERITED_ENTRIES: Final = 9_999
"""Maximum number of entries in a beginning: parts of an entry are numbered no further."""

PARENT_NOT_FOUND: Final = format_message("The deal that this one branches from is not here.")
NO_SUCH_POINT_PREFIX: Final = "This deal cannot branch off there: "
INHERITED_GAP_SEQ: Final = "1.2"
"""The seq of the gap that replaces a missing beginning."""


class NoSuchBranchPoint(LookupError):
    """The parent deal has no such branch point; the text says what it has."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


class InheritedLog(NamedTuple):
    """What a variation inherits from its parent: the entries, and the opening.

    ``entries`` are in the order of their fold, with their seqs in the parent.
    """

    entries: Log
    opening: DealOpened | None


def branch_of(log: Log) -> Branch | None:
    """Where the deal branches off another, as its first entry was recorded; None if it is no variation.

    A later correction of the opening does not change this: other entries depend on it.
    """
    first = log[0].event if log else None
    return first.branch if isinstance(first, DealOpened) else None


def own_entry_count(log: Log) -> int:
    """The number of entries in a log's own record; the log may be a joined one."""
    first = inherited_count(log)
    return len(log) - first + 1 if first else len(log)


def own_entries(log: Log) -> Log:
    """The entries of a log's own record: of a joined log without the beginning."""
    first = inherited_count(log)
    return (log[0]._replace(seq=1), *log[first:]) if first else log


def first_own_entries(log: Log, count: int) -> Log:
    """The log when its own record had ``count`` entries; the first includes the beginning."""
    first = inherited_count(log)
    return log[: first + count - 1] if first and count else log[:count]


def entry_at(log: Log, seq: int) -> Entry:
    """The entry of the log's own record with that seq; not the first of a joined log."""
    first = inherited_count(log)
    return log[first + seq - 2] if first else log[seq - 1]


def has_entry(log: Log, seq: Seq) -> bool:
    """Whether the log has an entry, or a part of one, with that seq."""
    first, *parts = seq_key(seq)
    if first > own_entry_count(log):
        return False
    count = inherited_count(log)
    if first == 1 and count:
        return not parts or (len(parts) == 1 and parts[0] <= count)
    event: Event = entry_at(log, first).event
    for part in parts:
        if not isinstance(event, CorrectionMade) or part > len(event.with_):
            return False
        event = event.with_[part - 1]
    return True


def inherited_log_at(log: Log, branch: Branch) -> InheritedLog:
    """What a deal contains up to a variation's branch point. ``log`` may itself be a joined one.

    Raises:
        NoSuchBranchPoint: it is not in the log, or not in the part that was known.
    """
    count = own_entry_count(log)
    if branch.known is not None and branch.known > count:
        raise NoSuchBranchPoint(
            format_message(
                "known is {known}, but that deal has {count} entries.", known=branch.known, count=count
            )
        )
    known = log if branch.known is None else first_own_entries(log, branch.known)
    if not has_entry(known, branch.at):
        raise NoSuchBranchPoint(
            format_message("at is {at}, which is not one of its {count} entries.", at=branch.at, count=count)
            if branch.known is None
            else format_message(
                "at is {at}, which is not one of its first {count} entries.", at=branch.at, count=branch.known
            )
        )
    entries = effective(known).entries_up_to(branch.at)
    if len(entries) > MAX_INHERITED_ENTRIES:
        raise NoSuchBranchPoint(
            format_message(
                "{count} entries come before it; a variation can have at most {most}.",
                count=len(entries),
                most=MAX_INHERITED_ENTRIES,
            )
        )
    return InheritedLog(entries, next((e.event for e in entries if isinstance(e.event, DealOpened)), None))


def missing_inherited_log(error: NoSuchBranchPoint | None = None) -> InheritedLog:
    """The replacement of a beginning that is missing or has no such point: a gap that says why."""
    text = PARENT_NOT_FOUND
    if error is not None:
        text = format_message("This deal cannot branch off there: {why}", why=error.reason)
    return InheritedLog((Entry(2, GapNoted(text)),), None)


def explain_missing_parent(state: State, gap: GapNoted, seq: Seq) -> str | None:
    """Why a variation has no beginning, as its gap says; None for any other gap."""
    opening_event = state.opening.event
    if seq != INHERITED_GAP_SEQ or opening_event is None or opening_event.branch is None or gap.text is None:
        return None
    return gap.text if gap.text == PARENT_NOT_FOUND or gap.text.startswith(NO_SUCH_POINT_PREFIX) else None


def join_inherited(own_log: Log, viewer: Viewer, find_log: FindLog, max_depth: int = MAX_BRANCH_DEPTH) -> Log:
    """Join a deal's own log, already reduced for ``viewer``, to its beginning as the viewer may know it.

    ``find_log`` returns the complete log of the parent deal, None if it is not available.
    """
    branch = branch_of(own_log)
    if branch is None:
        return own_log
    return join_logs(own_log, _read_inherited_log(branch, viewer, find_log, max_depth))


def _read_inherited_log(branch: Branch, viewer: Viewer, find_log: FindLog, max_depth: int) -> InheritedLog:
    parent_log = find_log(branch) if max_depth else None
    if parent_log is None:
        return missing_inherited_log()
    # Reduced by the whole record, as that deal's own log is: later corrections are hidden here too.
    before = join_inherited(view(parent_log, viewer), viewer, find_log, max_depth - 1)
    try:
        return inherited_log_at(before, branch)
    except NoSuchBranchPoint as error:
        return missing_inherited_log(error)


def join_logs(own_log: Log, inherited: InheritedLog) -> Log:
    """Join a deal's own log to its inherited beginning, or to what `missing_inherited_log` puts in its place.

    What the opening leaves unsaid is inherited from the other deal's opening, if it names the same ruleset.
    """
    if not own_log or not isinstance(own_log[0].event, DealOpened):
        return own_log
    opening_event = own_log[0].event
    opening = Entry("1.1", inherit_opening(opening_event, inherited.opening), own_log[0].metadata)
    rest = [entry for entry in inherited.entries if not isinstance(entry.event, DealOpened)]
    seqs: dict[Seq, Seq] = {1: "1.1", **{entry.seq: f"1.{part}" for part, entry in enumerate(rest, 2)}}
    brought = (Entry(seqs[e.seq], _renumber_note(e.event, seqs), e.metadata) for e in rest)
    since = (
        e._replace(event=_inherit_in_correction(e.event, opening_event, inherited.opening))
        for e in own_log[1:]
    )
    return (opening, *brought, *since)


def inherit_opening(opening_event: DealOpened, parent_opening: DealOpened | None) -> DealOpened:
    """An opening whose missing fields are taken from the parent's, if the ruleset is the same."""
    if parent_opening is None or parent_opening.ruleset != opening_event.ruleset:
        return opening_event
    return replace(
        opening_event,
        revision=parent_opening.revision if opening_event.revision is None else opening_event.revision,
        switches=opening_event.switches or parent_opening.switches,
        dealer=parent_opening.dealer if opening_event.dealer is None else opening_event.dealer,
        pool=parent_opening.pool if opening_event.pool is None else opening_event.pool,
        reserved=opening_event.reserved or parent_opening.reserved,
    )


def _inherit_in_correction(
    event: Event, opening_event: DealOpened, parent_opening: DealOpened | None
) -> Event:
    """A correction of the opening with its missing fields inherited; any other event unchanged."""
    if isinstance(event, DealOpened):
        return replace(inherit_opening(event, parent_opening), branch=opening_event.branch)
    if isinstance(event, CorrectionMade):
        return replace(
            event,
            with_=tuple(_inherit_in_correction(part, opening_event, parent_opening) for part in event.with_),
        )
    return event


def _renumber_note(event: Event, seqs: dict[Seq, Seq]) -> Event:
    """A note of the beginning, with the seq that its entry has in the joined log."""
    if isinstance(event, NoteAdded) and event.on is not None:
        return replace(event, on=seqs.get(event.on))
    return event
