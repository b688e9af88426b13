"""`spadille import-slips` while the service runs: the command sends the import to the service."""

import json
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from service.auth.register_factory import open_access_register
from service.config.data_files import STORE_FILE_NAME
from service.http.api import request_bodies
from tests.support.api.club_rules import CLUB
from tests.support.api.servers import as_owner, run_server
from tests.support.cli.deals import SLIP, jsonl, refusal, run

pytestmark = pytest.mark.process

SHEET = (
    "title;Torsdag\nruleset;dlu\nnumber;dealer;forehand;middlehand;backhand;declarer;contract;trump;tricks\n"
    "1;Carl;Anna;Bo;Carl;Bo;solo;hearts;5\n"
)


def get(port: int, path: str) -> Any:
    with urlopen(Request(f"http://127.0.0.1:{port}/api/v1{path}", headers=as_owner(port))) as answer:
        return json.load(answer)


def test_sheets_and_logs_are_imported_and_corrected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet, log, data = tmp_path / "club.csv", tmp_path / "slip.jsonl", tmp_path / "data"
    sheet.write_text(SHEET)
    line = {"type": "ruleset_published", "ruleset": {"id": "our-club", **CLUB, "revision": 1}}
    log.write_bytes(json.dumps(line).encode() + b"\n" + jsonl(SLIP))
    command = ["import-slips", str(sheet), str(log), "--data", str(data)]
    with run_server(data) as (port, _):
        first = run(*command)
        assert first.exit_code == 0, first.output
        assert "our-club, revision 1: published.\n" in first.stderr
        assert first.stderr.endswith("Records: 3; new entries: 7.\n")
        sheet.write_text(SHEET.replace(";5\n", ";4\n") + "2;Anna;Bo;Carl;Anna;;pass;;\n")
        assert run(*command).exit_code == 1
        corrected = run(*command, "--again", "correct")
        assert corrected.exit_code == 0, corrected.output
        (table,) = get(port, "/tables")["tables"]
        assert table["deals"] == 2
        assert len(get(port, f"/deals?table={table['id']}")["deals"]) == 2
        monkeypatch.setattr(request_bodies, "MAX_LOG_BYTES", 100)
        assert "takes at most" in refusal(*command[:1], str(log), "--data", str(data))
    with open_access_register(data / STORE_FILE_NAME) as register:
        assert [one.terms.label for one in register.list_active_grants()] == [""]
