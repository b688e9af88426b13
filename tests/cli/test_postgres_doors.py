"""The commands on a store on PostgreSQL: the same answers as on the file of which it is a copy."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from click.testing import Result

from service.auth.opening import open_register
from service.cli.commands.copy import COPYING
from service.config.data_files import STORE_NAME
from service.eventstore import SqliteStore
from service.eventstore.postgres.store import PostgresReader, PostgresStore
from service.transparency.keys import KEY_FILE
from service.transparency.notary import LEAVES_FILE, TOLD_FILE
from tests.store.writing import ROOT, deal, event
from tests.support.api.recording import TABLE
from tests.support.cli.deals import SLIP, jsonl, run
from tests.support.cli.verify import record
from tests.support.evidence.forging import DEALS
from tests.support.store.postgres_server import a_database

pytestmark = pytest.mark.postgres

SECRET = "hunter2"


@pytest.fixture
def url() -> Iterator[str]:
    """An empty database; its address has a password, which the tests' server does not ask for."""
    with a_database() as made:
        yield made.replace("postgres@", f"postgres:{SECRET}@")


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A folder of records: a table with a deal, and deals alone."""
    record(tmp_path / "club")
    return tmp_path / "club"


@pytest.fixture
def moved(club: Path, url: str) -> Path:
    """The folder, with the key and without the file, whose records are on PostgreSQL now."""
    assert run("checkpoint", str(club)).exit_code == 0
    assert run("copy", str(club), url).exit_code == 0
    other = club.with_name("moved")
    other.mkdir()
    for name in (KEY_FILE, TOLD_FILE, LEAVES_FILE):
        shutil.copy(club / name, other / name)
    return other


def told(result: Result) -> tuple[int, str, str]:
    assert SECRET not in result.output
    return result.exit_code, result.stdout, result.stderr


COMMANDS = {
    "checkpoint": ["checkpoint"],
    "leaves": ["checkpoint", "--leaves"],
    "key": ["checkpoint", "--public-key"],
    "all": ["export", "--all"],
    "table": ["export", "--table", TABLE, "--format", "jsonl"],
    "sheet": ["export", "--table", TABLE],
    "deal": ["export", "--deal", DEALS[0]],
    "no deal": ["export", "--deal", "nothing"],
    "no table": ["export", "--table", "nothing"],
    "found": ["forget", "Anna"],
    "nobody": ["forget", "Nobody"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_it_answers_as_the_file_does(club: Path, moved: Path, url: str, command: str) -> None:
    words = COMMANDS[command]
    on_a_file = told(run(*words, "--data", str(club)))
    assert told(run(*words, "--store", url, "--data", str(moved))) == on_a_file
    assert told(run(*words, "--data", str(moved), SPADILLE_STORE=url)) == on_a_file
    assert told(run(*words, SPADILLE_STORE=url, SPADILLE_DATA=str(moved))) == on_a_file
    if words[0] == "checkpoint":
        assert told(run(*words, url, "--data", str(moved))) == on_a_file
    if words[0] == "forget":
        assert told(run("forget", url, *words[1:], "--data", str(moved))) == on_a_file


@pytest.mark.smoke
def test_it_is_verified_as_the_file_is(club: Path, moved: Path, url: str) -> None:
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
    assert said.exit_code == 0 and "som de blev skrevet" in " ".join(said.stdout.split())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("UPDATE events SET body = body || ' ' WHERE ordinal = 1")
    found = run("verify", url, "--data", str(moved), "--checkpoint", kept)
    assert found.exit_code == 1 and "changed: event" in found.stdout


def test_a_name_is_erased_from_it(club: Path, moved: Path, url: str) -> None:
    both = [
        told(run("forget", *where, "Anna", "--yes", "--data", str(folder)))
        for where, folder in (((), club), (("--store", url), moved))
    ]
    assert both[0] == both[1] and "was erased" in " ".join(both[0][1].split())
    lines = [run("export", "--all", "--data", str(club)), run("export", "--all", "--store", url)]
    assert lines[0].stdout == lines[1].stdout != "" and "Anna" not in lines[0].stdout
    verdict = json.loads(run("verify", "--store", url, "--data", str(moved), "--format", "json").stdout)
    assert verdict["ok"] and verdict["erased"] > 0


def test_nothing_is_erased_while_a_service_has_it_open(moved: Path, url: str) -> None:
    with PostgresStore(url) as store:
        size = store.head()
        refused = run("forget", "--store", url, "Anna", "--yes", "--data", str(moved))
        assert refused.exit_code == 2 and "Stop them first" in refused.stderr and SECRET not in refused.output
        assert run("forget", "--store", url, "Anna", "--data", str(moved)).exit_code == 0
        assert store.head() == size
    assert run("forget", "--store", url, "Anna", "--yes", "--data", str(moved)).exit_code == 0


def test_logs_are_imported_into_it(tmp_path: Path, url: str) -> None:
    (tmp_path / "slip.jsonl").write_bytes(jsonl(SLIP))
    PostgresStore(url).close()
    command = ["import", str(tmp_path / "slip.jsonl"), "--store", url]
    done = [told(run(*command)), told(run(*command))]
    assert done[0][0] == done[1][0] == 0
    assert "not there before: 2" in done[0][2] and "not there before: 0" in done[1][2]
    assert list(tmp_path.iterdir()) == [tmp_path / "slip.jsonl"]


def test_where_there_is_nothing_it_is_said(tmp_path: Path, url: str) -> None:
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


def test_copy_says_what_both_come_to(club: Path, url: str) -> None:
    run("checkpoint", str(club))
    with SqliteStore(club / STORE_NAME) as store:
        size = store.head()
    for lang, new in (("en", size), ("da", 0)):
        result = run("copy", str(club), url, "--lang", lang, COLUMNS="100")
        assert result.exit_code == 0 and SECRET not in result.output
        said = " ".join(result.stdout.split())
        begins = COPYING["done"][lang].partition("{to} ")[2].partition(" {original}")[0]
        assert begins.split(" {size}")[0] in said and f" {size} " in said and f" {new} " in said
        checkpoint = run("checkpoint", str(club)).stdout
        assert checkpoint in result.stdout
        assert said.count(checkpoint.splitlines()[2]) == 2


def test_a_store_is_copied_from_postgresql_into_a_new_folder(moved: Path, url: str, tmp_path: Path) -> None:
    result = run("copy", url, str(tmp_path / "back"), "--data", str(moved))
    assert result.exit_code == 0
    assert run("checkpoint", "--store", url, "--data", str(moved)).stdout in result.stdout
    whole = [run("export", "--all", "--store", one).stdout for one in (url, str(tmp_path / "back"))]
    assert whole[0] == whole[1] != ""
    assert "There is no key in" in run("copy", url, str(tmp_path / "back"), "--data", str(tmp_path)).stderr


def test_the_register_goes_along_where_that_is_asked_for(club: Path, url: str, tmp_path: Path) -> None:
    back = tmp_path / "back"
    without = run("copy", str(club), url, "--register")
    assert (without.exit_code, without.stdout) == (2, "") and "no register beside" in without.stderr
    made = run("tokens", "make", "organiser", "--data", str(club))
    token = made.stdout.strip()
    for original, to, lang in ((str(club), url, "en"), (url, str(back), "da")):
        result = run("copy", original, to, "--register", "--lang", lang, "--data", str(club))
        assert result.exit_code == 0 and SECRET not in result.output
        told = {"en": "its register, too: 1 grants, 0 members", "da": "også dets register: 1 rettigheder"}
        assert told[lang] in " ".join(result.stdout.split())
    with open_register(back / STORE_NAME) as register:
        assert register.held_with(token).grants[0].terms.role == "organiser"
    run("tokens", "make", "recorder", "--data", str(back))
    result = run("copy", url, str(back), "--register")
    assert result.exit_code == 2 and "its register was left as it is" in " ".join(result.stderr.split())


def test_what_cannot_be_copied_is_told(club: Path, url: str, tmp_path: Path) -> None:
    result = run("copy", str(club), str(club / STORE_NAME))
    assert result.exit_code == 2 and "same store" in result.stderr
    result = run("copy", str(tmp_path / "nothing"), url)
    assert result.exit_code == 2 and "There is no store" in result.stderr
    with PostgresStore(url) as store:
        store.append("r", [deal("s", 0, event("its own"))])
    result = run("copy", str(club), url)
    assert result.exit_code == 2 and "no copy of it" in result.stderr and SECRET not in result.output
    with PostgresReader(url) as reader:
        assert reader.head() == 1


@pytest.mark.skipif(os.name == "nt", reason="there is no Ctrl-C to be sent")
def test_a_copy_keeps_up_until_it_is_told_to_stop(club: Path, url: str) -> None:
    with SqliteStore(club / STORE_NAME) as store:
        copying = subprocess.Popen(
            [sys.executable, "-m", "service.cli", "copy", str(club), url, "--follow", "--lang", "en"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert copying.stderr is not None
            assert "is kept up with" in copying.stderr.readline()
            store.append("r", [deal("s", 0, event("later"))])
            with PostgresReader(url) as reader:
                assert reader.wait(store.head() - 1, 30) == store.head()
            time.sleep(0.05)
        finally:
            copying.send_signal(signal.SIGINT)
            out, err = copying.communicate(timeout=60)
        assert (copying.returncode, out.count(str(store.head())) >= 2) == (0, True), err
        assert f"of which {store.head()} are new" in " ".join(out.split())
