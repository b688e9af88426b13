"""``spadille tokens``: made, listed and taken back on the computer itself, while the service runs too."""

import json
import re
import shlex
from pathlib import Path

import pytest

from service.app import create_app
from service.auth.access_register import AccessRegister
from service.config.data_files import AUTH_FILE_NAME, STORE_FILE_NAME
from service.eventstore import SqliteStore
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, recorded_table
from tests.support.cli.deals import refusal, run


@pytest.fixture(autouse=True)
def existing_store(tmp_path: Path) -> None:
    """The folder has a store, as where the service has been started once."""
    SqliteStore(tmp_path / STORE_FILE_NAME).close()


def made(data: Path, *asked: str) -> str:
    result = run("tokens", "make", *asked, "--data", str(data))
    assert result.exit_code == 0, result.output
    return result.stdout.strip()


def listed(data: Path, *asked: str) -> list[dict[str, object]]:
    result = run("tokens", "list", *asked, "--format", "json", "--data", str(data))
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_token_that_was_made_is_good_at_once(tmp_path: Path) -> None:
    with AccessRegister(tmp_path / AUTH_FILE_NAME) as register:
        client = create_app(register=register).test_client()
        token = made(tmp_path, "owner", "--label", "the phone")
        header = {"Authorization": f"Bearer {token}"}
        assert client.get("/api/v1/members", headers=header).status_code == 200
        (grant,) = listed(tmp_path)
        assert (grant["role"], grant["label"]) == ("owner", "the phone")
        result = run("tokens", "revoke", str(grant["id"]), "--data", str(tmp_path))
        assert result.exit_code == 0
        assert "There is no owner left. To make one: spadille tokens make owner" in result.stderr
        assert client.get("/api/v1/members", headers=header).status_code == 401
    assert listed(tmp_path) == []
    assert [one["active"] for one in listed(tmp_path, "--all")] == [False]


def test_standard_output_is_the_token_alone_and_the_other_says_how_to_revoke_it(tmp_path: Path) -> None:
    folder = tmp_path / "our club"
    folder.mkdir()
    SqliteStore(folder / STORE_FILE_NAME).close()
    result = run("tokens", "make", "recorder", "--table", TABLE, "--for", "8w", "--data", str(folder))
    assert re.fullmatch(r"spadille_t_\w{49}\n", result.stdout)
    (grant,) = listed(folder)
    assert grant["scope"] == {"kind": "table", "id": TABLE}
    assert grant["expires_at"]
    revoke = shlex.split(result.stderr.partition("spadille ")[2])
    assert revoke[:2] == ["tokens", "revoke"] and run(*revoke).exit_code == 0
    assert listed(folder) == []


def test_a_register_is_copied_with_its_store_if_there_is_one(tmp_path: Path) -> None:
    words = ("copy", str(tmp_path), str(tmp_path / "copy"), "--register")
    assert "no register next to" in refusal(*words)
    run("tokens", "make", "organiser", "--data", str(tmp_path))
    assert "also has its register (grants: 1, members: 0)" in " ".join(run(*words).stdout.split())


def test_a_link_leads_to_its_deal(tmp_path: Path) -> None:
    asked = ("--deal", DEAL, "--seat", "forehand", "--once", "--link", "https://c.example/")
    link = made(tmp_path, "player", *asked)
    assert re.fullmatch(rf"https://c\.example/enter#token=spadille_t_\w{{49}}&to=/deals/{DEAL}", link)
    (grant,) = listed(tmp_path)
    assert grant["once"] is True


@pytest.mark.parametrize(
    "asked",
    [["king"], ["player"], ["owner", "--table", TABLE], ["recorder", "--public"], ["viewer", "--table", "x"],
     ["viewer", "--table", TABLE, "--deal", DEAL], ["viewer", "--for", "soon"], ["viewer", "--for", "0d"],
     ["player", "--seat", "forehand"], ["player", "--person", "Anna", "--seat", "forehand", "--deal", DEAL],
     *(["viewer", option, "Bo\u202e04+"] for option in ("--label", "--person", "--title"))],
)  # fmt: skip
def test_what_does_not_go_together_is_refused(tmp_path: Path, asked: list[str]) -> None:
    says = refusal("tokens", "make", *asked, "--data", str(tmp_path))
    assert "Traceback" not in says and "\u202e" not in says
    assert not (tmp_path / AUTH_FILE_NAME).exists()


def test_a_list_is_for_people_in_both_languages_and_holds_no_token(tmp_path: Path) -> None:
    tokens = [made(tmp_path, "owner", "--label", "min telefon"), made(tmp_path, "player", "--person", "Bo")]
    assert made(tmp_path, "viewer", "--deal", DEAL, "--public") == ""
    english = run("tokens", "list", "--lang", "en", "--data", str(tmp_path)).stdout
    danish = run("tokens", "list", "--lang", "da", "--data", str(tmp_path)).stdout
    assert "Bo in everything" in english and f"everybody, deal {DEAL}" in english
    assert "Bo i alt" in danish and "min telefon" in danish
    as_json = run("tokens", "list", "--all", "--format", "json", "--data", str(tmp_path)).stdout
    assert not any(token in english + danish + as_json for token in tokens)


def test_a_file_that_is_no_register_is_reported(tmp_path: Path) -> None:
    (tmp_path / AUTH_FILE_NAME).write_bytes(b"no database at all, and long enough to be read as one" * 40)
    for command in (["list"], ["make", "owner"], ["revoke", DEAL]):
        assert "Traceback" not in refusal("tokens", *command, "--data", str(tmp_path))
    (tmp_path / AUTH_FILE_NAME).unlink()
    assert "There is no grant" in refusal("tokens", "revoke", DEAL, "--data", str(tmp_path))


def test_a_record_that_is_not_there_is_mentioned(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / STORE_FILE_NAME) as store:
        recorded_deal(store, [OPENING], DEAL)
        recorded_table(store, TABLE)
    other = DEAL.replace("018f", "018e")
    for scope, missing in (
        (["--deal", DEAL], False), (["--table", TABLE], False), ([], False),
        (["--deal", TABLE], True), (["--table", DEAL], True), (["--deal", other], True),
    ):  # fmt: skip
        for lang, says in (("en", "There is no"), ("da", "Der er intet")):
            result = run("tokens", "make", "viewer", *scope, "--lang", lang, "--data", str(tmp_path))
            assert (result.exit_code, says in result.stderr) == (0, missing), result.stderr
            assert result.stdout.startswith("spadille_t_")
