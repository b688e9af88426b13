"""`spadille audit`: what a director reads, what programs are told, and that nobody is told too much."""

import re
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest

import replays
from engine.core.cards import SEATS
from engine.report import report
from service.presentation.i18n.card_words import OUTCOMES
from service.presentation.text.style import Style
from tests.support.cli.deals import OPEN, PASSED_OUT, SLIP, Json, answers, jsonl, opened, run
from tests.support.engine.shorthand import log_from
from tests.support.engine.slipping import BEGUN, PLAYED, QUEEN, not_tapped, unseen
from tests.support.web.report import plain


def told(*arguments: str, given: bytes) -> str:
    result = run("audit", *arguments, "-", given=given)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return " ".join(result.stdout.split())


DISPUTE: list[Json] = [
    *OPEN[:8],
    {"type": "card_played", "seat": "middlehand", "card": "H7"},
    {"type": "card_played", "seat": "backhand", "card": "SK"},
    {
        "type": "correction_made", "replaces": [10], "reason": "It was the queen.", "recorded_by": "Anna",
        "with": [{"type": "card_played", "seat": "backhand", "card": "SQ"}],
    },
    {"type": "irregularity_noted", "seat": "middlehand", "kind": "revoke", "by_seat": "forehand"},
    {"type": "ruling_made", "text": "Bo has revoked.", "at_fault": "middlehand", "outcome": "bete"},
]  # fmt: skip
"""A nolo ouvert in which Bo revokes; what backhand played was written down wrongly."""
IN_DISPUTE = {
    "en": (
        "What was found, and how the deal stood ✗ entry 9, middlehand: Bo plays ♥7 to ♣A at trick 1",
        "Middlehand Bo ♠4 ♠3 ♠2 ♥5 ♥6 ♥7 ♦7 ♣3 ♣2",
        "Open then: Bo to play: ♣3 ♣2.",
        "by Anna It was: Carl plays the king of spades — Anna wins trick 1. "
        "It is now: Carl plays the queen of spades — Anna wins trick 1.",
        "Entry 13: The director rules: Bo has revoked; bête; at fault: Bo.",
    ),
    "da": (
        "Hvad der er fundet, og hvordan spillet stod ✗ post 9, mellemhånd: Bo lægger ♥7 på ♣E",
        "Muligt da: Bo spiller: ♣3 ♣2.",
        "af Anna Der stod: Carl lægger spar konge — Anna tager stik 1. Der står nu: Carl lægger spar dame",
    ),
}


@pytest.mark.parametrize("lang", IN_DISPUTE)
def test_a_dispute_is_set_out_for_the_director(lang: str) -> None:
    said = told("--lang", lang, given=jsonl(DISPUTE))
    assert [sentence for sentence in IN_DISPUTE[lang] if sentence not in said] == []


def test_what_was_paid_is_held_to_what_is_due() -> None:
    def paid(**payments: int) -> str:
        settled = {"type": "deal_settled", "payments": payments}
        return told(given=jsonl([*SLIP, settled]))

    due = answers(run("score", "--format", "json", "-", given=jsonl(SLIP)))[0]["payments"]
    names = dict(zip(due, ("Anna", "Bo", "Carl"), strict=True))
    right = {names[seat]: chips for seat, chips in due.items()}
    assert "As it is due." in paid(**right)
    wrong = {**right, "Anna": right["Anna"] + 1, "Carl": right["Carl"] - 1}
    assert "Beside what is due: Anna +1, Carl −1." in paid(**wrong)
    undecided = {"type": "deal_settled", "payments": {"Anna": 1, "Bo": -1}}
    assert "it is held to nothing" in told(given=jsonl([opened(), undecided]))


def test_programs_get_all_of_it() -> None:
    result = run("audit", "--format", "json", "-", given=jsonl(DISPUTE))
    assert result.exit_code == 1
    (told,) = answers(result)
    assert told["ok"] is False
    matter = next(one for one in told["matters"] if one["entry"]["seq"] == 9)
    assert [one["code"] for one in matter["findings"]] == ["revoke"]
    assert matter["legal"] == {
        "seat": "middlehand", "action": "play", "cards": ["C2", "C3"], "also": matter["legal"]["also"],
    }  # fmt: skip
    assert matter["state"]["hands"]["middlehand"]["cards"] == sorted(OPEN[1]["cards"])
    (mending,) = told["mendings"]
    assert (mending["at"], mending["event"]["seq"]) == ("11.1", 11)
    assert (mending["before"][0]["card"], mending["since"][0]["card"]) == ("SK", "SQ")
    assert [one["type"] for one in told["rulings"]] == ["irregularity_noted", "ruling_made"]
    assert "11.1" in [one["seq"] for one in told["course"]]


def test_both_misprints_of_the_book_are_found() -> None:
    name = "belinda-as-printed"
    english, danish = (" ".join(run("audit", "--lang", one, name).stdout.split()) for one in ("en", "da"))
    assert (
        "What may be written wrongly 1. ♠K is missing from entry 11. Entry 13 has ♠K in place of ♠Q."
    ) in english
    assert (
        "Hvad der kan være skrevet forkert 1. ♠K mangler i post 11. Post 13 har ♠K i stedet for ♠D."
    ) in danish


def test_a_card_not_entered_is_named_and_who_seems_to_revoke_stands_below() -> None:
    """Forehand's queen of clubs, which took the third trick, was not entered."""
    said = told(given=jsonl([*BEGUN, *not_tapped(QUEEN)]))
    for sentence in (
        "✗ entry 22: ♣Q, played by Anna, is missing before entry 22. error · entry missing · 9. Record "
        "Proposed correction of entry 22: Anna plays the queen of clubs; Bo plays the jack of clubs — Anna "
        "wins trick 3. This follows from it: entry 22: Bo plays ♣J, but it is Anna's turn (forehand). ",
        "And 3 more. Forehand Anna ♠2 ♣A ♠7 ♠4 ♦K ♦Q ♣Q",
    ):
        assert sentence in said


PAID = {"type": "deal_settled", "payments": {"forehand": 2, "middlehand": -1, "backhand": -1}}


def test_what_a_deal_pays_is_told_put_right_before_it_is_told_as_recorded() -> None:
    """C5 was led and D5 tapped: so the trick, and the game, go to another than at the table."""
    events = [*unseen(BEGUN), *PLAYED[:6], {**PLAYED[6], "card": "D5"}, *PLAYED[7:], PAID]
    assert (
        "Score As recorded. If entry 18 was that slip, it is spade game: Anna won; "
        "Anna +2, Bo −1, Carl −1. What was paid is right then. spade game: Anna bête"
    ) in told(given=jsonl(events))
    (report_told,) = answers(run("audit", "--format", "json", "-", given=jsonl(events)))
    (right,) = report_told["instead"]
    assert report_told["put_right"] is None
    assert (report_told["score"]["outcome"], right["score"]["outcome"]) == ("bete", "won")
    assert (report_told["settled"][0]["parted"] != {}, right["settled"][0]["parted"]) == (True, {})
    assert right["mistakes"][0]["corrections"] == report_told["matters"][0]["corrections"]


def test_what_a_card_cost_names_who_played_it() -> None:
    """Backhand plays C2 to DK, with D3 in the hand."""
    swapped = {11: PLAYED[16]["card"], 16: PLAYED[11]["card"]}
    events = [*BEGUN, *({**one, "card": swapped.get(at, one["card"])} for at, one in enumerate(PLAYED))]
    assert "At trick 4 Carl played ♣2, which was not lawful" in told("--lang", "en", given=jsonl(events))
    (matter,) = report(log_from(events)).matters
    assert matter.played is not None
    (table,) = re.findall(
        r'<table class="[^"]*report-worth">.*?</table>', html_of("-", given=jsonl(events)), re.DOTALL
    )
    shown = plain(f"<main>{table}")
    for choice in matter.played.point.choices:
        chips = " ".join(Style().chips(choice.value.chips(seat) or 0) for seat in SEATS)
        assert f"{OUTCOMES[choice.value.ends[0].outcome].en} {chips}" in shown
    assert shown.count("not lawful") == 1


def test_cards_that_would_do_as_well_are_told_in_one_line() -> None:
    """Backhand led the heart that forehand had led: what it was, four trumps can tell as well as one."""
    events = [*unseen(BEGUN), *PLAYED[:6], {**PLAYED[6], "card": "H3"}]
    assert "others like it, with" in told(given=jsonl(events))
    (report_told,) = answers(run("audit", "--format", "json", "-", given=jsonl(events)))
    assert any(len(one["alike"]) > 3 for one in report_told["misprints"]["proposals"])


def test_a_search_that_was_cut_short_says_so() -> None:
    said = " ".join(run("audit", "--lang", "da", "findings-hand-mismatch").stdout.split())
    assert "Ikke alt er set efter" in said


def test_what_was_corrected_is_told_as_the_viewer_may_know_it() -> None:
    for arguments in (("--viewer", "public"), ("--viewer", "forehand", "--format", "json")):
        result = run("audit", *arguments, "-", given=jsonl(DISPUTE))
        assert "SK" not in result.stdout and "king of spades" not in result.stdout
        assert "It was the queen." not in result.stdout


def test_every_deal_of_the_library_is_reported_and_sound_ones_end_with_0() -> None:
    for deal in replays.library():
        result = run("audit", "--lang", "da", deal.name)
        assert result.exit_code in (0, 1), (deal.name, result.output)
        assert result.exit_code == run("validate", deal.name).exit_code


RULED: list[Json] = [
    opened(ruleset="dlu-tournament"),
    {"type": "bid_made", "seat": "forehand", "bid": "spade-game", "said": "bedre"},
    {"type": "bid_made", "seat": "middlehand", "bid": "solo", "said": "solo i hjerter"},
    *({"type": "bid_made", "seat": seat, "bid": "pass"} for seat in ("forehand", "backhand")),
    {"type": "contract_named", "seat": "middlehand", "contract": "solo", "trump": "H"},
    {"type": "result_recorded", "outcome": "won"},
    {"type": "ruling_made", "text": "Bo has named his suit.", "penalty": {"middlehand": 1, "backhand": 2}},
    {"type": "ruling_made", "text": "Bo has revoked.", "outcome": "bete"},
]


def test_what_a_ruling_changes_and_which_points_are_possible() -> None:
    said = told(given=jsonl(RULED))
    for sentence in (
        "Bo has revoked; bête. Without it: Anna −3, Bo +6, Carl −3. "
        "What it changes: Anna +6, Bo −12, Carl +6.",
        "Penalty points, apart from the chips Anna: 1 possible, for entry 2; 0 given "
        "Bo: 1 possible, for entry 3; 1 given Carl: 2 given in entry 8",
    ):
        assert sentence in said
    (report,) = answers(run("audit", "--format", "json", "-", given=jsonl(RULED)))
    (ruled,) = report["ruled"]
    assert (ruled["seq"], ruled["in_force"]) == (9, True)
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
def test_what_cannot_be_said_of_a_ruling_is_not_said(ruling: Json, sentence: str) -> None:
    deal = [*RULED[:-1], {"type": "ruling_made", "text": "So be it.", **ruling}]
    assert sentence in told(given=jsonl(deal))
    assert "The deal is not paid by it: something else was decided since." in told(
        given=jsonl([*deal, RULED[-1]])
    )
    assert "Without it the record leaves open what is paid." in told(given=jsonl([*RULED[:6], *deal[8:]]))


# --- A report as one file, to be printed and signed ------------------------------------------------


def html_of(*arguments: str, given: bytes = b"") -> str:
    return run("audit", "--format", "html", *arguments, given=given).stdout


def test_the_file_loads_nothing_and_runs_nothing() -> None:
    html = html_of("belinda")
    lines = run("convert", "--to", "jsonl", "belinda").stdout_bytes
    assert sha256(lines).hexdigest() in html  # That of the record's own lines.
    assert "default-src 'none'" in unescape(html)
    assert "<script" not in html
    assert re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', html) == []
    assert re.findall(r"url\((?!\"data:)", html) == []
    assert "@import" not in html


def test_several_deals_stand_in_one_file_each_on_its_own_sheet(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    file.write_bytes(jsonl(DISPUTE, SLIP, PASSED_OUT))
    html = html_of("--jobs", "2", str(file))
    said = plain(html)
    assert "Matter 1: entry 9 Bo plays" in said and "Outcome bête At fault Bo" in said
    assert "Nothing vouches for this record but where it was read: " in said
    assert "Sag 1: post 9 Bo lægger" in plain(html_of("--lang", "da", str(file)))
    assert html.count('<article class="report') == 3
    assert html.count("<!doctype html>") == 1
    assert html.count('<symbol id="pip-S"') == 1
    places = re.findall(r' id="([^"]+)"', html)
    assert len(places) == len(set(places))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(places)
    assert html_of(str(file)) == html


def test_a_report_is_written_into_a_file_in_every_form(tmp_path: Path) -> None:
    for form in ("html", "text", "json"):
        target = tmp_path / f"report.{form}"
        assert run("audit", "--format", form, "-o", str(target), "belinda").exit_code == 0
        shown = run("audit", "--format", form, "belinda")
        assert target.read_text(encoding="utf-8") == shown.stdout
    assert run("audit", "-o", str(tmp_path / "faulty.txt"), "belinda-as-printed").exit_code == 1


def test_names_and_notes_are_text_and_nothing_else() -> None:
    evil = "<script>alert(1)</script>"
    deal: list[Json] = [
        opened(title=evil, players={"forehand": evil, "middlehand": 'B"o', "backhand": "Carl & co"}),
        {"type": "note_added", "text": f"</style>{evil}"},
        {"type": "ruling_made", "text": evil},
    ]
    html = html_of("-", given=jsonl(deal))
    assert "<script" not in html
    assert html.count("</style>") == 1
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
