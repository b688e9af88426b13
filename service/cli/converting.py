"""``spadille convert``: logs from one form into the other, or into the canonical form of their own."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import BinaryIO, ClassVar, Final

import click

from engine import Log
from schemas.notation import SUFFIX, without_marks, written_log
from schemas.pieces import PIECE
from schemas.writer import entry_bytes
from service.cli import options
from service.cli.bulk import Source, run
from service.cli.endings import SOUND, UNREADABLE
from service.cli.inputs import Deal, Inputs
from service.cli.output import Written, written_into
from service.cli.output import into as into_file
from service.cli.work import Counts

DEAL: Final = SUFFIX[1:]
JSON_LINES: Final = "jsonl"


@click.command(epilog="Example: spadille convert evening.jsonl -o evening.deal")
@options.inputs
@click.option(
    "--to",
    "form",
    type=click.Choice([DEAL, JSON_LINES]),
    help="The notation, or JSON Lines.  [default: as -o ends, else the notation]",
)
@click.option(
    "--bookkeeping",
    type=click.Choice(["all", "told"]),
    default="all",
    show_default=True,
    help="All of it, or only how entries are known: no ids, times, or who typed them.",
)
@into_file
@options.jobs
@options.after
@click.pass_context
def convert(
    ctx: click.Context,
    files: tuple[str, ...],
    form: str | None,
    bookkeeping: str,
    into: str | None,
    jobs: int,
    silent: bool,
    after: Source | None,
) -> None:
    """Write logs in the notation, or as JSON Lines; nothing is lost either way.

    FILE is a log in the notation or as JSON Lines, - for standard input, or a deal of the library.
    What is in the wanted form already comes out in its canonical form.
    """
    to_lines = (form or _form_of(into)) == JSON_LINES
    sources = options.sources(ctx, files, after)
    with written_into(ctx, into) as out:
        work = Converting(to_lines, bookkeeping == "all")
        ran = run(sources, work, jobs, not silent, out if to_lines else _Parted(out))
        if ran.unreadable and not ran.counts:
            ctx.exit(UNREADABLE)  # nothing takes the place of what a file had
    ctx.exit(UNREADABLE if ran.unreadable else SOUND)


def _form_of(into: str | None) -> str:
    """The form that a file of that name has."""
    return JSON_LINES if into is not None and PurePath(into).suffix in (".jsonl", ".ndjson") else DEAL


@dataclass(frozen=True, slots=True)
class Converting:
    """What ``convert`` does with a log: it writes it."""

    to_lines: bool
    with_marks: bool
    piece: ClassVar[int] = PIECE
    with_tables: ClassVar[bool] = True

    def of(self, logs: Iterable[Deal], inputs: Inputs) -> Iterator[tuple[Iterable[Written], Counts]]:
        """Every log in the wanted form."""
        for one in logs:
            log = one.log if self.with_marks else without_marks(one.log)
            yield (_lines(log) if self.to_lines else _text(log),), {"written": 1}


def _lines(log: Log) -> bytes:
    return b"".join(entry_bytes(entry, bare=True) + b"\n" for entry in log)


def _text(log: Log) -> bytes:
    """The text with an empty line below it."""
    return written_log(log).encode() + b"\n"


class _Parted:
    """Takes texts with an empty line below each, and writes them with one between each."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._parting = b""

    def write(self, texts: bytes) -> int:
        """Writes one or more texts."""
        self._out.write(self._parting + texts[:-1])
        self._parting = b"\n"
        return len(texts)

    def isatty(self) -> bool:
        """Whether a person sees it at once."""
        return self._out.isatty()
