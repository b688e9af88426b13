"""`spadille serve`: what it hands on; the service itself has its own tests."""

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from engine.rulesets import PUBLISHED_RULESETS
from service.config.settings import Settings
from tests.support.cli.deals import refusal, run
from tests.support.schemas.rulesets import CLUB_FILE


@pytest.fixture
def run_calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Stands in for the service, and notes how it was started."""
    calls: list[tuple[Any, ...]] = []
    service = types.ModuleType("service.server.run")
    monkeypatch.setattr(
        service, "run_service", lambda *arguments, **_: calls.append(arguments), raising=False
    )
    monkeypatch.setitem(sys.modules, "service.server.run", service)
    return calls


def test_it_starts_with_the_usual_place_and_port(run_calls: list[tuple[Any, ...]]) -> None:
    assert run("serve").exit_code == 0
    assert run_calls == [(Settings(), True, PUBLISHED_RULESETS)]


def test_it_hands_on_what_was_asked(run_calls: list[tuple[Any, ...]], tmp_path: Path) -> None:
    club = tmp_path / "club.json"
    club.write_text(CLUB_FILE, encoding="utf-8")
    asked = ["--data", str(tmp_path), "--port", "9000", "--no-browser", "--host", "::1", "--rules", str(club)]
    asked += ["--streams", "7", "--log-format", "json"]
    assert run("serve", *asked).exit_code == 0
    ((settings, browser, book),) = run_calls
    assert (settings, browser) == (Settings(tmp_path, "::1", 9000, streams=7, log_format="json"), False)
    assert [rules.ruleset.id for rules in book[len(PUBLISHED_RULESETS) :]] == ["our-club"]


def test_the_environment_says_what_no_option_does(run_calls: list[tuple[Any, ...]], tmp_path: Path) -> None:
    said: dict[str, Any] = {
        "SPADILLE_DATA": str(tmp_path), "SPADILLE_PORT": "9000", "SPADILLE_STREAMS": " 3 ",
    }  # fmt: skip
    assert run("serve", "--port", "9001", **said).exit_code == 0
    assert run_calls[0][0] == Settings(tmp_path, port=9001, streams=3)


def test_a_setting_that_cannot_be_is_said_in_a_sentence(run_calls: list[tuple[Any, ...]]) -> None:
    says = "SPADILLE_STREAMS is 'many'; expected a whole number from 0 to 10000."
    assert refusal("serve", SPADILLE_STREAMS="many") == says
    assert run_calls == []
