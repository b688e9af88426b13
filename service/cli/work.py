"""What a command does with each deal, in this process or in another: what it writes and what it counts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from engine import Audit
from schemas.jsonlines import Passed
from schemas.pieces import Piece
from service.cli.inputs import Deal, Inputs
from service.cli.output import Written
from service.cli.points import Point, audits

Counts = Mapping[Any, int]
"""How many there are of whatever a command counts."""


class Work(Protocol):
    """What a command does with each deal. It can be pickled, so that other processes can do it."""

    @property
    def point(self) -> Point:
        """Where and how the deals are looked at."""
        ...

    @property
    def plain(self) -> bool:
        """Whether the texts of the record are made fit for a terminal."""
        ...

    @property
    def piece(self) -> int:
        """About so many bytes are given to another process at once."""
        ...

    def told(self, deal: Deal, audited: Audit) -> Iterator[Written]:
        """What is written of a deal."""
        ...

    def counted(self, deal: Deal, audited: Audit) -> Counts:
        """What a deal adds to the counts."""
        ...


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


def worked(deals: Iterable[Deal], inputs: Inputs, work: Work, voice: Voice) -> Counter[Any]:
    """Does the ``work`` with every one of ``deals``; what they add up to."""
    counts: Counter[Any] = Counter()
    for deal, audited in audits(deals, inputs.refuse, work.point, work.plain):
        for written in work.told(deal, audited):
            voice.write(written)
        counts.update(work.counted(deal, audited))
    return counts


def done(part: Part, work: Work) -> Done:
    """Does the ``work`` with a part, and keeps what is to be said of it."""
    voice = Kept()
    inputs = Inputs(tell=voice.tell)
    deals = inputs.deals_in(part.piece.chunks(), part.file, part.passed, part.skipped)
    counts = worked(deals, inputs, work, voice)
    return Done(voice.words(), inputs.passed, inputs.unreadable, inputs.left_out, counts)
