"""``spadille convert``: logs from one form into the other, or into the canonical form of their own."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import ClassVar, Final

import click

from engine import Log
from schemas.notation import NOTATION_SUFFIX, format_notation_log, strip_metadata
from schemas.wire.event_writer import entry_bytes
from service.cli.io import options
from service.cli.io.bulk_run import LogProcessor, LogResults
from service.cli.io.inputs import InputLog, Inputs, quote_file_name
from service.cli.io.output import is_input_file, open_output, require_not_an_input
from service.cli.io.safe_group import EXIT_UNREADABLE, print_to_stderr

NOTATION_FORMAT: Final = NOTATION_SUFFIX[1:]
JSON_LINES_FORMAT: Final = "jsonl"


@click.command(epilog="Example: spadille convert evening.jsonl -o evening.deal")
@click.option(
    "--to",
    "form",
    type=click.Choice([NOTATION_FORMAT, JSON_LINES_FORMAT]),
    help="The notation, or JSON Lines.  [default: as the ending of -o says, else the notation]",
)
@click.option(
    "--bookkeeping",
    type=click.Choice(["all", "brief"]),
    default="all",
    show_default=True,
    help="Write everything, or leave out ids, times and authors of entries.",
)
@options.into_file
@options.bulk
@options.deal_run
def convert(run: options.DealRun, form: str | None, bookkeeping: str, into: str | None) -> int:
    """Convert logs to the notation or to JSON Lines. Nothing is lost either way.

    FILE is a log (JSON Lines or the notation), the name of a library deal, or - for standard input. A file
    that already has the wanted form is written in its canonical form.
    """
    to_lines = (form or _format_of_file(into)) == JSON_LINES_FORMAT
    if run.resume_after is not None and into not in (None, "-"):
        raise click.UsageError(
            "--resume-after continues the output of an interrupted run, but -o starts a new file. Leave "
            "out -o and append: spadille convert --resume-after … >> FILE"
        )
    overwrites_input = is_input_file(into, run.files)
    if overwrites_input and bookkeeping != "all":
        require_not_an_input(into, run.files)  # the ids and times would be gone
    with open_output(into) as out:
        processor = ConvertProcessor(to_lines, bookkeeping == "all")
        result = run.process(processor, out)
        if result.has_unreadable and (overwrites_input or not result.counts):
            # The exit leaves an existing file as it is.
            if overwrites_input and into is not None:
                print_to_stderr(
                    f"{quote_file_name(into)} was left unchanged: some of the input could not be read and "
                    "would be missing from it."
                )
            click.get_current_context().exit(EXIT_UNREADABLE)
    return result.exit_status


def _format_of_file(output_path: str | None) -> str:
    """The format of a file of that name."""
    return (
        JSON_LINES_FORMAT
        if output_path is not None and PurePath(output_path).suffix in (".jsonl", ".ndjson")
        else NOTATION_FORMAT
    )


@dataclass(frozen=True, slots=True)
class ConvertProcessor(LogProcessor):
    """Writes each log."""

    to_json_lines: bool
    with_bookkeeping: bool
    includes_tables: ClassVar[bool] = True

    def process(self, logs: Iterable[InputLog], inputs: Inputs) -> LogResults:
        """Every log in the wanted format."""
        for one in logs:
            log = one.log if self.with_bookkeeping else strip_metadata(one.log)
            yield (
                (_serialize_json_lines(log) if self.to_json_lines else _format_notation(log),),
                {"written": 1},
            )


def _serialize_json_lines(log: Log) -> bytes:
    return b"".join(entry_bytes(entry, omit_unknown=True) + b"\n" for entry in log)


def _format_notation(log: Log) -> bytes:
    """The text with an empty line after it, so that outputs can be appended to each other."""
    return format_notation_log(log).encode() + b"\n"
