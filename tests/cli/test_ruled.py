"""`spadille audit` tells what rulings come to, and the penalty points apart from the chips."""

import pytest

from tests.support.cli.deals import Json, answers, jsonl, run
from tests.support.cli.ruled import DEAL

TOLD = {
    "en": (
        "Bo has revoked; bête. Without it: Anna −3, Bo +6, Carl −3. "
        "What it changes: Anna +6, Bo −12, Carl +6.",
        "Penalty points, apart from the chips Anna: 1 possible, for entry 2; 0 given "
        "Bo: 1 possible, for entry 3; 1 given Carl: 2 given in entry 8",
    ),
    "da": (
        "Uden den: Anna −3, Bo +6, Carl −3. Hvad den ændrer: Anna +6, Bo −12, Carl +6.",
        "Strafpoint, ud over jetonerne Anna: 1 kan gives, for post 2; 0 givet",
    ),
}


@pytest.mark.parametrize("lang", TOLD)
def test_what_a_ruling_changes_and_which_points_are_possible(lang: str) -> None:
    text = " ".join(run("audit", "--lang", lang, "-", given=jsonl(DEAL)).stdout.split())
    for sentence in TOLD[lang]:
        assert sentence in text


def test_the_same_for_programs() -> None:
    (report,) = answers(run("audit", "--format", "json", "-", given=jsonl(DEAL)))
    assert report["ok"]
    (ruled,) = report["ruled"]
    assert ruled["seq"] == 9
    assert ruled["in_force"]
    assert ruled["without"] == {"forehand": -3, "middlehand": 6, "backhand": -3}
    assert ruled["changed"] == {"forehand": 6, "middlehand": -12, "backhand": 6}
    assert report["penalties"][1] == {
        "seat": "middlehand", "possible": 1, "offences": [3], "given": 1, "rulings": [8],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("ruling", "sentence"),
    [
        ({"outcome": "won"}, "It changes no payment."),
        ({"outcome": "forfeited", "at_fault": "middlehand"}, "The rules do not say what that pays."),
    ],
)
def test_what_cannot_be_said_is_not_said(ruling: Json, sentence: str) -> None:
    deal = [*DEAL[:-1], {"type": "ruling_made", "text": "So be it.", **ruling}]
    assert sentence in " ".join(run("audit", "--lang", "en", "-", given=jsonl(deal)).stdout.split())
    later = [*deal, DEAL[-1]]
    text = " ".join(run("audit", "--lang", "en", "-", given=jsonl(later)).stdout.split())
    assert "The deal is not paid by it: something else was decided since." in text
    without_result = [*DEAL[:6], *deal[8:]]
    text = " ".join(run("audit", "--lang", "en", "-", given=jsonl(without_result)).stdout.split())
    assert "Without it the record leaves open what is paid." in text
