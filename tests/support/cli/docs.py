"""Examples of guides, run as they stand."""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def surroundings(**more: str) -> dict[str, str]:
    """The environment of a shell whose language is English and whose text is UTF-8."""
    kept = {
        name: os.environ[name] for name in ("PATH", "HOME", "COVERAGE_PROCESS_START") if name in os.environ
    }
    return {**kept, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), **more}


def steps(example: str) -> list[tuple[str, str]]:
    """The commands of an example, each with the output that the guide shows."""
    found: list[tuple[str, str]] = []
    for line in example.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif line.startswith("> ") and not found[-1][1]:
            found[-1] = (found[-1][0] + line[2:], "")
        else:
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found


def run_examples(guide: str, least: int, tmp_path: Path) -> None:
    """Runs the examples of a guide in a folder, and compares what they write with what the guide shows."""
    text = (ROOT / "docs" / f"{guide}.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(examples) >= least
    bash = shutil.which("bash")
    assert bash, "the examples need bash"
    program = tmp_path / "bin" / "spadille"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m service.cli "$@"\n')
    program.chmod(0o755)
    environment = surroundings(PATH=f"{program.parent}:{os.environ['PATH']}")
    checker = doctest.OutputChecker()
    for command, wanted in (step for example in examples for step in steps(example)):
        done = subprocess.run(
            [bash, "-c", command], cwd=tmp_path, env=environment, timeout=60, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        got = done.stdout.decode()
        assert checker.check_output(wanted, got, doctest.ELLIPSIS), f"$ {command}\n{got}"
