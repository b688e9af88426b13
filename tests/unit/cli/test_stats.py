"""`spadille stats`: what many deals hold, in tables and as JSON, whoever reads them."""

from pathlib import Path
from typing import Any

import pytest

from engine.rulesets import PUBLISHED_RULESETS
from tests.support.cli.deals import OPEN, PASSED_OUT, REVOKED, SLIP, answers, jsonl, opening, run

FOUR = jsonl(SLIP, OPEN, PASSED_OUT, REVOKED)
BAD_CARD = jsonl([opening(), {"type": "card_played", "seat": "forehand", "card": "S8"}])
UNKNOWN_RULES = jsonl([opening(ruleset="our-own"), SLIP[1]])
MADE_UP_CONTRACT = jsonl([SLIP[0], {**SLIP[1], "contract": "a-made-up-one"}])

IN_ENGLISH = """\
4 deals, 27 entries; 1 with a fault

Danish Ombre Union (DLU)
  4 deals, 27 entries; all passed 1

  contract     played  won  bête  codille  other  open  a deal
  nolo ouvert       2    0     0        1      0     1  −14.00
  solo              1    1     0        0      0     0   +6.00

  seat        played  won  chips  a deal
  forehand         0    0     +4   +1.33
  middlehand       3    1     −8   −2.67
  backhand         0    0     +4   +1.33

Findings
  times  severity  kind        deals
      1  info      incomplete      1
      1  error     revoke          1
"""
IN_DANISH = """\
4 spil, 27 poster; 1 med fejl

Dansk L'hombre-Union (DLU)
  4 spil, 27 poster; alle meldte pas 1

  spil         spillet  vundet  bet  kruk  andet  åbne  pr. spil
  nolo ouvert        2       0    0     1      0     1    −14,00
  solo               1       1    0     0      0     0     +6,00

  plads       spillet  vundet  jetoner  pr. spil
  forhånd           0       0       +4     +1,33
  mellemhånd        3       1       −8     −2,67
  baghånd           0       0       +4     +1,33

Fejl
  gange  alvor      art            spil
      1  oplysning  ufuldstændigt     1
      1  fejl       kulørsvigt        1
"""


def counts(given: bytes, *more: str) -> Any:
    (told,) = answers(run("stats", "--format", "json", *more, "-", given=given))
    return told


@pytest.mark.parametrize(("lang", "expected"), [("en", IN_ENGLISH), ("da", IN_DANISH)])
def test_tables_for_people(lang: str, expected: str) -> None:
    result = run("stats", "--lang", lang, "-", given=FOUR)
    assert (result.exit_code, result.stdout, result.stderr) == (0, expected, "")


def test_programs_get_one_object() -> None:
    told = counts(FOUR)
    (dlu,) = told.pop("rulesets")
    assert told == {
        "deals": 4, "entries": 27, "faulty": 1, "left_out": 0,
        "findings": [
            {"code": "incomplete", "severity": "info", "count": 1, "deals": 1},
            {"code": "revoke", "severity": "error", "count": 1, "deals": 1},
        ],
    }  # fmt: skip
    assert (dlu["ruleset"], dlu["deals"], dlu["entries"]) == ("dlu", 4, 27)
    assert dlu["outcomes"] == {"codille": 1, "passed_out": 1, "undecided": 1, "won": 1}
    assert dlu["contracts"][1] == {
        "contract": "solo", "played": 1, "outcomes": {"won": 1}, "chips": 6, "average": 6.0,
    }  # fmt: skip
    assert dlu["seats"]["middlehand"] == {"chips": -8, "average": -2.67, "declared": 3, "won": 1}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_cannot_be_read_is_told_and_left_out(jobs: str, tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_bytes(jsonl(SLIP) + BAD_CARD + jsonl(SLIP))
    result = run("stats", "--jobs", jobs, str(file), str(tmp_path / "missing.jsonl"))
    assert result.exit_code == 2
    assert result.stdout.startswith("2 deals, 4 entries; 0 with a fault\n1 unreadable and left out\n")
    assert f"{file}, line 4, column 53: " in result.stderr
    assert f"There is no file “{tmp_path / 'missing.jsonl'}”" in result.stderr


def test_rules_and_contracts_that_are_not_known_here() -> None:
    given = UNKNOWN_RULES + MADE_UP_CONTRACT * 2
    by_ruleset = {one["ruleset"]: one for one in counts(given)["rulesets"]}
    assert by_ruleset[None]["deals"] == 1 and by_ruleset["dlu"]["deals"] == 2
    for one in by_ruleset.values():
        (contract,) = one["contracts"]
        assert (contract["contract"], contract["average"]) == (None, None)
    result = run("stats", "--lang", "da", "-", given=given)
    assert "Ukendte regler" in result.stdout and "  ukendt " in result.stdout


@pytest.mark.parametrize(("lang", "width"), [("da", 60), ("en", 80)])
def test_lines_keep_to_the_width_of_the_terminal(lang: str, width: int) -> None:
    for rules in PUBLISHED_RULESETS:
        slips = [{**SLIP[1], "contract": one.id} for one in rules.ruleset.contracts]
        given = jsonl(*[[opening(ruleset=rules.ruleset.id), slip] for slip in slips] * 5)
        told = run("stats", "--lang", lang, "-", given=given, COLUMNS=str(width)).stdout
        assert max(map(len, told.splitlines())) <= width
        named = told.partition("\n\n  ")[2].partition("\n\n")[0].splitlines()[1:]
        assert len({line.partition("   ")[0] for line in named}) == len(slips) == len(named)


def test_a_narrow_table_leaves_out_outcomes_that_nothing_had_before_it_shortens_names() -> None:
    deal = [opening(ruleset="tresillo"), {**SLIP[1], "contract": "favoured-play"}]
    wide, narrow = (
        run("stats", "--lang", "da", "-", given=jsonl(deal), COLUMNS=width).stdout.splitlines()
        for width in ("80", "60")
    )
    assert wide[5].split() == ["spil", "spillet", "vundet", "bet", "kruk", "andet", "åbne", "pr.", "spil"]
    assert narrow[5].split() == ["spil", "spillet", "åbne", "pr.", "spil"]
    assert "spil i favoritfarven " in narrow[6]
