"""`spadille replay`: entry by entry, as states and in words."""

import pytest

from engine import audit, legal, log_of
from schemas.answers.states import legal_object, score_object, state_object
from schemas.wire.reader import read_event
from tests.support.cli.deals import OPEN, answers, jsonl, run


def test_a_line_has_the_event_and_what_is_after_it() -> None:
    lines = answers(run("replay", "--format", "json", "-", given=jsonl(OPEN)))
    assert [line["seq"] for line in lines] == list(range(1, len(OPEN) + 1))
    assert all(list(line) == ["seq", "event", "state", "legal", "score"] for line in lines)
    for event, line in zip(OPEN, lines, strict=True):
        bookkeeping = {"id", "seq", "recorded_at", "stored_at", "recorded_by", "basis", "accounts"}
        assert bookkeeping <= set(line["event"])
        assert {name: value for name, value in line["event"].items() if name not in bookkeeping} == event
    for count, line in enumerate(lines, 1):
        audited = audit(log_of(map(read_event, OPEN[:count])))
        told = [state_object(audited.state), legal_object(legal(audited.state)), score_object(audited.score)]
        assert [line["state"], line["legal"], line["score"]] == told
        if count in (1, 4, 11):
            part = run("replay", "--format", "json", "--at", str(count), "-", given=jsonl(OPEN))
            assert answers(part) == lines[:count]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--at", "12"), "deal 1: The log has no entry 12. Its entries are 1 to 11."),
        (("--at", "7.1"), "no entry 7.1"),
        (("--known", "12"), "deal 1: The log has 11 entries, and known=12 asks for more."),
        (("--at", "3."), "--at"),
        (("--known", "0"), "--known"),
    ],
)
def test_a_point_that_is_not_there_is_told_and_the_other_deals_are_shown(
    option: tuple[str, str], said: str
) -> None:
    longer = [*OPEN, {"type": "correction_made", "replaces": [7], "reason": "", "with": [OPEN[6]]}]
    result = run("replay", "--format", "json", *option, "-", given=jsonl(OPEN, longer))
    assert result.exit_code == 2
    assert said in result.stderr
    assert bool(answers(result)) is ("12" in option)


def test_a_viewer_sees_only_what_he_may_know() -> None:
    unseen = [event for event in OPEN if event["type"] != "cards_shown"]
    for viewer, sees in (("public", False), ("backhand", False), ("middlehand", True)):
        result = run("replay", "--format", "json", "--viewer", viewer, "-", given=jsonl(unseen))
        assert ("C3" in result.stdout) is sees
        assert "Open cards" not in result.stdout


def test_in_words() -> None:
    assert (
        run("replay", "-", given=jsonl(OPEN)).stdout
        == """\
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
    )
