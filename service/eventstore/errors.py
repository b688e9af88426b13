"""Errors of a store. Each message is a sentence that a person can act on."""

from __future__ import annotations


class StoreError(Exception):
    """Base of all store errors; the text can be shown to people."""


class StaleVersion(StoreError):
    """The writer's version of a stream is not the current one; nothing was appended.

    `expected` is the version the writer named, `actual` the stream's version (its number of events).
    """

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(
            f"Stream {stream} is at version {actual}, not at {expected} as this append expected. Read the "
            "events in between and decide again."
        )
        self.stream = stream
        self.expected = expected
        self.actual = actual


class StreamFull(StoreError):
    """The stream would grow beyond the append's `max_version`; nothing was appended.

    `version` is the stream's current version.
    """

    def __init__(self, stream: str, version: int, max_version: int) -> None:
        super().__init__(
            f"Stream {stream} is at version {version}, and this append would exceed its limit of "
            f"{max_version} entries."
        )
        self.stream = stream
        self.version = version
        self.max_version = max_version


class IdConflict(StoreError):
    """An event id that already names event `seq` of `stream`; None for an event of the same append."""

    def __init__(self, event_id: str, stream: str, seq: int | None, reason: str) -> None:
        super().__init__(f"Event id {event_id} {reason} Give every new event its own id.")
        self.event_id = event_id
        self.stream = stream
        self.seq = seq


class UnknownStream(StoreError):
    """The store has no stream with this id."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"There is no stream {stream} in this store.")
        self.stream = stream


class UnknownEvent(StoreError):
    """The root has no event with this id; nothing was erased."""

    def __init__(self, root: str, event_id: str) -> None:
        super().__init__(f"There is no event {event_id} in {root}. Nothing was erased.")


class StreamMismatch(StoreError):
    """An append names a different root or kind than the stream has; nothing was appended."""

    def __init__(self, stream: str, attribute: str, expected: str, actual: str) -> None:
        super().__init__(
            f"Stream {stream} was created with the {attribute} {actual}, but this append says {expected}."
        )
        self.stream = stream


class StoreClosed(StoreError):
    """The store was closed, or was opened by another process."""


class StoreUnavailable(StoreError):
    """The store cannot do it now, for example because the disk is full or the file is locked.

    Nothing acknowledged is lost. Anything else may be sent again with the same ids.
    """


class StandbyLagging(StoreUnavailable):
    """The server is a standby that does not have the requested data yet."""

    def __init__(self, position: int, needed: int) -> None:
        super().__init__(f"The standby is at position {position}, but {needed} is needed. Ask its leader.")


class StoreInUse(StoreUnavailable):
    """Another process already writes to this store."""

    def __init__(self, path: str, pid: int | None) -> None:
        by = f"process {pid}" if pid else "another process"
        super().__init__(
            f"The store {path} is already in use by {by}. Only one process at a time may write to it: stop "
            "that one first."
        )


class StoreDamaged(StoreError):
    """The file is not an intact store: its contents are contradictory or unreadable.

    ``stream`` and ``seq`` name the event where this showed, if there is one.
    """

    def __init__(self, text: str, stream: str | None = None, seq: int | None = None) -> None:
        super().__init__(text)
        self.stream = stream
        self.seq = seq


class CopyDiverged(StoreError):
    """The target of a copy holds something other than the beginning of the original; the message says
    what."""


class NotAStore(StoreError):
    """The file is not a store; it was left untouched."""


class StoreTooNew(StoreError):
    """A newer version of this program wrote the file; it was left untouched."""

    def __init__(self, path: str, unknown_steps: list[str]) -> None:
        super().__init__(
            f"The store {path} was written by a newer version of Spadille (its migration "
            f"{', '.join(unknown_steps)} is unknown to this version). Upgrade Spadille to open it. The "
            "store is unchanged."
        )
