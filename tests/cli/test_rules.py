"""`spadille rules`, and rulesets of one's own."""

import json
from pathlib import Path

import pytest

from engine.rulesets import PUBLISHED
from service.presentation.text.layout import cells
from tests.support.cli.deals import run
from tests.support.schemas.rulesets import CLUB_FILE


def test_the_rulesets_are_listed() -> None:
    told = run("rules").stdout
    assert all(rules.ruleset.id in told for rules in PUBLISHED)
    listed = [json.loads(line) for line in run("rules", "--format", "json").stdout.splitlines()]
    assert [one["id"] for one in listed] == [rules.ruleset.id for rules in PUBLISHED]


@pytest.mark.parametrize("lang", ["da", "en"])
@pytest.mark.parametrize("rules", PUBLISHED, ids=lambda one: str(one.ruleset.id))
def test_a_ruleset_is_set_out_in_tables_of_eighty_columns(rules: object, lang: str) -> None:
    ruleset = rules.ruleset  # type: ignore[attr-defined]
    result = run("rules", ruleset.id, "--lang", lang, COLUMNS="80")
    assert result.exit_code == 0
    assert all(cells(line) <= 80 for line in result.stdout.splitlines())
    assert all(bid.id in result.stdout for bid in ruleset.bids)


def test_a_switch_is_shown_as_set() -> None:
    assert "absolute" in run("rules", "DLU", "--set", "matadors=absolute").stdout
    told = json.loads(run("rules", "ombre", "--set", "gascarille=true", "--format", "json").stdout)
    assert told["extras"] == ["gascarille"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rules", "whist"], "There is no ruleset “whist”"),
        (["rules", "dlu", "--set", "matadors=moon"], "it can be forced-by-higher"),
        (["rules", "dlu", "--set", "moon=1"], "there are matadors"),
        (["rules", "--rules", "/nowhere.json"], "cannot be read"),
    ],
)
def test_what_there_is_not_is_told(arguments: list[str], says: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


def test_a_club_plays_by_its_own_file(tmp_path: Path) -> None:
    club, deals = tmp_path / "club.json", tmp_path / "deals.jsonl"
    club.write_text(CLUB_FILE, encoding="utf-8")
    opening = {
        "type": "deal_opened",
        "ruleset": "our-club",
        "players": {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"},
    }
    result = {
        "type": "result_recorded",
        "declarer": "forehand",
        "contract": "solo",
        "trump": "H",
        "outcome": "codille",
    }
    deals.write_text(f"{json.dumps(opening)}\n{json.dumps(result)}\n", encoding="utf-8")
    assert run("validate", str(deals)).exit_code == 1
    assert run("validate", "--rules", str(club), str(deals)).exit_code == 0
    told = json.loads(run("score", "--rules", str(club), "--format", "json", str(deals)).stdout)
    assert told["payments"] == {"forehand": -12, "middlehand": 6, "backhand": 6}
    for command in ("show", "replay"):
        assert run(command, "--rules", str(club), str(deals)).exit_code == 0
    assert "Tirsdagsklubben" in run("rules", "our-club", "--rules", str(club), "--lang", "da").stdout


def test_a_file_that_is_no_ruleset_is_told_with_its_place(tmp_path: Path) -> None:
    club = tmp_path / "club.json"
    club.write_text('{"id": "x", "based_on": "dlu", "policies": {"matadors": "moon"}}', encoding="utf-8")
    result = run("rules", "--rules", str(club))
    assert result.exit_code == 2
    assert "At /policies/matadors" in result.stderr
