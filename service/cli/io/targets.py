"""Where an answer may be written: not over a file that it is made of, however that is named."""

import os
import stat
import sys
from collections.abc import Iterable

from service.cli.io.inputs import STANDARD_INPUT, quoted
from service.cli.io.safe_group import UNREADABLE, Ended


def is_read_too(into: str | None, inputs: Iterable[str]) -> bool:
    """Whether ``into`` is one of the files that are read: by its name, by another way to it, or by a link.

    Devices and pipes are never: what is written to them takes nothing away.
    """
    target = None if into is None or into == STANDARD_INPUT else _found(into)
    if target is None or not stat.S_ISREG(target.st_mode):
        return False
    return any(found is not None and os.path.samestat(found, target) for found in map(_found, inputs))


def refuse_what_is_read(into: str | None, inputs: Iterable[str]) -> None:
    """Ends the command where it would write over one of the files that it reads."""
    if into is not None and is_read_too(into, inputs):
        sentence = f"{quoted(into)} is itself one of the files that are read; name another file with -o."
        raise Ended(sentence, UNREADABLE)


def _found(name: str) -> os.stat_result | None:
    """What a name stands for on the disk; None where there is no such file."""
    try:
        if name == STANDARD_INPUT:
            return None if sys.stdin is None else os.fstat(sys.stdin.fileno())
        return os.stat(name)
    except (OSError, ValueError):
        return None
