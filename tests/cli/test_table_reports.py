"""`spadille audit` for a table: what a director reads of an evening, and what programs get."""

import json

import pytest

from tests.support.cli.deals import Json, answers, jsonl, lacking, refusal, run, text_of
from tests.support.cli.table_reports import LOG, RIGHT, TABLE, WRONG, deal, recorded, started
from tests.tables.planting import PLANTERS


def report_text(*arguments: str, given: bytes) -> str:
    """The report on the table, which follows those on its deals, in one line."""
    return text_of("audit", *arguments, "-", given=given).partition("Club evening")[2]


def table_line(*arguments: str, given: bytes) -> Json:
    """The last line for programs, which is about the table."""
    *deals, table = answers(run("audit", "--format", "json", *arguments, "-", given=given))
    assert "table" in table and not any("table" in one for one in deals)
    assert isinstance(table, dict)
    return table


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("en", (
            "What is wrong, each thing once deal 2 ✗ entry 3: Paid: Bo +4 instead of +2, Anna −3 instead",
            "Deal 2 is the first to part from the rules: Bo +2, Anna −2.",
            "Paid beside what is due, by deal: Anna Bo 2 −2 +2 in all −2 +2",
        )),
        ("da", (
            "Hvad der er galt, hver ting én gang spil 2 ✗ post 3: Betalt: Bo +4 i stedet for +2, Anna −3",
            "Spil 2 er det første, der afviger fra reglerne: Bo +2, Anna −2.",
        )),
    ],
)  # fmt: skip
def test_a_director_reads(lang: str, sentences: tuple[str, ...]) -> None:
    assert lacking(report_text("--lang", lang, given=jsonl(LOG, *WRONG)), sentences) == []


def test_where_nothing_is_wrong_the_report_says_so_and_the_status_is_0() -> None:
    given = jsonl(LOG, *RIGHT)
    assert lacking(report_text(given=given), ("Nothing was found.", "What was paid is what is due")) == []
    assert run("audit", "-", given=given).exit_code == 0
    assert run("audit", "-", given=jsonl(LOG, *WRONG)).exit_code == 1


def test_a_deal_without_its_record_is_named() -> None:
    given = jsonl(LOG, RIGHT[0], RIGHT[2])
    assert "The record of 1 deal is not here; what it pays does not count." in report_text(given=given)
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
    lines = answers(run("audit", "--format", "json", "-", given=jsonl(LOG, *RIGHT, other, deal(7, "solo"))))
    assert [(one.get("table"), one.get("deal")) for one in lines] == [
        (None, 2), (None, 3), (None, 4), (None, 6), (1, None), (5, None),
    ]  # fmt: skip


# --- By other rules ---------------------------------------------------------------------------------


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
    assert sentence in text_of("audit", "--rescore-with", rules, "--lang", lang, "-", given=jsonl(*deals))


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ("nonesuch", "There is no ruleset “nonesuch” here."),
        ("dlu@99", "There is no revision 99 of ruleset “dlu” here."),
        ("dlu@x", "Write a ruleset, such as la-bete"),
        ("dlu,sitter-pays", "Write a ruleset, such as la-bete"),
        ("dlu,nonesuch=yes", "dlu knows no switch"),
        ("dlu,sitter-pays=7", "cannot be 7"),
    ],
)
def test_unknown_rules_are_refused(rules: str, says: str) -> None:
    assert says in refusal("audit", "--rescore-with", rules, "-", given=jsonl(LOG, *RIGHT))
    on_paper = refusal("audit", "--format", "html", "--rescore-with", rules, "-", given=jsonl(LOG, *RIGHT))
    assert "--rescore-with counts in text and JSON" in on_paper


# --- Evenings with errors ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(PLANTERS))
def test_every_error_is_reported_in_both_languages(kind: str) -> None:
    _, planted, given = recorded(kind)
    (fault,) = table_line(given=given)["faults"]
    assert (fault["number"], fault["code"]) == (planted.deal + 1, planted.code)
    english, danish = report_text("--lang", "en", given=given), report_text("--lang", "da", given=given)
    assert f"deal {planted.deal + 1}" in english
    assert f"spil {planted.deal + 1}" in danish
    for word in ("Put right", "says again", "once more", "instead of", "By the record"):
        assert word not in danish


def test_a_viewer_learns_nothing_of_a_hidden_card_from_its_misprint() -> None:
    made, planted, _ = recorded("swapped_card")
    open_deals = [[one for one in events if one["type"] != "deal_closed"] for events in made.deals]
    log = [{**TABLE, "players": list(made.players)}, *map(started, range(1, len(open_deals) + 1))]
    given = jsonl(log, *open_deals)
    assert [one["code"] for one in table_line(given=given)["faults"]] == ["misprint_likely"]
    wrong = open_deals[planted.deal]
    dealt = {card for one in wrong if one["type"] == "hand_dealt" for card in one["cards"]}
    unseen = dealt - {one.get("card") for one in wrong}
    faults = json.dumps(table_line("--viewer", "public", given=given)["faults"])
    assert [card for card in unseen if card in faults] == []
