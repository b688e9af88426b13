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
from engine import EVERYTHING, Log, Viewer
from engine.branching import DEEPEST, NoSuchPoint, behind, branch_of, left_at, own_length
from engine.core.events import CorrectionMade, DealOpened, Event
from engine.core.vocabulary import Branch
from replays import Replay
from service.eventstore import PAGE, EventReader, StoreDamaged, StreamInfo, UnknownStream
from service.records.records import DEAL, Posted, entry_in, log_in

KEPT: Final = 200_000
"""Of so many deals it is kept in memory whether they are variations, in some 30 MB; of others it is read."""

Course = Callable[[Log, Viewer], Log]
"""Puts the beginning of a deal, as somebody may know it, before its own log, cut for him already."""


class NotThere(Exception):
    """The point that a variation says it leaves is not there; the text says what is.

    ``pointer`` leads to the field that names it; ``branch`` is what was named.
    """

    def __init__(self, pointer: str, branch: Branch, sentence: str) -> None:
        super().__init__(sentence)
        self.pointer, self.branch = pointer, branch


class Left(NamedTuple):
    """A deal that others may leave: a recorded one, or one of the library."""

    name: str
    recorded: StreamInfo | None
    whole: Callable[[], Log]


class Variations:
    """The variations in a store, and the deals that they leave. May be used from any thread.

    ``library`` are the deals of the library by their names, all of ours where it is None.
    """

    def __init__(self, store: EventReader, library: Mapping[str, Replay] | None = None) -> None:
        self._store, self._library = store, library
        self._mutex = threading.Lock()
        self._branches: dict[str, Branch | None] = {}
        self._leaving: dict[str, list[str]] = {}
        self._listed = 0

    # Which there are

    def branch(self, deal: str) -> Branch | None:
        """Where a recorded deal leaves another; None where it does not. Raises `UnknownStream`."""
        if deal in self._branches:
            return self._branches[deal]
        branch = self._read(deal)
        # Once it is full nothing is dropped for another: a list goes through all deals in the same order, and
        # would find each dropped just before. What is kept stays true: an opening never says another branch.
        if len(self._branches) < KEPT:
            self._branches[deal] = branch
        return branch

    def _read(self, deal: str) -> Branch | None:
        first = self._store.read(deal, 0, 1)
        # Most deals are none, and are told by their text.
        return branch_of((entry_in(first[0]),)) if first and b'"branch"' in first[0].body else None

    def leaving(self, name: str) -> list[str]:
        """The ids of the variations that leave a deal, in the order in which they were made."""
        with self._mutex:
            while page := self._store.branches(self._listed, PAGE):
                # All of a page or nothing: where the store fails, the next who asks begins with it again.
                for left, deal in list(self._leaves_of(deal for _, deal in page)):
                    self._leaving.setdefault(left, []).append(deal)
                self._listed, _ = page[-1]
            return list(self._leaving.get(name, ()))

    def _leaves_of(self, deals: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The names of the deals that variations leave, each with the variation's id.

        One whose opening is damaged cannot be told to be one.
        """
        for deal in deals:
            with suppress(StoreDamaged):
                branch = self._read(deal)
                if branch is not None and (left := self.left(branch)) is not None:
                    yield left.name, deal

    def left(self, branch: Branch) -> Left | None:
        """The deal that a variation leaves; None where it is not here."""
        name = branch.deal.lower()
        try:
            info = self._store.describe(name)
        except UnknownStream:
            replay = self._replay(branch.deal)
            return Left(replay.name, None, replay.log) if replay else None
        return Left(name, info, lambda: log_in(self._store, name)) if info.kind == DEAL else None

    def _replay(self, name: str) -> Replay | None:
        """The deal of the library of that name, or else of that title."""
        if self._library is None:
            return replays.find(name) or titled(replays.library(), name)
        return self._library.get(name) or titled(self._library.values(), name)

    def line(self, branch: Branch | None) -> list[Left]:
        """The deals that were left one after another, the nearest first, as far as they are here."""
        line: list[Left] = []
        while branch is not None and len(line) <= DEEPEST and (left := self.left(branch)) is not None:
            line.append(left)
            branch = self.branch(left.name) if left.recorded else None
        return line

    # Their course

    def course(self, own: Log, viewer: Viewer) -> Log:
        """A deal's own log, cut for somebody already, behind its beginning as ``viewer`` may know it."""
        return behind(own, viewer, self._whole)

    def _whole(self, branch: Branch) -> Log | None:
        left = self.left(branch)
        return None if left is None else left.whole()

    # Opening one

    def opened(self, sent: Posted) -> Posted:
        """An opening whose branch is there, with the name that its deal has here and the length of its log.

        A repeat gets the length that it got the first time. Raises `NotThere`.
        """
        event = sent.reading.event
        if not isinstance(event, DealOpened) or event.branch is None:
            return sent
        branch = self._fixed(event.branch, sent.reading.record.id, sent.pointer)
        return sent._replace(reading=sent.reading._replace(event=self._filled(event, branch)))

    def _fixed(self, branch: Branch, deal: str | None, pointer: str) -> Branch:
        left = self.left(branch)
        if left is None or (deal is not None and left.name == deal.lower()):
            told = (
                f"There is no deal {branch.deal[:100]} here that this one could leave. Record that one first."
            )
            raise NotThere(f"{pointer}/branch/deal", branch, told)
        named = replace(branch, deal=left.name)
        if len(self.line(named)) > DEEPEST:
            told = (
                f"{left.name} is a variation of a variation, {DEEPEST} times over; no more leave each other."
            )
            raise NotThere(f"{pointer}/branch/deal", branch, told)
        whole = self.course(left.whole(), EVERYTHING)
        known = branch.known
        if known is None:
            known = self._known_then(deal, named) or own_length(whole)
        try:
            left_at(whole, fixed := replace(named, known=known))
        except NoSuchPoint as error:
            place = "known" if known > own_length(whole) else "at"
            told = f"Of the deal {left.name} that point cannot be left: {error}"
            raise NotThere(f"{pointer}/branch/{place}", branch, told) from None
        return fixed

    def _known_then(self, deal: str | None, named: Branch) -> int | None:
        """How long the log was when the same was sent before."""
        try:
            then = self._read(deal) if deal is not None else None
        except UnknownStream:
            return None
        return then.known if then is not None and replace(then, known=None) == named else None

    def _filled(self, event: DealOpened, branch: Branch) -> DealOpened:
        """The opening, by the same revision as the deal that it leaves where it names the same ruleset."""
        revision = event.revision
        left = self.left(branch)
        if revision is None and left is not None:
            before = left_at(self.course(left.whole(), EVERYTHING), branch).opened
            if before is not None and before.ruleset == event.ruleset:
                revision = before.revision
        return replace(event, branch=branch, revision=revision)

    def require_same(self, deal: str, sent: Sequence[Posted]) -> None:
        """Raises `NotThere` where a correction would let a deal begin elsewhere than it was opened."""
        for one in sent:
            _require_same(one.reading.event, one.pointer, lambda: self.branch(deal))


def _require_same(event: Event, pointer: str, branch: Callable[[], Branch | None]) -> None:
    if isinstance(event, CorrectionMade):
        for number, part in enumerate(event.with_):
            _require_same(part, f"{pointer}/with/{number}", branch)
    elif isinstance(event, DealOpened) and event.branch is not None and event.branch != branch():
        told = "Where a deal begins is said when it is opened. Leave branch out, or open another deal."
        raise NotThere(f"{pointer}/branch", event.branch, told)


def titled(deals: Iterable[Replay], title: str) -> Replay | None:
    """The one deal of that title; None where there is none, or several."""
    found = [deal for deal in deals if deal.title == title]
    return found[0] if len(found) == 1 else None
