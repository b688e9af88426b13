"""`spadille validate`: one line for each deal, what was found in it, and the exit status."""

from pathlib import Path

import pytest

from tests.support.cli.deals import OPEN, REVOKED, SLIP, Json, answers, jsonl, opening, run, text_of
from tests.support.engine.slipping import BEGUN, PLAYED, QUEEN, not_tapped


def test_programs_get_a_line_of_a_published_shape() -> None:
    (answer,) = answers(run("validate", "--format", "json", "-", given=jsonl(SLIP)))
    assert list(answer) == ["file", "deal", "title", "ruleset", "ok", "findings", "score"]
    assert answer == {
        "file": "-", "deal": 1, "title": None, "ruleset": "dlu", "ok": True, "findings": [],
        "score": {
            "decided": True, "outcome": "won", "contract": "solo", "declarer": "middlehand",
            "tricks": {"forehand": 3, "middlehand": 4, "backhand": 2}, "slam": None,
            "payments": {"forehand": -3, "middlehand": 6, "backhand": -3}, "pool": None,
            "items": [{"label": "solo won", "each": 3, "rule": "7. Payments"}],
        },
    }  # fmt: skip


def test_a_finding_says_entry_seat_code_and_evidence() -> None:
    result = run("validate", "--format", "json", "-", given=jsonl(REVOKED))
    (answer,) = answers(result)
    (revoke,) = (finding for finding in answer["findings"] if finding["code"] == "revoke")
    assert result.exit_code == 1
    assert not answer["ok"]
    assert list(revoke) == ["seq", "code", "severity", "seat", "message", "rule", "evidence"]
    assert (revoke["seq"], revoke["severity"], revoke["seat"]) == (10, "error", "middlehand")
    assert {9, 10} <= set(revoke["evidence"])


def test_the_status_is_1_for_a_fault_only() -> None:
    for deals, status in (([SLIP, OPEN], 0), ([SLIP, REVOKED, OPEN], 1), ([SLIP[:1]], 0)):
        for output in ("text", "json"):
            assert run("validate", "--format", output, "-", given=jsonl(*deals)).exit_code == status


def test_every_deal_of_every_file_is_judged_whatever_else_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    bad = jsonl([opening()]) + b'{"type":"card_played","seat":"forehand","card":"S8"}\n'
    file.write_bytes(jsonl(SLIP) + bad + jsonl(REVOKED))
    none = str(tmp_path / "none.jsonl")
    result = run("validate", "--format", "json", str(file), none, "-", given=jsonl(OPEN))
    told = [(answer["file"], answer["deal"], answer["ok"]) for answer in answers(result)]
    assert told == [(str(file), 1, True), (str(file), 3, False), ("-", 1, True)]
    assert result.exit_code == 2
    assert f"{file}, line 4, column 48: " in result.stderr
    assert "deal 2 (from line 3) is left out" in result.stderr
    assert "none.jsonl”" in result.stderr


HINTS = {
    "en": "A slip of the pen may explain what is found in the record; spadille audit says which.",
    "da": "En skrivefejl kan forklare bemærkningerne til optegnelsen; spadille audit siger hvilken.",
}


@pytest.mark.parametrize("lang", HINTS)
@pytest.mark.parametrize("command", ["validate", "score"])
def test_what_a_slip_may_explain_leads_to_the_audit(command: str, lang: str) -> None:
    def told(events: list[Json]) -> str:
        return text_of(command, "--lang", lang, "-", given=jsonl(events))

    assert HINTS[lang] in told([*BEGUN, *not_tapped(QUEEN)])
    assert HINTS[lang] not in told(REVOKED)
    assert HINTS[lang] not in told([*BEGUN, *PLAYED])


REPORT = """\
✓ deal 1 · Danish Ombre Union (DLU) · solo in hearts: Bo won
✓ Open cards · Danish Ombre Union (DLU) · nolo ouvert: Bo codille
✗ Open cards · Danish Ombre Union (DLU) · nolo ouvert: not decided yet
    ✗ entry 10, middlehand: Bo plays ♥7 to ♣A at trick 1, holding ♣2, ♣3: a
      revoke.
      error · revoke · 5. Play · shown at 2, 8, 9
    · entry 10: The record ends before it is known what the deal pays.
      info · incomplete · 9. Record
3 deals: 2 without faults, 1 with
"""


def test_people_read_a_line_for_each_deal_and_a_count() -> None:
    assert run("validate", "-", given=jsonl(SLIP, OPEN, REVOKED)).stdout == REPORT


def test_a_viewer_gets_only_what_the_cut_log_shows() -> None:
    """To the public the revoke is no revoke: it saw no club in the hand."""
    unseen = [event for event in REVOKED if event["type"] != "cards_shown"]
    assert run("validate", "-", given=jsonl(unseen)).exit_code == 1
    for viewer in ("public", "forehand", "backhand"):
        result = run("validate", "--viewer", viewer, "--format", "json", "-", given=jsonl(unseen))
        (answer,) = answers(result)
        assert answer["title"] is None
        assert "revoke" not in result.stdout
        assert "C2" not in result.stdout
    assert "revoke" in run("validate", "--viewer", "middlehand", "-", given=jsonl(unseen)).stdout


@pytest.mark.parametrize(("lang", "told"), [("en", "deal 2 (number 9) · "), ("da", "spil 2 (nr. 9) · ")])
def test_the_number_that_a_deal_bears_stands_beside_its_place(lang: str, told: str) -> None:
    numbered = [{**SLIP[0], "number": 9}, *SLIP[1:]]
    first, second, third, _ = run(
        "validate", "--lang", lang, "-", given=jsonl([{**SLIP[0], "number": 1}, *SLIP[1:]], numbered, SLIP)
    ).stdout.splitlines()
    assert told in second
    assert "(" not in first.split("·")[0] + third.split("·")[0]
    assert told.split(" · ")[0] in run("show", "--lang", lang, "-", given=jsonl(SLIP, numbered)).stdout
    late = run("score", "--at", "3", "-", given=jsonl(SLIP, numbered)).stderr
    assert "deal 2 (number 9): The log has no entry 3." in late
