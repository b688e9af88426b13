"""The guide's lines, run as they stand against a live server; what it shows is what is answered."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.api.servers import served

pytestmark = pytest.mark.process

DOCS = Path(__file__).parents[2] / "docs"
PORT_IN_DOCS = "8240"


class Block(NamedTuple):
    """A block of commands, and the JSON that is shown below it, if some is."""

    commands: str
    shown: str | None


def blocks_of(text: str) -> list[Block]:
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)
    blocks = []
    for number, (language, held) in enumerate(fences):
        if language == "bash":
            following = fences[number + 1] if number + 1 < len(fences) else ("", "")
            blocks.append(Block(held, following[1] if following[0] == "json" else None))
    return blocks


def script_of(blocks: list[Block], port: int, outputs: Path) -> str:
    """One script, so that what one block sets the next can use; each block writes to a file of its own."""
    lines = ["set -euo pipefail"]
    for number, block in enumerate(blocks):
        lines += ["{", block.commands.replace(PORT_IN_DOCS, str(port)), f"}} > {outputs}/{number}"]
    return "\n".join(lines)


def test_the_guide_is_what_happens(tmp_path: Path) -> None:
    blocks = blocks_of((DOCS / "api.md").read_text(encoding="utf-8"))
    assert len(blocks) > 15
    spadille = tmp_path / "bin" / "spadille"
    spadille.parent.mkdir()
    spadille.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m service.cli "$@"\n')
    spadille.chmod(0o755)
    here = {
        "PATH": f"{spadille.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(DOCS.parent),
        "SPADILLE_DATA": str(tmp_path / "data"),
    }
    with served(tmp_path / "data") as port:
        script = script_of(blocks, port, tmp_path)
        ran = subprocess.run(
            ["bash", "-c", script],
            cwd=tmp_path,
            env={**os.environ, "no_proxy": "*", **here},
            capture_output=True,
            text=True,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    shown = [(number, block.shown) for number, block in enumerate(blocks) if block.shown]
    assert len(shown) > 6
    for number, expected in shown:
        answered = json.loads((tmp_path / str(number)).read_bytes())
        assert answered == json.loads(expected), blocks[number].commands
