"""One run of a command over many deals: in this process, or cut into pieces for several.

Whatever the number of processes, what is written and told is the same. A piece is read on the
assumption of what stands before it in its file: how many logs, how many problems. Where that turns
out otherwise, it is read again, here.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, NamedTuple

from schemas.logs.pieces import Piece, Stretch, pieces_of
from schemas.wire.jsonlines import LISTED, NOTHING_PASSED, Passed
from service.cli.io.inputs import Inputs, shown_name
from service.cli.io.output import Out
from service.cli.io.progress import Progress, progress_of
from service.cli.io.safe_group import OWN_MISTAKE, Ended
from service.cli.io.terminal_text import file_name
from service.cli.io.work import Counts, Done, Part, Work, worked
from service.cli.io.workers import Ticket, WorkerLost, Workers

AHEAD: Final = 2
"""For each process so many batches are under way, or done and waiting for those before them."""
TOGETHER: Final = 64
"""So many small files are given to a process at once, if they are no longer than a piece together."""

LOST: Final = (
    "One of the processes that --jobs started was ended from outside; perhaps memory ran out. What was"
    " written until then is right; the rest is missing."
)


Standard = Callable[[], BinaryIO]
"""Gives standard input."""


class Source(NamedTuple):
    """An input by its name, and how many of its first logs are passed over."""

    name: str
    skipped: int = 0


class Ran(NamedTuple):
    """What a run came to: whether something could not be read, how many logs were left out, the counts."""

    unreadable: bool
    left_out: int
    counts: Counts


def run(
    sources: Iterable[Source],
    work: Work,
    jobs: int = 1,
    progress: bool = True,
    out: Out | None = None,
    standard: Standard | None = None,
) -> Ran:
    """Does the ``work`` with every deal of ``sources``, in ``jobs`` processes beside this one if more than 1.

    What is written goes to ``out``, to standard output if that is None; ``standard`` gives standard input,
    where it is read in a way of its own.

    Raises:
        Ended: a process was killed.
    """
    sources = tuple(sources)
    with progress_of((source.name for source in sources), progress, out) as voice:
        if jobs == 1:
            return _Run(work, voice, standard).through(sources)
        with Workers(work, jobs) as workers:
            try:
                return _Shared(work, voice, workers, AHEAD * jobs, standard).through(sources)
            except WorkerLost:
                raise Ended(LOST, OWN_MISTAKE) from None


class _Run:
    """A run in this process, deal by deal."""

    def __init__(self, work: Work, voice: Progress, standard: Standard | None) -> None:
        self.work = work
        self.voice = voice
        self.inputs = Inputs(tell=voice.tell, standard=standard)
        self.counts: Counter[Any] = Counter()

    def through(self, sources: Iterable[Source]) -> Ran:
        """The whole run."""
        for source in sources:
            with self.inputs.opened(source.name) as stream:
                if stream is not None:
                    self.read(source, self.voice.watching(stream), NOTHING_PASSED)
                    self.end(source, self.inputs.passed)
        return Ran(self.inputs.unreadable, self.inputs.left_out, self.counts)

    def read(self, source: Source, chunks: BinaryIO | Iterable[bytes], passed: Passed) -> None:
        """Reads an input, or a part of it that begins after what has ``passed``."""
        logs = self.inputs.logs_in(
            chunks, file_name(source.name), passed, source.skipped, self.work.with_tables
        )
        self.counts.update(worked(logs, self.inputs, self.work, self.voice))

    def end(self, source: Source, passed: Passed) -> None:
        """An input is at its end: what was only counted is said; it should have had what is passed over."""
        self.inputs.count_unlisted(file_name(source.name), passed)
        if passed.logs < source.skipped:
            name = shown_name(file_name(source.name))
            self.inputs.refuse(
                f"{name} ends with deal {passed.logs}; there is no deal {source.skipped} to go on after."
            )


@dataclass(slots=True)
class _Input:
    """An input that is cut into pieces: what has passed of it, as far as that is settled.

    ``guessed`` is what has passed of it before the next piece, as far as that shows without reading;
    ``open``: how many pieces are not settled, and 1 more until all of it is cut.
    """

    source: Source
    passed: Passed = NOTHING_PASSED
    guessed: Passed = NOTHING_PASSED
    open: int = 1


class _Given(NamedTuple):
    """A piece that is given to a worker, with what was assumed to stand before it."""

    input: _Input
    piece: Piece
    lines: int
    assumed: Passed


class _Shared(_Run):
    """A run whose pieces are read by workers; what they answer is spoken here, in order."""

    def __init__(
        self, work: Work, voice: Progress, workers: Workers, ahead: int, standard: Standard | None
    ) -> None:
        super().__init__(work, voice, standard)
        self.opener = Inputs(tell=self._tell_in_turn, standard=standard)
        self.workers = workers
        self.ahead = ahead
        self.batch: list[_Given] = []
        self.waiting: deque[tuple[list[_Given], Ticket]] = deque()

    def through(self, sources: Iterable[Source]) -> Ran:
        """The whole run."""
        for source in sources:
            with self.opener.opened(source.name) as stream:
                if stream is not None:
                    self._cut(_Input(source), self.voice.watching(stream))
        self._settle_all()
        unreadable = self.inputs.unreadable or self.opener.unreadable
        return Ran(unreadable, self.inputs.left_out, self.counts)

    def _tell_in_turn(self, sentence: str) -> None:
        self._settle_all()
        self.voice.tell(sentence)

    def _cut(self, one: _Input, stream: BinaryIO | Iterable[bytes]) -> None:
        for piece in pieces_of(stream, self.work.piece):
            if isinstance(piece, Stretch):
                self._settle_all()
                self._read_here(one, piece.chunks())
                one.guessed = one.passed
            else:
                self._add(one, piece)
        self._close(one)

    def _close(self, one: _Input) -> None:
        """A piece of an input is settled, or the last one cut: after both it is at its end."""
        one.open -= 1
        if not one.open:
            self.end(one.source, one.passed)

    def _add(self, one: _Input, piece: Piece) -> None:
        """Puts a piece with those that are given to a worker next."""
        one.open += 1
        lines = piece.data.count(b"\n")
        self.batch.append(_Given(one, piece, lines, one.guessed))
        one.guessed = one.guessed._replace(
            logs=one.guessed.logs + piece.logs, lines=one.guessed.lines + lines
        )
        weight = sum(len(given.piece.data) for given in self.batch)
        if weight >= self.work.piece or len(self.batch) >= TOGETHER:
            self._give()

    def _give(self) -> None:
        """Gives the batch to a worker, and speaks what is ready to be spoken."""
        parts = [
            Part(file_name(one.source.name), piece, assumed, one.source.skipped)
            for one, piece, _, assumed in self.batch
        ]
        self.waiting.append((self.batch, self.workers.give(parts)))
        self.batch = []
        self.workers.look()
        while self.waiting and (len(self.waiting) > self.ahead or self.waiting[0][1].settled):
            self._settle(*self.waiting.popleft())

    def _settle_all(self) -> None:
        if self.batch:
            self._give()
        while self.waiting:
            self._settle(*self.waiting.popleft())

    def _settle(self, batch: list[_Given], ticket: Ticket) -> None:
        """Speaks what came of a batch, when its turn has come."""
        self.workers.wait_for(ticket)
        answers: Sequence[Done | None] = ticket.answer or [None] * len(batch)
        for given, answer in zip(batch, answers, strict=True):
            one, before = given.input, given.input.passed
            if answer is not None and _holds(given.assumed, answer, before):
                self._speak(answer)
                told = before.told + answer.passed.told - given.assumed.told
                left_out = before.left_out + answer.passed.left_out - given.assumed.left_out
                one.passed = Passed(answer.passed.logs, before.lines + given.lines, told, left_out)
            else:
                self._read_here(one, given.piece.chunks())
            surprise = one.passed.logs - before.logs - given.piece.logs
            one.guessed = one.guessed._replace(
                logs=one.guessed.logs + surprise, told=one.passed.told, left_out=one.passed.left_out
            )
            self._close(one)

    def _speak(self, answer: Done) -> None:
        for sentence, written in answer.words:
            if sentence:
                self.voice.tell(str(written))
            else:
                self.voice.write(written)
        self.inputs.unreadable |= answer.unreadable
        self.inputs.left_out += answer.left_out
        self.counts.update(answer.counts)

    def _read_here(self, one: _Input, chunks: Iterable[bytes]) -> None:
        """Reads a part of an input in this process, knowing what stands before it."""
        counted = _Counted(chunks)
        before = one.passed
        self.read(one.source, counted, before)
        one.passed = self.inputs.passed._replace(lines=before.lines + counted.lines)


def _holds(assumed: Passed, answer: Done, passed: Passed) -> bool:
    """Whether a piece that was read on an assumption would be read alike by what has really ``passed``.

    How many problems were told before, and how many logs left out, matters only where the last of those
    that are told are among them.
    """
    if assumed[:2] != passed[:2]:
        return False
    bad = answer.passed.left_out - assumed.left_out
    few, many = sorted((assumed.left_out, passed.left_out))
    if bad and few != many and few < LISTED < many + bad:
        return False
    more = answer.passed.told - assumed.told
    if assumed.told == passed.told or (not more and assumed.told < LISTED):
        return True
    return max(assumed.told, passed.told) + more < LISTED


class _Counted:
    """The bytes of a part as they come, their lines counted."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.chunks = chunks
        self.lines = 0

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self.chunks:
            self.lines += chunk.count(b"\n")
            yield chunk
