"""How the user calls this program."""

import shlex
import shutil
import sys
from pathlib import Path
from typing import Final

PROGRAM_NAME: Final = "spadille"


def program_command() -> str:
    """The program in a command to paste: its name if it is on the PATH, else the path that was called."""
    program = Path(sys.argv[0])
    found = shutil.which(PROGRAM_NAME)
    if program.stem != PROGRAM_NAME or (found and _without_suffix(found) == _without_suffix(program)):
        return PROGRAM_NAME
    return str(program) if sys.platform == "win32" else shlex.quote(str(program))


def _without_suffix(program: str | Path) -> Path:
    return Path(program).absolute().with_suffix("")  # Windows may leave ".exe" out
