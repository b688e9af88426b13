"""`spadille replay`: entry by entry, as states and in words; and variations in files."""

import json
from pathlib import Path

import pytest

from engine import audit, build_log, legal
from schemas.answers.states import legal_object, score_object, state_object
from schemas.wire.event_reader import read_event
from tests.support.cli.deals import OPEN, answers, jsonl, run, whole_deal
from tests.support.effort import examples


def test_a_line_has_the_event_and_what_is_after_it() -> None:
    lines = answers(run("replay", "--format", "json", "-", given=jsonl(OPEN)))
    assert [line["seq"] for line in lines] == list(range(1, len(OPEN) + 1))
    assert all(list(line) == ["seq", "event", "state", "legal", "score"] for line in lines)
    for event, line in zip(OPEN, lines, strict=True):
        bookkeeping = {"id", "seq", "recorded_at", "stored_at", "recorded_by", "basis", "accounts"}
        assert bookkeeping <= set(line["event"])
        assert {name: value for name, value in line["event"].items() if name not in bookkeeping} == event
    lead = lines[7]
    (trick,) = lead["state"]["tricks"]
    assert (trick["leader"], trick["cards"], trick["winner"]) == ("forehand", ["CA"], None)
    due = lead["legal"]
    assert (due["seat"], due["action"], due["cards"]) == ("middlehand", "play", ["C2", "C3"])
    assert not lead["score"]["decided"]
    assert set(lead["score"]["reachable"]) == {"won", "codille"}
    assert lines[-1]["legal"] is None
    assert lines[-1]["score"]["outcome"] == "codille"


@pytest.mark.parametrize("seed", range(examples(8, 2)))
def test_the_states_are_those_of_the_engine(seed: int) -> None:
    deal = whole_deal(seed)
    for count, line in enumerate(answers(run("replay", "--format", "json", "-", given=jsonl(deal))), 1):
        audited = audit(build_log(map(read_event, deal[:count])))
        assert line["state"] == state_object(audited.state)
        assert line["legal"] == legal_object(legal(audited.state))
        assert line["score"] == score_object(audited.score)


def test_at_stops_after_an_entry_and_its_state_is_the_same_as_in_the_whole() -> None:
    whole = answers(run("replay", "--format", "json", "-", given=jsonl(OPEN)))
    for at in (1, 4, 11):
        part = answers(run("replay", "--format", "json", "--at", str(at), "-", given=jsonl(OPEN)))
        assert part == whole[:at]


@pytest.mark.parametrize(("option", "point", "says"), [
    ("--at", "12", "deal 1: The log has no entry 12. Its entries are 1 to 11."),
    ("--at", "7.1", "no entry 7.1"),
    ("--as-of", "12", "deal 1: The log has only 11 entries, not 12."),
])  # fmt: skip
def test_a_missing_point_is_named_and_other_deals_shown(option: str, point: str, says: str) -> None:
    longer = [*OPEN, {"type": "correction_made", "replaces": [7], "reason": "", "with": [OPEN[6]]}]
    result = run("replay", "--format", "json", option, point, "-", given=jsonl(OPEN, longer))
    assert (result.exit_code, says in result.stderr) == (2, True)
    assert bool(answers(result)) == (point != "7.1")


@pytest.mark.parametrize(("option", "value"), [("--at", "0"), ("--at", "3."), ("--as-of", "0")])
def test_a_point_that_can_be_nowhere_is_refused(option: str, value: str) -> None:
    result = run("replay", option, value, "-", given=jsonl(OPEN))
    assert (result.exit_code, result.stdout, option in result.stderr) == (2, "", True)


def test_a_viewer_sees_only_what_the_seat_may_know() -> None:
    unseen = jsonl([event for event in OPEN if event["type"] != "cards_shown"])
    for viewer in ("public", "forehand", "backhand"):
        shown = run("replay", "--format", "json", "--viewer", viewer, "-", given=unseen).stdout
        assert "C3" not in shown and "Open cards" not in shown
    assert "C3" in run("replay", "--format", "json", "--viewer", "middlehand", "-", given=unseen).stdout


IN_WORDS = """\
Open cards
   1  Anna is forehand, Bo middlehand, Carl backhand
   2  Bo is dealt ♠2 ♠3 ♠4 ♥5 ♥6 ♥7 ♣2 ♣3 ♦7
   3  Anna bids simple game
   4  Bo bids nolo ouvert
   5  Anna passes
   6  Carl passes
   7  Bo has the contract: nolo ouvert
   8  Anna leads the ace of clubs
   9  Bo shows ♠2 ♠3 ♠4 ♥5 ♥6 ♥7 ♣2 ♣3 ♦7
  10  Bo plays the two of clubs
  11  Carl plays the king of spades — Bo wins trick 1

"""


def test_in_words() -> None:
    assert run("replay", "-", given=jsonl(OPEN)).stdout == IN_WORDS


HEAD = "Rules: dlu\nForehand: Anna\nMiddlehand: Bo\nBackhand: Carl\n"
LEFT = f"Deal: The club’s game\n{HEAD}\nF bids simple; M passes; B passes\n"
SOLO = f'Deal: Solo instead\n{HEAD}Branch: "The club’s game" at @2\n\nM bids solo\n'
SPADES = f'Deal: And spades\n{HEAD}Branch: "solo instead" at @2\n\nF bids spade-solo\n'
OTHER = f"Deal: Another\n{HEAD}\nF bids solo\n"
KING = (
    "Deal: If she leads the king of hearts\nRules: ombre\nForehand: Belinda\nMiddlehand: the Baron\n"
    'Backhand: Sir Anonym\nBranch: "Belinda’s game" at @26\n\n5: F HK\n'
)


def ran(*args: str, text: str = "") -> str:
    result = run(*args, "-", given=text.encode())
    assert result.exit_code in (0, 1), result.output
    return result.stdout


def test_a_variation_goes_on_where_it_leaves_the_deal_before_it() -> None:
    lines = map(json.loads, ran("replay", "--format", "json", text=LEFT + SOLO + SPADES).splitlines())
    assert [(line["seq"], [call["bid"] for call in line["state"]["calls"]]) for line in lines][4:] == [
        ("1.1", []), ("1.2", ["simple"]), (2, ["simple", "solo"]),
        ("1.1", []), ("1.2", ["simple"]), ("1.3", ["simple", "solo"]), (2, ["simple", "solo", "spade-solo"]),
    ]  # fmt: skip


def test_a_variation_of_a_deal_of_the_library() -> None:
    shown = ran("show", "--lang", "en", text=KING)
    assert "Belinda  ♠K*" in shown and "5  Belinda  ♥K" in shown
    assert "1.27" not in ran("replay", "--at", "1.20", text=KING)


@pytest.mark.parametrize(
    ("text", "says"),
    [(SOLO, "is not here"), (KING.replace("@26", "@999"), "at is 999")],
    ids=["no such deal", "no such point"],
)
def test_a_beginning_that_is_missing_is_reported(text: str, says: str) -> None:
    told = " ".join(ran("validate", "--lang", "en", text=text).split())
    assert "beginning missing" in told and says in told
    assert "variantens begyndelse mangler" in ran("validate", "--lang", "da", text=text)


@pytest.mark.process
def test_several_processes_judge_variations_alike(tmp_path: Path) -> None:
    file = tmp_path / "many.deal"
    file.write_text("\n".join([LEFT, SOLO, SPADES, OTHER] * 900), encoding="utf-8")
    one, many = (run("validate", "--format", "json", "--jobs", jobs, str(file)).stdout for jobs in "12")
    assert one == many
    assert len(one.splitlines()) == 3600
    assert "wrong_phase" not in one
