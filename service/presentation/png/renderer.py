"""Renders drawings as PNG, a few at a time, and caches the last ones."""

import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import BoundedSemaphore
from typing import Final

from service.presentation.svg.elements import FONTS_FOLDER, has_all_glyphs

MAX_RENDER_PROCESSES: Final = 2
"""Drawings rendered at the same time."""
QUEUE_TIMEOUT_SECONDS: Final = 5.0
"""How long a request waits for a free process."""
RENDER_TIMEOUT_SECONDS: Final = 10.0
"""How long a process may take: a hundred times the usual."""
MAX_CACHED_PICTURES: Final = 64
"""Pictures kept in memory, some 100 KB each."""

_RENDER_SCRIPT: Final = Path(__file__).with_name("render_process.py")
_process_slots: Final = BoundedSemaphore(MAX_RENDER_PROCESSES)


class PictureUnavailable(RuntimeError):
    """No picture can be made at the moment; the drawing itself (SVG) is still available."""


@lru_cache(maxsize=MAX_CACHED_PICTURES)
def render_png(svg: str) -> bytes:
    """A drawing as PNG, in its own size. Raises `PictureUnavailable`."""
    if not _process_slots.acquire(timeout=QUEUE_TIMEOUT_SECONDS):
        raise PictureUnavailable("Too many pictures are being made right now. Try again in a moment.")
    try:
        return run_render_command(build_render_command(svg), svg)
    finally:
        _process_slots.release()


def build_render_command(svg: str) -> list[str]:
    """The command that renders a drawing."""
    letters = "ours" if has_all_glyphs(svg.replace("\n", "")) else "any"
    fonts = sorted(str(path) for path in FONTS_FOLDER.glob("*.ttf"))
    # Isolated (-I): imports do not depend on the folder or the environment of the caller.
    return [sys.executable, "-I", str(_RENDER_SCRIPT), letters, *fonts]


def run_render_command(command: Sequence[str], svg: str) -> bytes:
    """Run the command on a drawing. Raises `PictureUnavailable`."""
    try:
        process = subprocess.run(
            command, input=svg.encode(), capture_output=True, timeout=RENDER_TIMEOUT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        raise PictureUnavailable("The picture took too long to make.") from None
    if process.returncode or not process.stdout.startswith(b"\x89PNG"):
        raise PictureUnavailable("The picture could not be made.")
    return process.stdout
