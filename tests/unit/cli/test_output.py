"""What `-o` writes takes away nothing that was read; and how every command is told where the records are."""

import os
from pathlib import Path

import pytest

from service.config.data_files import STORE_FILE_NAME
from tests.support.cli.deals import OPEN, SLIP, jsonl, refusal, run

EVENING = (
    b'{"type":"table_opened","ruleset":"dlu","players":["Anna","Bo","Carl"]}\n'
    b'{"type":"deal_started","deal":"first","number":1}\n'
    + jsonl(SLIP).replace(b'"ruleset"', b'"number":1,"ruleset"', 1)
)
SHEET = (
    b"ruleset,dlu\nforehand,middlehand,backhand,declarer,contract,tricks\nAnna,Bo,Carl,Anna,spade-solo,5\n"
)
BAD = b"Deal: bad\nRules: dlu\nF laughs\n"


@pytest.fixture
def two_deals(tmp_path: Path) -> Path:
    file = tmp_path / "two.deal"
    file.write_bytes(run("convert", "-", given=jsonl(SLIP, OPEN)).stdout_bytes)
    return file


@pytest.mark.parametrize(
    ("command", "content"), [("export", EVENING), ("import-slips", SHEET), ("html", jsonl(SLIP))]
)
def test_a_file_that_is_read_is_not_written_over(command: str, content: bytes, tmp_path: Path) -> None:
    file, link, second = tmp_path / "evening", tmp_path / "link", tmp_path / "second"
    file.write_bytes(content)
    link.symlink_to(file)
    os.link(file, second)
    for target in (tmp_path / ".." / tmp_path.name / "evening", link, second):
        says = refusal(command, str(file), "-o", str(target))
        assert "is also an input file; name another file with -o." in says
        assert file.read_bytes() == content
    assert run(command, str(file), "-o", str(tmp_path / "out")).exit_code == 0


def test_nor_are_rules_or_the_store(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text('{"based_on":"dlu","id":"own","words":{"en":"Own","da":"Egne"}}')
    sheet, store = tmp_path / "slips.csv", tmp_path / "spadille.db"
    sheet.write_bytes(SHEET)
    assert run("import-slips", str(sheet), "--rules", str(own), "-o", str(own)).exit_code == 2
    assert own.read_text().startswith('{"based_on"')
    assert run("import-slips", str(sheet), "--store", str(store)).exit_code == 0
    before = store.read_bytes()
    for command in (
        ("export", "--store", str(tmp_path), "--table", "x", "-o", str(store)),
        ("checkpoint", str(tmp_path), "-o", str(store)),
        ("backup", str(store), "--data", str(tmp_path)),
    ):
        assert "is also an input file" in refusal(*command)
    assert store.read_bytes() == before


def test_conversion_through_a_link_replaces_what_it_leads_to_and_loses_nothing(tmp_path: Path) -> None:
    own, link = tmp_path / "own.jsonl", tmp_path / "link.deal"
    own.write_bytes(jsonl(SLIP, OPEN))
    lines = run("convert", "--to", "jsonl", str(own)).stdout
    link.symlink_to(own)
    assert run("convert", str(own), "-o", str(link)).exit_code == 0
    assert link.is_symlink()
    assert own.read_bytes().startswith(b"Deal:")
    assert run("convert", "--to", "jsonl", str(own)).stdout == lines


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_keeps_its_place_where_something_of_it_would_be_lost(jobs: str, two_deals: Path) -> None:
    content = two_deals.read_bytes()
    result = run("convert", "--bookkeeping", "brief", str(two_deals), "-o", str(two_deals))
    assert (result.exit_code, two_deals.read_bytes()) == (2, content)
    content += b"\n" + BAD
    two_deals.write_bytes(content)
    link = two_deals.with_name("link.deal")
    link.symlink_to(two_deals)
    for target in (two_deals, link):
        result = run("convert", "--jobs", jobs, str(two_deals), "-o", str(target))
        assert (result.exit_code, two_deals.read_bytes()) == (2, content)
        assert "deal 3 (from line " in result.stderr
        assert result.stderr.endswith("some of the input could not be read and would be missing from it.\n")
    other = two_deals.with_name("other.deal")
    assert run("convert", str(two_deals), "-o", str(other)).exit_code == 2
    assert other.read_bytes().count(b"Rules:") == 2


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_is_appended_is_what_one_run_writes(jobs: str, two_deals: Path, tmp_path: Path) -> None:
    bad, out = tmp_path / "bad.deal", tmp_path / "done.deal"
    bad.write_bytes(BAD + b"\n" + two_deals.read_bytes())
    files = [str(bad), str(two_deals), "belinda"]
    texts = run("convert", *files).stdout.removeprefix("Deal:").split("\n\nDeal:")
    assert len(texts) == 5
    for after, deals in {f"{bad}:1": 0, f"{bad}:2": 1, f"{two_deals}:0": 2, f"{two_deals}:2": 4}.items():
        rest = run("convert", "--jobs", jobs, "--resume-after", after, *files).stdout
        assert rest.removeprefix("Deal:").split("\n\nDeal:") == texts[deals:]
    out.write_text("what was there")
    refused = refusal("convert", "--resume-after", f"{two_deals}:1", str(two_deals), "-o", str(out))
    assert "Leave out -o and append" in refused
    assert out.read_text() == "what was there"


NAMED = {
    "verify": ["verify", "@"],
    "checkpoint": ["checkpoint", "@"],
    "erase-person": ["erase-person", "@", "Anna"],
}
"""Commands that take the store as an argument, which stands where the `@` is."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
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
        return " ".join(str(result.stdout).replace(f"/{STORE_FILE_NAME}", "").split())

    told = said(str(folder))
    assert told
    assert said(str(folder / STORE_FILE_NAME)) == told
    assert said("--data", str(folder)) == told
    assert said(usual=folder) == told


@pytest.mark.parametrize("words", [
    ["verify"], ["checkpoint"], ["erase-person", "Anna"], ["backup", "x.zip"], ["tokens", "make", "owner"],
    ["tokens", "list"], ["tokens", "revoke", "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"],
])  # fmt: skip
def test_a_missing_store_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
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
        assert "Name the store once" in refusal(*words, *other)


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
    assert says == f"{folder / STORE_FILE_NAME} cannot be used: Permission denied."
