"""How a run ends: as a program in a shell, with its streams closed, full, narrow, or in a terminal."""

import errno
import os
import pty
import subprocess
import sys
import zipfile
from contextlib import suppress
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

import click
import pytest
from sqlite_utils import Database

import engine.audit_report
from service.auth import sqlite_repository
from service.cli import main
from service.cli.io.safe_group import SafeGroup
from service.config.data_files import STORE_FILE_NAME
from service.eventstore import SqliteStore
from service.eventstore.sqlite import connections
from service.presentation.text.style import environment_language
from service.transparency import notary
from tests.support.api.recording import recorded_deal
from tests.support.cli.deals import OPEN, SLIP, jsonl, run
from tests.support.cli.docs import surroundings

SPADILLE = [sys.executable, "-m", "service.cli"]


def shell(script: str, cwd: Path, **more: str) -> "subprocess.CompletedProcess[bytes]":
    """Runs a script in which `$SPADILLE` is the program."""
    environment = surroundings(SPADILLE=" ".join(SPADILLE), **more)
    return subprocess.run(
        ["bash", "-c", script], cwd=cwd, env=environment, capture_output=True, timeout=60, check=False
    )


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    (tmp_path / "few.jsonl").write_bytes(jsonl(OPEN, SLIP))
    (tmp_path / "many.jsonl").write_bytes(jsonl(OPEN) * 500)
    return tmp_path


@pytest.mark.process
@pytest.mark.parametrize("command", [pytest.param("show", marks=pytest.mark.smoke), "replay --format json"])
def test_a_reader_who_leaves_ends_the_run_silently(command: str, deals: Path) -> None:
    done = shell(f"$SPADILLE {command} many.jsonl | head -n 1; echo ${{PIPESTATUS[0]}}", deals)
    first, status = done.stdout.decode().splitlines()
    assert (bool(first), status, done.stderr) == (True, "141", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_reported(deals: Path) -> None:
    done = shell("$SPADILLE show few.jsonl > /dev/full", deals)
    assert done.returncode == 74
    assert done.stderr == (
        b"The output cannot be written: No space left on device. "
        b"The disk is full. Make room on it and run the command again.\n"
    )


def _full(*_: object, **__: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _full_for_sqlite(db: Database, *_: object) -> None:
    """As on a full disk: no page can be added to the file."""
    db.execute("PRAGMA max_page_count = 1")
    db.execute("CREATE TABLE filling AS SELECT zeroblob(100000)")


MAKE = ["tokens", "make", "recorder"]
FULL = {
    "tokens make": (sqlite_repository, "update_register_checksum", _full_for_sqlite, MAKE),
    "projections": (connections, "configure_durability", _full_for_sqlite, ["projections", "refresh"]),
    "backup": (zipfile.ZipFile, "write", _full, ["backup", "AWAY"]),
    "checkpoint": (notary, "replace_private_file", _full, ["checkpoint"]),
    "an error that nobody foresaw": (sqlite_repository, "require_valid_checksum", _full, MAKE),
}


@pytest.mark.parametrize("case", FULL)
def test_a_command_tells_of_a_full_disk(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = tmp_path / "club"
    club.mkdir()
    with SqliteStore(club / STORE_FILE_NAME) as store:
        recorded_deal(store)
    assert run("tokens", "make", "owner", "--data", str(club)).exit_code == 0
    place, name, fault, asked = FULL[case]
    monkeypatch.setattr(place, name, fault)
    done = run(*(str(tmp_path / "x.zip") if one == "AWAY" else one for one in asked), "--data", str(club))
    assert done.exit_code == 74, done.output
    assert "make room" in done.stderr.lower() and "Please report" not in done.stderr


def test_closed_streams(deals: Path) -> None:
    done = shell("$SPADILLE show few.jsonl >&-; echo $?; $SPADILLE show - <&-; echo $?", deals)
    assert done.stdout == b"0\n2\n"
    assert done.stderr == b"Standard input cannot be read; pipe a log into it, or name a file.\n"


def test_an_output_without_symbols_gets_letters(deals: Path) -> None:
    done = shell("$SPADILLE show --lang da few.jsonl", deals, PYTHONIOENCODING="latin-1")
    shown = done.stdout.decode("latin-1")
    assert done.returncode == 0
    assert "Mellemhånd  Bo    S4 S3 S2   H5 H6 H7" in shown
    assert "1  Anna    CE  C2*  SK  0-1-0" in shown
    assert "  Bo    -14\n" in shown


def test_deals_are_answered_as_they_come(deals: Path) -> None:
    with subprocess.Popen(
        [*SPADILLE, "validate", "-"], env=surroundings(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as waiting:
        assert waiting.stdin is not None and waiting.stdout is not None
        waiting.stdin.write(jsonl(OPEN, SLIP))
        waiting.stdin.flush()
        assert waiting.stdout.readline().decode().startswith("✓ Open cards")
        rest, _ = waiting.communicate(timeout=20)
    assert rest.decode().startswith("✓ deal 2")


def in_terminal(*arguments: str, cwd: Path, **more: str) -> str:
    """What a terminal of 80 columns is given."""
    environment = {**surroundings(TERM="xterm", COLUMNS="80"), **more}
    child, terminal = pty.fork()
    if child == 0:  # pragma: no cover
        os.chdir(cwd)
        os.execve(sys.executable, [*SPADILLE, *arguments], environment)
    shown = b""
    with suppress(OSError):
        while piece := os.read(terminal, 65536):
            shown += piece
    os.waitpid(child, 0)
    os.close(terminal)
    return shown.decode().replace("\r\n", "\n")


def test_a_terminal_gets_colour_unless_it_is_declined_and_a_file_gets_none(deals: Path) -> None:
    shown = in_terminal("show", "few.jsonl", cwd=deals)
    assert "\x1b[31m♥5\x1b[0m \x1b[31m♥6\x1b[0m" in shown, "the red suits are not red"
    assert "\x1b[1m♣2\x1b[0m*" in shown
    assert "\x1b[31m♠" not in shown
    declined = in_terminal("show", "few.jsonl", cwd=deals, NO_COLOR="1")
    dumb = in_terminal("show", "few.jsonl", cwd=deals, TERM="dumb")
    for plain in (declined, dumb, shell("$SPADILLE show few.jsonl", deals, TERM="xterm").stdout.decode()):
        assert "Open cards" in plain and "\x1b" not in plain


LANGUAGES = [
    ("en", {}), ("da", {"LANG": "da_DK.UTF-8"}), ("da", {"LC_ALL": "", "LANG": "da_DK"}),
    ("en", {"LC_ALL": "en_GB.UTF-8", "LANG": "da_DK"}), ("da", {"LC_ALL": "da_DK", "LANG": "en_GB"}),
    ("da", {"LC_MESSAGES": "da_DK", "LANG": "de_DE"}), ("en", {"LANG": "de_DE"}),
]  # fmt: skip


def test_the_language_is_that_of_the_environment_unless_an_option_names_one() -> None:
    assert [(environment_language(environment), environment) for _, environment in LANGUAGES] == LANGUAGES
    assert "Regnskab" in run("show", "--lang", "da", "-", given=jsonl(SLIP), LC_ALL="en_GB.UTF-8").stdout
    assert "Score" in run("show", "--lang", "en", "-", given=jsonl(SLIP), LC_ALL="da_DK.UTF-8").stdout


def test_the_script_says_its_version_and_lists_the_most_used_commands_first() -> None:
    assert main.list_commands(click.Context(main))[:2] == ["show", "score"]
    compiled = engine.audit_report.__file__.endswith(tuple(EXTENSION_SUFFIXES))
    kind = "compiled engine" if compiled else "engine in plain Python"
    said = f"spadille {version('spadille')} ({kind})\n"
    assert run("--version").stdout == said
    script = Path(sys.executable).with_name("spadille")
    if script.exists():
        assert subprocess.check_output([script, "--version"], text=True, timeout=60) == said


@pytest.mark.parametrize(
    "arguments", [[], ["shwo"], ["show", "--langg", "da"], ["validate", "--format", "xml", "-"]]
)
def test_a_mistyped_command_is_told_without_a_traceback(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Usage: " in result.output
    assert "Traceback" not in result.output


def test_a_mistake_of_our_own_is_one_sentence() -> None:
    group = SafeGroup("group")

    @group.command()
    def slip() -> None:
        raise KeyError("a\x1b[2J key")

    result = click.testing.CliRunner().invoke(group, ["slip"])
    assert result.exit_code == 70
    assert result.stderr.startswith("Spadille has a bug (KeyError: ")
    assert "test_exit_status.py, line " in result.stderr
    assert "\x1b" not in result.stderr
