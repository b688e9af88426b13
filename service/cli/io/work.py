"""What a command does with each log, in this process or in another: what it writes and what it counts."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

from engine import Audit
from schemas.logs.pieces import PIECE, Piece
from schemas.wire.jsonlines import Passed
from service.cli.io.inputs import Deal, Inputs
from service.cli.io.output import Written
from service.cli.io.points import Point, audits

Counts = Mapping[Any, int]
"""How many there are of whatever a command counts."""


class Work(Protocol):
    """What a command does with each log. It can be pickled, so that other processes can do it."""

    @property
    def piece(self) -> int:
        """About so many bytes are given to another process at once."""
        ...

    @property
    def with_tables(self) -> bool:
        """Whether it is also done with the logs of tables."""
        ...

    def of(self, logs: Iterable[Deal], inputs: Inputs) -> Iterator[tuple[Iterable[Written], Counts]]:
        """What is written of each log, and what it adds to the counts; ``inputs`` is told what cannot be."""
        ...


@dataclass(frozen=True, slots=True)
class Judging(ABC):
    """A work with each deal as it is judged at ``point``; ``plain`` makes texts fit for a terminal."""

    point: Point
    plain: bool
    piece: ClassVar[int] = PIECE
    with_tables: ClassVar[bool] = False

    def of(self, logs: Iterable[Deal], inputs: Inputs) -> Iterator[tuple[Iterable[Written], Counts]]:
        """What is written of each deal, and what it adds to the counts."""
        for deal, audited in audits(logs, inputs.refuse, self.point, self.plain):
            yield self.told(deal, audited), self.counted(deal, audited)

    @abstractmethod
    def told(self, deal: Deal, audited: Audit) -> Iterable[Written]:
        """What is written of a deal."""

    def counted(self, deal: Deal, audited: Audit) -> Counts:
        """What a deal adds to the counts: nothing, unless a command counts something."""
        return {}


class Voice(Protocol):
    """Where a command's words go."""

    def write(self, written: Written) -> None:
        """Writes to the output."""
        ...

    def tell(self, sentence: str) -> None:
        """Says a sentence beside it."""
        ...


class Kept:
    """A voice whose words are kept, to be spoken later and in their order: the output's, and sentences."""

    def __init__(self) -> None:
        self._parts: list[tuple[type, list[Any]]] = []

    def write(self, written: Written) -> None:
        """Keeps a part of the output with what was written just before."""
        self._keep(type(written), written)

    def tell(self, sentence: str) -> None:
        """Keeps a sentence."""
        self._keep(_Sentence, sentence)

    def words(self) -> "Words":
        """All that was said."""
        return [
            (kind is _Sentence, b"".join(parts) if kind is bytes else _between(kind).join(parts))
            for kind, parts in self._parts
        ]

    def _keep(self, kind: type, part: Written) -> None:
        if not self._parts or self._parts[-1][0] is not kind:
            self._parts.append((kind, []))
        self._parts[-1][1].append(part)


class _Sentence:
    """Marks what is said beside the output."""


def _between(kind: type) -> str:
    return "\n" if kind is _Sentence else ""


Words = list[tuple[bool, Written]]
"""What a voice kept: parts of the output, and sentences to be told (True)."""


class Part(NamedTuple):
    """Whole logs of a file, as they are given to another process.

    ``passed`` is what the file has before them, ``skipped`` how many of its first logs are passed over.
    """

    file: str
    piece: Piece
    passed: Passed
    skipped: int


class Done(NamedTuple):
    """What came of a part: what is to be said, how far the file was read, what was counted."""

    words: Words
    passed: Passed
    unreadable: bool
    left_out: int
    counts: Counts


def worked(logs: Iterable[Deal], inputs: Inputs, work: Work, voice: Voice) -> Counter[Any]:
    """Does the ``work`` with every one of ``logs``; what they add up to."""
    counts: Counter[Any] = Counter()
    for told, counted in work.of(logs, inputs):
        for written in told:
            voice.write(written)
        counts.update(counted)
    return counts


def done(part: Part, work: Work) -> Done:
    """Does the ``work`` with a part, and keeps what is to be said of it."""
    voice = Kept()
    inputs = Inputs(tell=voice.tell)
    logs = inputs.logs_in(part.piece.chunks(), part.file, part.passed, part.skipped, work.with_tables)
    counts = worked(logs, inputs, work, voice)
    return Done(voice.words(), inputs.passed, inputs.unreadable, inputs.left_out, counts)
