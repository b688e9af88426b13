"""How a run ends: quietly where the reader has gone, with a sentence where something went wrong."""

import errno
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from service.cli.io.terminal_text import sanitize_line
from service.config.redaction import redact

EXIT_SOUND: Final = 0
EXIT_FAULTY: Final = 1
"""A record breaks the rules or contradicts itself."""
EXIT_UNREADABLE: Final = 2
"""Something that was asked for could not be read; also a command that was mistyped."""
EX_SOFTWARE: Final = 70
"""Spadille itself is at fault."""
EX_IOERR: Final = 74
"""The output could not be written: a full disk."""

_DISK_FULL_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)
_SQLITE_FULL: Final = 13
_POSTGRES_DISK_FULL: Final = "53100"
_DISK_FULL_MESSAGE: Final = "The disk is full. Make room on it and run the command again."

_SIGNAL_EXIT_BASE: Final = 128
"""A shell reports a program that a signal ended by this and the signal's number."""
_EXIT_BROKEN_PIPE: Final = _SIGNAL_EXIT_BASE + 13


class CommandFailed(Exception):
    """A run that cannot go on: the sentence that says why, and the exit status."""

    def __init__(self, message: str, status: int = EXIT_UNREADABLE) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class SafeGroup(click.Group):
    """A group of commands, listed in the order in which they were added, that never ends in a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands' names, the most used first."""
        return list(self.commands)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Reads the command line and runs what it says."""
        _replace_unencodable_characters()
        return super().main(*args, **kwargs)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Reads what stands before the command."""
        with _redact_usage_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a command; a closed pipe ends it silently, anything unforeseen with a sentence."""
        try:
            with _redact_usage_errors():
                return _run_and_flush(super().invoke, ctx)
        except BrokenPipeError:
            _discard_stdout()
            ctx.exit(_EXIT_BROKEN_PIPE)
        except KeyboardInterrupt:
            ctx.exit(_SIGNAL_EXIT_BASE + signal.SIGINT)
        except CommandFailed as ended:
            print_to_stderr(ended.message)
            ctx.exit(_report_failure("", ended, ended.status))
        except (click.exceptions.Exit, click.Abort, click.ClickException):
            raise
        except OSError as error:
            if error.filename is not None:
                # What is written to the output has no name; so it is a file that stands in the way.
                ctx.exit(_report_failure(_format_file_error(error), error, EXIT_UNREADABLE))
            _discard_stdout()
            ctx.exit(
                _report_failure(f"The output cannot be written: {error.strerror or error}.", error, EX_IOERR)
            )
        except Exception as error:
            ctx.exit(_report_unexpected_error(error))


@contextmanager
def _redact_usage_errors() -> Iterator[None]:
    """Leaves out of what is said of a mistyped command a token that was typed where none belongs."""
    try:
        yield
    except click.ClickException as mistyped:
        vars(mistyped)["message"] = redact(mistyped.message)
        raise


def _run_and_flush(run: Callable[[click.Context], Any], ctx: click.Context) -> Any:
    """Runs to the end and writes out what is still held back, so that a closed pipe shows now."""
    try:
        return run(ctx)
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def is_disk_full(error: BaseException | None) -> bool:
    """Whether a full disk, or a used-up quota, is at the root of an error: said by the system, SQLite or
    PostgreSQL."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _DISK_FULL_ERRNOS:
            return True
        # SQLite's module and PostgreSQL's driver are not loaded for this.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == _SQLITE_FULL:
            return True
        if getattr(error, "sqlstate", None) == _POSTGRES_DISK_FULL:
            return True
        error = error.__cause__ or error.__context__
    return False


def _report_failure(message: str, error: BaseException, status: int) -> int:
    """Says why a run ends; the exit status. Where the disk is full that is said, with what to do."""
    full = is_disk_full(error)
    advice = _DISK_FULL_MESSAGE if full and "make room" not in message.lower() else ""
    if text := " ".join(filter(None, (message, advice))):
        print_to_stderr(text)
    return EX_IOERR if full else status


def _report_unexpected_error(error: Exception) -> int:
    """Says why a run ends by a refusal that no command handles, or by a mistake of ours; the status."""
    # These take a while to load.
    from service.application.backup import BackupError
    from service.config.settings import InvalidSetting
    from service.eventstore.errors import StoreError
    from service.records.club_rules import RevisionTaken
    from service.transparency.signing_keys import KeyUnusable

    if isinstance(error, (StoreError, BackupError, InvalidSetting, KeyUnusable, RevisionTaken)):
        return _report_failure(sanitize_line(str(error)), error, EXIT_UNREADABLE)
    if is_disk_full(error):
        return _report_failure("", error, EX_IOERR)
    print_to_stderr(f"Spadille made a mistake of its own ({_describe_exception(error)}). Please report it.")
    return EX_SOFTWARE


def print_to_stderr(message: str) -> None:
    """Says something to the person at the terminal, beside the output; a token in it is left out."""
    click.echo(redact(message), err=True)


def _replace_unencodable_characters() -> None:
    """A character that a stream cannot write becomes "?" there instead of ending the run."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _format_file_error(error: OSError) -> str:
    """Says which file cannot be used, and what to do where it is somebody else's."""
    from service.eventstore.private_files import describe_access_error  # it takes a while to load

    name = os.fsdecode(error.filename)
    return sanitize_line(f"{name} cannot be used: {describe_access_error(error, Path(name))}")


def _discard_stdout() -> None:
    """Nobody reads standard output any more: what is still to be written goes nowhere."""
    if sys.stdout is None:
        return
    try:
        null_descriptor = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_descriptor, sys.stdout.fileno())
    except OSError:
        pass


def _describe_exception(mistake: Exception) -> str:
    frames = traceback.extract_tb(mistake.__traceback__)
    what = sanitize_line(f"{type(mistake).__name__}: {mistake}"[:200])
    return f"{what} in {os.path.basename(frames[-1].filename)}, line {frames[-1].lineno}" if frames else what
