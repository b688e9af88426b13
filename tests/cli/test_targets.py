"""What is written with ``-o`` never takes away what was read, however the two are named."""

import os
from pathlib import Path

import pytest

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
    """Two deals in the notation, with room for more in the folder."""
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
        assert "is itself one of the files that are read; name another file with -o." in says
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
        assert "is itself one of the files" in refusal(*command)
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
    result = run("convert", "--bookkeeping", "told", str(two_deals), "-o", str(two_deals))
    assert (result.exit_code, two_deals.read_bytes()) == (2, content)
    content += b"\n" + BAD
    two_deals.write_bytes(content)
    link = two_deals.with_name("link.deal")
    link.symlink_to(two_deals)
    for target in (two_deals, link):
        result = run("convert", "--jobs", jobs, str(two_deals), "-o", str(target))
        assert (result.exit_code, two_deals.read_bytes()) == (2, content)
        assert "deal 3 (from line " in result.stderr
        assert result.stderr.endswith("stays as it was: what cannot be read would be lost from it.\n")
    other = two_deals.with_name("other.deal")
    assert run("convert", str(two_deals), "-o", str(other)).exit_code == 2
    assert other.read_bytes().count(b"Rules:") == 2


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_is_appended_is_what_one_run_would_have_written(
    jobs: str, two_deals: Path, tmp_path: Path
) -> None:
    bad, lines, out = (tmp_path / name for name in ("bad.deal", "lines.jsonl", "done.deal"))
    bad.write_bytes(BAD + b"\n" + two_deals.read_bytes())
    lines.write_bytes(jsonl(SLIP, OPEN) * 2)
    files = [str(bad), str(two_deals), str(lines), "belinda"]
    whole = run("convert", *files).stdout
    written = {f"{bad}:{n}": max(n - 1, 0) for n in range(4)}
    written |= {f"{two_deals}:{n}": 2 + n for n in range(3)}
    written |= {f"{lines}:{n}": 4 + n for n in range(5)}
    texts = whole.split("\n\nDeal:")
    assert len(texts) == 9
    for after, deals in written.items():
        rest = run("convert", "--jobs", jobs, "--resume-after", after, *files).stdout
        before = "\n\nDeal:".join(texts[:deals]) + "\n" if deals else ""
        assert before + rest == whole, after
    given = two_deals.read_bytes()
    rest = run("convert", "--resume-after", "-:1", "-", given=given).stdout
    assert rest == "\nDeal:" + given.decode().split("\n\nDeal:")[1]
    out.write_text("what was there")
    refused = refusal("convert", "--resume-after", f"{two_deals}:1", str(two_deals), "-o", str(out))
    assert "leave -o out and append" in refused
    assert out.read_text() == "what was there"
