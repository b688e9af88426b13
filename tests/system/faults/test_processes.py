"""Next to a service that has the store: who writes is refused with a sentence, who reads is welcome."""

from pathlib import Path

import pytest

from service.config.data_files import STORE_FILE_NAME
from service.eventstore import SqliteStore, StoreInUse
from tests.support.api.recording import TABLE
from tests.support.api.servers import prepare
from tests.support.cli.deals import SLIP, jsonl, refusal, run
from tests.support.cli.verify import make_club_folder


def test_who_writes_is_refused_and_who_reads_is_answered(tmp_path: Path) -> None:
    club, log, saved = tmp_path / "club", tmp_path / "slip.jsonl", tmp_path / "club.zip"
    make_club_folder(club)
    log.write_bytes(jsonl(SLIP))
    with SqliteStore(club / STORE_FILE_NAME) as store:
        before = store.head()
        with pytest.raises(StoreInUse, match=r"already in use by process .*stop that one first"):
            prepare(club)
        for words in (
            ("import-slips", str(log), "--store", str(club)),
            ("erase-person", str(club), "Anna", "--yes"),
        ):
            refused = refusal(*words)
            assert "already in use by process" in refused and "stop that one first" in refused
        for reading in (
            ("backup", str(saved), "--data", str(club)),
            ("verify", str(club)),
            ("checkpoint", str(club)),
            ("export", "--store", str(club), "--table", TABLE),
            ("tokens", "make", "viewer", "--table", TABLE, "--data", str(club)),
            ("erase-person", str(club), "Anna"),
        ):
            answered = run(*reading)
            assert answered.exit_code == 0, answered.output
        assert "a restore overwrites nothing" in refusal("restore", str(saved), "--data", str(club))
        assert store.head() == before
