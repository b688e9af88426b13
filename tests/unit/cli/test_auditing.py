"""`spadille audit`: what a director reads, what programs get, and what a viewer may not learn from it."""

import json

import pytest

import replays
from tests.support.cli.auditing import DISPUTE
from tests.support.cli.deals import OPEN, SLIP, Json, answers, jsonl, lacking, opening, run, text_of
from tests.support.engine.shorthand import bids, names, ruled, settled, slip
from tests.support.engine.slipping import BEGUN, PLAYED, QUEEN, not_tapped, unseen


def report_of(events: list[Json]) -> Json:
    (report,) = answers(run("audit", "--format", "json", "-", given=jsonl(events)))
    assert isinstance(report, dict)
    return report


RULED: list[Json] = [
    opening(ruleset="dlu-tournament"),
    {"type": "bid_made", "seat": "forehand", "bid": "spade-game", "said": "bedre"},
    {"type": "bid_made", "seat": "middlehand", "bid": "solo", "said": "solo i hjerter"},
    *bids("F pass, B pass"),
    *names("M", "solo", "H"),
    slip(outcome="won"),
    ruled(text="Bo has named his suit.", penalty={"middlehand": 1, "backhand": 2}),
    ruled(text="Bo has revoked.", outcome="bete"),
]

NOT_TAPPED = [*BEGUN, *not_tapped(QUEEN)]
"""Forehand's queen of clubs, which took the third trick, was not entered."""

PAID = settled(forehand=2, middlehand=-1, backhand=-1)
SLIP_LED = [*unseen(BEGUN), *PLAYED[:6], {**PLAYED[6], "card": "D5"}, *PLAYED[7:], PAID]
"""C5 was led and D5 tapped: so the trick, and the game, go to another than at the table."""

SWAPPED = {11: PLAYED[16]["card"], 16: PLAYED[11]["card"]}
UNLAWFUL = [*BEGUN, *({**one, "card": SWAPPED.get(at, one["card"])} for at, one in enumerate(PLAYED))]
"""Backhand plays C2 to DK, with D3 in the hand."""

REPORTS = {
    "a dispute": (DISPUTE, "en", (
        "Open cards Bo revoked in trick 1; what the deal pays is open. The course",
        "Revoke is called against Bo by Anna. Proved: Bo plays ♥7 to ♣A at trick 1",
        "The findings, and how the deal stood ✗ entry 9, middlehand: Bo plays ♥7 to ♣A at trick 1",
        "Middlehand Bo ♠4 ♠3 ♠2 ♥5 ♥6 ♥7 ♦7 ♣3 ♣2",
        "Possible then: Bo to play: ♣3 ♣2.",
        "Entry 11: The record is corrected: It was the queen. by Anna "
        "Before: Carl plays the king of spades — Anna wins trick 1. "
        "Now: Carl plays the queen of spades — Anna wins trick 1.",
        "Entry 13: The director rules: Bo has revoked; bête; at fault: Bo.",
    )),
    "a dispute in Danish": (DISPUTE, "da", (
        "Bo svigtede kulør i stik 1; det står åbent, hvad der skal betales.",
        "Bevist: Bo lægger ♥7 på ♣E i stik 1",
        "Bemærkninger, og hvordan spillet stod ✗ post 9, mellemhånd: Bo lægger ♥7 på ♣E",
        "Muligt her: Bo spiller: ♣3 ♣2.",
        "af Anna Før: Carl lægger spar konge — Anna tager stik 1. Nu: Carl lægger spar dame",
    )),
    "rulings": (RULED, "en", (
        "Without it: Anna −3, Bo +6, Carl −3. What it changes: Anna +6, Bo −12, Carl +6.",
        "Penalty points, apart from the chips Anna: 1 possible, for entry 2; 0 given "
        "Bo: 1 possible, for entry 3; 1 given Carl: 2 given in entry 8",
    )),
    "rulings in Danish": (RULED, "da", (
        "Uden den: Anna −3, Bo +6, Carl −3. Hvad den ændrer: Anna +6, Bo −12, Carl +6.",
        "Strafpoint, ud over jetonerne Anna: 1 kan gives, for post 2; 0 givet",
    )),
    "a card not entered": (NOT_TAPPED, "en", (
        "✗ entry 22: ♣Q, played by Anna, is missing before entry 22. error · entry missing · "
        "9. Record Proposed correction of entry 22: Anna plays the queen of clubs; Bo plays the jack "
        "of clubs — Anna wins trick 3. As a result: entry 22: Bo plays ♣J, but it is "
        "Anna's turn (forehand). entry 23: Anna plays ♦K to ♣5 at trick 3, holding ♣Q: a revoke.",
        "And 3 more. Forehand Anna ♠2 ♣A ♠7 ♠4 ♦K ♦Q ♣Q",
        "Possible then: Anna to play: ♣Q. Score",
    )),
    "a card not entered, in Danish": (NOT_TAPPED, "da", (
        "✗ post 22: ♣D, som Anna lagde, mangler før post 22. fejl · post mangler · 9. Optegnelsen "
        "Foreslået rettelse af post 22: Anna lægger klør dame; Bo lægger klør knægt — Anna tager "
        "stik 3. Derfor: post 22:",
    )),
    "what a card cost": (UNLAWFUL, "en", ("At trick 4 Carl played ♣2, which was not lawful",)),
    "what a card cost, in Danish": (UNLAWFUL, "da", ("I stik 4 spillede Carl ♣2, som ikke var tilladt",)),
    "a slip that changes the score": (SLIP_LED, "en", (
        "Score As recorded. If entry 18 was such a mistake, it is spade game: Anna won; Anna +2, Bo −1, "
            "Carl −1. Then what was paid is right. spade game: Anna bête",
    )),
    "a slip that changes the score, in Danish": (SLIP_LED, "da", (
        "Som det er skrevet. Var post 18 en sådan fejl, er det bedre spil: Anna vandt; "
        "Anna +2, Bo −1, Carl −1. Så er der betalt rigtigt.",
    )),
}  # fmt: skip


@pytest.mark.parametrize("case", REPORTS)
def test_a_director_reads(case: str) -> None:
    events, lang, sentences = REPORTS[case]
    assert lacking(text_of("audit", "--lang", lang, "-", given=jsonl(events)), sentences) == []


def test_payments_are_compared_with_what_is_due() -> None:
    def paid(*deal: Json, **payments: int) -> str:
        return text_of("audit", "-", given=jsonl([*deal, settled(**payments)]))

    assert "As due." in paid(*SLIP, Anna=-3, Bo=6, Carl=-3)
    assert "Compared to what is due: Anna +1, Carl −1." in paid(*SLIP, Anna=-2, Bo=6, Carl=-4)
    assert "so the payments cannot be checked" in paid(opening(), Anna=1, Bo=-1)


def test_programs_get_the_dispute_with_its_correction_and_rulings() -> None:
    report = report_of(DISPUTE)
    assert report["ok"] is False
    matter = next(one for one in report["matters"] if one["entry"]["seq"] == 9)
    assert [one["code"] for one in matter["findings"]] == ["revoke"]
    assert (matter["legal"]["seat"], matter["legal"]["cards"]) == ("middlehand", ["C2", "C3"])
    assert matter["state"]["hands"]["middlehand"]["cards"] == sorted(OPEN[1]["cards"])
    (mending,) = report["mendings"]
    assert (mending["at"], mending["event"]["seq"]) == ("11.1", 11)
    assert (mending["before"][0]["card"], mending["since"][0]["card"]) == ("SK", "SQ")
    assert [one["type"] for one in report["rulings"]] == ["irregularity_noted", "ruling_made"]
    assert report["verdict"] == "Bo revoked in trick 1; what the deal pays is open."
    (answer,) = report["answers"]
    assert (answer["seq"], answer["verdict"], answer["deals"]) == (12, "proved", None)
    assert answer["evidence"] == matter["findings"][0]["evidence"]
    assert "11.1" in [one["seq"] for one in report["course"]]


def test_programs_get_what_a_ruling_changes_and_the_penalty_points() -> None:
    report = report_of(RULED)
    (ruled,) = report["ruled"]
    assert (report["ok"], ruled["seq"], ruled["in_force"]) == (True, 9, True)
    assert ruled["without"] == {"forehand": -3, "middlehand": 6, "backhand": -3}
    assert ruled["changed"] == {"forehand": 6, "middlehand": -12, "backhand": 6}
    assert report["penalties"][1] == {
        "seat": "middlehand", "possible": 1, "offences": [3], "given": 1, "rulings": [8],
    }  # fmt: skip


@pytest.mark.parametrize(("ruling", "sentence"), [
    ({"outcome": "won"}, "It changes no payment."),
    ({"outcome": "forfeited", "at_fault": "middlehand"}, "The rules do not say what that pays."),
])  # fmt: skip
def test_a_ruling_whose_effect_is_unknown(ruling: Json, sentence: str) -> None:
    deal = [*RULED[:-1], ruled(**ruling)]
    assert sentence in text_of("audit", "-", given=jsonl(deal))
    overruled = text_of("audit", "-", given=jsonl([*deal, RULED[-1]]))
    assert "The deal is not paid by it: a later decision applies." in overruled
    without_result = text_of("audit", "-", given=jsonl([*RULED[:6], *deal[8:]]))
    assert "Without it the record leaves open what is paid." in without_result
    assert "It changes no payment." not in without_result


def test_both_misprints_of_the_book_are_found_and_the_corrections_resolve_them() -> None:
    name = "belinda-as-printed"
    for lang, sentence in (
        (
            "en",
            "Possible misprints and slips of the pen 1. ♠K is missing from entry 11. Entry 13 has ♠K "
            "instead of ♠Q.",
        ),
        ("da", "Mulige skrivefejl 1. ♠K mangler i post 11. Post 13 har ♠K i stedet for ♠D."),
    ):
        assert sentence in text_of("audit", "--lang", lang, name)
    (report,) = answers(run("audit", "--format", "json", name))
    (proposal,) = report["misprints"]["proposals"]
    mended = report_of([*answers(run("convert", "--to", "jsonl", name)), *proposal["corrections"]])
    assert (mended["ok"], mended["misprints"]) == (True, None)


def test_programs_get_the_score_with_the_likely_slip_put_right() -> None:
    report = report_of(SLIP_LED)
    (right,) = report["instead"]
    assert report["put_right"] is None
    assert (report["score"]["outcome"], right["score"]["outcome"]) == ("bete", "won")
    assert (report["settled"][0]["parted"] != {}, right["settled"][0]["parted"]) == (True, {})
    assert right["mistakes"][0]["corrections"] == report["matters"][0]["corrections"]


def test_equally_likely_cards_share_a_line() -> None:
    """Backhand led the heart that forehand had led: what it was, four trumps can tell as well as one."""
    events = [*unseen(BEGUN), *PLAYED[:6], {**PLAYED[6], "card": "H3"}]
    assert "others like it, with" in text_of("audit", "-", given=jsonl(events))
    groups = report_of(events)["misprints"]["proposals"]
    assert len({json.dumps(one["corrections"]) for one in groups}) == len(groups)
    assert any(len(one["alike"]) > 3 for one in groups)


def test_a_search_that_was_cut_short_says_so() -> None:
    assert "Søgningen er ikke fuldstændig" in text_of("audit", "--lang", "da", "findings-hand-mismatch")


def test_a_correction_does_not_show_a_viewer_the_hidden_card() -> None:
    for arguments in (("--viewer", "public"), ("--viewer", "forehand", "--format", "json")):
        shown = run("audit", *arguments, "-", given=jsonl(DISPUTE)).stdout
        assert [one for one in ("SK", "king of spades", "It was the queen.") if one in shown] == []


def test_every_deal_of_the_library_is_reported_with_the_status_of_validate() -> None:
    for number, deal in enumerate(replays.list_library()):
        result = run("audit", "--lang", "en" if number % 2 else "da", deal.name)
        assert result.exit_code == run("validate", deal.name).exit_code, (deal.name, result.output)
