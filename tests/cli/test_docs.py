"""docs/cli.md: every command and option is in it, and its examples run as they stand there."""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from service.cli import main
from tests.cli.deals import run

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```console\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


COMMANDS: dict[str, click.Command] = {
    **main.commands,
    **{
        f"{group} {name}": command
        for group, held in main.commands.items()
        if isinstance(held, click.Group)
        for name, command in held.commands.items()
    },
}
"""Every command, also those within another, by what is typed behind `spadille`."""


def section(command: str) -> str:
    """What the guide says under a command's heading."""
    found = re.search(rf"^##+ `spadille {command}`\n(.*?)(?=^##+ |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, f"docs/cli.md has no section about {command}"
    return found.group(1)


def options(command: click.Command) -> list[str]:
    return [
        name
        for one in command.params
        if isinstance(one, click.Option)
        for name in one.opts
        if name != "--help"
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_explained(name: str) -> None:
    told = section(name)
    for option in options(COMMANDS[name]):
        assert f"`{option}" in told, f"docs/cli.md does not name {option} under {name}"
        explained = f"\n`{option}" in TEXT and f"\n`{option}" in TEXT.replace(f"Options: `{option}", "")
        assert explained, f"docs/cli.md does not explain {option}"
    if name in main.commands:
        assert f"| [`spadille {name}`](#spadille-{name}) |" in TEXT


def test_the_guide_explains_no_option_that_is_not_there() -> None:
    there = {option for command in COMMANDS.values() for option in options(command)} | set(options(main))
    assert set(re.findall(r"`(--[a-z-]+)", TEXT)) - there == {"--help"}


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_help_is_short_and_ends_with_an_example(name: str | None) -> None:
    result = run(*(name.split() if name else []), "--help", COLUMNS="80")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) < (35 if name else 40)  # all commands are listed, a line each
    assert lines[-1].startswith("  Example: spadille ")
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_the_words_of_every_choice_are_in_the_guide(name: str) -> None:
    for option in COMMANDS[name].params:
        if isinstance(option, click.Option) and isinstance(option.type, click.Choice):
            assert f"`{option.opts[0]} {'|'.join(option.type.choices)}`" in TEXT


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


@pytest.mark.process
def test_the_examples_run(tmp_path: Path) -> None:
    assert len(EXAMPLES) >= 8
    run_examples(EXAMPLES, tmp_path)


def run_examples(examples: list[str], tmp_path: Path) -> None:
    """Runs the examples of a guide in a folder, and compares what they write with what the guide shows."""
    bash = shutil.which("bash")
    assert bash, "the examples need bash"
    program = tmp_path / "bin" / "spadille"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m service.cli "$@"\n')
    program.chmod(0o755)
    environment = {
        "PATH": f"{program.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8",
        **{name: os.environ[name] for name in ("COVERAGE_PROCESS_START",) if name in os.environ},
    }  # fmt: skip
    checker = doctest.OutputChecker()
    for command, wanted in (step for example in examples for step in steps(example)):
        done = subprocess.run(
            [bash, "-c", command], cwd=tmp_path, env=environment, timeout=60, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        got = done.stdout.decode()
        assert checker.check_output(wanted, got, doctest.ELLIPSIS), f"$ {command}\n{got}"
