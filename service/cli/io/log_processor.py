"""What a command does with each log, in this process or in another: what it writes and what it counts."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

from engine import Audit
from schemas.logs.file_pieces import DEFAULT_PIECE_BYTES, FilePiece
from schemas.wire.jsonlines import ReadProgress
from service.cli.io.audited_deals import PointOptions, audit_deals
from service.cli.io.inputs import InputLog, Inputs
from service.cli.io.output import OutputData, format_json_line, format_lines
from service.cli.io.progress import ProgressOutput
from service.presentation.text.style import TextStyle

Counts = Mapping[Any, int]
"""How many there are of whatever a command counts."""


class LogProcessor(ABC):
    """What a command does with each log. It can be pickled, so that other processes can do it.

    ``piece_bytes``: about how many bytes another process is given at once. ``includes_tables``: whether it is
    also done with the logs of tables.
    """

    piece_bytes: int = DEFAULT_PIECE_BYTES
    includes_tables: ClassVar[bool] = False

    @abstractmethod
    def process(
        self, logs: Iterable[InputLog], inputs: Inputs
    ) -> Iterator[tuple[Iterable[OutputData], Counts]]:
        """What is written of each log, and what it adds to the counts; ``inputs`` is told what cannot be."""


def count_nothing(deal: InputLog, audited: Audit) -> Counts:
    """What a deal adds where nothing is counted."""
    return {}


@dataclass(frozen=True, slots=True)
class DealProcessor(LogProcessor):
    """Writes each deal as it is judged at ``point``: as ``lines`` for a terminal, else as ``objects``."""

    point: PointOptions
    for_terminal: bool
    style: TextStyle
    lines: Callable[[InputLog, Audit, TextStyle], Iterable[str]]
    objects: Callable[[InputLog, Audit], Iterable[dict[str, Any]]]
    count: Callable[[InputLog, Audit], Counts] = count_nothing
    piece_bytes: int = DEFAULT_PIECE_BYTES

    def process(
        self, logs: Iterable[InputLog], inputs: Inputs
    ) -> Iterator[tuple[Iterable[OutputData], Counts]]:
        """What is written of each deal, and what it adds to the counts."""
        for deal, audited in audit_deals(logs, inputs.report_unreadable, self.point, self.for_terminal):
            yield self._render(deal, audited), self.count(deal, audited)

    def _render(self, deal: InputLog, audited: Audit) -> Iterator[OutputData]:
        if self.for_terminal:
            yield format_lines(self.lines(deal, audited, self.style), self.style)
        else:
            yield from map(format_json_line, self.objects(deal, audited))


OutputParts = list[tuple[bool, OutputData]]
"""What a `BufferedOutput` holds: parts of the output, and messages (True)."""


class BufferedOutput:
    """An output in memory, to be written later and in order: its data, and messages."""

    def __init__(self) -> None:
        self._parts: OutputParts = []

    def write(self, data: OutputData) -> None:
        """Adds data."""
        self._parts.append((False, data))

    def write_message(self, message: str) -> None:
        """Adds a message."""
        self._parts.append((True, message))

    def joined_parts(self) -> OutputParts:
        """All that was written, with neighbours of the same kind joined."""
        joined: OutputParts = []
        for (is_message, kind), group in groupby(self._parts, lambda part: (part[0], type(part[1]))):
            contents: list[Any] = [content for _, content in group]
            joined.append((is_message, ("\n" if is_message else kind()).join(contents)))
        return joined


class FilePart(NamedTuple):
    """Whole logs of a file, as they are given to another process.

    ``read_progress`` is what the file has before them, ``skip_count`` how many of its first logs are passed
    over.
    """

    file: str
    piece: FilePiece
    read_progress: ReadProgress
    skip_count: int


class PartResult(NamedTuple):
    """The result of a part: what to write, how far the file was read, what was counted."""

    output_parts: OutputParts
    read_progress: ReadProgress
    has_unreadable: bool
    omitted_count: int
    counts: Counts


def process_logs(
    logs: Iterable[InputLog], inputs: Inputs, processor: LogProcessor, output: BufferedOutput | ProgressOutput
) -> Counter[Any]:
    """Does the ``processor`` with every one of ``logs``; what they add up to."""
    counts: Counter[Any] = Counter()
    for chunks, new_counts in processor.process(logs, inputs):
        for chunk in chunks:
            output.write(chunk)
        counts.update(new_counts)
    return counts


def process_part(part: FilePart, processor: LogProcessor) -> PartResult:
    """Processes a part, and buffers the output."""
    output = BufferedOutput()
    inputs = Inputs(write_message=output.write_message)
    logs = inputs.read_logs_from(
        part.piece.chunks(), part.file, part.read_progress, part.skip_count, processor.includes_tables
    )
    counts = process_logs(logs, inputs, processor, output)
    return PartResult(
        output.joined_parts(), inputs.read_progress, inputs.has_unreadable, inputs.omitted_count, counts
    )
