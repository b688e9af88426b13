"""`spadille score`: who pays whom, why, and what is still possible."""

from engine import audit, build_log
from engine.core.events import DealOpened, RulingMade
from engine.core.field_types import Players
from service.presentation.text.score_lines import list_player_payments, score_lines
from service.presentation.text.style import TextStyle
from tests.support.cli.deals import OPEN, SLIP, Json, answers, jsonl, run
from tests.support.engine.shorthand import slip

FISH = {
    "type": "deal_opened", "ruleset": "ombre", "pool": 5, "title": "For fish",
    "players": {"forehand": "Ann", "middlehand": "Bob", "backhand": "Cis"},
}  # fmt: skip


def fish(tricks: str, contract: str = "solo", **more: object) -> list[Json]:
    return [FISH, slip("F", contract, tricks, trump="H", **more)]


def test_programs_get_a_line_with_the_file_and_the_number() -> None:
    first, second = answers(run("score", "--format", "json", "-", given=jsonl(SLIP, OPEN)))
    assert " ".join(first) == "file deal decided outcome contract declarer tricks slam payments pool items"
    assert (first["file"], first["deal"], second["deal"]) == ("-", 1, 2)
    assert second["payments"] == {"forehand": 7, "middlehand": -14, "backhand": 7}


WON = """\
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
OPEN_STILL = """\
Open cards
  nolo ouvert: ikke afgjort endnu

  Endnu muligt
          Anna   Bo  Carl
  vundet    −6  +12    −6
  kruk      +7  −14    +7

"""


def test_people_read_who_pays_whom_and_what_is_still_possible() -> None:
    assert run("score", "-", given=jsonl(fish("5-3-1", estuches=2))).stdout == WON
    assert run("score", "--at", "8", "--lang", "da", "-", given=jsonl(OPEN)).stdout == OPEN_STILL


def test_what_validate_would_call_a_fault_is_named_with_status_1() -> None:
    unknown = run("score", "-", given=jsonl([{**FISH, "ruleset": "nope"}, *fish("5-2-2")[1:]]))
    assert "✗ The ruleset 'nope' is unknown" in unknown.stdout and unknown.exit_code == 1
    ten_tricks = run("score", "-", given=jsonl(fish("4-3-3")))
    assert "✗ The slip has 10 tricks; there are nine." in ten_tricks.stdout and ten_tricks.exit_code == 1
    stated = [
        answers(run("score", "--format", "json", "-", given=jsonl(fish(tricks))))[0].get("fault")
        for tricks in ("4-3-3", "5-2-2")
    ]
    assert stated == ["The slip has 10 tricks; there are nine.", None]


def test_a_lost_game_round_a_pool_is_paid_into_it_or_to_the_winner() -> None:
    puesta = run("score", "-", given=jsonl(fish("4-4-1"))).stdout
    assert "  Ann  pays the pool  21  fish\n" in puesta
    assert "The pool held 5 and now holds 26." in puesta
    assert "16  in all  solo: the base for each opponent, into the pool" in puesta
    codille = run("score", "--lang", "da", "-", given=jsonl(fish("3-4-2"))).stdout
    assert "  Ann  betaler Bob  21  fisk\n" in codille
    assert "16  i alt  solo: grundtaksten for hver modspiller, til den, der vandt" in codille


def test_where_several_pay_several_nobody_can_say_who_pays_whom() -> None:
    """A director may rule any payments: then only what each has more or less is told."""
    players = Players("Ann", "Bob", "Cis", ("Dot",))
    ruling = RulingMade("as agreed", payments=(("Ann", 3), ("Bob", 2), ("Cis", -4), ("Dot", -1)))
    audited = audit(build_log([DealOpened("dlu", players), ruling]))
    assert list_player_payments(audited.score) is None
    lines = score_lines(audited.state, audited.score, TextStyle())
    assert [line.split() for line in lines if "+" in line or "−" in line] == [
        ["Ann", "+3"], ["Bob", "+2"], ["Cis", "−4"], ["Dot", "−1"],
    ]  # fmt: skip
    assert not any("pays" in line for line in lines)
