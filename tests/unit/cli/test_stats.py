"""`spadille stats`: what many deals hold, in tables and as JSON, whoever reads them."""

from pathlib import Path
from typing import Any

import pytest

from engine.rulesets import PUBLISHED_RULESETS
from service.app import create_app
from service.eventstore import SqliteStore
from service.eventstore.ids import new_id
from tests.support.api.clients import owner_of
from tests.support.cli.deals import OPEN, PASSED_OUT, REVOKED, SLIP, answers, jsonl, opening, refusal, run
from tests.support.engine.shorthand import slip

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

Players
  player  deals  declared  won  bête  codille  chips
  Anna        3         0    0     0        0     +4
  Carl        3         0    0     0        0     +4
  Bo          3         2    1     0        1     −8

Findings
  times  severity  kind        deals
      1  info      incomplete      1
      1  error     revoke          1
"""
IN_DANISH = """\
4 spil, 27 poster; 1 med fejl

Dansk L'hombre-Union (DLU)
  4 spil, 27 poster; alle meldte pas 1

  melding      spillet  vundet  bet  kruk  andet  åbne  pr. spil
  nolo ouvert        2       0    0     1      0     1    −14,00
  solo               1       1    0     0      0     0     +6,00

  plads       spillet  vundet  jetoner  pr. spil
  forhånd           0       0       +4     +1,33
  mellemhånd        3       1       −8     −2,67
  baghånd           0       0       +4     +1,33

Spillere
  spiller  spil  meldt  vundet  bet  kruk  jetoner
  Anna        3      0       0    0     0       +4
  Carl        3      0       0    0     0       +4
  Bo          3      2       1    0     1       −8

Bemærkninger
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
    (dlu,), (anna, _, bo) = told.pop("rulesets"), told.pop("players")
    assert anna == {
        "player": "Anna", "chips": 4, "played": 3, "sat_out": 0, "declared": 0, "won": 0, "bete": 0,
        "codille": 0,
    }  # fmt: skip
    assert (bo["player"], bo["declared"], bo["won"], bo["codille"]) == ("Bo", 2, 1, 1)
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


def evening(day: str, *tricks: str) -> bytes:
    """A table of that day; forehand plays solo in each deal and wins that number of tricks."""
    players = ["Anna", "Bo", "Carl", "Dora"]
    table: list[Any] = [{"type": "table_opened", "ruleset": "dlu", "players": players, "id": new_id(),
                         "recorded_at": f"{day}T19:00:00Z"}]  # fmt: skip
    deals: list[Any] = []
    for number, counts in enumerate(tricks, 1):
        table.append({"type": "deal_started", "deal": new_id(), "number": number})
        first, out, second, last = (players[(number - 1 + place) % 4] for place in range(4))
        seats = {"forehand": first, "middlehand": second, "backhand": last, "sitting_out": [out]}
        deal = opening(players=seats, number=number, id=table[-1]["deal"])
        deals.append([deal, {**slip("F", "solo", counts), "trump": "H"}])
    return jsonl(table, *deals)


IN_SEASON = """\
2026-08-01 – 2027-07-31: 1 evening, 2 deals

  player  deals  declared  won  bête  codille  chips
  Anna        2         1    1     0        0     +9
  Dora        2         0    0     0        0      0
  Carl        1         0    0     0        0     −3
  Bo          1         1    0     1        0     −6
"""


def test_a_season_has_the_figures_of_its_evenings(tmp_path: Path) -> None:
    file = tmp_path / "club.jsonl"
    file.write_bytes(evening("2026-11-19", "5-2-2", "4-4-1") + evening("2026-05-07", "5-2-2"))
    told = run("stats", "--season", "2026/27", str(file)).stdout
    assert told == IN_SEASON
    danish = run("stats", "--to", "2026-07-31", "--lang", "da", str(file)).stdout
    assert danish.startswith("… – 2026-07-31: 1 aften, 1 spil\n")
    for days, deals in ((("--season", "all"), 3), (("--from", "2026-05-08", "--to", "2026-12-31"), 2)):
        (one,) = answers(run("stats", *days, "--format", "json", str(file)))
        assert one["deals"] == deals
    assert (
        run("stats", "--season", "2027-28", str(file)).stdout
        == "2027-08-01 – 2028-07-31: 0 evenings, 0 deals\n"
    )


def test_a_store_has_the_figures_of_its_page(tmp_path: Path) -> None:
    logs = tmp_path / "club.jsonl"
    logs.write_bytes(evening("2026-11-19", "5-2-2", "4-4-1") + evening("2026-05-07", "5-2-2"))
    assert run("import-slips", str(logs), "--store", f"{tmp_path}/store.db").exit_code == 0
    for season in ("2026-27", "all"):
        (told,) = answers(
            run("stats", "--data", f"{tmp_path}/store.db", "--season", season, "--format", "json")
        )
        with SqliteStore(tmp_path / "store.db") as store:
            page = owner_of(create_app(store)).get(f"/api/v1/seasons/{season}").get_json()
        assert told["players"] == page["standings"]
        assert told["evenings"] == len(page["evenings"])


@pytest.mark.parametrize(("arguments", "says"), [
    ([], "Name files, or a store with --data."),
    (["--season", "summer", "-"], "Write a season as 2026/27, 2026 or all"),
    (["--season", "2026", "--from", "2026-01-01", "-"], "or days with --from and --to"),
    (["--from", "2026-02-01", "--to", "2026-01-01", "-"], "--from is a later day than --to."),
    (["--season", "2026", "--viewer", "public", "-"], "--viewer is for deals in files"),
])  # fmt: skip
def test_what_names_no_evenings_is_refused(arguments: list[str], says: str) -> None:
    assert says in refusal("stats", *arguments, given=FOUR)


def test_a_table_without_a_date_is_in_no_season_but_counts_in_all(tmp_path: Path) -> None:
    file = tmp_path / "typed.jsonl"
    file.write_bytes(evening("2026-11-19", "5-2-2").replace(b'"recorded_at"', b'"title"'))
    result = run("stats", "--season", "2026", str(file))
    assert result.exit_code == 2 and "nothing says when this was played" in result.stderr
    assert run("stats", "--season", "all", str(file)).stdout.startswith("All evenings: 1 evening, 1 deal\n")


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
    assert wide[5].split() == ["melding", "spillet", "vundet", "bet", "kruk", "andet", "åbne", "pr.", "spil"]
    assert narrow[5].split() == ["melding", "spillet", "åbne", "pr.", "spil"]
    assert "spil i favoritfarven " in narrow[6]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_deals_of_a_table_that_is_set_aside_are_not_counted(jobs: str) -> None:
    table = [{"type": "table_opened", "ruleset": "dlu", "players": ["Anna", "Bo", "Carl"]}]
    deal = [{**SLIP[0], "id": "018f5e2a-0000-7000-8000-000000000001"}, *SLIP[1:]]
    started = {"type": "deal_started", "deal": "018f5e2a-0000-7000-8000-000000000001", "number": 1}
    voided = {"type": "table_voided", "reason": "Opened twice."}
    rest = jsonl(SLIP, PASSED_OUT, REVOKED)
    result = run("stats", "--jobs", jobs, "-", given=jsonl([*table, started, voided], deal) + rest)
    assert result.stdout == run("stats", "-", given=rest).stdout
    assert result.stderr == "Not counted: the deals of tables that are set aside.\n"
    counted = jsonl([*table, started], deal) + rest
    assert run("stats", "-", given=counted).stdout == run("stats", "-", given=jsonl(deal) + rest).stdout
