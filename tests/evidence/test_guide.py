"""docs/evidence.md: its examples run as they stand there, on a folder with a few records."""

import re
import shutil
from pathlib import Path

import pytest

from service.config.data_files import STORE_NAME
from tests.support.api.recording import OPENING, recorded_deal
from tests.support.cli.docs import run_examples
from tests.support.cli.verify import record
from tests.support.evidence.forging import forging, put, rehash

GUIDE = Path(__file__).parents[2] / "docs" / "evidence.md"


@pytest.mark.process
def test_the_examples_run(tmp_path: Path) -> None:
    examples = re.findall(r"^```console\n(.*?)^```$", GUIDE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(examples) == 4
    deal = [OPENING, {"type": "result_recorded", "outcome": "passed_out"}]
    record(tmp_path / "club", lambda store: recorded_deal(store, deal))
    shutil.copytree(tmp_path / "club", tmp_path / "forged")
    with forging(tmp_path / "forged" / STORE_NAME) as execute:
        put(execute, 4, outcome="voided")
        rehash(execute, tiles=True)
    run_examples(examples, tmp_path)
