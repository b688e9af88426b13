"""`spadille ledger`: the evening at a table, for people, for programs and for a spreadsheet."""

import csv
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.events import Event, HandTakenOver, PuestaReserved, ResultRecorded
from engine.core.field_types import Plan
from engine.core.table_events import (
    PaymentMade,
    PenaltyGiven,
    PlayerJoined,
    TableClosed,
    TableOpened,
    TableVoided,
)
from tests.support.cli.deals import SLIP, answers, jsonl, run, text_of
from tests.support.cli.ledger import F, M, lines_of, slip_result, wire_events
from tests.support.effort import examples
from tests.support.engine.evenings import Evening
from tests.support.engine.tables_laws import AT_A_TABLE


def thursday() -> Evening:
    evening = Evening(
        "ombre", 4, plan=Plan(deals=12), chip_value="0.10", currency="kr", title="Thursday evening"
    )
    evening.play(slip_result("bete"))
    evening.play(slip_result("won", M, "solo"))
    evening.table.append(PaymentMade("Bo", "Anna", 3, "a coffee"))
    evening.play(ResultRecorded("passed_out"))
    evening.table.append(PenaltyGiven("Carl", 2))
    evening.play()
    return evening


THURSDAY = """\
Thursday evening
English Ombre (Aldenham, Parlett) · Anna, Bo, Carl, Dora · 1 fish = 0.10 kr

   deals                        Anna   Bo  Carl  Dora  pool
1  Dora   play: Anna bête        −20    0     0    −5    25
2  Anna   solo: Carl won         −13   −8   +54    −8     0
          Bo to Anna: a coffee    +3   −3
3  Bo     all passed               0   −5     0     0     5
4  Carl   not decided yet                    −5          10
───────────────────────────────────────────────────────────
          Total                  −30  −16   +49   −13    10

Standings
  1  Carl  +49   4.90 kr
  2  Dora  −13  −1.30 kr
  3  Bo    −16  −1.60 kr
  4  Anna  −30  −3.00 kr

Penalty points
  Carl  2

In the pool
  10
  Divided now: Anna 3, Bo 3, Carl 2, Dora 2.

Who owes whom
  Anna  pays Carl  27  fish  2.70 kr
  Bo    pays Carl  13  fish  1.30 kr
  Dora  pays Carl  11  fish  1.10 kr

Next
  Deal 5: Dora deals; Anna is forehand, Bo middlehand, Carl backhand; sits out:
  Dora; 15 in the pool.
  Deals left of 12: 8.

"""


def test_the_sheet_of_an_evening() -> None:
    result = run("ledger", "-", given=lines_of(thursday()))
    assert (result.stdout, result.stderr, result.exit_code) == (THURSDAY, "", 0)


def test_the_same_in_danish() -> None:
    told = run("ledger", "--lang", "da", "-", given=lines_of(thursday())).stdout
    for line in (
        "1  Dora   spil: Anna gik bet", "Bo til Anna: a coffee", "4  Carl   ikke afgjort endnu", "Stillingen",
        "  1  Carl  +49   4,90 kr", "Strafpoint", "  Delt nu: Anna 3, Bo 3, Carl 2, Dora 2.",
        "  Anna  betaler Carl  27  fisk  2,70 kr", "Spil 5: Dora giver", "  Spil tilbage af 12: 8.",
    ):  # fmt: skip
        assert line in told


def test_programs_get_the_ledger_of_the_api() -> None:
    (told,) = answers(run("ledger", "--format", "json", "-", given=lines_of(thursday())))
    assert (told["file"], told["table"], told["title"]) == ("-", 1, "Thursday evening")
    assert told["totals"] == {"Anna": -30, "Bo": -16, "Carl": 49, "Dora": -13}
    assert told["lines"][1]["seating"]["sitting_out"] == ["Anna"]
    assert told["lines"][2]["deal"] is None
    (following,) = told["following"]
    assert (following["number"], following["pool"], following["dealt_again"]) == (5, 15, ["voided"])
    assert following["seating"]["dealer"] == "Dora"


def test_as_csv_there_is_a_row_for_each_deal_and_payment() -> None:
    told = run("ledger", "--format", "csv", "-", given=lines_of(thursday())).stdout
    rows = list(csv.DictReader(StringIO(told)))
    assert [row["Anna, total"] for row in rows] == ["-20", "-33", "-30", "-30", "-30"]
    assert [row["pool"] for row in rows] == ["25", "0", "", "5", "10"]
    assert (rows[2]["note"], rows[4]["decided"], rows[1]["sitting out"]) == ("a coffee", "no", "Anna")


def test_deals_are_found_by_their_ids_in_any_order_and_file(tmp_path: Path) -> None:
    ids = {f"deal-{n}": f"018f5e2a-0000-7000-8000-00000000000{n}" for n in (1, 2)}
    evening = Evening("dlu")
    evening.play(slip_result("won", F, "simple"))
    evening.play(slip_result("codille", F, "solo"))
    table = wire_events(evening.table)
    for one in table:
        if "deal" in one:
            one["deal"] = ids[one["deal"]].upper()
    deals = [wire_events(log, id=ids[name]) for name, log in evening.logs.items()]
    for opening, *_ in deals:
        del opening["number"]
    files = [tmp_path / name for name in ("deals.jsonl", "table.jsonl")]
    files[0].write_bytes(jsonl(*reversed(deals)))
    files[1].write_bytes(jsonl(table))
    (told,) = answers(run("ledger", "--format", "json", *map(str, files)))
    assert (told["file"], told["findings"]) == (str(files[1]), [])
    assert [line["outcome"] for line in told["lines"]] == ["won", "codille"]
    assert told["totals"] == {"Anna": 6, "Bo": -9, "Carl": 3}


def test_what_belongs_to_no_table_or_is_not_here_is_named() -> None:
    evening = Evening("dlu")
    evening.play(slip_result("won", F, "simple"))
    again = wire_events(evening.logs["deal-1"])
    result = run("ledger", "--format", "json", "-", given=lines_of(evening) + jsonl(again, SLIP))
    (told,) = answers(result)
    assert (result.exit_code, len(told["lines"])) == (0, 1)
    assert result.stderr == (
        "deal 3 (number 1): no table in the input has started this deal; it is left out.\n"
        "deal 4: no table in the input has started this deal; it is left out.\n"
    )
    table_alone = run("ledger", "-", given=jsonl(wire_events(evening.table))).stdout
    assert "1  Carl   not decided yet" in table_alone
    assert "· entry 2: The record of this deal is not here; what it pays does not count." in table_alone


def test_two_tables_tell_their_deals_apart_by_the_table_they_name() -> None:
    ids = [f"018f5e2a-0000-7000-8000-00000000000{n}" for n in (1, 2)]
    logs = []
    for table, outcome in zip(ids, ("won", "codille"), strict=True):
        evening = Evening("dlu")
        evening.play(slip_result(outcome, F, "simple"))
        logs += [wire_events(evening.table, id=table), wire_events(evening.logs["deal-1"], table=table)]
    first, second = answers(
        run("ledger", "--format", "json", "-", given=jsonl(logs[3], logs[0], logs[2], logs[1]))
    )
    assert (first["totals"]["Anna"], second["totals"]["Anna"]) == (2, -4)


def test_a_table_at_which_nothing_happened_yet() -> None:
    assert text_of("ledger", "-", given=jsonl(wire_events(Evening("dlu").table))) == (
        "Table Danish Ombre Union (DLU) · Anna, Bo, Carl No deal and no payment has been recorded yet. "
        "Next Deal 1: Carl deals; Anna is forehand, Bo middlehand, Carl backhand."
    )


def test_a_closed_table_in_a_file_with_a_puesta_set_aside(tmp_path: Path) -> None:
    evening = Evening("ombre")
    evening.table.append(PaymentMade("Anna", "Bo", 1, "\x1b[31mred"))
    evening.play(slip_result("bete"), PuestaReserved(F))  # type: ignore[arg-type]
    (tmp_path / "evening.jsonl").write_bytes(lines_of(evening))
    told = run("ledger", str(tmp_path / "evening.jsonl"), COLUMNS="100").stdout
    assert told.startswith("Table in /")
    assert "\x1b" not in told, "what a stranger wrote steers the terminal"
    assert "\nIn the pool\n  5; 15 set aside\n" in told
    assert "10 in the pool; 15 set aside.\n" in told
    evening.table.append(TableClosed())
    (tmp_path / "evening.jsonl").write_bytes(lines_of(evening))
    closed = run("ledger", str(tmp_path / "evening.jsonl"), COLUMNS="100").stdout
    assert "Anna, Bo, Carl · closed\n" in closed
    assert "\nNext\n" not in closed


def test_a_table_says_its_date_and_that_it_is_set_aside() -> None:
    evening = Evening("dlu", date="1766-05", title="Thursday")
    evening.play(slip_result("won", F, "simple"))
    evening.table.append(TableVoided("Opened \x1b[31mtwice."))
    for command in ("ledger", "audit"):
        told = run(command, "-", given=lines_of(evening)).stdout
        assert "Thursday\nThis table is set aside and counts nowhere: Opened " in told
        assert "\x1b" not in told, "what a stranger wrote steers the terminal"
        assert "\nMay 1766 · Danish Ombre Union (DLU) · Anna, Bo, Carl" in told
    danish = run("ledger", "--lang", "da", "-", given=lines_of(evening)).stdout
    assert "Dette bord tæller ikke med: Opened " in danish and "\nmaj 1766 · " in danish
    (ledger,) = answers(run("ledger", "--format", "json", "-", given=lines_of(evening)))
    assert ledger["voided"] == "Opened \x1b[31mtwice." and ledger["totals"]["Anna"]


def test_findings_and_a_hand_taken_over_stand_with_their_deals() -> None:
    evening = Evening("ombre", title="\x1b[2JTable")
    evening.table.append(PlayerJoined("Bo"))
    evening.play(slip_result("won"), opening=evening.opening(pool=25))
    told = run("ledger", "-", given=lines_of(evening)).stdout
    assert "\x1b" not in told, "what a stranger wrote steers the terminal"
    assert "  ! entry 2: Bo sits down, but sits there already.\n" in told
    assert "  deal 1\n    ✗ entry 1: The deal is opened with 25 in the pool; " in told
    danish = run("ledger", "--lang", "da", "-", given=lines_of(evening)).stdout
    assert "fejl · puljen stemmer ikke · 8. Puljen" in danish
    evening = Evening("dlu", 4)
    evening.play(HandTakenOver(F, "Bo"), slip_result("won", F, "simple"))  # type: ignore[arg-type]
    assert "simple game: Bo won (Bo for Anna)" in run("ledger", "-", given=lines_of(evening)).stdout


@pytest.mark.parametrize(("columns", "count"), [(60, 3), (60, 5), (80, 8), (100, 8)])
def test_a_sheet_is_never_wider_than_the_page(columns: int, count: int) -> None:
    """However many there are and however long their names, nothing of what was played is lost."""
    names = [
        f"{name} fra den lange bakke" for name in ("Ann", "Bo", "Cis", "Dot", "Eva", "Fie", "Gil", "Hob")
    ]
    table = TableOpened("ombre", tuple(names[: min(count, 5)]), chip_value="0.10", currency="kr")
    evening = Evening("ombre")
    evening.table = [table]
    evening.play(slip_result("won", F, "voltereta", primeras=True))
    evening.table += [PlayerJoined(name) for name in names[5:count]]
    evening.table.append(PaymentMade(names[count - 1], names[0], 10, "for the long way home"))
    told = run("ledger", "-", given=lines_of(evening), COLUMNS=str(columns)).stdout
    assert max(map(len, told.splitlines())) <= columns
    assert {"voltereta:", "won", "way", "home"} <= set(told.split())


@settings(max_examples=examples(60))
@given(
    st.lists(AT_A_TABLE, max_size=8),
    st.sampled_from(["ombre", "dlu", "mars"]),
    st.integers(0, 7),
    st.sampled_from(["text", "json", "csv"]),
)
def test_any_table_has_a_ledger(events: list[Event], ruleset: str, players: int, output: str) -> None:
    table = TableOpened(ruleset, tuple(f"Player {n}" for n in range(players)), chip_value="1")
    result = run("ledger", "--format", output, "-", given=jsonl(wire_events([table, *events])), COLUMNS="100")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout


def test_the_gravest_of_many_findings_are_shown() -> None:
    evening = Evening("dlu", 3)
    evening.play(ResultRecorded("passed_out"))
    given = lines_of(evening) + jsonl([{"type": "card_played", "seat": "forehand", "card": "SA"}] * 9)
    (told,) = answers(run("ledger", "--format", "json", "-", given=given))
    found = [one["severity"] for one in told["findings"]]
    assert len(found) > 5 and "info" not in found
    shown = run("ledger", "-", given=given).stdout
    assert shown.count("✗") == 5
    assert f"… and {len(found) - 5} more; spadille validate lists them." in shown
    hint = "A slip of the pen may explain what is found in the record; spadille audit says which."
    assert shown.rstrip().endswith(hint.replace("says which", "says\nwhich"))
    assert "slip of the pen" not in run("ledger", "-", given=lines_of(thursday())).stdout
