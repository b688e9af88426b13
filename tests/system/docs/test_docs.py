"""The documentation keeps step with the code, its links lead somewhere, and the README's examples run."""

import contextlib
import doctest
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs import reference
from tests.support.api.servers import served

ROOT = Path(__file__).parents[3]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def test_reference_pages_are_in_step_with_the_code() -> None:
    assert reference.out_of_step() == [], "run: python docs/reference.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("guide", ["accounts", "audit", "hidden", "misprints", "python"])
def test_the_examples_of_a_guide_run(guide: str) -> None:
    tried = doctest.testfile(str(ROOT / "docs" / f"{guide}.md"), module_relative=False)
    assert tried.attempted > 0 and tried.failed == 0


README = (ROOT / "README.md").read_text(encoding="utf-8")


SPADILLE = f'spadille() {{ "{sys.executable}" -m service.cli "$@"; }}'


def blocks(language: str) -> list[str]:
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)
    held = [text for named, text in fences if named == language and "/activate" not in text]
    return held if language == "python" else [f"{SPADILLE}\n{text}" for text in held]


@contextlib.contextmanager
def terminal(script: str, **more: str) -> Iterator["subprocess.Popen[str]"]:
    environment = {**os.environ, "no_proxy": "*", "COLUMNS": "100", **more}
    shell = subprocess.Popen(
        ["bash", "-c", script], cwd=ROOT, env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield shell
    finally:
        shell.kill()
        shell.communicate()


@pytest.mark.process
def test_the_commands_of_the_tour() -> None:
    told = []
    for block in blocks("sh"):
        with terminal(block) as shell:
            told.append(shell.communicate(timeout=60)[0])
        assert shell.returncode == 0 or len(told) == 1
    shown, slip = told
    assert "Belinda" in shown
    assert "entry 11" in shown and "entry 13" in shown  # the two misprints
    assert re.search(r"Bo\s+\+6", slip)


@pytest.mark.process
def test_the_lines_for_curl(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with served(data) as port:
        first, second = (block.replace("8240", str(port)) for block in blocks("bash"))
        script = f"set -euo pipefail\n{first}\n{second}"
        with terminal(script, SPADILLE_DATA=str(data)) as shell:
            printed, _ = shell.communicate(timeout=60)
        assert shell.returncode == 0
    legal, score = (
        json.JSONDecoder().raw_decode(printed, printed.rindex(start))[0]
        for start in ('{"seat"', '{"decided"')
    )
    assert (legal["seat"], legal["action"]) == ("middlehand", "bid")
    assert score["payments"] == {"forehand": 6, "middlehand": -3, "backhand": -3}


@pytest.mark.process
@pytest.mark.smoke
def test_the_lines_for_python() -> None:
    (lines,) = blocks("python")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(lines, {})
    won, *misprints = printed.getvalue().splitlines()
    assert won == "won {'forehand': 23, 'middlehand': -9, 'backhand': -9}"
    assert [line.split()[:2] for line in misprints] == [["11", "hand_size"], ["13", "card_duplicated"]]
