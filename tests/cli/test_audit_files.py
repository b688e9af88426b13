"""`spadille audit --format html`: reports on deals and tables as one file, to be printed and signed."""

import re
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest

import replays
from engine.core.cards import SEATS
from engine.report import report
from schemas.wire.writer import entry_bytes
from service.presentation.i18n.card_words import OUTCOMES
from service.presentation.text.style import Style
from tests.support.cli.auditing import DISPUTE, with_revokes
from tests.support.cli.deals import PASSED_OUT, SLIP, Json, jsonl, lacking, opened, run
from tests.support.cli.table_reports import LOG, RIGHT, WRONG
from tests.support.effort import THOROUGH
from tests.support.web.report import plain

EVENING = jsonl(LOG, *WRONG)


def html_of(*arguments: str, given: bytes = b"") -> str:
    result = run("audit", "--format", "html", *arguments, given=given)
    assert result.exit_code in (0, 1), result.output
    return result.stdout


def of_table(html: str) -> str:
    """What the last report, that on the table, says in one line."""
    return plain(f"<main {html.rpartition('<article')[2]}")


def assert_links_lead_somewhere(html: str) -> None:
    places = re.findall(r' id="([^"]+)"', html)
    assert len(places) == len(set(places))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(places)


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("en", (
            "Report on a deal Open cards",
            "Matter 1: entry 9 Bo plays",
            "Open then: Bo to play: three of clubs",
            "Entry 11 The record is corrected: It was the queen. by Anna",
            "It was Carl plays the king of spades — Anna wins trick 1.",
            "Entry 13 Bo has revoked. Outcome bête At fault Bo",
            "Nothing vouches for this record but where it was read: deal 1.",
        )),
        ("da", (
            "Rapport om et spil Open cards",
            "Sag 1: post 9 Bo lægger",
            "Post 11 Optegnelsen rettes: It was the queen. af Anna",
            "Der stod Carl lægger spar konge — Anna tager stik 1.",
            "Udfald bet Skyld i det Bo",
            "Intet borger for optegnelsen andet end stedet, den er læst: spil 1.",
        )),
    ],
)  # fmt: skip
def test_a_dispute_on_paper(lang: str, sentences: tuple[str, ...]) -> None:
    assert lacking(plain(html_of("--lang", lang, "-", given=jsonl(DISPUTE))), sentences) == []


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("en", (
            "Report on a table Club evening Players Anna, Bo, Carl",
            "Deal 2 , entry 3 Paid: Bo +4 instead of +2, Anna −3 instead of −1.",
            "error · settlement mismatch · 7. Payments (clauses 7.1–7.5)",
            "Bo +2 +4 +2 Carl −1 −1 Anna −1 −3 −2",
            "Deal 1 : Tourné: Anna won. Due: Anna +4, Bo −2, Carl −2. Paid as it is due.",
            "Due: Bo +2, Carl −1, Anna −1. Paid: Anna −3, Bo +4, Carl −1. Paid otherwise, as above.",
            "Due: Carl +6, Anna −3, Bo −3. What was paid is not noted.",
            "Too much (+), too little (−) Anna 0 0 −2 Bo −3 −3 +2 Carl +3 +3",
            "7.2 Spil and bedre spil 1, kruk 2",
            "Place and date Name Signature",
        )),
        ("da", (
            "Rapport om et bord Club evening Spillere Anna, Bo, Carl",
            "Spil 2 er det første, der afviger fra reglerne: Bo +2, Anna −2.",
            "Skal have: Anna +4, Bo −2, Carl −2. Betalt, som der skal.",
            "Sted og dato Navn Underskrift",
        )),
    ],
)  # fmt: skip
def test_an_evening_on_paper(lang: str, sentences: tuple[str, ...]) -> None:
    assert lacking(of_table(html_of("--lang", lang, "-", given=EVENING)), sentences) == []


def test_the_file_loads_nothing_and_runs_nothing() -> None:
    html = html_of("belinda")
    lines = run("convert", "--to", "jsonl", "belinda").stdout_bytes
    assert sha256(lines).hexdigest() in html, "the report does not vouch for the record's own lines"
    assert "default-src 'none'" in unescape(html)
    assert "<script" not in html and "@import" not in html
    assert re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', html) == []
    assert re.findall(r"url\((?!\"data:)", html) == []


def test_several_deals_share_one_file_with_a_sheet_for_each(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    file.write_bytes(jsonl(DISPUTE, SLIP, PASSED_OUT))
    html = html_of("--jobs", "2", str(file))
    assert html.count('<article class="report') == 3
    assert html.count("<!doctype html>") == html.count('<symbol id="pip-S"') == 1
    assert_links_lead_somewhere(html)
    assert html_of(str(file)) == html


def test_a_table_follows_its_deals_and_links_to_their_reports() -> None:
    html = html_of("-", given=EVENING)
    kinds = re.findall(r'<p class="report-kind">(.*?)</p>', html)
    assert kinds == ["Report on a deal"] * 3 + ["Report on a table"]
    assert "<title>Report on a table: Club evening</title>" in html
    assert_links_lead_somewhere(html)
    starts = re.findall(r'<article class="[^"]*" id="([^"]+)"', html)
    *_, table = html.split("<article")
    assert set(re.findall(r'href="#([^"]+-report)"', table)) == set(starts[:3])
    assert html_of("--jobs", "2", "-", given=EVENING) == html


def test_a_table_links_to_no_report_that_is_not_in_the_file(tmp_path: Path) -> None:
    html = html_of("-", given=jsonl(LOG, RIGHT[0], RIGHT[2]))
    assert "Deal 2 . Its record is not here." in of_table(html).replace("<b>", "")
    assert len(set(re.findall(r'href="#([^"]+-report)"', html))) == 2
    file = tmp_path / "evening.jsonl"
    file.write_bytes(EVENING)
    rest = html_of("--resume-after", f"{file}:3", str(file))
    assert rest.count("<article") == 2
    assert_links_lead_somewhere(rest)
    assert "Deal 2 is the first to part" in of_table(rest)


def test_a_report_is_written_into_a_file_in_every_form(tmp_path: Path) -> None:
    for form in ("html", "text", "json"):
        target = tmp_path / f"report.{form}"
        result = run("audit", "--format", form, "-o", str(target), "-", given=EVENING)
        assert (result.exit_code, result.stdout) == (1, "")
        shown = run("audit", "--format", form, "-", given=EVENING).stdout
        assert target.read_text(encoding="utf-8") == shown


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


def test_below_a_revoke_a_table_says_what_each_legal_card_was_worth() -> None:
    deal = replays.find("la-bete-slam-led-failed")
    assert deal is not None
    logs = list(with_revokes(deal.log()))
    assert len(logs) > 4
    for log in logs[:: 1 if THOROUGH else 4]:
        (matter,) = report(log).matters
        assert matter.played is not None
        html = html_of("-", given=b"".join(entry_bytes(entry) + b"\n" for entry in log))
        (table,) = re.findall(r'<table class="[^"]*report-worth">.*?</table>', html, re.DOTALL)
        said = plain(f"<main>{table}")
        for choice in matter.played.point.choices:
            chips = " ".join(Style().chips(choice.value.chips(seat) or 0) for seat in SEATS)
            assert f"{OUTCOMES[choice.value.ends[0].outcome].en} {chips}" in said
        assert said.count("not lawful") == 1
