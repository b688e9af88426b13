"""`spadille rules`, and rulesets of one's own."""

import json
from pathlib import Path

import pytest

from engine.rulesets import PUBLISHED_RULESETS, CompiledRuleset
from service.presentation.text.layout import display_width
from tests.support.cli.deals import answers, jsonl, lacking, opening, refusal, run
from tests.support.schemas.rulesets import CLUB_FILE


def test_the_rulesets_are_listed() -> None:
    ids = [rules.ruleset.id for rules in PUBLISHED_RULESETS]
    assert lacking(run("rules").stdout, ids) == []
    assert [one["id"] for one in answers(run("rules", "--format", "json"))] == ids


@pytest.mark.parametrize("rules", PUBLISHED_RULESETS, ids=lambda one: str(one.ruleset.id))
def test_a_ruleset_is_set_out_in_tables_of_eighty_columns(rules: CompiledRuleset) -> None:
    for lang in ("da", "en"):
        result = run("rules", rules.ruleset.id.upper(), "--lang", lang, COLUMNS="80")
        assert result.exit_code == 0
        assert max(map(display_width, result.stdout.splitlines())) <= 80
        assert lacking(result.stdout, (bid.id for bid in rules.ruleset.bids)) == []


def test_a_ruleset_is_in_the_language_of_its_reader() -> None:
    danish = run("rules", "tresillo", "--lang", "da", COLUMNS="200").stdout
    assert (
        lacking(
            danish,
            ("tresillo, udgave 1.", "5 jetoner", "Bet (puesta), hvis"),
        )
        == []
    )
    assert "5 fichas" in run("rules", "tresillo", "--lang", "en").stdout


def test_a_switch_is_shown_as_set() -> None:
    assert "absolute" in run("rules", "dlu", "--set", "matadors=absolute").stdout
    told = json.loads(run("rules", "ombre", "--set", "gascarille=true", "--format", "json").stdout)
    assert told["extras"] == ["gascarille"]


@pytest.mark.parametrize(("arguments", "says"), [
    (["rules", "whist"], "There is no ruleset “whist”"),
    (["rules", "dlu", "--set", "matadors=moon"], "matadors cannot be “moon”; it can be forced-by-higher"),
    (["rules", "dlu", "--set", "moon=1"], "dlu has no switch “moon”; it has matadors"),
    (["rules", "--rules", "/nowhere.json"], "cannot be read"),
    (["rules", "--rules", "moon.json"], "At /policies/matadors"),
])  # fmt: skip
def test_what_there_is_not_is_refused(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("moon.json").write_text('{"id": "x", "based_on": "dlu", "policies": {"matadors": "moon"}}')
    assert says in refusal(*arguments)


def test_a_club_plays_by_its_own_file(tmp_path: Path) -> None:
    club, deals = tmp_path / "club.json", tmp_path / "deals.jsonl"
    club.write_text(CLUB_FILE, encoding="utf-8")
    result = {"declarer": "forehand", "contract": "solo", "trump": "H", "outcome": "codille"}
    deals.write_bytes(jsonl([opening(ruleset="our-club"), {"type": "result_recorded", **result}]))
    assert run("validate", str(deals)).exit_code == 1
    assert run("validate", "--rules", str(club), str(deals)).exit_code == 0
    told = json.loads(run("score", "--rules", str(club), "--format", "json", str(deals)).stdout)
    assert told["payments"] == {"forehand": -12, "middlehand": 6, "backhand": 6}
    for command in ("show", "replay"):
        assert run(command, "--rules", str(club), str(deals)).exit_code == 0
    assert "Tirsdagsklubben" in run("rules", "our-club", "--rules", str(club), "--lang", "da").stdout
