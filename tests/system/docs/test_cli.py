"""docs/cli.md has every command and option, docs/slips.md every column and setting; their examples run."""

import re
from pathlib import Path

import click
import pytest

from schemas.spreadsheet.sheet_words import OUTCOME_WORDS_BY_ID, SHEET_COLUMNS, SHEET_SETTINGS, SheetTerm
from service.cli import COMMANDS as LAZY_COMMANDS
from service.cli import main
from tests.support.cli.deals import run
from tests.support.cli.docs import ROOT, run_examples

TEXT, SLIPS = ((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("cli", "slips"))
CONTEXT = click.Context(main)
COMMANDS: dict[str, click.Command] = {
    name: command for name in LAZY_COMMANDS if (command := main.get_command(CONTEXT, name))
}
"""Every command, also those within another, by what is typed after `spadille`."""
for group, held in list(COMMANDS.items()):
    if isinstance(held, click.Group):
        COMMANDS |= {f"{group} {name}": command for name, command in held.commands.items()}


def section(command: str) -> str:
    found = re.search(rf"^##+ `spadille {command}`\n(.*?)(?=^##+ |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, f"docs/cli.md has no section about {command}"
    return found.group(1)


def options(command: click.Command) -> list[click.Option]:
    return [one for one in command.params if isinstance(one, click.Option) and "--help" not in one.opts]


def names(command: click.Command) -> list[str]:
    return [name for one in options(command) for name in one.opts]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_option_and_choice_is_explained(name: str) -> None:
    told = section(name)
    for option in names(COMMANDS[name]):
        assert f"`{option}" in told, f"docs/cli.md does not name {option} under {name}"
        explained = f"\n`{option}" in TEXT and f"\n`{option}" in TEXT.replace(f"Options: `{option}", "")
        assert explained, f"docs/cli.md does not explain {option}"
    for one in options(COMMANDS[name]):
        if isinstance(one.type, click.Choice):
            assert f"`{one.opts[0]} {'|'.join(one.type.choices)}`" in TEXT
    if name in LAZY_COMMANDS:
        assert f"| [`spadille {name}`](#spadille-{name}) |" in TEXT


def test_the_guide_explains_no_option_that_is_not_there() -> None:
    there = {name for command in (main, *COMMANDS.values()) for name in names(command)}
    assert set(re.findall(r"`(--[a-z-]+)", TEXT)) - there <= {"--help"}


@pytest.mark.parametrize("name", LAZY_COMMANDS)
def test_the_list_of_commands_says_what_the_command_says(name: str) -> None:
    assert COMMANDS[name].name == name
    assert LAZY_COMMANDS[name].summary == COMMANDS[name].get_short_help_str(1000)


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_help_is_short_and_ends_with_an_example(name: str | None) -> None:
    result = run(*(name.split() if name else []), "--help", COLUMNS="80")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) < (35 if name else 40)  # all commands are listed, a line each
    assert lines[-1].startswith("  Example: spadille ")
    assert max(map(len, lines)) <= 80


def rows(heading: str) -> list[list[str]]:
    """The rows of the table under a heading of the guide to slips, cell by cell."""
    found = re.search(rf"^## {heading}\n.*?^\|---.*?\n(.*?)\n\n", SLIPS, re.MULTILINE | re.DOTALL)
    assert found, heading
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found.group(1).splitlines()]


@pytest.mark.parametrize(
    ("heading", "terms"), [("Above the columns", SHEET_SETTINGS), ("The columns", SHEET_COLUMNS)]
)
def test_every_name_is_in_the_guide_and_no_other(heading: str, terms: dict[str, SheetTerm]) -> None:
    told = [(row[0], row[1], *filter(None, row[2].split(", "))) for row in rows(heading)]
    wanted = [tuple(map(str, term.spellings)) for term in terms.values()]
    assert [one for one in told if not one[0].startswith(("*", "player 1"))] == wanted


def test_every_outcome_is_in_the_guide() -> None:
    outcome = next(row[3] for row in rows("The columns") if row[0] == "outcome")
    assert outcome.partition(". ")[0].split("; ") == [
        ", ".join(words[:2]) for words in OUTCOME_WORDS_BY_ID.values()
    ]


@pytest.mark.process
@pytest.mark.parametrize(("guide", "least"), [("cli", 8), ("slips", 4), ("notation", 1)])
def test_the_examples_run(guide: str, least: int, tmp_path: Path) -> None:
    run_examples(guide, least, tmp_path)
