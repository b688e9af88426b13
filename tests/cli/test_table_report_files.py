"""`spadille audit --format html` with a table among the files: its report behind those of its deals."""

import re
from pathlib import Path

import pytest

from tests.support.cli.deals import jsonl, run
from tests.support.cli.table_reports import LOG, RIGHT, WRONG
from tests.support.web.report import plain


def html_of(*arguments: str, given: bytes, status: int = 1) -> str:
    result = run("audit", "--format", "html", *arguments, "-", given=given)
    assert (result.exit_code, result.stderr) == (status, "")
    return result.stdout


def of_table(html: str) -> str:
    """What is said in the last report, that on the table, in one line."""
    return plain(f"<main {html.rpartition('<article')[2]}")


ON_PAPER = {
    "en": (
        "Report on a table Club evening Players Anna, Bo, Carl",
        "Found Something at the table is impossible or against the rules.",
        "Deal 2 , entry 3 Paid: Bo +4 instead of +2, Anna −3 instead of −1.",
        "error · settlement mismatch · 7. Payments (clauses 7.1–7.5)",
        "Deal 2 is the first to part from the rules: Bo +2, Anna −2.",
        "Bo +2 +4 +2 Carl −1 −1 Anna −1 −3 −2",
        "Deal 1 : Tourné: Anna won. Due: Anna +4, Bo −2, Carl −2. Paid as it is due.",
        "Due: Bo +2, Carl −1, Anna −1. Paid: Anna −3, Bo +4, Carl −1. Paid otherwise, as above.",
        "Due: Carl +6, Anna −3, Bo −3. What was paid is not noted.",
        "Too much (+), too little (−) Anna 0 0 −2 Bo −3 −3 +2 Carl +3 +3",
        "7.2 Spil and bedre spil 1, kruk 2",
        "Place and date Name Signature",
    ),
    "da": (
        "Rapport om et bord Club evening Spillere Anna, Bo, Carl",
        "Spil 2 , post 3 Betalt: Bo +4 i stedet for +2, Anna −3 i stedet for −1.",
        "Spil 2 er det første, der afviger fra reglerne: Bo +2, Anna −2.",
        "Skal have: Anna +4, Bo −2, Carl −2. Betalt, som der skal.",
        "Sted og dato Navn Underskrift",
    ),
}


@pytest.mark.parametrize("lang", ON_PAPER)
def test_an_evening_is_set_out_on_paper(lang: str) -> None:
    said = of_table(html_of("--lang", lang, given=jsonl(LOG, *WRONG)))
    assert [sentence for sentence in ON_PAPER[lang] if sentence not in said] == []


def test_a_table_stands_behind_its_deals_and_leads_to_their_reports() -> None:
    html = html_of(given=jsonl(LOG, *WRONG))
    kinds = re.findall(r'<p class="report-kind">(.*?)</p>', html)
    assert kinds == ["Report on a deal"] * 3 + ["Report on a table"]
    assert "<title>Report on a table: Club evening</title>" in html
    places = re.findall(r' id="([^"]+)"', html)
    assert len(places) == len(set(places))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(places)
    starts = re.findall(r'<article class="[^"]*" id="([^"]+)"', html)
    *_, table = html.split("<article")
    assert set(re.findall(r'href="#([^"]+-report)"', table)) == set(starts[:3])
    assert html_of("--jobs", "2", given=jsonl(LOG, *WRONG)) == html


def test_a_deal_that_is_not_here_is_told_and_leads_nowhere() -> None:
    html = html_of(given=jsonl(LOG, RIGHT[0], RIGHT[2]), status=0)
    assert "Deal 2 . Its record is not here." in of_table(html).replace("<b>", "")
    assert len(set(re.findall(r'href="#([^"]+-report)"', html))) == 2


def test_behind_a_break_a_table_leads_to_no_report_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    file.write_bytes(jsonl(LOG, *WRONG))
    rest = run("audit", "--format", "html", "--after", f"{file}:3", str(file)).stdout
    assert rest.count("<article") == 2
    assert set(re.findall(r'href="#([^"]+)"', rest)) <= set(re.findall(r' id="([^"]+)"', rest))
    assert "Deal 2 is the first to part" in of_table(rest)
