"""The README's examples, run as they stand."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.api.live import served

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)
    return [held for named, held in fences if named == language]


def run(script: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "no_proxy": "*", "COLUMNS": "100", **more}
    return subprocess.run(
        ["bash", "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = [block.strip() for block in blocks("")]
    assert commands == ["make", "make test"]
    assert ".DEFAULT_GOAL := run" in makefile
    assert re.search(r"^test:", makefile, re.M)


def test_the_commands_of_the_tour() -> None:
    spadille = f"{sys.executable} -m service.cli"
    shown, slip = (run(block.replace(".venv/bin/spadille", spadille)) for block in blocks("sh"))
    assert "Belinda" in shown.stdout
    assert "entry 11" in shown.stdout and "entry 13" in shown.stdout  # the two misprints
    assert slip.returncode == 0, slip.stderr
    assert re.search(r"Bo\s+\+6", slip.stdout)


def test_the_lines_for_curl(tmp_path: Path) -> None:
    (lines,) = blocks("bash")
    with served(tmp_path / "data") as port:
        lines = lines.replace(".venv/bin/spadille", f"{sys.executable} -m service.cli")
        ran = run(
            "set -euo pipefail\n" + lines.replace("8240", str(port)), SPADILLE_DATA=str(tmp_path / "data")
        )
    assert ran.returncode == 0, ran.stderr
    last = json.loads(ran.stdout[ran.stdout.rindex('{"seat"') :])
    assert (last["seat"], last["action"]) == ("middlehand", "bid")


def test_the_lines_for_python() -> None:
    (lines,) = blocks("python")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(lines, {})
    won, *misprints = printed.getvalue().splitlines()
    assert won == "won {'forehand': 23, 'middlehand': -9, 'backhand': -9}"
    assert [line.split()[:2] for line in misprints] == [["11", "hand_size"], ["13", "card_duplicated"]]
