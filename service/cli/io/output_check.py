"""Where an answer may be written: not over a file that it is made of, however that is named."""

import os
import stat
import sys
from collections.abc import Iterable

from service.cli.io.inputs import STDIN_NAME, quote_file_name
from service.cli.io.safe_group import CommandFailed


def is_input_file(output_path: str | None, inputs: Iterable[str]) -> bool:
    """Whether ``output_path`` is one of the files that are read: by its name, by another way to it, or by a
    link.

    Devices and pipes are never: what is written to them takes nothing away.
    """
    target = None if output_path is None or output_path == STDIN_NAME else _stat_if_exists(output_path)
    if target is None or not stat.S_ISREG(target.st_mode):
        return False
    return any(
        found is not None and os.path.samestat(found, target) for found in map(_stat_if_exists, inputs)
    )


def require_not_an_input(output_path: str | None, inputs: Iterable[str]) -> None:
    """Ends the command where it would write over one of the files that it reads."""
    if output_path is not None and is_input_file(output_path, inputs):
        name = quote_file_name(output_path)
        sentence = f"{name} is itself one of the files that are read; name another file with -o."
        raise CommandFailed(sentence)


def _stat_if_exists(name: str) -> os.stat_result | None:
    """What a name stands for on the disk; None where there is no such file."""
    try:
        if name == STDIN_NAME:
            return None if sys.stdin is None else os.fstat(sys.stdin.fileno())
        return os.stat(name)
    except (OSError, ValueError):
        return None
