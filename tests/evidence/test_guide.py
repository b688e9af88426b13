"""docs/evidence.md: its examples run as they stand there, on a folder with a few records."""

import re
import shutil
from pathlib import Path

import pytest

from service.config.data_files import STORE_NAME
from service.eventstore import SqliteStore
from service.records.append import continue_deal
from service.records.records import TABLE as TABLE_KIND
from service.records.records import described
from service.records.tables import start_deal
from tests.support.api.recording import OPENING, TABLE, posted, recorded_deal, recorded_table
from tests.support.cli.docs import run_examples
from tests.support.evidence.forging import DEALS, forging, put, rehash

GUIDE = Path(__file__).parents[2] / "docs" / "evidence.md"

SLIP = {"type": "result_recorded", "outcome": "passed_out"}


def record(folder: Path) -> None:
    """A table with a deal that was passed out, and another deal alone."""
    folder.mkdir()
    with SqliteStore(folder / STORE_NAME) as store:
        recorded_table(store)
        opening = {**OPENING, "id": DEALS[30], "table": TABLE, "number": 1}
        start_deal(store, described(store, TABLE_KIND, TABLE), 1, posted(opening))
        continue_deal(store, store.describe(DEALS[30]), 1, [posted(SLIP)], strict=False)
        recorded_deal(store, [OPENING, SLIP])


@pytest.mark.process
def test_the_examples_run(tmp_path: Path) -> None:
    examples = re.findall(r"^```console\n(.*?)^```$", GUIDE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(examples) == 4
    record(tmp_path / "club")
    shutil.copytree(tmp_path / "club", tmp_path / "forged")
    with forging(tmp_path / "forged" / STORE_NAME) as execute:
        put(execute, 4, outcome="voided")
        rehash(execute, tiles=True)
    run_examples(examples, tmp_path)
