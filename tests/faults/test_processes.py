"""Two processes on one store: who writes is refused with a sentence, who reads is welcome."""

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from tests.faults.service import Service, require_no_traceback, run
from tests.support.api.recording import OPENING, TABLE, some_deal
from tests.support.api.servers import free_port

pytestmark = pytest.mark.process

DEAL = "018f5e2a-7b1c-7d3e-9f40-000000000077"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a deal of Anna's."""
    running = Service(tmp_path_factory.mktemp("processes") / "club", free_port())
    running.start()
    first, *rest = some_deal(11)
    sent = [{**first, **OPENING, "id": DEAL}, *rest]
    status, said = running.ask("POST", "/api/v1/deals", orjson.dumps(sent))
    assert status == 201, said
    opened = {"id": TABLE, "ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]}
    status, said = running.ask("POST", "/api/v1/tables", orjson.dumps(opened))
    assert status == 201, said
    yield running
    status, said = running.ask("GET", f"/api/v1/deals/{DEAL}/score")
    assert status == 200, said
    require_no_traceback(running.stop())


def test_a_second_service_is_refused(service: Service) -> None:
    second = run("serve", "--data", str(service.data), "--port", str(free_port()), "--no-browser")
    assert second.returncode == 1
    assert f"already in use by process {service.worker()}" in second.stderr
    assert "stop that one first" in second.stderr
    assert second.stderr.count("\n") == 1
    assert service.answers()


def test_who_reads_next_to_it_is_answered(service: Service, tmp_path: Path) -> None:
    kept = tmp_path / "kept.txt"
    assert run("checkpoint", str(service.data), "--leaves", "-o", str(kept)).returncode == 0
    looked = run("verify", str(service.data), "--checkpoint", str(kept))
    assert looked.returncode == 0, looked.stdout
    exported = run("export", "--store", str(service.data), "--table", TABLE, "--format", "jsonl")
    status, served = service.ask("GET", f"/api/v1/tables/{TABLE}/export.jsonl")
    assert (status, exported.returncode) == (200, 0), exported.stderr
    assert len(exported.stdout.splitlines()) == len(served.splitlines()) == 1
    token = run("tokens", "make", "viewer", "--deal", DEAL, "--data", str(service.data))
    assert token.returncode == 0, token.stderr
    looked = run("forget", str(service.data), "Anna")
    assert looked.returncode == 0, looked.stderr
    assert "Nothing was erased yet" in looked.stdout.replace("\n", " ")
