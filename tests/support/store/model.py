"""A store as one would tell it: a plain list of everything that happened, searched through again and again.

It shares nothing with the stores but the shapes that go in and come out.
"""

from typing import NamedTuple

from service.eventstore import ANY_VERSION, StreamAppend, errors


class Happened(NamedTuple):
    """One event that was stored."""

    root: str
    stream: str
    seq: int
    event_id: str
    body: bytes


class Model:
    def __init__(self) -> None:
        self.log: list[Happened] = []
        self.kinds: dict[str, tuple[str, str]] = {}

    def of(self, stream: str) -> list[Happened]:
        return [e for e in self.log if e.stream == stream]

    def known(self, root: str, event_id: str) -> Happened | None:
        return next((e for e in self.log if (e.root, e.event_id) == (root, event_id)), None)

    def append(
        self, root: str, appends: list[StreamAppend]
    ) -> list[tuple[int, int, list[int]]] | type[Exception]:
        """For each append its version, how many were there before, and the seqs; or the error to raise."""
        refusal = self._refusal(root, appends)
        if refusal is not None:
            return refusal
        answers = []
        for append in appends:
            seqs, repeated = [], 0
            for event in append.events:
                known = self.known(root, event.event_id)
                if known is not None:
                    repeated += 1
                    seqs.append(known.seq)
                    continue
                self.kinds.setdefault(append.stream, (root, append.kind or "?"))
                seq = len(self.of(append.stream)) + 1
                self.log.append(Happened(root, append.stream, seq, event.event_id, event.body))
                seqs.append(seq)
            answers.append((len(self.of(append.stream)), repeated, seqs))
        return answers

    def _refusal(self, root: str, appends: list[StreamAppend]) -> type[Exception] | None:
        names = [append.stream for append in appends]
        if any(names.count(name) > 1 for name in names):
            return ValueError
        ids = [event.event_id for append in appends for event in append.events]
        if any(ids.count(event_id) > 1 for event_id in ids):
            return errors.IdConflict
        if any(self._conflicts(root, append) for append in appends):
            return errors.IdConflict
        return next((error for append in appends if (error := self._misfit(root, append))), None)

    def _conflicts(self, root: str, append: StreamAppend) -> bool:
        new_before = False
        for event in append.events:
            known = self.known(root, event.event_id)
            if known is None:
                new_before = True
            elif new_before or (known.stream, known.body) != (append.stream, event.body):
                return True
        return False

    def _misfit(self, root: str, append: StreamAppend) -> type[Exception] | None:
        if append.stream in self.kinds:
            its_root, its_kind = self.kinds[append.stream]
            if its_root != root or append.kind not in (None, its_kind):
                return errors.StreamMismatch
        elif append.kind is None:
            return errors.UnknownStream
        stored = [known.seq for e in append.events if (known := self.known(root, e.event_id))]
        version = len(self.of(append.stream))
        if append.events and len(stored) == len(append.events):
            return None
        if append.expected_version is not ANY_VERSION and append.expected_version != version:
            began_there = stored == list(range(append.expected_version + 1, version + 1))
            if not (stored and began_there):
                return errors.StaleVersion
        new = len(append.events) - len(stored)
        too_many = append.max_version is not None and version + new > append.max_version
        return errors.StreamFull if new and too_many else None
