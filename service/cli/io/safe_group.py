"""How a run ends: in silence if its reader is gone, with a sentence if something went wrong."""

import errno
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import click

from service.cli.io.terminal_text import sanitize_line
from service.config.redaction import redact

EXIT_SOUND: Final = 0
EXIT_FAULTY: Final = 1
"""A record breaks the rules or contradicts itself."""
EXIT_UNREADABLE: Final = 2
"""Something could not be read, or the command was mistyped."""
EX_SOFTWARE: Final = 70
"""A bug in Spadille."""
EX_IOERR: Final = 74
"""The output could not be written, as on a full disk."""

_DISK_FULL_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)
_SQLITE_FULL: Final = 13
_POSTGRES_DISK_FULL: Final = "53100"
_DISK_FULL_MESSAGE: Final = "The disk is full. Make room on it and run the command again."

_SIGNAL_EXIT_BASE: Final = 128
"""Added to the number of the signal that ended a program, as a shell does."""
_EXIT_BROKEN_PIPE: Final = _SIGNAL_EXIT_BASE + 13


class CommandFailed(Exception):
    """A run cannot go on: the reason as a sentence, and the exit status."""

    def __init__(self, message: str, status: int = EXIT_UNREADABLE) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class LazyCommand(NamedTuple):
    """Where a command is, as ``module:name`` in ``service.cli.commands``, and its help in one sentence."""

    path: str
    summary: str


class SafeGroup(click.Group):
    """A group of commands, loaded when they are needed, that never ends in a traceback."""

    def __init__(
        self, *args: Any, lazy_commands: Mapping[str, LazyCommand] = MappingProxyType({}), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.lazy_commands = lazy_commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands' names, the most used first."""
        return list(self.lazy_commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in self.lazy_commands:
            return super().get_command(ctx, cmd_name)
        module, name = self.lazy_commands[cmd_name].path.split(":")
        command: click.Command = getattr(import_module(f"service.cli.commands.{module}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.summary) for name, one in self.lazy_commands.items()])

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Read the command line and run it."""
        _replace_unencodable_characters()
        return super().main(*args, **kwargs)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read what precedes the command."""
        with _redact_usage_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a closed pipe ends it in silence, an unexpected error with a sentence."""
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
                # Errors of standard output have no file name, so this is about another file.
                ctx.exit(_report_failure(_format_file_error(error), error, EXIT_UNREADABLE))
            _discard_stdout()
            message = f"The output cannot be written: {error.strerror or error}."
            ctx.exit(_report_failure(message, error, EX_IOERR))
        except Exception as error:
            ctx.exit(_report_unexpected_error(error))


@contextmanager
def _redact_usage_errors() -> Iterator[None]:
    """Remove tokens from the messages about a mistyped command."""
    try:
        yield
    except click.ClickException as mistyped:
        vars(mistyped)["message"] = redact(mistyped.message)
        raise


def _run_and_flush(run: Callable[[click.Context], Any], ctx: click.Context) -> Any:
    """Run and flush the output, so that a closed pipe shows now."""
    try:
        return run(ctx)
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def is_disk_full(error: BaseException | None) -> bool:
    """Whether the cause of an error is a full disk or quota, in the system, SQLite or PostgreSQL."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _DISK_FULL_ERRNOS:
            return True
        # Their attributes spare us loading SQLite's module and PostgreSQL's driver.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == _SQLITE_FULL:
            return True
        if getattr(error, "sqlstate", None) == _POSTGRES_DISK_FULL:
            return True
        error = error.__cause__ or error.__context__
    return False


def _report_failure(message: str, error: BaseException, status: int) -> int:
    """Print why a run ends, with advice for a full disk; return the exit status."""
    full = is_disk_full(error)
    advice = _DISK_FULL_MESSAGE if full and "make room" not in message.lower() else ""
    if text := " ".join(filter(None, (message, advice))):
        print_to_stderr(text)
    return EX_IOERR if full else status


def _report_unexpected_error(error: Exception) -> int:
    """Print why a run ends by an error that no command handles, or by a bug; return the exit status."""
    # They take a while to load.
    from service.application.backup import BackupError
    from service.config.settings import InvalidSetting
    from service.eventstore.errors import StoreError
    from service.records.club_rules import RevisionTaken
    from service.transparency.signing_keys import KeyUnusable

    if isinstance(error, (StoreError, BackupError, InvalidSetting, KeyUnusable, RevisionTaken)):
        return _report_failure(sanitize_line(str(error)), error, EXIT_UNREADABLE)
    if is_disk_full(error):
        return _report_failure("", error, EX_IOERR)
    print_to_stderr(f"Spadille has a bug ({_describe_exception(error)}). Please report it.")
    return EX_SOFTWARE


def print_to_stderr(message: str) -> None:
    """Print a message to standard error, without tokens."""
    click.echo(redact(message), err=True)


def _replace_unencodable_characters() -> None:
    """Write "?" for characters that a stream cannot write."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _format_file_error(error: OSError) -> str:
    """Which file cannot be used, and what to do if it belongs to somebody else."""
    from service.eventstore.private_files import describe_access_error  # it takes a while to load

    name = os.fsdecode(error.filename)
    return sanitize_line(f"{name} cannot be used: {describe_access_error(error, Path(name))}")


def _discard_stdout() -> None:
    """Discard the rest of standard output, which nobody reads any more."""
    if sys.stdout is not None:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _describe_exception(mistake: Exception) -> str:
    frames = traceback.extract_tb(mistake.__traceback__)
    what = sanitize_line(f"{type(mistake).__name__}: {mistake}"[:200])
    return f"{what} in {os.path.basename(frames[-1].filename)}, line {frames[-1].lineno}" if frames else what
