"""`spadille audit` as one file to be printed and signed; and what is told of a table."""

import json
import random
import re
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest

from engine.audit_report import build_audit_report
from engine.core.cards import SEATS
from schemas.i18n.card_words import OUTCOME_TERMS
from schemas.wire.event_writer import entry_bytes
from service.presentation.text.style import TextStyle
from tests.support.cli.auditing import DISPUTE, with_revokes
from tests.support.cli.deals import PASSED_OUT, SLIP, answers, jsonl, lacking, opening, refusal, run, text_of
from tests.support.drawing.looking import log_called
from tests.support.effort import THOROUGH
from tests.support.engine.shorthand import Json, corrected, note, ruled, settled, slip
from tests.support.tables.evenings import Evening, evening
from tests.support.tables.planting import PLANTERS, Planted
from tests.support.web.report import plain

TABLE: Json = {
    "type": "table_opened", "ruleset": "dlu", "title": "Club evening", "players": ["Anna", "Bo", "Carl"],
}  # fmt: skip

SEATED = (("Anna", "Bo", "Carl"), ("Bo", "Carl", "Anna"), ("Carl", "Anna", "Bo"))


def deal_started(number: int) -> Json:
    return {"type": "deal_started", "deal": f"d{number}", "number": number}


def game(number: int, contract: str, **paid: int) -> list[Json]:
    """The slip of a game won by forehand, as it is due, and what was paid."""
    players = dict(zip(("forehand", "middlehand", "backhand"), SEATED[(number - 1) % 3], strict=True))
    return [
        {"type": "deal_opened", "ruleset": "dlu", "number": number, "players": players},
        slip("F", contract, outcome="won"),
        *([settled(**paid)] if paid else []),
    ]


RIGHT = [
    game(1, "tourne", Anna=4, Bo=-2, Carl=-2), game(2, "simple", Bo=2, Carl=-1, Anna=-1), game(3, "solo"),
]  # fmt: skip

WRONG = [RIGHT[0], game(2, "simple", Bo=4, Carl=-1, Anna=-3), RIGHT[2]]

LOG = [TABLE, *map(deal_started, (1, 2, 3))]


def planted_evening(kind: str) -> tuple[Evening, Planted, bytes]:
    rng = random.Random(f"cli {kind}")
    made = evening(rng, "dlu", count=6)
    planted = PLANTERS[kind](rng, made)
    players = list(made.players)
    log = [{**TABLE, "players": players}, *map(deal_started, range(1, len(made.deals) + 1))]
    return made, planted, jsonl(log, *made.deals)


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


@pytest.mark.parametrize(("lang", "sentences"), [
    ("en", (
        "Report on a deal Open cards Bo revoked in trick 1; what the deal pays is open. Players",
        "Matter 1: entry 9 Bo plays",
        "Possible then: Bo to play: three of clubs",
        "Entry 11 The record is corrected: It was the queen. by Anna",
        "Before Carl plays the king of spades — Anna wins trick 1.",
        "Entry 12 Revoke is called against Bo by Anna. Proved: Bo plays",
        "Entry 13 Bo has revoked. Outcome bête At fault Bo",
        "Nothing vouches for this record except the place where it was read: deal 1.",
    )),
    ("da", (
        "Rapport om et spil Open cards",
        "Sag 1: post 9 Bo lægger",
        "Post 11 Optegnelsen rettes: It was the queen. af Anna",
        "Før Carl lægger spar konge — Anna tager stik 1.",
        "Udfald bet Skyld Bo",
        "Denne optegnelse er ikke sikret; den er læst her: spil 1.",
    )),
])  # fmt: skip
def test_a_dispute_on_paper(lang: str, sentences: tuple[str, ...]) -> None:
    assert lacking(plain(html_of("--lang", lang, "-", given=jsonl(DISPUTE))), sentences) == []


@pytest.mark.parametrize(("lang", "sentences"), [
    ("en", (
        "Report on a table Club evening 1 fault, in deal 2: what was paid is not what is due, in all Bo +2, "
        "Anna −2. Players Anna, Bo, Carl",
        "Deal 2 , entry 3 Paid: Bo +4 instead of +2, Anna −3 instead of −1.",
        "error · settlement mismatch · 7. Payments (clauses 7.1–7.5)",
        "Bo +2 +4 +2 Carl −1 −1 Anna −1 −3 −2",
        "Deal 1 : Tourné: Anna won. Due: Anna +4, Bo −2, Carl −2. Paid as due.",
        "Due: Bo +2, Carl −1, Anna −1. Paid: Anna −3, Bo +4, Carl −1. Paid differently, see above.",
        "Due: Carl +6, Anna −3, Bo −3. What was paid is not noted.",
        "Too much (+), too little (−) Anna 0 0 −2 Bo −3 −3 +2 Carl +3 +3",
        "7.2 Simple game and spade game 1, codille 2",
        "Place and date Name Signature",
    )),
    ("da", (
        "Rapport om et bord Club evening 1 fejl, i spil 2: der er betalt andet, end der skal, i alt Bo +2, "
        "Anna −2. Spillere Anna, Bo, Carl",
        "Spil 2 er det første, der afviger fra reglerne: Bo +2, Anna −2.",
        "Efter reglerne: Anna +4, Bo −2, Carl −2. Betalt, som der skal.",
        "7.2 Spil og bedre spil 1, kruk 2",
        "Sted og dato Navn Underskrift",
    )),
])  # fmt: skip
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
    assert "Deal 2 is the first to differ" in of_table(rest)


def test_a_report_is_written_into_a_file_in_every_form(tmp_path: Path) -> None:
    for form in ("html", "text", "json"):
        target = tmp_path / f"report.{form}"
        result = run("audit", "--format", form, "-o", str(target), "-", given=EVENING)
        assert (result.exit_code, result.stdout) == (1, "")
        assert target.read_text(encoding="utf-8") == run("audit", "--format", form, "-", given=EVENING).stdout


def test_names_and_notes_are_text_and_nothing_else() -> None:
    evil = "<script>alert(1)</script>"
    deal: list[Json] = [
        opening(title=evil, players={"forehand": evil, "middlehand": 'B"o', "backhand": "Carl & co"}),
        note(f"</style>{evil}"),
        ruled(text=evil),
    ]
    html = html_of("-", given=jsonl(deal))
    assert "<script" not in html
    assert html.count("</style>") == 1
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_below_a_revoke_a_table_says_what_each_legal_card_was_worth() -> None:
    logs = list(with_revokes(log_called("la-bete-slam-led-failed")))
    assert len(logs) > 4
    for log in logs[:: 1 if THOROUGH else 4]:
        (matter,) = build_audit_report(log).entry_reports
        assert matter.play_value is not None
        html = html_of("-", given=b"".join(entry_bytes(entry) + b"\n" for entry in log))
        (table,) = re.findall(r'<table class="[^"]*report-worth">.*?</table>', html, re.DOTALL)
        said = plain(f"<main>{table}")
        for choice in matter.play_value.turn.choices:
            chips = " ".join(TextStyle().chips(choice.value.chips_for_seat(seat) or 0) for seat in SEATS)
            assert f"{OUTCOME_TERMS[choice.value.ends_by_defender[0].outcome]} {chips}" in said
        assert said.count("not lawful") == 1


def report_text(*arguments: str, given: bytes) -> str:
    """The report on the table, which follows those on its deals, in one line."""
    return text_of("audit", *arguments, "-", given=given).partition("Club evening")[2]


def table_line(*arguments: str, given: bytes) -> Json:
    """The last line for programs, which is about the table."""
    *deals, table = answers(run("audit", "--format", "json", *arguments, "-", given=given))
    assert "table" in table and not any("table" in one for one in deals)
    assert isinstance(table, dict)
    return table


@pytest.mark.parametrize(("lang", "sentences"), [
    ("en", (
        "1 fault, in deal 2: what was paid is not what is due, in all Bo +2, Anna −2. ",
        "What is wrong, each thing once deal 2 ✗ entry 3: Paid: Bo +4 instead of +2, Anna −3 instead",
        "Deal 2 is the first to differ from the rules: Bo +2, Anna −2.",
        "Paid compared to what is due, by deal: Anna Bo 2 −2 +2 in all −2 +2",
    )),
    ("da", (
        "Alle fejl, hver nævnt én gang spil 2 ✗ post 3: Betalt: Bo +4 i stedet for +2, Anna −3",
        "Spil 2 er det første, der afviger fra reglerne: Bo +2, Anna −2.",
    )),
])  # fmt: skip
def test_a_director_reads(lang: str, sentences: tuple[str, ...]) -> None:
    assert lacking(report_text("--lang", lang, given=jsonl(LOG, *WRONG)), sentences) == []


def test_where_nothing_is_wrong_the_report_says_so_and_the_status_is_0() -> None:
    given = jsonl(LOG, *RIGHT)
    assert lacking(report_text(given=given), ("There are no findings.", "What was paid is what is due")) == []
    assert run("audit", "-", given=given).exit_code == 0
    assert run("audit", "-", given=jsonl(LOG, *WRONG)).exit_code == 1


@pytest.mark.parametrize(("lang", "sentences"), [
    ("en", ("Dorthe joined after deal 1.", "Dorthe left after deal 2: The last bus.",
            "Deal 1 was corrected: a slip of the pen")),
    ("da", ("Dorthe kom til efter spil 1.", "Dorthe gik efter spil 2: The last bus.",
            "Spil 1 blev rettet: a slip of the pen")),
])  # fmt: skip
def test_who_came_later_and_what_was_corrected_is_told(lang: str, sentences: tuple[str, ...]) -> None:
    log = [
        TABLE, deal_started(1), {"type": "player_joined", "player": "Dorthe"}, deal_started(2),
        {"type": "player_left", "player": "Dorthe", "reason": "The last bus."},
    ]  # fmt: skip
    given = jsonl(log, [*RIGHT[0], corrected([2], slip("F", "tourne", outcome="won"))], RIGHT[1])
    assert lacking(report_text("--lang", lang, given=given), sentences) == []
    assert lacking(of_table(html_of("--lang", lang, "-", given=given)), sentences) == []


def test_a_deal_without_its_record_is_named() -> None:
    given = jsonl(LOG, RIGHT[0], RIGHT[2])
    assert "The record of 1 deal is missing; it does not count." in report_text(given=given)
    assert [(one["number"], one["here"], one["due"] is None) for one in table_line(given=given)["deals"]] == [
        (1, True, False), (2, False, True), (3, True, False),
    ]  # fmt: skip


def test_programs_get_a_line_for_the_table_after_those_of_its_deals() -> None:
    line = table_line(given=jsonl(LOG, *WRONG))
    assert (line["file"], line["table"], line["title"], line["ok"]) == ("-", 1, "Club evening", False)
    (fault,) = line["faults"]
    assert (fault["deal"], fault["number"], fault["seq"]) == ("d2", 2, 3)
    assert fault["code"] == "settlement_mismatch"
    assert line["first"]["apart"] == line["apart"] == {"Bo": 2, "Anna": -2}
    assert line["deals"][1]["due"] == {"Bo": 2, "Carl": -1, "Anna": -1}
    assert line["rescored"] is None


def test_each_table_is_reported_and_a_deal_alone_stays_alone() -> None:
    other = [{**TABLE, "title": "Another"}]
    lines = answers(run("audit", "--format", "json", "-", given=jsonl(LOG, *RIGHT, other, game(7, "solo"))))
    assert [(one.get("table"), one.get("deal")) for one in lines] == [
        (None, 2), (None, 3), (None, 4), (None, 6), (1, None), (5, None),
    ]  # fmt: skip


def test_other_rules_would_have_paid_each_player() -> None:
    said = report_text("--rescore-with", "la-bete@1", given=jsonl(LOG, *RIGHT))
    assert "By other rules: la-bete@1 by its rules by those difference" in said
    line = table_line("--rescore-with", "la-bete@1", given=jsonl(LOG, *RIGHT))["rescored"]
    assert (line["ruleset"], line["revision"], line["switches"]) == ("la-bete", 1, {})
    for name, more in line["difference"].items():
        assert line["after"][name] - line["before"][name] == more
        assert f"{name} {signed(line['before'][name])} {signed(line['after'][name])} {signed(more)}" in said


def signed(count: int) -> str:
    return f"{count:+d}".replace("-", "−") if count else "0"


@pytest.mark.parametrize(("deals", "rules", "sentence"), [
    ([game(1, "tourne")], "la-bete", "by its rules by those difference"),
    ([game(1, "tourne")], "dlu", "It pays the same by its own rules."),
    ([game(1, "simple-nolo")], "ombre", "har ikke spillet købe-nolo og kan ikke sige, hvad det betaler."),
    ([LOG[:3], *RIGHT[:2]], "ombre", "cannot score any deal, so there is nothing to compare: 1, 2"),
], ids=["more", "the same", "no such game", "nothing to compare"])  # fmt: skip
def test_what_is_paid_by_other_rules(deals: list[list[Json]], rules: str, sentence: str) -> None:
    lang = "da" if "købe-nolo" in sentence else "en"
    assert sentence in text_of("audit", "--rescore-with", rules, "--lang", lang, "-", given=jsonl(*deals))


@pytest.mark.parametrize(("rules", "says"), [
    ("nonesuch", "There is no ruleset “nonesuch” here."),
    ("dlu@99", "There is no revision 99 of ruleset “dlu” here."),
    ("dlu@x", "Write a ruleset, such as la-bete"),
    ("dlu,sitter-pays", "Write a ruleset, such as la-bete"),
    ("dlu,nonesuch=yes", "dlu has no switch"),
    ("dlu,sitter-pays=7", "cannot be 7"),
])  # fmt: skip
def test_unknown_rules_are_refused(rules: str, says: str) -> None:
    assert says in refusal("audit", "--rescore-with", rules, "-", given=jsonl(LOG, *RIGHT))
    on_paper = refusal("audit", "--format", "html", "--rescore-with", rules, "-", given=jsonl(LOG, *RIGHT))
    assert "--rescore-with works only with" in on_paper


@pytest.mark.parametrize("kind", sorted(PLANTERS))
def test_every_error_is_reported_in_both_languages(kind: str) -> None:
    _, planted, given = planted_evening(kind)
    (fault,) = table_line(given=given)["faults"]
    assert (fault["number"], fault["code"]) == (planted.deal + 1, planted.code)
    english, danish = report_text("--lang", "en", given=given), report_text("--lang", "da", given=given)
    assert f"deal {planted.deal + 1}" in english
    assert f"spil {planted.deal + 1}" in danish
    for word in ("Corrected", "repeats", "again", "instead of", "By the record"):
        assert word not in danish


def test_a_viewer_learns_nothing_of_a_hidden_card_from_its_misprint() -> None:
    made, planted, _ = planted_evening("swapped_card")
    open_deals = [[one for one in events if one["type"] != "deal_closed"] for events in made.deals]
    log = [{**TABLE, "players": list(made.players)}, *map(deal_started, range(1, len(open_deals) + 1))]
    given = jsonl(log, *open_deals)
    assert [one["code"] for one in table_line(given=given)["faults"]] == ["misprint_likely"]
    wrong = open_deals[planted.deal]
    dealt = {card for one in wrong if one["type"] == "hand_dealt" for card in one["cards"]}
    unseen = dealt - {one.get("card") for one in wrong}
    faults = json.dumps(table_line("--viewer", "public", given=given)["faults"])
    assert [card for card in unseen if card in faults] == []


def test_each_printed_page_has_the_title_of_its_report_and_its_number() -> None:
    html = html_of("belinda-as-printed")
    (title,) = re.findall("<title>(.*?)</title>", html)
    assert f'style="--running-title: &#34;{title}&#34;"' in html
    assert '@top-left { content: var(--running-title, "")' in html
    assert '@bottom-right { content: counter(page) " / " counter(pages)' in html
