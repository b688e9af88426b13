"""The studio: has drawings painted, a few at a time, and keeps the last ones."""

import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import BoundedSemaphore
from typing import Final

from service.presentation.svg.lettering import FONTS, is_ours

PAINTERS: Final = 2
"""So many drawings are painted at once."""
PATIENCE_SECONDS: Final = 5.0
"""So long a request waits for a free painter."""
PAINTING_SECONDS: Final = 10.0
"""So long a painter may take: a hundred times what is usual."""
KEPT: Final = 64
"""So many pictures are kept in memory: some 100 KB each."""

_PAINTER: Final = Path(__file__).with_name("render_process.py")
_free: Final = BoundedSemaphore(PAINTERS)


class PictureUnavailable(RuntimeError):
    """No picture could be made just now; the drawing itself (SVG) can still be had."""


def picture(svg: str) -> bytes:
    """A drawing as PNG, in its own size. Raises `PictureUnavailable`."""
    return _painted(svg)


@lru_cache(maxsize=KEPT)
def _painted(svg: str) -> bytes:
    if not _free.acquire(timeout=PATIENCE_SECONDS):
        raise PictureUnavailable("Many pictures are being made just now.")
    try:
        return run(command(svg), svg)
    finally:
        _free.release()


def command(svg: str) -> list[str]:
    """How the painter is called for a drawing."""
    letters = "ours" if is_ours(svg.replace("\n", "")) else "any"
    fonts = sorted(str(path) for path in FONTS.glob("*.ttf"))
    # Isolated (-I): no folder of the caller and none of his variables says what is imported.
    return [sys.executable, "-I", str(_PAINTER), letters, *fonts]


def run(painter: Sequence[str], svg: str) -> bytes:
    """What a painter makes of a drawing. Raises `PictureUnavailable`."""
    try:
        done = subprocess.run(
            painter, input=svg.encode(), capture_output=True, timeout=PAINTING_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        raise PictureUnavailable("The picture took too long to make.") from None
    if done.returncode or not done.stdout.startswith(b"\x89PNG"):
        raise PictureUnavailable("The picture could not be made.")
    return done.stdout
