"""`spadille validate`: one line for each deal, what was found in it, and the exit status."""

from pathlib import Path

import pytest

from engine import audit, log_of
from schemas.answers.reports import report_object
from schemas.wire.reader import read_event
from tests.support.cli.deals import (
    OPEN,
    PASSED_OUT,
    REVOKED,
    SLIP,
    answers,
    jsonl,
    opened,
    run,
)
from tests.support.engine.slipping import BEGUN, PLAYED, QUEEN, not_tapped


def test_a_deal_is_a_line_of_the_shape_that_programs_expect() -> None:
    told = answers(run("validate", "--format", "json", "-", given=jsonl(SLIP, REVOKED)))
    for number, answer in enumerate(told, 1):
        assert list(answer) == ["file", "deal", "title", "ruleset", "ok", "findings", "score"]
        judged = audit(log_of(map(read_event, (SLIP, REVOKED)[number - 1])))
        assert answer == report_object(judged, "-", number)


@pytest.mark.parametrize(
    ("deals", "status"),
    [([SLIP], 0), ([SLIP, OPEN, PASSED_OUT], 0), ([SLIP, REVOKED, OPEN], 1), ([SLIP[:1]], 0)],
)
def test_the_status_is_1_for_a_fault_only(deals: list, status: int) -> None:
    for output in ("text", "json"):
        assert run("validate", "--format", output, "-", given=jsonl(*deals)).exit_code == status


def test_every_deal_of_every_file_has_its_line(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    one.write_bytes(jsonl(SLIP, OPEN))
    two.write_bytes(jsonl(PASSED_OUT))
    result = run("validate", "--format", "json", str(one), str(two))
    told = [(Path(answer["file"]).name, answer["deal"], answer["title"]) for answer in answers(result)]
    assert told == [("one.jsonl", 1, None), ("one.jsonl", 2, "Open cards"), ("two.jsonl", 1, "Nobody plays")]


def test_what_cannot_be_read_hides_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    bad = jsonl([opened()]) + b'{"type":"card_played","seat":"forehand","card":"S8"}\n'
    file.write_bytes(jsonl(SLIP) + bad + jsonl(REVOKED))
    none = str(tmp_path / "none.jsonl")
    result = run("validate", "--format", "json", str(file), none, "-", given=jsonl(OPEN))
    told = [(answer["deal"], answer["ok"]) for answer in answers(result)]
    assert told == [(1, True), (3, False), (1, True)]
    assert result.exit_code == 2
    assert f"{file}, line 4, column 48: " in result.stderr
    assert "deal 2 (from line 3) is left out" in result.stderr
    assert "none.jsonl”" in result.stderr


@pytest.mark.parametrize("command", ["validate", "score"])
def test_who_may_have_to_do_with_a_mistake_of_the_pen_is_sent_to_the_audit(command: str) -> None:
    hint = "A mistake of the pen may explain what is found in the record; spadille audit says which."
    slipped = [*BEGUN, *not_tapped(QUEEN)]
    for events, hinted in ((slipped, True), (REVOKED, False), ([*BEGUN, *PLAYED], False)):
        assert (hint in " ".join(run(command, "-", given=jsonl(events)).stdout.split())) is hinted


def test_people_read_a_line_for_each_deal_and_a_count() -> None:
    result = run("validate", "-", given=jsonl(SLIP, OPEN, REVOKED))
    assert (
        result.stdout
        == """\
✓ deal 1 · Danish Ombre Union (DLU) · solo in hearts: Bo won
✓ Open cards · Danish Ombre Union (DLU) · nolo ouvert: Bo codille
✗ Open cards · Danish Ombre Union (DLU) · nolo ouvert: not decided yet
    ✗ entry 10, middlehand: Bo plays ♥7 to ♣A at trick 1, holding ♣2, ♣3: a
      revoke.
      error · revoke · 5. Play · shown at 2, 8, 9
    · entry 10: The record ends before it is known what the deal pays.
      info · incomplete · 9. Record
3 deals: 2 without fault, 1 with
"""
    )


def test_a_viewer_is_told_what_his_log_shows_and_no_more() -> None:
    """To the public the revoke is no revoke: it saw no club in the hand."""
    unseen = [event for event in REVOKED if event["type"] != "cards_shown"]
    assert run("validate", "-", given=jsonl(unseen)).exit_code == 1
    result = run("validate", "--viewer", "public", "--format", "json", "-", given=jsonl(unseen))
    assert answers(result)[0]["title"] is None
    assert "revoke" not in result.stdout and "C2" not in result.stdout
    assert "revoke" in run("validate", "--viewer", "middlehand", "-", given=jsonl(unseen)).stdout


def test_the_number_that_a_deal_bears_stands_beside_its_place() -> None:
    as_placed, numbered = ([{**SLIP[0], "number": number}, *SLIP[1:]] for number in (1, 9))
    first, second, third, _ = run("validate", "-", given=jsonl(as_placed, numbered, SLIP)).stdout.splitlines()
    assert "deal 2 (number 9) · " in second
    assert "(" not in first.split("·")[0] + third.split("·")[0]
    late = run("score", "--at", "3", "-", given=jsonl(SLIP, numbered)).stderr
    assert "deal 2 (number 9): The log has no entry 3." in late
