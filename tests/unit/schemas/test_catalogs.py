"""The catalogues of messages, and what is kept of them for the next process."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.i18n import catalogs

PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "trick"\nmsgstr "{}"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(catalogs, "LOCALE_FOLDER", tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    catalogs.load_catalog.cache_clear()
    yield tmp_path
    catalogs.load_catalog.cache_clear()


def trick_in_another_process() -> str:
    catalogs.load_catalog.cache_clear()
    return catalogs.gettext("trick", "da")


def test_compiled_messages_are_kept_until_their_source_changes(folder: Path) -> None:
    source, compiled = folder / "da.po", folder / "__pycache__" / "da.mo"
    source.write_text(PO.format("stik"), encoding="utf-8")
    assert trick_in_another_process() == "stik"
    kept = compiled.read_bytes()
    compiled.write_bytes(kept.replace(b"stik", b"STIK"))
    assert trick_in_another_process() == "STIK"  # it is read from there
    source.write_text(PO.format("stikket"), encoding="utf-8")
    os.utime(source, (compiled.stat().st_mtime + 1,) * 2)
    assert trick_in_another_process() == "stikket"
    assert [file.name for file in compiled.parent.iterdir()] == ["da.mo"]


def test_where_nothing_can_be_kept_messages_are_read_all_the_same(folder: Path) -> None:
    (folder / "da.po").write_text(PO.format("stik"), encoding="utf-8")
    (folder / "__pycache__").write_text("a file in the way")
    assert trick_in_another_process() == "stik"
