"""How a run ends: quietly where the reader has gone, with a sentence where something went wrong."""

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from service.cli.io.terminal_text import printable
from service.config.redaction import redact

SOUND: Final = 0
FAULTY: Final = 1
"""A record breaks the rules or contradicts itself."""
UNREADABLE: Final = 2
"""Something that was asked for could not be read; also a command that was mistyped."""
OWN_MISTAKE: Final = 70
"""Spadille itself is at fault."""
UNWRITTEN: Final = 74
"""The output could not be written: a full disk."""

_NO_ROOM_ON_DISK: Final = (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)
_SQLITE_FULL: Final = 13
_POSTGRES_DISK_FULL: Final = "53100"
_MAKE_ROOM: Final = "The disk is full. Make room on it and run the command again."

_BY_SIGNAL: Final = 128
"""A shell reports a program that a signal ended by this and the signal's number."""
_PIPE: Final = _BY_SIGNAL + 13


class Ended(Exception):
    """A run that cannot go on: the sentence that says why, and the exit status."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


class Doors(click.Group):
    """A group of commands, listed in the order in which they were added, that never ends in a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands' names, the most used first."""
        return list(self.commands)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Reads the command line and runs what it says."""
        _let_odd_characters_pass()
        return super().main(*args, **kwargs)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Reads what stands before the command."""
        with _repeating_no_token():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a command; a closed pipe ends it silently, anything unforeseen with a sentence."""
        try:
            with _repeating_no_token():
                return _finished(super().invoke, ctx)
        except BrokenPipeError:
            _close_quietly()
            ctx.exit(_PIPE)
        except KeyboardInterrupt:
            ctx.exit(_BY_SIGNAL + signal.SIGINT)
        except Ended as ended:
            ctx.exit(_told_end(ended.sentence, ended, ended.status))
        except click.exceptions.Exit as ended:
            if ended.exit_code and is_disk_full(ended):
                ctx.exit(_told_end("", ended, UNWRITTEN))
            raise
        except (click.Abort, click.ClickException):
            raise
        except OSError as error:
            if error.filename is not None:
                # What is written to the output has no name; so it is a file that stands in the way.
                ctx.exit(_told_end(_unusable(error), error, UNREADABLE))
            _close_quietly()
            ctx.exit(_told_end(f"The output cannot be written: {error.strerror or error}.", error, UNWRITTEN))
        except Exception as error:
            ctx.exit(_end_of(error))


@contextmanager
def _repeating_no_token() -> Iterator[None]:
    """Leaves out of what is said of a mistyped command a token that was typed where none belongs."""
    try:
        yield
    except click.ClickException as mistyped:
        vars(mistyped)["message"] = redact(mistyped.message)
        raise


def _finished(run: Callable[[click.Context], Any], ctx: click.Context) -> Any:
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
        if isinstance(error, OSError) and error.errno in _NO_ROOM_ON_DISK:
            return True
        # SQLite's module and PostgreSQL's driver are not loaded for this.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == _SQLITE_FULL:
            return True
        if getattr(error, "sqlstate", None) == _POSTGRES_DISK_FULL:
            return True
        error = error.__cause__ or error.__context__
    return False


def _told_end(sentence: str, error: BaseException, status: int) -> int:
    """Says why a run ends; the exit status. Where the disk is full that is said, with what to do."""
    full = is_disk_full(error)
    advice = _MAKE_ROOM if full and "make room" not in sentence.lower() else ""
    if said := " ".join(filter(None, (sentence, advice))):
        tell(said)
    return UNWRITTEN if full else status


def _end_of(error: Exception) -> int:
    """Says why a run ends by an error that its command did not foresee; the exit status."""
    from service.eventstore.errors import StoreError  # it takes a while to load

    if isinstance(error, StoreError):
        return _told_end(printable(str(error)), error, UNREADABLE)
    if is_disk_full(error):
        return _told_end("", error, UNWRITTEN)
    tell(f"Spadille made a mistake of its own ({_described(error)}). Please report it.")
    return OWN_MISTAKE


def tell(sentence: str) -> None:
    """Says something to the person at the terminal, beside the output; a token in it is left out."""
    click.echo(redact(sentence), err=True)


def _let_odd_characters_pass() -> None:
    """A character that a stream cannot write becomes "?" there instead of ending the run."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _unusable(error: OSError) -> str:
    """Says which file cannot be used, and what to do where it is somebody else's."""
    from service.eventstore.private_files import complaint  # it takes a while to load

    name = os.fsdecode(error.filename)
    return printable(f"{name} cannot be used: {complaint(error, Path(name))}")


def _close_quietly() -> None:
    """Nobody reads standard output any more: what is still to be written goes nowhere."""
    if sys.stdout is None:
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except OSError:
        pass


def _described(mistake: Exception) -> str:
    place = mistake.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    what = printable(f"{type(mistake).__name__}: {mistake}"[:200])
    if place is None:
        return what
    return f"{what} in {os.path.basename(place.tb_frame.f_code.co_filename)}, line {place.tb_lineno}"
