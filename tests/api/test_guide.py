"""The guide's lines, run as they stand against a live server; what it shows is what is answered."""

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.api.servers import served

pytestmark = pytest.mark.process

DOCS = Path(__file__).parents[2] / "docs"


def test_the_guide_is_what_happens(tmp_path: Path) -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)
    # Blocks of commands, each with the JSON that is shown below it, if some is.
    blocks = [
        (held, shown if below == "json" else "")
        for (language, held), (below, shown) in pairwise([*fences, ("", "")])
        if language == "bash"
    ]
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
        # One script, so that what one block sets the next can use; each block writes to a file of its own.
        script = ["set -euo pipefail"]
        for number, (commands, _) in enumerate(blocks):
            script += ["{", commands.replace("8240", str(port)), f"}} > {tmp_path}/{number}"]
        ran = subprocess.run(
            ["bash", "-c", "\n".join(script)],
            cwd=tmp_path,
            env={**os.environ, "no_proxy": "*", **here},
            capture_output=True,
            text=True,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    answered = [(number, *block) for number, block in enumerate(blocks) if block[1]]
    assert len(answered) > 6
    for number, commands, expected in answered:
        assert json.loads((tmp_path / str(number)).read_bytes()) == json.loads(expected), commands
