"""Variations: deals that begin in another deal, in the store or in the library, at a point of its course.

A variation stores only its own log. Its beginning is read when it is needed: the entries that the other deal
had when the variation was opened. A file may refer to the other deal by its id or by its title.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

import replays
from engine import FULL_VIEWER, Log, Viewer, view
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
from engine.play.history import find_deal_opening
from replays import Replay
from service.eventstore import PAGE_SIZE, EventReader, StoreDamaged, StreamInfo, UnknownStream
from service.records.record_streams import DEAL_KIND, SubmittedEvent
from service.records.repository import parse_stored_entry, read_log

MAX_CACHED_BRANCHES: Final = 200_000
"""Some 30 MB."""

MAX_NEARBY_LOGS: Final = 1000
"""Deals of one family that are kept while a file is read."""

LogExpander = Callable[[Log, Viewer], Log]
"""Puts the beginning of a deal before its own log; both as the viewer may know them."""


class BranchPointNotFound(Exception):
    """There is no such point for a variation to leave; ``pointer`` leads to the wrong field."""

    def __init__(self, pointer: str, branch: Branch, message: str) -> None:
        super().__init__(message)
        self.pointer, self.branch = pointer, branch


class ParentDeal(NamedTuple):
    """A deal that variations may leave, in the store or (``record`` is None) in the library."""

    name: str
    record: StreamInfo | None
    read_log: Callable[[], Log]


class Variations:
    """The variations in a store, and the deals that they leave, for any thread.

    ``library`` has the deals of the library by name; None stands for the built-in library.
    """

    def __init__(self, store: EventReader, library: Mapping[str, Replay] | None = None) -> None:
        self._store, self._library = store, library
        self._mutex = threading.Lock()
        self._branches: dict[str, Branch | None] = {}
        self._variations_by_parent: dict[str, list[str]] = {}
        self._last_listed_position = 0

    def find_branch(self, deal: str) -> Branch | None:
        """Where a recorded deal leaves another; None if it does not. Raises `UnknownStream`."""
        if deal in self._branches:
            return self._branches[deal]
        branch = self._read_branch(deal)
        # Entries are never replaced: lists go through all deals in the same order and would always miss.
        # They stay true, as no later event changes the branch of an opening.
        if len(self._branches) < MAX_CACHED_BRANCHES:
            self._branches[deal] = branch
        return branch

    def _read_branch(self, deal: str) -> Branch | None:
        first = self._store.read_stream(deal, 0, 1)
        # Most deals are no variations; their text shows it without parsing.
        return branch_of((parse_stored_entry(first[0]),)) if first and b'"branch"' in first[0].body else None

    def list_variations(self, name: str) -> list[str]:
        """The ids of the variations that leave a deal, in the order of their creation."""
        with self._mutex:
            while page := self._store.list_branches(self._last_listed_position, PAGE_SIZE):
                # A whole page or nothing: if the store fails, the next call begins with this page again.
                for parent, deal in list(self._iterate_parents(deal for _, deal in page)):
                    self._variations_by_parent.setdefault(parent, []).append(deal)
                self._last_listed_position, _ = page[-1]
            return list(self._variations_by_parent.get(name, ()))

    def _iterate_parents(self, deals: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The names of the deals that variations leave, with the variations' ids; without damaged ones."""
        for deal in deals:
            with suppress(StoreDamaged):
                branch = self._read_branch(deal)
                if branch is not None and (parent := self.find_parent(branch)) is not None:
                    yield parent.name, deal

    def find_parent(self, branch: Branch) -> ParentDeal | None:
        """The deal that a variation leaves; None if it is not here."""
        name = branch.deal.lower()
        try:
            info = self._store.stream_info(name)
        except UnknownStream:
            replay = _find_replay(branch.deal, self._library)
            return ParentDeal(replay.name, None, replay.read_log) if replay else None
        return ParentDeal(name, info, lambda: read_log(self._store, name)) if info.kind == DEAL_KIND else None

    def list_ancestors(self, branch: Branch | None) -> list[ParentDeal]:
        """The deal that was left, the deal that this one left, and so on, as far as they are here."""
        ancestors: list[ParentDeal] = []
        while (
            branch is not None
            and len(ancestors) <= MAX_BRANCH_DEPTH
            and (parent := self.find_parent(branch)) is not None
        ):
            ancestors.append(parent)
            branch = self.find_branch(parent.name) if parent.record else None
        return ancestors

    def expand_log(self, own_log: Log, viewer: Viewer) -> Log:
        """A deal's own log, already redacted for ``viewer``, after its beginning."""
        return join_inherited(own_log, viewer, self._read_parent_log)

    def _read_parent_log(self, branch: Branch) -> Log | None:
        parent = self.find_parent(branch)
        return None if parent is None else parent.read_log()

    def complete_opening(self, submitted_event: SubmittedEvent) -> SubmittedEvent:
        """An opening whose branch has the name of the parent deal here and the length of its log.

        A repeat gets the length that it got the first time. The revision is that of the parent deal if both
        have the same ruleset. Raises `BranchPointNotFound`.
        """
        event = submitted_event.reading.event
        if not isinstance(event, DealOpened) or event.branch is None:
            return submitted_event
        reading = submitted_event.reading
        branch, parent_opening = self._resolve_branch(
            event.branch, reading.metadata.id, submitted_event.pointer
        )
        revision = event.revision
        if revision is None and parent_opening is not None and parent_opening.ruleset == event.ruleset:
            revision = parent_opening.revision
        completed = replace(event, branch=branch, revision=revision)
        return submitted_event._replace(reading=reading._replace(event=completed))

    def _resolve_branch(
        self, branch: Branch, deal: str | None, pointer: str
    ) -> tuple[Branch, DealOpened | None]:
        """The branch with its ``known``, and the opening of the deal that it leaves."""
        parent = self.find_parent(branch)
        if parent is None or (deal is not None and parent.name == deal.lower()):
            message = f"There is no deal {branch.deal[:100]} here to branch from. Record that one first."
            raise BranchPointNotFound(f"{pointer}/branch/deal", branch, message)
        named_branch = replace(branch, deal=parent.name)
        if len(self.list_ancestors(named_branch)) > MAX_BRANCH_DEPTH:
            message = (
                f"{parent.name} is already a variation {MAX_BRANCH_DEPTH} levels deep; no variation may "
                "branch from it."
            )
            raise BranchPointNotFound(f"{pointer}/branch/deal", branch, message)
        parent_log = self.expand_log(parent.read_log(), FULL_VIEWER)
        known = branch.known
        if known is None:
            known = self._find_stored_known(deal, named_branch) or own_entry_count(parent_log)
        try:
            resolved = replace(named_branch, known=known)
            return resolved, inherited_log_at(parent_log, resolved).opening
        except NoSuchBranchPoint as error:
            faulty_field = "known" if known > own_entry_count(parent_log) else "at"
            message = f"A variation cannot branch from the deal {parent.name} at that point: {error}"
            raise BranchPointNotFound(f"{pointer}/branch/{faulty_field}", branch, message) from None

    def _find_stored_known(self, deal: str | None, named_branch: Branch) -> int | None:
        """The length of the parent's log when the same opening was sent before."""
        try:
            stored_branch = self._read_branch(deal) if deal is not None else None
        except UnknownStream:
            return None
        return (
            stored_branch.known
            if stored_branch is not None and replace(stored_branch, known=None) == named_branch
            else None
        )

    def require_same_branch(self, deal: str, submitted_events: Sequence[SubmittedEvent]) -> None:
        """Raise `BranchPointNotFound` if a correction would change where a deal begins."""
        for one in submitted_events:
            _require_same_branch(one.reading.event, one.pointer, lambda: self.find_branch(deal))


def _require_same_branch(event: Event, pointer: str, branch: Callable[[], Branch | None]) -> None:
    if isinstance(event, CorrectionMade):
        for number, part in enumerate(event.with_):
            _require_same_branch(part, f"{pointer}/with/{number}", branch)
    elif isinstance(event, DealOpened) and event.branch is not None and event.branch != branch():
        message = (
            "Only the opening of a deal says where it branches from. Leave `branch` out, or open another "
            "deal."
        )
        raise BranchPointNotFound(f"{pointer}/branch", event.branch, message)


def _find_replay(name: str, library: Mapping[str, Replay] | None = None) -> Replay | None:
    """The deal of a library with that name, or else the only one with that title."""
    found = replays.find_library_deal(name) if library is None else library.get(name)
    if found is not None:
        return found
    deals = replays.list_library() if library is None else library.values()
    titled = [deal for deal in deals if deal.title == name]
    return titled[0] if len(titled) == 1 else None


class VariationExpander:
    """Completes variations while a file is read, in which they follow the deal that they leave.

    A variation may also leave another one after that deal, or a deal of the library. One that leaves none of
    them begins with a gap.
    """

    def __init__(self) -> None:
        self._nearby_logs: list[Log] = []
        self._logs_by_name: dict[str, Log] = {}

    def expand_log(self, log: Log, viewer: Viewer) -> Log:
        """The next deal of the file as ``viewer`` may know it, a variation with its beginning."""
        if branch_of(log) is None:
            self._nearby_logs.clear()
            self._logs_by_name.clear()
        course = join_inherited(view(log, viewer), viewer, self._find_parent_log)
        if len(self._nearby_logs) + len(self._logs_by_name) < MAX_NEARBY_LOGS:
            self._nearby_logs.append(log)
        return course

    def _find_parent_log(self, branch: Branch) -> Log | None:
        # Most deals are left by none, so their names are looked up here.
        for nearby in self._nearby_logs:
            self._logs_by_name |= dict.fromkeys(_lookup_names(nearby), nearby)
        self._nearby_logs.clear()
        if log := self._logs_by_name.get(branch.deal.lower()):
            return log
        replay = _find_replay(branch.deal)
        return replay.read_log() if replay else None


def _lookup_names(log: Log) -> list[str]:
    """The names by which a file may refer to a deal, in small letters."""
    opened = find_deal_opening(log)
    names = (log[0].metadata.id, opened.title if opened else None)
    return [name.lower() for name in names if name]


class IdentifiedLog(NamedTuple):
    """A deal of a file, with the id of its record."""

    record_id: str
    log: Log


def sort_parents_first(
    deals: Sequence[IdentifiedLog], others: Iterable[IdentifiedLog]
) -> Iterator[tuple[int, Log]]:
    """The deals with their places, each after the one that it leaves, otherwise in their order.

    The log of a variation refers to the record of the deal that it leaves, if that is among the deals or
    ``others``.
    """
    records = _index_by_name((*deals, *others))
    places = {deal.record_id: place for place, deal in enumerate(deals)}
    logs = [_resolve_parent(deal.log, records) for deal in deals]
    visited: set[int] = set()
    for place in range(len(logs)):
        ancestors: list[int] = []
        current: int | None = place
        while current is not None and current not in visited:  # variations may leave each other in a circle
            visited.add(current)
            ancestors.append(current)
            branch = branch_of(logs[current])
            current = None if branch is None else places.get(branch.deal)
        for one in reversed(ancestors):
            yield one, logs[one]


def _index_by_name(deals: Iterable[IdentifiedLog]) -> dict[str, str | None]:
    """The records by the names of their deals; None for a title of several."""
    ids: dict[str, str | None] = {}
    titles: dict[str, str | None] = {}
    for record, log in deals:
        ids[record.lower()] = record
        opened = find_deal_opening(log)
        if opened is not None and opened.title:
            titles[opened.title] = None if opened.title in titles else record
    return {**titles, **ids}


def _resolve_parent(log: Log, record_ids: dict[str, str | None]) -> Log:
    """The log, referring to the deal that it leaves by its record."""
    branch, first = branch_of(log), log[0].event
    if branch is None or not isinstance(first, DealOpened):
        return log
    record = record_ids.get(branch.deal.lower()) or record_ids.get(branch.deal) or branch.deal
    named_opening = replace(first, branch=replace(branch, deal=record))
    return (log[0]._replace(event=named_opening), *log[1:])
