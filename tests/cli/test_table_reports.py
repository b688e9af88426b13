"""`spadille audit` for a table: what a director reads of an evening, and what programs are told."""

import random
import re
from pathlib import Path

import pytest

from tests.support.cli.deals import Json, answers, jsonl, run
from tests.support.web.report import plain
from tests.tables.evenings import evening
from tests.tables.planting import PLANTERS, Planted

PLAYERS = ["Anna", "Bo", "Carl"]
TABLE: Json = {"type": "table_opened", "ruleset": "dlu", "title": "Club evening", "players": PLAYERS}
SEATED = (("Anna", "Bo", "Carl"), ("Bo", "Carl", "Anna"), ("Carl", "Anna", "Bo"))


def started(number: int) -> Json:
    return {"type": "deal_started", "deal": f"d{number}", "number": number}


def deal(number: int, contract: str, **paid: int) -> list[Json]:
    """The slip of a game won by forehand, as it is due, and what was paid."""
    players = dict(zip(("forehand", "middlehand", "backhand"), SEATED[(number - 1) % 3], strict=True))
    return [
        {"type": "deal_opened", "ruleset": "dlu", "number": number, "players": players},
        {"type": "result_recorded", "declarer": "forehand", "contract": contract, "outcome": "won"},
        *([{"type": "deal_settled", "payments": paid}] if paid else []),
    ]


RIGHT = [
    deal(1, "tourne", Anna=4, Bo=-2, Carl=-2),
    deal(2, "simple", Bo=2, Carl=-1, Anna=-1),
    deal(3, "solo"),
]
WRONG = [RIGHT[0], deal(2, "simple", Bo=4, Carl=-1, Anna=-3), RIGHT[2]]
LOG = [TABLE, *map(started, (1, 2, 3))]


def recorded(kind: str) -> tuple[Planted, bytes]:
    rng = random.Random(f"cli {kind}")
    made = evening(rng, "dlu", count=6)
    planted = PLANTERS[kind](rng, made)
    players = list(made.players)
    log = [{**TABLE, "players": players}, *map(started, range(1, len(made.deals) + 1))]
    return planted, jsonl(log, *made.deals)


def told(*arguments: str, given: bytes) -> str:
    """What is written about the table, behind its deals, in one line."""
    result = run("audit", *arguments, "-", given=given)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return " ".join(result.stdout.partition("Club evening")[2].split())


def table_line(*arguments: str, given: bytes) -> Json:
    lines = answers(run("audit", "--format", "json", *arguments, "-", given=given))
    (line,) = [one for one in lines if "table" in one]
    assert lines[-1] is line
    told: Json = line
    return told


WORDS = {
    "en": (
        "What is wrong, each thing once deal 2 ✗ entry 3: Paid: Bo +4 instead of +2, Anna −3 instead",
        "Deal 2 is the first to part from the rules: Bo +2, Anna −2.",
        "Paid beside what is due, by deal: Anna Bo 2 −2 +2 in all −2 +2",
    ),
    "da": (
        "Hvad der er galt, hver ting én gang spil 2 ✗ post 3: Betalt: Bo +4 i stedet for +2, Anna −3",
        "Spil 2 er det første, der afviger fra reglerne: Bo +2, Anna −2.",
    ),
}


@pytest.mark.parametrize("lang", WORDS)
def test_an_evening_is_set_out_for_the_director(lang: str) -> None:
    said = told("--lang", lang, given=jsonl(LOG, *WRONG))
    assert [sentence for sentence in WORDS[lang] if sentence not in said] == []


def test_where_nothing_is_wrong_that_is_said_and_the_status_is_0() -> None:
    given = jsonl(LOG, *RIGHT)
    assert "Nothing was found." in told(given=given)
    assert "What was paid is what is due" in told(given=given)
    assert run("audit", "-", given=given).exit_code == 0
    assert run("audit", "-", given=jsonl(LOG, *WRONG)).exit_code == 1


def test_a_deal_whose_record_is_not_here_is_told() -> None:
    said = told(given=jsonl(LOG, RIGHT[0], RIGHT[2]))
    assert "The record of 1 deal is not here; what it pays does not count." in said
    line = table_line(given=jsonl(LOG, RIGHT[0], RIGHT[2]))
    assert [(one["number"], one["here"], one["due"] is None) for one in line["deals"]] == [
        (1, True, False), (2, False, True), (3, True, False),
    ]  # fmt: skip


def test_programs_get_a_line_for_the_table_behind_those_of_its_deals() -> None:
    line = table_line(given=jsonl(LOG, *WRONG))
    assert (line["file"], line["table"], line["title"], line["ok"]) == ("-", 1, "Club evening", False)
    (fault,) = line["faults"]
    assert (fault["deal"], fault["code"]) == ("d2", "settlement_mismatch")
    assert line["first"]["apart"] == {"Bo": 2, "Anna": -2}


def test_each_table_is_reported_and_a_deal_alone_stays_alone() -> None:
    other = [{**TABLE, "title": "Another"}]
    lines = answers(run("audit", "--format", "json", "-", given=jsonl(LOG, *RIGHT, other, deal(7, "solo"))))
    assert [(one.get("table"), one.get("deal")) for one in lines] == [
        (None, 2), (None, 3), (None, 4), (None, 6), (1, None), (5, None),
    ]  # fmt: skip


def test_a_file_that_is_named_gets_it_all(tmp_path: Path) -> None:
    given, into = jsonl(LOG, *WRONG), tmp_path / "report.txt"
    result = run("audit", "-o", str(into), "-", given=given)
    assert (result.exit_code, result.stdout) == (1, "")
    assert into.read_text(encoding="utf-8") == run("audit", "-", given=given).stdout
    refused = run("audit", "--format", "html", "--as", "dlu", "-", given=given)
    assert refused.exit_code == 2
    assert "--as counts in text and JSON" in refused.stderr


# --- By other rules ---------------------------------------------------------------------------------


def test_per_player_it_is_said_what_it_would_have_been() -> None:
    said = told("--as", "la-bete@1", given=jsonl(LOG, *RIGHT))
    assert "By other rules: la-bete@1 by its rules by those difference" in said
    line = table_line("--as", "la-bete@1", given=jsonl(LOG, *RIGHT))["rescored"]
    assert (line["ruleset"], line["revision"], line["switches"]) == ("la-bete", 1, {})
    for name, more in line["difference"].items():
        assert line["after"][name] - line["before"][name] == more
        assert f"{name} {signed(line['before'][name])} {signed(line['after'][name])} {signed(more)}" in said


def signed(count: int) -> str:
    return f"{count:+d}".replace("-", "−") if count else "0"


@pytest.mark.parametrize(
    ("deals", "rules", "sentence"),
    [
        ([deal(1, "tourne")], "la-bete", "by its rules by those difference"),
        ([deal(1, "tourne")], "dlu", "It pays the same by its own rules."),
        ([deal(1, "simple-nolo")], "ombre", "kender ikke spillet købe-nolo, så intet kan betales efter det."),
        ([LOG[:3], *RIGHT[:2]], "ombre", "no deal can be paid, so there is nothing to compare: 1, 2"),
    ],
    ids=["more", "the same", "no such game", "nothing to compare"],
)
def test_what_a_deal_or_a_table_pays_by_other_rules(
    deals: list[list[Json]], rules: str, sentence: str
) -> None:
    lang = "da" if "kender" in sentence else "en"
    said = run("audit", "--as", rules, "--lang", lang, "-", given=jsonl(*deals)).stdout
    assert sentence in " ".join(said.split())


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ("nonesuch", "There is no ruleset “nonesuch” here."),
        ("dlu@99", "There is no revision 99 of ruleset “dlu” here."),
        ("dlu@x", "Write a ruleset, such as la-bete"),
        ("dlu,sitter-pays", "Write a ruleset, such as la-bete"),
        ("dlu,nonesuch=yes", "dlu knows no switch"),
        ("dlu,sitter-pays=7", "cannot be 7"),
        ("", "Write a ruleset, such as la-bete"),
    ],
)
def test_rules_that_there_are_none_of_are_refused(rules: str, says: str) -> None:
    result = run("audit", "--as", rules, "-", given=jsonl(LOG, *RIGHT))
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stdout == ""



@pytest.mark.parametrize("kind", sorted(PLANTERS))
def test_every_error_is_told_in_both_languages(kind: str) -> None:
    planted, given = recorded(kind)
    english, danish = told("--lang", "en", given=given), told("--lang", "da", given=given)
    assert f"deal {planted.deal + 1}" in english
    assert f"spil {planted.deal + 1}" in danish
    for word in ("Put right", "says again", "once more", "instead of", "By the record"):
        assert word not in danish


def test_nothing_is_told_of_cards_to_who_may_not_know_them() -> None:
    """A card of a hand that nobody sees is written wrongly: the public is told nothing of it."""
    given = b"".join(
        line for line in recorded("swapped_card")[1].splitlines(True) if b'"deal_closed"' not in line
    )
    assert [one["code"] for one in table_line(given=given)["faults"]] == ["misprint_likely"]
    faults = table_line("--viewer", "public", given=given)["faults"]
    assert "misprint_likely" not in [one["code"] for one in faults]


# --- As one file, to be printed and signed ------------------------------------------------------------


def html_of(*arguments: str) -> str:
    result = run("audit", "--format", "html", *arguments, "-", given=jsonl(LOG, *WRONG))
    assert (result.exit_code, result.stderr) == (1, "")
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
        "Deal 1 : Tourné: Anna won. Due: Anna +4, Bo −2, Carl −2. Paid as it is due.",
        "Due: Carl +6, Anna −3, Bo −3. What was paid is not noted.",
        "Too much (+), too little (−) Anna 0 0 −2 Bo −3 −3 +2 Carl +3 +3",
        "Place and date Name Signature",
    ),
    "da": (
        "Rapport om et bord Club evening Spillere Anna, Bo, Carl",
        "Spil 2 , post 3 Betalt: Bo +4 i stedet for +2, Anna −3 i stedet for −1.",
        "Spil 2 er det første, der afviger fra reglerne: Bo +2, Anna −2.",
        "Sted og dato Navn Underskrift",
    ),
}


@pytest.mark.parametrize("lang", ON_PAPER)
def test_an_evening_is_set_out_on_paper(lang: str) -> None:
    said = of_table(html_of("--lang", lang))
    assert [sentence for sentence in ON_PAPER[lang] if sentence not in said] == []


def test_a_table_stands_behind_its_deals_and_leads_to_their_reports() -> None:
    html = html_of()
    kinds = re.findall(r'<p class="report-kind">(.*?)</p>', html)
    assert kinds == ["Report on a deal"] * 3 + ["Report on a table"]
    assert "<title>Report on a table: Club evening</title>" in html
    places = re.findall(r' id="([^"]+)"', html)
    assert len(places) == len(set(places))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(places)
    starts = re.findall(r'<article class="[^"]*" id="([^"]+)"', html)
    *_, table = html.split("<article")
    assert set(re.findall(r'href="#([^"]+-report)"', table)) == set(starts[:3])
    assert html_of("--jobs", "2") == html


def test_behind_a_break_a_table_leads_to_no_report_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    file.write_bytes(jsonl(LOG, *WRONG))
    rest = run("audit", "--format", "html", "--after", f"{file}:3", str(file)).stdout
    assert rest.count("<article") == 2
    assert set(re.findall(r'href="#([^"]+)"', rest)) <= set(re.findall(r' id="([^"]+)"', rest))
    assert "Deal 2 is the first to part" in of_table(rest)
