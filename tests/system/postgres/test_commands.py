"""The commands on a store on PostgreSQL: the same answers as on the file of which it is a copy."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from click.testing import Result

from schemas.i18n.catalogs import gettext
from service.auth.register_factory import open_access_register
from service.cli.commands.copy import COPY_PHRASES
from service.config.data_files import STORE_FILE_NAME
from service.eventstore import SqliteStore
from service.eventstore.postgres.store import PostgresReader, PostgresStore
from service.transparency.notary import CHECKPOINT_FILE_NAME, LEAVES_FILE_NAME
from service.transparency.signing_keys import KEY_FILE_NAME
from tests.support.api.recording import TABLE
from tests.support.cli.deals import SLIP, jsonl, refusal, run
from tests.support.cli.docs import surroundings
from tests.support.cli.verify import make_club_folder
from tests.support.store.postgres_server import a_database
from tests.support.store.writing import deal, event
from tests.support.transparency.forging import DEALS

pytestmark = pytest.mark.postgres

SECRET = "hunter2"


@pytest.fixture
def url() -> Iterator[str]:
    """An empty database; its address has a password, which the tests' server does not ask for."""
    with a_database() as made:
        yield made.replace("postgres@", f"postgres:{SECRET}@")


@pytest.fixture
def club(tmp_path: Path) -> Path:
    make_club_folder(tmp_path / "club")
    return tmp_path / "club"


@pytest.fixture
def moved(club: Path, url: str) -> Path:
    """The folder, with the key and without the file, whose records are on PostgreSQL now."""
    assert run("checkpoint", str(club)).exit_code == 0
    assert run("copy", str(club), url).exit_code == 0
    other = club.with_name("moved")
    other.mkdir()
    for name in (KEY_FILE_NAME, CHECKPOINT_FILE_NAME, LEAVES_FILE_NAME):
        shutil.copy(club / name, other / name)
    return other


def result_of(result: Result) -> tuple[int, str, str]:
    """How a run ended and what it printed, which never is the password."""
    assert SECRET not in result.output
    return result.exit_code, result.stdout, result.stderr


COMMANDS = {
    "a checkpoint": ["checkpoint"], "all records": ["export", "--all"],
    "a table": ["export", "--table", TABLE, "--format", "jsonl"],
    "a sheet of slips": ["export", "--table", TABLE], "a deal": ["export", "--deal", DEALS[0]],
    "no such table": ["export", "--table", "nothing"], "a name that is in records": ["erase-person", "Anna"],
}  # fmt: skip


def test_commands_answer_as_on_a_file(club: Path, moved: Path, url: str, subtests: pytest.Subtests) -> None:
    for name, words in COMMANDS.items():
        with subtests.test(name):
            on_a_file = result_of(run(*words, "--data", str(club)))
            assert result_of(run(*words, "--store", url, "--data", str(moved))) == on_a_file
            assert result_of(run(*words, SPADILLE_STORE=url, SPADILLE_DATA=str(moved))) == on_a_file
            if words[0] != "export":
                assert result_of(run(words[0], url, *words[1:], "--data", str(moved))) == on_a_file


@pytest.mark.smoke
def test_verify_answers_as_on_a_file(club: Path, moved: Path, url: str) -> None:
    kept = str(club.with_name("kept.txt"))
    assert run("checkpoint", str(club), "--leaves", "-o", kept).exit_code == 0
    for held in ((), ("--checkpoint", kept)):
        (file,) = map(json.loads, run("verify", str(club), *held, "--format", "json").stdout.splitlines())
        found = run("verify", "--store", url, "--data", str(moved), *held, "--format", "json")
        assert found.exit_code == 0 and SECRET not in found.output
        (there,) = map(json.loads, found.stdout.splitlines())
        assert there["file"].startswith("postgresql://postgres@")
        assert {**there, "file": ""} == {**file, "file": ""}
    said = run("verify", url, "--data", str(moved), "--lang", "da", COLUMNS="100")
    assert said.exit_code == 0 and "alle uændrede" in " ".join(said.stdout.split())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("UPDATE events SET body = body || ' ' WHERE ordinal = 1")
    found = run("verify", url, "--data", str(moved), "--checkpoint", kept)
    assert found.exit_code == 1 and "changed: event" in found.stdout


def test_a_name_is_erased_once_no_service_has_the_store_open(club: Path, moved: Path, url: str) -> None:
    words = ["erase-person", "--store", url, "Anna", "--yes", "--data", str(moved)]
    with PostgresStore(url) as store:
        size = store.head()
        code, _, err = result_of(run(*words))
        assert (code, "Stop them first" in err, store.head()) == (2, True, size)
    done = result_of(run(*words))
    assert done == result_of(run("erase-person", "Anna", "--yes", "--data", str(club)))
    assert "was erased" in " ".join(done[1].split())
    lines = [run("export", "--all", "--data", str(club)), run("export", "--all", "--store", url)]
    assert lines[0].stdout == lines[1].stdout != "" and "Anna" not in lines[0].stdout
    verdict = json.loads(run("verify", "--store", url, "--data", str(moved), "--format", "json").stdout)
    assert verdict["ok"] and verdict["erased"] > 0


def test_logs_are_imported_and_an_export_is_proved(moved: Path, url: str, tmp_path: Path) -> None:
    (tmp_path / "slip.jsonl").write_bytes(jsonl(SLIP))
    for new in (2, 0):
        code, _, err = result_of(run("import-slips", str(tmp_path / "slip.jsonl"), "--store", url))
        assert (code, f"new entries: {new}" in err) == (0, True), err
    out, kept = str(tmp_path / "table.jsonl"), str(tmp_path / "kept.txt")
    store = ["--store", url, "--data", str(moved)]
    command = ["export", "--table", TABLE, "--format", "jsonl", "-o", out, "--proof", f"{out}.proof"]
    assert run(*command, *store).exit_code == 0
    assert run("checkpoint", *store, "-o", kept).exit_code == 0
    assert run("verify", out, "--checkpoint", kept).exit_code == 0


def test_a_store_or_folder_that_is_missing_is_named(tmp_path: Path, url: str) -> None:
    result = run("verify", "--store", url, "--data", str(tmp_path))
    assert result.exit_code == 2 and "has no store yet" in result.stderr and SECRET not in result.output
    nowhere = ("--store", url, "--data", str(tmp_path / "nowhere"))
    result = run("checkpoint", *nowhere)
    assert result.exit_code == 2 and "There is no folder" in result.stderr
    PostgresStore(url).close()
    # Who looks at it from elsewhere needs no folder, and none is made.
    assert run("verify", *nowhere).exit_code == run("export", "--all", *nowhere).exit_code == 0
    assert not (tmp_path / "nowhere").exists()
    result = run("verify", "--store", f"mysql://club:{SECRET}@x/y")
    assert result.exit_code == 2
    assert "--store expects an address" in result.output and SECRET not in result.output


def test_a_copy_reports_its_size_and_checkpoint_and_comes_back(club: Path, url: str, tmp_path: Path) -> None:
    checkpoint = run("checkpoint", str(club)).stdout
    with SqliteStore(club / STORE_FILE_NAME) as store:
        size = store.head()
    for lang, new in (("en", size), ("da", 0)):
        code, out, _ = result_of(run("copy", str(club), url, "--lang", lang, COLUMNS="100"))
        said = " ".join(out.split())
        begins = gettext(COPY_PHRASES["done"], lang).partition("{to} ")[2].partition(" {size}")[0]
        assert (code, begins in said, f" {size} " in said, f" {new} " in said) == (0, True, True, True), said
        assert checkpoint in out
        assert said.count(checkpoint.splitlines()[2]) == 2
    back = str(tmp_path / "back")
    assert run("copy", url, back, "--data", str(club)).exit_code == 0
    whole = [run("export", "--all", "--store", one).stdout for one in (url, back)]
    assert whole[0] == whole[1] != ""
    assert "There is no key in" in run("copy", url, back, "--data", str(tmp_path)).stderr


def test_the_register_is_copied_where_that_is_asked_for(club: Path, url: str, tmp_path: Path) -> None:
    back = tmp_path / "back"
    token = run("tokens", "make", "organiser", "--data", str(club)).stdout.strip()
    for original, to, lang in ((str(club), url, "en"), (url, str(back), "da")):
        code, out, _ = result_of(run("copy", original, to, "--register", "--lang", lang, "--data", str(club)))
        says = {
            "en": "also has its register (grants: 1, members: 0)",
            "da": "også dets register (adgange: 1",
        }
        assert (code, says[lang] in " ".join(out.split())) == (0, True), out
    with open_access_register(back / STORE_FILE_NAME) as register:
        assert register.find_token_caller(token).grants[0].terms.role == "organiser"
    run("tokens", "make", "recorder", "--data", str(back))
    result = run("copy", url, str(back), "--register")
    assert result.exit_code == 2 and "its register was left unchanged" in " ".join(result.stderr.split())


def test_what_cannot_be_copied_is_refused(club: Path, url: str, tmp_path: Path) -> None:
    PostgresStore(url).close()
    for original, to, says in (
        (club, str(club / STORE_FILE_NAME), "same store"),
        (tmp_path / "nothing", url, "There is no store"),
    ):
        assert says in refusal("copy", str(original), to)


@pytest.mark.skipif(os.name == "nt", reason="there is no Ctrl-C to be sent")
def test_a_copy_keeps_up_until_it_is_told_to_stop(club: Path, url: str) -> None:
    with SqliteStore(club / STORE_FILE_NAME) as store:
        copying = subprocess.Popen(
            [sys.executable, "-m", "service.cli", "copy", str(club), url, "--follow", "--lang", "en"],
            env=surroundings(COLUMNS="200"),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert copying.stderr is not None
            assert "events and follows" in copying.stderr.readline()
            store.append("r", [deal("s", 0, event("later"))])
            with PostgresReader(url) as reader:
                assert reader.wait_for_events(store.head() - 1, 30) == store.head()
        finally:
            copying.send_signal(signal.SIGINT)
            out, err = copying.communicate(timeout=60)
        assert (copying.returncode, out.count(str(store.head())) >= 2) == (0, True), err
        assert f"{store.head()} of them are new" in " ".join(out.split())
