"""The arguments and options that several commands share."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from engine.core.vocabulary import Seq
from engine.rulesets import PUBLISHED, Book
from engine.tables.rescoring import Other
from schemas.rulesets.other_rules import read_other
from schemas.rulesets.rulesets import MOST_BYTES, read_ruleset_file
from schemas.wire.faults import WireError, placed
from service.cli.io.bulk import Source
from service.cli.io.safe_group import UNREADABLE, tell
from service.cli.io.terminal_text import file_name, printable
from service.presentation.text.words import LANGUAGES
from service.records.points import VIEWERS

Command = TypeVar("Command", bound=Callable[..., Any])

MOST_JOBS: Final = 256
"""More processes than this are started by mistake."""

_SEQ: Final = re.compile(r"[1-9][0-9]{0,8}(?:\.[1-9][0-9]{0,8})*")


class SeqType(click.ParamType[Seq]):
    """An entry's place in its log: a number, or "30.1" for what a correction put in."""

    name = "seq"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Seq:
        """Reads a seq as the log writes it."""
        if isinstance(value, str) and _SEQ.fullmatch(value):
            return int(value) if value.isdigit() else value
        self.fail(f"{value!r} is no entry of a log: write its number, such as 31 or 30.1.", param, ctx)


def inputs(command: Command) -> Command:
    """One or more inputs: files, ``-``, deals of the library."""
    return click.argument("files", metavar="FILE...", nargs=-1, required=True)(command)


class JobsType(click.ParamType[int]):
    """A number of processes: 1 or more, or one for each core of this machine (0 or auto)."""

    name = "jobs"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Reads the number."""
        text = "0" if value == "auto" else str(value)
        if not text.isascii() or not text.isdigit() or len(text) > len(str(MOST_JOBS)):
            self.fail(f"{value!r} is no number of processes: write 1 or more, or auto.", param, ctx)
        return min(int(text) or _cores(), MOST_JOBS)


def _cores() -> int:
    """How many cores this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


class DealType(click.ParamType[Source]):
    """A deal of an input: FILE:DEAL, its number there."""

    name = "deal"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Source:
        """Reads the name and the number."""
        if isinstance(value, Source):
            return value
        name, _, number = str(value).rpartition(":")
        if not name or not re.fullmatch("[0-9]{1,18}", number):
            self.fail(
                f"{value!r} is no deal: write its file and its number there, as in a.jsonl:31.", param, ctx
            )
        return Source(name, int(number))


def jobs(command: Command) -> Command:
    """How many processes, and whether a bar shows how far they are."""
    command = click.option(
        "--no-progress", "silent", is_flag=True, help="Show no bar of how far the run has come."
    )(command)
    return click.option(
        "--jobs",
        type=JobsType(),
        metavar="N",
        default="1",
        show_default=True,
        help="Read with so many processes; auto is one for each core.",
    )(command)


def resume_after(command: Command) -> Command:
    """Where to go on."""
    return click.option(
        "--resume-after",
        type=DealType(),
        metavar="FILE:DEAL",
        help="Go on after this deal of a run that was broken off.",
    )(command)


def sources(ctx: click.Context, files: tuple[str, ...], after: Source | None = None) -> tuple[Source, ...]:
    """The inputs of a run, from that of ``after`` on; if it is none of them, the command ends."""
    if after is None:
        return tuple(map(Source, files))
    for at, name in enumerate(files):
        if file_name(name) == file_name(after.name):
            return (Source(name, after.skipped), *map(Source, files[at + 1 :]))
    tell(
        f"{printable(file_name(after.name))} is none of the files named; --resume-after asks for one of them."
    )
    ctx.exit(UNREADABLE)


def data(command: Command) -> Command:
    """The folder of the records."""
    return click.option(
        "--data",
        type=click.Path(file_okay=False, readable=False, path_type=Path),
        metavar="FOLDER",
        help="Where the records are kept.  [default: this computer's place for such data]",
    )(command)


def store(command: Command) -> Command:
    """A store on PostgreSQL."""
    return click.option(
        "--store", metavar="URL", help="A store on PostgreSQL.  [default: the file in the folder]"
    )(command)


def kept_files(store: Path) -> tuple[str, ...]:
    """What the service keeps where a store is: the file that is named, or all that is in the folder."""
    # What the service needs takes a while to load; most commands do without it.
    from service.application.backup import KEPT

    folder = store if store.is_dir() else store.parent
    return (str(store), *(str(folder / name) for name in KEPT))


def output_format(command: Command) -> Command:
    """Whether to write for people or for programs."""
    return click.option(
        "--format",
        "output",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Text for people, or one JSON object per line for programs.",
    )(command)


def report_format(command: Command) -> Command:
    """Whether to write for people, for programs, or for paper."""
    return click.option(
        "--format",
        "output",
        type=click.Choice(["text", "json", "html"]),
        default="text",
        show_default=True,
        help="Text for people, one JSON object per line for programs, or one file of HTML to print and sign.",
    )(command)


def rules(command: Command) -> Command:
    """Rulesets of one's own."""
    return click.option(
        "--rules",
        "rules_files",
        metavar="FILE",
        multiple=True,
        help="A ruleset of your own, as JSON; may be given again.",
    )(command)


def book_from(ctx: click.Context, files: tuple[str, ...]) -> Book:
    """The published rulesets and those of ``files``; a file that holds none ends the command."""
    book = PUBLISHED
    for name in files:
        try:
            with open(name, "rb") as file:
                book = (*book, read_ruleset_file(file.read(MOST_BYTES + 1), book))
        except OSError as error:
            tell(f"{printable(name)} cannot be read: {error.strerror or error}.")
            ctx.exit(UNREADABLE)
        except WireError as error:
            for fault in error.faults:
                tell(f"{printable(name)}: {printable(placed(fault))}")
            ctx.exit(UNREADABLE)
    return book


def rescore_with(command: Command) -> Command:
    """Other rules by which to count once more."""
    return click.option(
        "--rescore-with",
        metavar="RULES",
        help="Count again by RULESET[@REVISION][,SWITCH=VALUE].",
    )(command)


def other_from(ctx: click.Context, text: str | None, book: Book) -> Other | None:
    """The rules that ``--rescore-with`` names; where there are none such, the command ends."""
    if text is None:
        return None
    try:
        return read_other(text, book)
    except ValueError as error:
        tell(printable(f"--rescore-with: {error}"))
        ctx.exit(UNREADABLE)


def lang(command: Command) -> Command:
    """The language of text for people."""
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        help="The language of the text: Danish or English.  [default: as LC_ALL or LANG say]",
    )(command)


def viewer(command: Command) -> Command:
    """Who looks."""
    return click.option(
        "--viewer",
        type=click.Choice(list(VIEWERS)),
        default="all",
        show_default=True,
        help="Show only what the player in this seat, or the public, may know.",
    )(command)


def at(command: Command) -> Command:
    """Up to which entry."""
    return click.option(
        "--at", type=SeqType(), metavar="SEQ", help="Stop after this entry, such as 31 or 30.1."
    )(command)


def as_of(command: Command) -> Command:
    """How much of the log."""
    return click.option(
        "--as-of",
        type=click.IntRange(min=1),
        metavar="N",
        help="Take only the first N entries into account: what the record said then.",
    )(command)
