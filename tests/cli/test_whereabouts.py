"""Where the records are: one way to say it for every command that works on them, and a word where not."""

import os
from pathlib import Path

import pytest

from service.config.data_files import STORE_NAME
from tests.support.cli.deals import SLIP, jsonl, refusal, run

NAMED = {
    "verify": ["verify", "@"],
    "checkpoint": ["checkpoint", "@"],
    "erase-person": ["erase-person", "@", "Anna"],
}
"""Commands that take the store as an argument, which stands where the `@` is."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of records with a deal."""
    (tmp_path / "slip.jsonl").write_bytes(jsonl(SLIP))
    made = tmp_path / "our club"
    assert run("import-slips", str(tmp_path / "slip.jsonl"), "--data", str(made)).exit_code == 0
    return made


@pytest.mark.parametrize("command", NAMED)
def test_a_store_is_named_in_three_ways_or_is_the_usual_one(folder: Path, command: str) -> None:
    def said(*where: str, usual: Path = folder.parent) -> str:
        words = [*(one for word in NAMED[command] for one in (where if word == "@" else (word,)))]
        result = run(*words, given=b"", SPADILLE_DATA=str(usual))
        assert result.exit_code == 0, result.output
        # Where a line breaks hangs on how long the folder's own path is.
        return " ".join(str(result.stdout).replace(f"/{STORE_NAME}", "").split())

    told = said(str(folder))
    assert told
    assert said(str(folder / STORE_NAME)) == told
    assert said("--data", str(folder)) == told
    assert said(usual=folder) == told


@pytest.mark.parametrize(
    "words",
    [
        ["verify"],
        ["checkpoint"],
        ["erase-person", "Anna"],
        ["backup", "x.zip"],
        ["tokens", "make", "owner"],
        ["tokens", "list"],
        ["tokens", "revoke", "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"],
    ],
)
def test_where_there_is_no_store_the_refusal_says_how_to_name_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "new" / "club", tmp_path / "empty"):
        says = refusal(*words, SPADILLE_DATA=str(folder))
        assert says.startswith(f"There is no store in {folder}. Name the folder of the records with ")
        assert "--data" in says
    assert list(tmp_path.rglob("*")) == [tmp_path / "empty"]


@pytest.mark.parametrize("command", NAMED)
def test_a_store_is_named_once(folder: Path, command: str) -> None:
    words = [str(folder) if word == "@" else word for word in NAMED[command]]
    if command == "erase-person":
        assert '"Anna Berg"' in refusal("erase-person", str(folder), "Anna", "Berg")
    for other in (("--data", str(folder)), ("--store", "postgresql://nowhere/club")):
        assert "Name it once" in refusal(*words, *other)


@pytest.mark.parametrize(
    "words",
    [["verify"], ["erase-person", "Anna"], ["tokens", "list"], ["restore", "kept.zip"]],
    ids=lambda words: str(words[0]),
)
def test_records_without_permission_are_refused_as_such(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """It is not the output that cannot be written, and no mistake of Spadille's own."""
    (tmp_path / "kept.zip").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    stat = Path.stat

    def denied(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if folder in path.parents:
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", denied)
    says = refusal(*words, "--data", str(folder))
    assert says == f"{folder / STORE_NAME} cannot be used: Permission denied."
