"""`spadille score` and `spadille validate`: who pays whom and why, what was found, and the exit status."""

from collections import Counter
from pathlib import Path

import pytest

import replays
from engine import audit, log_of
from engine.core.events import DealOpened, RulingMade
from engine.core.vocabulary import Players
from engine.scoring.payments import Item
from schemas.answers.reports import report_object
from schemas.wire.reader import read_event
from service.presentation.text.accounts import score_lines, transfers
from service.presentation.text.style import Style
from service.presentation.text.words import REASONS
from tests.support.cli.deals import (
    OPEN,
    PASSED_OUT,
    PLAYERS,
    REVOKED,
    SLIP,
    Json,
    answers,
    jsonl,
    opened,
    run,
)
from tests.support.effort import examples
from tests.support.engine.slipping import BEGUN, PLAYED, QUEEN, not_tapped

FISH = {
    "type": "deal_opened", "ruleset": "ombre", "pool": 5, "title": "For fish",
    "players": {"forehand": "Ann", "middlehand": "Bob", "backhand": "Cis"},
}  # fmt: skip


def slip(tricks: tuple[int, int, int], **fields: object) -> list[Json]:
    counts = dict(zip(PLAYERS, tricks, strict=True))
    played = {"declarer": "forehand", "contract": "solo", "trump": "H", "tricks": counts}
    return [FISH, {"type": "result_recorded", **played, **fields}]


def test_the_score_of_a_deal_is_a_line_with_its_file_and_number() -> None:
    first, second = answers(run("score", "--format", "json", "-", given=jsonl(SLIP, OPEN)))
    assert " ".join(first) == ("file deal decided outcome contract declarer tricks slam payments pool items")
    assert (first["file"], first["deal"], second["deal"]) == ("-", 1, 2)
    assert second["payments"] == {"forehand": 7, "middlehand": -14, "backhand": 7}


def test_people_read_who_pays_whom_in_columns() -> None:
    assert (
        run("score", "-", given=jsonl(slip((5, 3, 1), estuches=2))).stdout
        == """\
For fish
  solo in hearts: Ann won
  tricks: Ann 5, Bob 3, Cis 1
  Bob       pays Ann  10  fish
  Cis       pays Ann  10  fish
  the pool  pays Ann   5  fish

  Ann  +25
  Bob  −10
  Cis  −10
  The pool held 5 and now holds 0.

  8  from each  solo: sacada                        8. Payments
  2  from each  estuches: 2 in a row from spadille  8. Payments
  5  in all     the pool                            8. Payments

"""
    )


def test_a_lost_game_round_a_pool_is_paid_into_it_or_to_the_winner() -> None:
    puesta = run("score", "-", given=jsonl(slip((4, 4, 1)))).stdout
    assert "  Ann  pays the pool  21  fish\n" in puesta
    assert "The pool held 5 and now holds 26." in puesta
    assert "16  in all  solo: the base for each opponent, into the pool" in puesta
    codille = run("score", "--lang", "da", "-", given=jsonl(slip((3, 4, 2)))).stdout
    assert "  Ann  betaler Bob  21  fisk\n" in codille
    assert "16  i alt  solo: grundtaksten for hver modspiller, til den, der vandt" in codille


def test_what_is_still_possible_stands_in_columns() -> None:
    assert (
        run("score", "--at", "8", "--lang", "da", "-", given=jsonl(OPEN)).stdout
        == """\
Open cards
  nolo ouvert: ikke afgjort endnu

  Endnu muligt
          Anna   Bo  Carl
  vundet    −6  +12    −6
  kruk      +7  −14    +7

"""
    )


def test_where_several_pay_several_nobody_can_say_who_pays_whom() -> None:
    """A director may rule any payments: then only what each has more or less is told."""
    players = Players("Ann", "Bob", "Cis", ("Dot",))
    ruling = RulingMade("as agreed", payments=(("Ann", 3), ("Bob", 2), ("Cis", -4), ("Dot", -1)))
    audited = audit(log_of([DealOpened("dlu", players), ruling]))
    assert transfers(audited.score) is None
    lines = score_lines(audited.state, audited.score, Style())
    assert [line.split() for line in lines if "+" in line or "−" in line] == [
        ["Ann", "+3"], ["Bob", "+2"], ["Cis", "−4"], ["Dot", "−1"],
    ]  # fmt: skip
    assert not any("pays" in line for line in lines)


SCORES = [audit(one.log()).score for one in replays.examples()]


def test_transfers_come_to_what_everybody_has_more_or_less() -> None:
    told = [(transfers(score), dict(score.payments or ())) for score in SCORES[:: examples(1, 4)]]
    assert sum(bool(paid) for paid, _ in told) > 20
    for paid, payments in told:
        owed = Counter[str]()
        for payer, receiver, chips in paid or ():
            assert chips > 0
            owed.update({payer: -chips, receiver: chips})
        assert paid is None or {player: owed[player] for player in payments} == payments


def test_every_reason_is_told_in_danish_too() -> None:
    known = {item.label for score in SCORES for item in score.items}
    assert len(known) > 20
    assert [label for label in known if not any(pattern.fullmatch(label) for pattern, _ in REASONS)] == []


def test_a_reason_that_nobody_translated_keeps_its_english() -> None:
    audited = audit(log_of([DealOpened("dlu", Players("Ann", "Bob", "Cis"))]))
    score = audited.score._replace(
        decided=True, outcome="won", payments=(("forehand", 2),), items=(Item("a new thing", 2, "10. New"),)
    )
    told = score_lines(audited.state, score, Style("da"))[-1]
    assert told == "  2  fra hver  a new thing  10. New"


# --- `spadille validate` ---------------------------------------------------------------------------


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
