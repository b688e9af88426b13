"""The service on PostgreSQL: chosen by an option or the environment, and its password told nowhere."""

import json
import logging
import os
import re
import shlex
import subprocess
import sys
import urllib.request
from io import StringIO
from pathlib import Path

import pytest

from service.app import create_app
from service.config.data_files import STORE_FILE_NAME
from service.config.settings import InvalidSetting, Settings, load_settings
from service.eventstore import SqliteStore, StoreUnavailable
from service.eventstore.postgres.store import PostgresReader, PostgresStore
from service.eventstore.store_factory import open_store, remove_password
from service.server.run import open_records, print_login_command
from service.transparency.notary import open_notary
from service.transparency.signed_notes import parse_signed_note, parse_verifier
from tests.support.api.clients import owner_of
from tests.support.api.recording import DEAL, recorded_deal, recorded_table
from tests.support.api.servers import free_port, prepare, served
from tests.support.cli.deals import run
from tests.support.store.postgres_server import a_database

pytestmark = pytest.mark.postgres

SECRET = "hunter2"


def with_password(url: str) -> str:
    return url.replace("postgres@", f"postgres:{SECRET}@")


def test_the_driver_is_loaded_only_where_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    code = "import sys, service.server.run, service.app; print([m for m in sys.modules if 'psycopg' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    monkeypatch.setitem(sys.modules, "service.eventstore.postgres.store", None)
    with pytest.raises(StoreUnavailable, match=r"requirements-postgres\.txt"):
        open_store(tmp_path / "x.db", "postgresql:///x")


def test_a_password_is_in_no_message_and_no_picture_of_the_settings() -> None:
    said = f"postgresql://club:{SECRET}@db.example:5432/cards"
    made = load_settings({"SPADILLE_STORE": said, "SPADILLE_STORE_READS": said})
    assert made.store == said
    assert SECRET not in repr(made)
    with pytest.raises(InvalidSetting, match="SPADILLE_STORE, which names its store, is not set"):
        load_settings({"SPADILLE_STORE_READS": said})
    for wrong in (f"mysql://club:{SECRET}@x/y", f"host=x password={SECRET}"):
        for setting in ("SPADILLE_STORE", "SPADILLE_STORE_READS"):
            with pytest.raises(InvalidSetting, match=r"expected an address ") as error:
                load_settings({setting: wrong})
            assert SECRET not in str(error.value)
        done = run("serve", "--store", wrong)
        assert done.exit_code == 2
        assert SECRET not in done.output and "--store expects an address" in done.output


def test_what_the_driver_tells_of_connections_is_in_our_log(log_output: StringIO) -> None:
    logging.getLogger("psycopg.pool").warning("error connecting in %r: %s", "spadille", "connection\nfailed")
    (line,) = log_output.getvalue().splitlines()
    said = json.loads(line)
    assert (said["event"], said["said"]) == ("store", "error connecting in 'spadille': connection failed")


def test_the_service_runs_on_it_only(tmp_path: Path, empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        served(tmp_path, SPADILLE_STORE=with_password(empty_url)) as port,
        urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/readyz") as answer,
    ):
        assert answer.status == 200
    assert not (tmp_path / STORE_FILE_NAME).exists()
    assert not (tmp_path / "access.db").exists()
    with PostgresReader(empty_url) as reader:
        reader.head()
    # Commands that work on a file say so.
    SqliteStore(tmp_path / STORE_FILE_NAME).close()
    monkeypatch.setenv("SPADILLE_STORE", with_password(empty_url))
    (tmp_path / "kept.zip").write_bytes(b"")
    for command in ("backup", "restore"):
        done = run(command, str(tmp_path / "kept.zip"), "--data", str(tmp_path))
        assert done.exit_code == 2
        assert "SPADILLE_STORE" in done.output and "pg_dump" in done.output and SECRET not in done.output


def test_what_stands_in_the_way_is_reported_in_a_sentence(tmp_path: Path) -> None:
    address = f"postgresql://club:{SECRET}@127.0.0.1:{free_port()}/cards"
    command = [sys.executable, "-m", "service.cli", "serve", "--data", str(tmp_path), "--store", address]
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(command, capture_output=True, check=False, text=True, timeout=60, env=environment)
    assert done.returncode == 1
    assert "could not be opened" in done.stderr and "postgresql://club@127.0.0.1" in done.stderr
    assert SECRET not in done.stdout + done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.smoke
def test_a_deal_is_recorded_and_proved(tmp_path: Path, empty_url: str) -> None:
    with PostgresStore(empty_url) as store:
        client = owner_of(create_app(store, notary=open_notary(tmp_path)))
        recorded_deal(store)
        then = client.get("/api/v1/checkpoint").text
        size = store.head()
        recorded_table(store)
        note = parse_signed_note(client.get("/api/v1/checkpoint").text)
        (key,) = [parse_verifier(line) for line in client.get("/api/v1/checkpoint/key").text.splitlines()]
        assert key.has_signed(note) and note.checkpoint.size == store.head() == size + 1
        assert client.get(f"/api/v1/checkpoint?size={size}").text == then
        assert client.get(f"/api/v1/deals/{DEAL}/events").status_code == 200
        assert client.get("/api/v1/readyz").status_code == 200
        told = client.get("/metrics").get_data(as_text=True)
        assert "spadille_store_bytes" in told and "spadille_store_free_bytes" not in told


def test_what_would_change_a_register_that_nobody_looks_at_is_refused(
    tmp_path: Path, empty_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path)
    prepare(tmp_path)
    made = run("tokens", "make", "owner", "--data", folder)
    (grant,) = re.findall(r"grant ([0-9a-f-]{36})", made.output)
    assert not (tmp_path / "store.txt").exists()
    settings = Settings(data=tmp_path, store=with_password(empty_url))
    with open_records(settings):
        print_login_command(settings)
    said = capsys.readouterr().out
    assert f"spadille tokens make owner --once --link http://127.0.0.1:{settings.port}" in said
    assert f"--store {shlex.quote(remove_password(empty_url))}" in said and SECRET not in said
    for words in (("revoke", grant), ("make", "owner"), ("list",)):
        done = run("tokens", *words, "--data", folder)
        assert done.exit_code == 2
        assert "last ran on postgresql://postgres@/" in done.output
        assert SECRET not in done.output
    assert SECRET not in (tmp_path / "store.txt").read_text()
    with SqliteStore(tmp_path / "spadille.db"):
        pass  # the file itself is left as it was
    (tmp_path / "spadille.db").rename(tmp_path / "away.db")
    assert "Name it with --store" in run("tokens", "list", "--data", folder).output
    assert grant in run("tokens", "list", "--data", folder, "--store", empty_url).output
    again = run("tokens", "make", "recorder", "--store", empty_url).output
    assert f"--store {shlex.quote(remove_password(empty_url))}" in again
    assert run("tokens", "revoke", grant, "--data", folder, "--store", empty_url).exit_code == 0
    assert grant not in run("tokens", "list", "--store", empty_url).output


def test_a_start_says_that_the_newest_checkpoint_is_not_of_this_store(
    tmp_path: Path, empty_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with PostgresStore(empty_url) as store:
        recorded_deal(store)
        open_notary(tmp_path).sign_checkpoint(store)
    prepare(tmp_path, store=empty_url)
    assert "Spadille cannot sign a checkpoint" not in capsys.readouterr().err
    with a_database() as older:
        prepare(tmp_path, store=older)
    said = capsys.readouterr().err
    assert "Spadille cannot sign a checkpoint: A checkpoint of" in said
    assert "remove checkpoint.txt" in said
