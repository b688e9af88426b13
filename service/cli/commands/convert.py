"""``spadille convert``: logs from one form into the other, or into the canonical form of their own."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import BinaryIO, ClassVar, Final

import click

from engine import Log
from schemas.logs.pieces import PIECE
from schemas.notation import SUFFIX, without_marks, written_log
from schemas.wire.writer import entry_bytes
from service.cli.io import options
from service.cli.io.bulk import Source, run
from service.cli.io.inputs import STANDARD_INPUT, Deal, Inputs, quoted
from service.cli.io.output import Written, written_into
from service.cli.io.output import into as into_file
from service.cli.io.safe_group import SOUND, UNREADABLE, tell
from service.cli.io.targets import is_read_too, refuse_what_is_read
from service.cli.io.terminal_text import file_name
from service.cli.io.work import Counts

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
@options.resume_after
@click.pass_context
def convert(
    ctx: click.Context,
    files: tuple[str, ...],
    form: str | None,
    bookkeeping: str,
    into: str | None,
    jobs: int,
    silent: bool,
    resume_after: Source | None,
) -> None:
    """Write logs in the notation, or as JSON Lines; nothing is lost either way.

    FILE is a log in the notation or as JSON Lines, - for standard input, or a deal of the library.
    What is in the wanted form already comes out in its canonical form.
    """
    to_lines = (form or _form_of(into)) == JSON_LINES
    if resume_after is not None and into not in (None, "-"):
        raise click.UsageError(
            "--resume-after goes on behind what a broken run has written, and -o writes a file anew; "
            "leave -o out and append: spadille convert --resume-after … >> FILE"
        )
    in_its_own_place = is_read_too(into, files)
    if in_its_own_place and bookkeeping != "all":
        refuse_what_is_read(into, files)  # the ids and times would be gone
    sources = options.sources(ctx, files, resume_after)
    with written_into(ctx, into) as out:
        work = Converting(to_lines, bookkeeping == "all")
        texts = out if to_lines else _Parted(out, bool(resume_after and _has_written(files, resume_after)))
        ran = run(sources, work, jobs, not silent, texts)
        if ran.unreadable and (in_its_own_place or not ran.counts):
            # Nothing takes the place of what a file had.
            if in_its_own_place and into is not None:
                tell(f"{quoted(into)} stays as it was: what cannot be read would be lost from it.")
            ctx.exit(UNREADABLE)
    ctx.exit(UNREADABLE if ran.unreadable else SOUND)


def _has_written(files: tuple[str, ...], after: Source) -> bool:
    """Whether a run has written anything before it was broken off: a text then goes on behind an empty line.

    What is read only once, such as standard input, is not looked into: it is taken to have been written.
    """
    for name in files:
        last = file_name(name) == file_name(after.name)
        if last and not after.skipped:
            return False
        if name == STANDARD_INPUT or (os.path.exists(name) and not os.path.isfile(name)):
            return True
        first = next(Inputs((name,), tell=lambda _: None).logs(), None)
        if first is not None and (not last or first.number <= after.skipped):
            return True
        if last:
            return False
    return False


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

    def __init__(self, out: BinaryIO, goes_on: bool) -> None:
        """``goes_on``: whether other texts stand there already."""
        self._out = out
        self._parting = b"\n" if goes_on else b""

    def write(self, texts: bytes) -> int:
        """Writes one or more texts."""
        self._out.write(self._parting + texts[:-1])
        self._parting = b"\n"
        return len(texts)

    def isatty(self) -> bool:
        """Whether a person sees it at once."""
        return self._out.isatty()
