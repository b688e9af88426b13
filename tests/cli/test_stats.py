"""`spadille stats`: what many deals hold, in tables and as JSON, whoever reads them."""

from __future__ import annotations

import pytest

from engine.rulesets import PUBLISHED
from tests.support.cli.bulk import MIXED, shown, small_pieces
from tests.support.cli.deals import OPEN, PASSED_OUT, REVOKED, SLIP, answers, jsonl, opened, run

FOUR = jsonl(SLIP, OPEN, PASSED_OUT, REVOKED)
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


def test_tables_for_people() -> None:
    result = run("stats", "--lang", "en", "-", given=FOUR)
    assert (result.exit_code, result.stdout, result.stderr) == (0, IN_ENGLISH, "")


def test_the_tables_in_danish() -> None:
    told = run("stats", "--lang", "da", "-", given=FOUR).stdout
    said = [" ".join(line.split()) for line in told.splitlines()]
    for line in (
        "4 spil, 27 poster; 1 med fejl", "4 spil, 27 poster; alle meldte pas 1",
        "spil spillet vundet bet kruk andet åbne pr. spil", "nolo ouvert 2 0 0 1 0 1 −14,00",
        "plads spillet vundet jetoner pr. spil", "gange alvor art spil", "1 fejl kulørsvigt 1",
    ):  # fmt: skip
        assert line in said


def test_one_object_for_programs() -> None:
    (told,) = answers(run("stats", "--format", "json", "-", given=FOUR))
    assert told == {
        "deals": 4, "entries": 27, "faulty": 1, "left_out": 0,
        "rulesets": [{
            "ruleset": "dlu", "deals": 4, "entries": 27,
            "outcomes": {"codille": 1, "passed_out": 1, "undecided": 1, "won": 1},
            "contracts": [
                {"contract": "nolo-ouvert", "played": 2, "outcomes": {"codille": 1, "undecided": 1},
                 "chips": -14, "average": -14.0},
                {"contract": "solo", "played": 1, "outcomes": {"won": 1}, "chips": 6, "average": 6.0},
            ],
            "seats": {
                "forehand": {"chips": 4, "average": 1.33, "declared": 0, "won": 0},
                "middlehand": {"chips": -8, "average": -2.67, "declared": 3, "won": 1},
                "backhand": {"chips": 4, "average": 1.33, "declared": 0, "won": 0},
            },
        }],
        "findings": [
            {"code": "incomplete", "severity": "info", "count": 1, "deals": 1},
            {"code": "revoke", "severity": "error", "count": 1, "deals": 1},
        ],
    }  # fmt: skip


def test_two_processes_count_what_one_counts() -> None:
    given = MIXED["a bad line in every fourth deal"]
    one = run("stats", "-", given=given)
    with small_pieces():
        two = run("stats", "--jobs", "2", "-", given=given)
    assert one.exit_code == 2
    assert shown(two) == shown(one)


def test_what_cannot_be_read_is_told_and_left_out() -> None:
    bad = jsonl([opened(), {"type": "card_played", "seat": "forehand", "card": "S8"}])
    result = run("stats", "-", given=jsonl(SLIP) + bad + jsonl(SLIP))
    assert result.exit_code == 2
    assert result.stdout.startswith("2 deals, 4 entries; 0 with a fault\n1 left out that cannot be read\n")
    assert "line 4, column 53: " in result.stderr


@pytest.mark.parametrize("lang", ["en", "da"])
@pytest.mark.parametrize("width", [60, 80])
def test_lines_keep_to_the_width_of_the_terminal(lang: str, width: int) -> None:
    for rules in PUBLISHED:
        slips = [{**SLIP[1], "contract": one.id} for one in rules.ruleset.contracts]
        given = jsonl(*[[opened(ruleset=rules.ruleset.id), slip] for slip in slips] * 10)
        told = run("stats", "--lang", lang, "-", given=given, COLUMNS=str(width)).stdout
        assert max(map(len, told.splitlines())) <= width
        named = told.partition("\n\n  ")[2].partition("\n\n")[0].splitlines()[1:]
        assert len({line.partition("   ")[0] for line in named}) == len(slips) == len(named)


def test_rules_and_contracts_that_are_not_known_here_have_a_name() -> None:
    given = jsonl([opened(ruleset="our-own"), SLIP[1]])
    (counted,) = answers(run("stats", "--format", "json", "-", given=given))
    (unknown,) = counted["rulesets"]
    assert (unknown["ruleset"], unknown["contracts"][0]["contract"]) == (None, None)
    told = run("stats", "--lang", "da", "-", given=given).stdout
    assert "Regler, der ikke kendes her" in told and "  ukendt " in told


def test_a_narrow_table_leaves_out_outcomes_that_nothing_had_before_it_shortens_names() -> None:
    deal = [opened(ruleset="tresillo"), {**SLIP[1], "contract": "favoured-play"}]
    wide, narrow = (
        run("stats", "--lang", "da", "-", given=jsonl(deal), COLUMNS=width).stdout.splitlines()
        for width in ("80", "60")
    )
    assert wide[5].split() == ["spil", "spillet", "vundet", "bet", "kruk", "andet", "åbne", "pr.", "spil"]
    assert narrow[5].split() == ["spil", "spillet", "åbne", "pr.", "spil"]
    assert "spil i favoritfarven " in narrow[6]
