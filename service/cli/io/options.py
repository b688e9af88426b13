"""The arguments and options that several commands share."""

import os
import re
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, TypeVar

import click

from engine.core.field_types import Seq
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.tables.rescoring import OtherRules
from schemas.i18n.catalogs import MESSAGE_LANGUAGES
from schemas.rulesets.other_rules_text import parse_rules_text
from schemas.rulesets.ruleset_json import MAX_RULESET_BYTES, parse_ruleset_file
from schemas.wire.wire_faults import WireError, format_fault
from service.cli.io.bulk_run import (
    DealProcessor,
    LogProcessor,
    RunResult,
    StdinOpener,
    process_inputs,
)
from service.cli.io.deals import ENGLISH_STYLE, PointOptions
from service.cli.io.inputs import InputLog
from service.cli.io.safe_group import CommandFailed, print_to_stderr
from service.cli.io.terminal_text import decode_file_name, sanitize_line
from service.config.settings import STORE_ADDRESS_FORMAT, is_store_address
from service.presentation.text.style import TextStyle, detect_text_style
from service.records.deal_points import VIEWERS_BY_NAME, DealPoint

Command = TypeVar("Command", bound=Callable[..., Any])

MAX_JOBS: Final = 256
"""The most processes that ``--jobs`` starts."""

_SEQ: Final = re.compile(r"[1-9][0-9]{0,8}(?:\.[1-9][0-9]{0,8})*")


def parse_seq(value: str) -> Seq:
    """The number of an entry: 31, or "30.1" for one that correction 30 put in."""
    if not _SEQ.fullmatch(value):
        raise click.BadParameter(f"{value!r} is not an entry of a log: write its number, such as 31 or 30.1.")
    return int(value) if value.isdigit() else value


inputs: Final = click.argument("files", metavar="FILE...", nargs=-1, required=True)
optional_inputs: Final = click.argument("files", metavar="[FILE...]", nargs=-1)


def parse_jobs(value: str) -> int:
    """A number of processes; 0 or auto is one for each core."""
    text = "0" if value == "auto" else value
    if not text.isascii() or not text.isdigit() or len(text) > len(str(MAX_JOBS)):
        raise click.BadParameter(f"{value!r} is not a number of processes: write 1 or more, or auto.")
    return min(int(text) or _available_cores(), MAX_JOBS)


def _available_cores() -> int:
    """The number of cores that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


class DealReference(NamedTuple):
    """A deal by its input and its number there."""

    file: str
    number: int


def parse_deal_reference(value: str) -> DealReference:
    """A deal of an input: FILE:DEAL, with its number there."""
    name, _, number = value.rpartition(":")
    if not name or not re.fullmatch("[0-9]{1,18}", number):
        raise click.BadParameter(
            f"{value!r} is not a deal: write its file and its number in it, as in a.jsonl:31."
        )
    return DealReference(name, int(number))


def jobs(command: Command) -> Command:
    """Add ``--jobs`` and ``--no-progress``."""
    command = click.option("--no-progress", "silent", is_flag=True, help="Hide the progress bar.")(command)
    return click.option(
        "--jobs",
        type=parse_jobs,
        metavar="N",
        default="1",
        show_default=True,
        help="Use this many processes; auto uses one for each core.",
    )(command)


resume_after: Final = click.option(
    "--resume-after",
    type=parse_deal_reference,
    metavar="FILE:DEAL",
    help="Continue an interrupted run after this deal.",
)


def bulk(command: Command) -> Command:
    """Add the options of a run over many deals: ``jobs`` and ``resume_after``."""
    return jobs(resume_after(command))


data_path: Final = click.option(
    "--data",
    type=click.Path(readable=False, path_type=Path),
    metavar="PATH",
    help="The same as --store PATH; with a URL, the folder of the service's other files.",
)
"""A store or its folder, for a command that by default works on files."""

data: Final = click.option(
    "--data",
    type=click.Path(file_okay=False, readable=False, path_type=Path),
    metavar="FOLDER",
    help="The folder of the records.  [default: this computer's place for such data]",
)


def _require_store_address(ctx: click.Context, _param: click.Parameter, text: str | None) -> str | None:
    """The address; the message does not repeat a wrong one, which may hold a password."""
    if text is not None and not is_store_address(text):
        raise click.UsageError(f"--store expects {STORE_ADDRESS_FORMAT}.")
    return text


store: Final = click.option(
    "--store",
    callback=_require_store_address,
    metavar="URL",
    help="The URL of a store on PostgreSQL.  [default: the file in the folder]",
)


def data_file_names(store: Path) -> tuple[str, ...]:
    """The files of the service at a store: the named file, and those in its folder."""
    # It takes a while to load; most commands do without it.
    from service.application.backup import BACKED_UP_FILES

    folder = store if store.is_dir() else store.parent
    return (str(store), *(str(folder / name) for name in BACKED_UP_FILES))


def choose_format(*formats: str, description: str) -> Callable[[Command], Command]:
    """Add ``--format``; the first of ``formats`` is the default."""
    return click.option(
        "--format",
        "output",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help=description,
    )


output_format: Final = choose_format(
    "text", "json", description="Text for people, or one JSON object per line for programs."
)

into_file: Final = click.option(
    "-o", "into", metavar="FILE", help="Write to this file.  [default: standard output]"
)

rules: Final = click.option(
    "--rules",
    "rules_files",
    metavar="FILE",
    multiple=True,
    help="A ruleset of your own, as JSON. Repeatable.",
)


def load_rule_book(files: tuple[str, ...]) -> RulesetBook:
    """The published rulesets and those of ``files``; a file without one ends the command."""
    book = PUBLISHED_RULESETS
    for name in files:
        try:
            with open(name, "rb") as file:
                book = (*book, parse_ruleset_file(file.read(MAX_RULESET_BYTES + 1), book))
        except OSError as error:
            reason = error.strerror or error
            raise CommandFailed(f"{sanitize_line(name)} cannot be read: {reason}.") from None
        except WireError as error:
            faults = (f"{sanitize_line(name)}: {sanitize_line(format_fault(one))}" for one in error.faults)
            raise CommandFailed("\n".join(faults)) from None
    return book


rescore_with: Final = click.option(
    "--rescore-with",
    metavar="RULES",
    help="Score again by RULESET[@REVISION][,SWITCH=VALUE].",
)


def parse_other_rules(text: str | None, book: RulesetBook) -> OtherRules | None:
    """The rules that ``--rescore-with`` names; unknown rules end the command."""
    if text is None:
        return None
    try:
        return parse_rules_text(text, book)
    except ValueError as error:
        raise CommandFailed(sanitize_line(f"--rescore-with: {error}")) from None


style: Final = click.option(
    "--lang",
    "style",
    callback=lambda _ctx, _param, lang: detect_text_style(lang),
    type=click.Choice(sorted(MESSAGE_LANGUAGES)),
    help="The language of the text: Danish or English.  [default: as in LC_ALL or LANG]",
)
"""The style of text for people: its language, and what the terminal can show."""

viewer: Final = click.option(
    "--viewer",
    type=click.Choice(list(VIEWERS_BY_NAME)),
    default="all",
    show_default=True,
    help="Show only what the player in this seat, or the public, may know.",
)

at: Final = click.option(
    "--at", type=parse_seq, metavar="SEQ", help="Stop after this entry, such as 31 or 30.1."
)

as_of: Final = click.option(
    "--as-of",
    type=click.IntRange(min=1),
    metavar="N",
    help="Read only the first N entries: what the record said then.",
)


def point(command: Command) -> Command:
    """Add the options for a point of a deal: ``at``, ``as_of`` and ``viewer``."""
    return at(as_of(viewer(command)))


class DealRun(NamedTuple):
    """The options shared by commands that read deals."""

    files: tuple[str, ...]
    style: TextStyle = ENGLISH_STYLE
    rules_files: tuple[str, ...] = ()
    viewer: str = "all"
    output: str = "text"
    at: Seq | None = None
    as_of: int | None = None
    jobs: int = 1
    silent: bool = False
    resume_after: DealReference | None = None

    @property
    def for_terminal(self) -> bool:
        """Whether the output is text for people."""
        return self.output == "text"

    def load_book(self) -> RulesetBook:
        """The rulesets that a deal may name; a file without one ends the command."""
        return load_rule_book(self.rules_files)

    def load_point(self) -> PointOptions:
        """The point at which to show a deal."""
        return PointOptions(self.at, self.as_of, self.viewer, self.load_book())

    def list_inputs(self) -> tuple[str, ...]:
        """The inputs, from that of ``--resume-after`` on, which must be one of them."""
        if self.resume_after is None:
            return self.files
        last = decode_file_name(self.resume_after.file)
        for at, name in enumerate(self.files):
            if decode_file_name(name) == last:
                return self.files[at:]
        raise CommandFailed(
            f"{sanitize_line(last)} is not one of the files named; --resume-after must name one of them."
        )

    def process_deals(
        self,
        lines: Callable[[InputLog, DealPoint, TextStyle], Iterable[str]],
        objects: Callable[[InputLog, DealPoint], Iterable[dict[str, Any]]],
        **processor_options: Any,
    ) -> RunResult:
        """Write all deals with a `DealProcessor`."""
        return self.process(
            DealProcessor(
                self.load_point(), self.for_terminal, self.style, lines, objects, **processor_options
            )
        )

    def process(
        self,
        processor: LogProcessor,
        sink: BinaryIO | None = None,
        open_stdin: StdinOpener | None = None,
    ) -> RunResult:
        """Process all deals; ``sink`` and ``open_stdin`` replace standard output and input."""
        skip_count = self.resume_after.number if self.resume_after else 0
        result = process_inputs(
            self.list_inputs(), skip_count, processor, self.jobs, not self.silent, sink, open_stdin
        )
        if not (result.log_count or result.has_unreadable or self.resume_after):
            print_to_stderr("The input has no deal; spadille ledger shows a table's log.")
        return result


def deal_run(command: Callable[..., int], files: Callable[[Any], Any] = inputs) -> Callable[..., None]:
    """Add ``files``, and pass shared options as ``run``; the command returns its exit status."""

    @wraps(command)
    def gather(**values: Any) -> None:
        shared = {name: values.pop(name) for name in DealRun._fields if name in values}
        click.get_current_context().exit(command(run=DealRun(**shared), **values))

    wrapped: Callable[..., None] = files(gather)
    return wrapped
