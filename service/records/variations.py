"""Variations: deals that begin in another deal, recorded here or in the library, at a point of its course.

A variation's own log is all that is stored of it. Its beginning is read where it is, each time: the entries
of the other deal that were there when the variation was opened, which can only be added to.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

import replays
from engine import FULL_VIEWER, Log, Viewer
from engine.branching import (
    MAX_BRANCH_DEPTH,
    NoSuchBranchPoint,
    branch_of,
    inherited_log_at,
    join_inherited,
    own_entry_count,
)
from engine.core.events import CorrectionMade, DealOpened, Event
from engine.core.field_types import Branch
from replays import Replay
from service.eventstore import PAGE_SIZE, EventReader, StoreDamaged, StreamInfo, UnknownStream
from service.records.record_streams import DEAL_KIND, SubmittedEvent
from service.records.repository import parse_stored_entry, read_log

MAX_CACHED_BRANCHES: Final = 200_000
"""Of so many deals it is kept in memory whether they are variations, in some 30 MB; of others it is read."""

LogExpander = Callable[[Log, Viewer], Log]
"""Puts the beginning of a deal, as somebody may know it, before its own log, cut for him already."""


class BranchPointNotFound(Exception):
    """The point that a variation says it leaves is not there; the text says what is.

    ``pointer`` leads to the field that names it; ``branch`` is what was named.
    """

    def __init__(self, pointer: str, branch: Branch, message: str) -> None:
        super().__init__(message)
        self.pointer, self.branch = pointer, branch


class ParentDeal(NamedTuple):
    """A deal that others may leave: a recorded one, or one of the library."""

    name: str
    record: StreamInfo | None
    read_log: Callable[[], Log]


class Variations:
    """The variations in a store, and the deals that they leave. May be used from any thread.

    ``library`` are the deals of the library by their names, all of ours where it is None.
    """

    def __init__(self, store: EventReader, library: Mapping[str, Replay] | None = None) -> None:
        self._store, self._library = store, library
        self._mutex = threading.Lock()
        self._branches: dict[str, Branch | None] = {}
        self._variations_by_parent: dict[str, list[str]] = {}
        self._last_listed_position = 0

    # Which there are

    def find_branch(self, deal: str) -> Branch | None:
        """Where a recorded deal leaves another; None where it does not. Raises `UnknownStream`."""
        if deal in self._branches:
            return self._branches[deal]
        branch = self._read_branch(deal)
        # Once it is full nothing is dropped for another: a list goes through all deals in the same order, and
        # would find each dropped just before. What is kept stays true: an opening never says another branch.
        if len(self._branches) < MAX_CACHED_BRANCHES:
            self._branches[deal] = branch
        return branch

    def _read_branch(self, deal: str) -> Branch | None:
        first = self._store.read_stream(deal, 0, 1)
        # Most deals are none, and are told by their text.
        return branch_of((parse_stored_entry(first[0]),)) if first and b'"branch"' in first[0].body else None

    def list_variations(self, name: str) -> list[str]:
        """The ids of the variations that leave a deal, in the order in which they were made."""
        with self._mutex:
            while page := self._store.list_branches(self._last_listed_position, PAGE_SIZE):
                # All of a page or nothing: where the store fails, the next who asks begins with it again.
                for parent, deal in list(self._iterate_parents(deal for _, deal in page)):
                    self._variations_by_parent.setdefault(parent, []).append(deal)
                self._last_listed_position, _ = page[-1]
            return list(self._variations_by_parent.get(name, ()))

    def _iterate_parents(self, deals: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The names of the deals that variations leave, each with the variation's id.

        One whose opening is damaged cannot be told to be one.
        """
        for deal in deals:
            with suppress(StoreDamaged):
                branch = self._read_branch(deal)
                if branch is not None and (parent := self.find_parent(branch)) is not None:
                    yield parent.name, deal

    def find_parent(self, branch: Branch) -> ParentDeal | None:
        """The deal that a variation leaves; None where it is not here."""
        name = branch.deal.lower()
        try:
            info = self._store.stream_info(name)
        except UnknownStream:
            replay = self._find_replay(branch.deal)
            return ParentDeal(replay.name, None, replay.read_log) if replay else None
        return ParentDeal(name, info, lambda: read_log(self._store, name)) if info.kind == DEAL_KIND else None

    def _find_replay(self, name: str) -> Replay | None:
        """The deal of the library of that name, or else of that title."""
        if self._library is None:
            return replays.find_library_deal(name) or find_replay_by_title(replays.list_library(), name)
        return self._library.get(name) or find_replay_by_title(self._library.values(), name)

    def list_ancestors(self, branch: Branch | None) -> list[ParentDeal]:
        """The deals that were left one after another, the nearest first, as far as they are here."""
        ancestors: list[ParentDeal] = []
        while (
            branch is not None
            and len(ancestors) <= MAX_BRANCH_DEPTH
            and (parent := self.find_parent(branch)) is not None
        ):
            ancestors.append(parent)
            branch = self.find_branch(parent.name) if parent.record else None
        return ancestors

    # Their course

    def expand_log(self, own_log: Log, viewer: Viewer) -> Log:
        """A deal's own log, cut for somebody already, behind its beginning as ``viewer`` may know it."""
        return join_inherited(own_log, viewer, self._read_parent_log)

    def _read_parent_log(self, branch: Branch) -> Log | None:
        parent = self.find_parent(branch)
        return None if parent is None else parent.read_log()

    # Opening one

    def complete_opening(self, submitted_event: SubmittedEvent) -> SubmittedEvent:
        """An opening whose branch is there, with the name that its deal has here and the length of its log.

        A repeat gets the length that it got the first time. Raises `BranchPointNotFound`.
        """
        event = submitted_event.reading.event
        if not isinstance(event, DealOpened) or event.branch is None:
            return submitted_event
        branch = self._resolve_branch(
            event.branch, submitted_event.reading.metadata.id, submitted_event.pointer
        )
        return submitted_event._replace(
            reading=submitted_event.reading._replace(event=self._complete_event(event, branch))
        )

    def _resolve_branch(self, branch: Branch, deal: str | None, pointer: str) -> Branch:
        parent = self.find_parent(branch)
        if parent is None or (deal is not None and parent.name == deal.lower()):
            message = (
                f"There is no deal {branch.deal[:100]} here that this one could leave. Record that one first."
            )
            raise BranchPointNotFound(f"{pointer}/branch/deal", branch, message)
        named_branch = replace(branch, deal=parent.name)
        if len(self.list_ancestors(named_branch)) > MAX_BRANCH_DEPTH:
            message = (
                f"{parent.name} is a variation of a variation, {MAX_BRANCH_DEPTH} times over; no more leave "
                "each other."
            )
            raise BranchPointNotFound(f"{pointer}/branch/deal", branch, message)
        parent_log = self.expand_log(parent.read_log(), FULL_VIEWER)
        known = branch.known
        if known is None:
            known = self._find_stored_known(deal, named_branch) or own_entry_count(parent_log)
        try:
            inherited_log_at(parent_log, resolved := replace(named_branch, known=known))
        except NoSuchBranchPoint as error:
            faulty_field = "known" if known > own_entry_count(parent_log) else "at"
            message = f"Of the deal {parent.name} that point cannot be left: {error}"
            raise BranchPointNotFound(f"{pointer}/branch/{faulty_field}", branch, message) from None
        return resolved

    def _find_stored_known(self, deal: str | None, named_branch: Branch) -> int | None:
        """How long the log was when the same was sent before."""
        try:
            stored_branch = self._read_branch(deal) if deal is not None else None
        except UnknownStream:
            return None
        return (
            stored_branch.known
            if stored_branch is not None and replace(stored_branch, known=None) == named_branch
            else None
        )

    def _complete_event(self, event: DealOpened, branch: Branch) -> DealOpened:
        """The opening, by the same revision as the deal that it leaves where it names the same ruleset."""
        revision = event.revision
        parent = self.find_parent(branch)
        if revision is None and parent is not None:
            parent_opening = inherited_log_at(self.expand_log(parent.read_log(), FULL_VIEWER), branch).opening
            if parent_opening is not None and parent_opening.ruleset == event.ruleset:
                revision = parent_opening.revision
        return replace(event, branch=branch, revision=revision)

    def require_same_branch(self, deal: str, submitted_events: Sequence[SubmittedEvent]) -> None:
        """Raises `BranchPointNotFound` where a correction would let a deal begin elsewhere than it was
        opened."""
        for one in submitted_events:
            _require_same_branch(one.reading.event, one.pointer, lambda: self.find_branch(deal))


def _require_same_branch(event: Event, pointer: str, branch: Callable[[], Branch | None]) -> None:
    if isinstance(event, CorrectionMade):
        for number, part in enumerate(event.with_):
            _require_same_branch(part, f"{pointer}/with/{number}", branch)
    elif isinstance(event, DealOpened) and event.branch is not None and event.branch != branch():
        message = "Where a deal begins is said when it is opened. Leave branch out, or open another deal."
        raise BranchPointNotFound(f"{pointer}/branch", event.branch, message)


def find_replay_by_title(deals: Iterable[Replay], title: str) -> Replay | None:
    """The one deal of that title; None where there is none, or several."""
    found = [deal for deal in deals if deal.title == title]
    return found[0] if len(found) == 1 else None
