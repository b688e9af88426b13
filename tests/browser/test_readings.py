"""Two readings of a historic deal side by side: what each says, what only one says, the way to its points."""

import re

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Locator, Page, expect

import replays
from engine import Log
from service.http.web.views.reading_comparison import ComparisonRow, compare_readings, split_card_codes
from tests.support.web.eyes import sheets
from tests.support.web.showing import BELINDA, unfolded, visit

BESIDE = f"{BELINDA}/readings/belinda-second-reading"


def load(name: str) -> Log:
    found = replays.find_library_deal(name)
    assert found is not None
    return found.read_log()


def differing(one: str, other: str) -> list[str]:
    return [row_label(row) for row in compare_readings(load(one), load(other), "en") if row.differs]


def row_label(row: ComparisonRow) -> str:
    return " ".join(str(part) for part in (row.part, row.seat, row.number) if part)


def marked(row: ComparisonRow) -> list[list[str]]:
    """What is marked on either side, because only that side says it."""
    return [[item.value for item in side if item.differs] for side in row.sides]


def test_a_deal_and_its_readings_find_each_other(library: FlaskClient) -> None:
    names = ["belinda", "belinda-as-printed", "belinda-second-reading"]
    for name in names:
        page = library.get(f"/replays/{name}").get_data(as_text=True)
        assert re.findall(rf"/replays/{name}/readings/([\w-]+)", page) == [
            one for one in names if one != name
        ]
    assert b"/readings/" not in library.get("/replays/dlu-solo-won").data


def test_two_readings_differ_where_one_says_what_the_other_does_not() -> None:
    assert differing("belinda", "belinda-second-reading") == [
        "dealt forehand", "dealt middlehand", "dealt backhand", "exchange forehand", "held backhand",
        "trick 1", "trick 2", "trick 3", "trick 4",
    ]  # fmt: skip
    assert differing("belinda", "belinda-as-printed") == ["held forehand", "held middlehand", "finding"]
    assert differing("belinda", "belinda") == []


def test_only_what_one_of_them_says_is_marked_and_a_misprint_as_it_was_printed() -> None:
    rows = {
        row_label(row): row for row in compare_readings(load("belinda"), load("belinda-second-reading"), "en")
    }
    assert marked(rows["trick 3"]) == [["??"], ["C?"]]
    # Of what the other leaves out altogether every card would be.
    assert marked(rows["dealt forehand"]) == [[], []]
    for side in rows["held backhand"].sides:
        assert {item.value for item in side if not item.differs} == {"CJ", "HJ"}
    rows = {
        row_label(row): row for row in compare_readings(load("belinda-as-printed"), load("belinda"), "en")
    }
    assert marked(rows["held forehand"]) == [[], ["SK"]]
    assert marked(rows["held middlehand"]) == [["SK"], ["SQ"]]
    assert [*rows][2:9] == [
        "dealt backhand", "bids", "exchange forehand", "held forehand", "held middlehand", "held backhand",
        "trick 1",
    ]  # fmt: skip


def test_a_sentence_comes_in_pieces_around_its_cards() -> None:
    assert split_card_codes("SK is led, C? and ?? fall on it; USA no card") == [
        ("SK", True), (" is led, ", False), ("C?", True), (" and ", False), ("??", True),
        (" fall on it; USA no card", False),
    ]  # fmt: skip


@pytest.mark.parametrize("other", ["belinda", "dlu-solo-won", "nobody"])
def test_what_is_no_other_reading_has_no_page(library: FlaskClient, other: str) -> None:
    assert library.get(f"{BELINDA}/readings/{other}", headers={"Accept": "text/html"}).status_code == 404


def cells(page: Page, row: str) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(f"#{row} td").all_inner_texts()]


def only(page: Page, row: str, side: int) -> Locator:
    return page.locator(f"#{row} td").nth(side).locator(".is-unique-reading")


@pytest.mark.smoke
def test_a_page_shows_both_with_sources_notes_and_score(page: Page, origin: str) -> None:
    page.goto(f"{origin}{BESIDE}?lang=en")
    expect(page.locator("thead th a")).to_have_text(["Belinda’s game", "Belinda’s game, a second reading"])
    expect(page.locator(".is-source td").nth(1)).to_contain_text("after a book of the nineteenth century")
    expect(page.locator(".difference-links a")).to_have_count(9)
    expect(page.locator("#trick-3 th")).to_have_text("Trick 3 ≠ (differs)")
    expect(only(page, "trick-3", 0)).to_have_text("Sir Anonym: an unseen cardx (differs)")
    expect(only(page, "trick-3", 1)).to_have_text("Sir Anonym: one of the clubsx (differs)")
    expect(page.locator("#trick-5 .is-unique-reading")).to_have_count(0)
    assert cells(page, "dealt-forehand")[1] == "not stated"
    expect(page.locator(".of-result td")).to_have_text(["Play in spades: Belinda won"] * 2)
    assert cells(page, "paid") == ["Belinda +23 the Baron −9 Sir Anonym −9"] * 2
    expect(page.locator(".of-notes td").nth(1)).to_contain_text("His small club goes first")


def test_a_deal_leads_to_its_other_readings(page: Page, origin: str) -> None:
    visit(page, f"{origin}{BELINDA}?lang=da")
    links = page.locator(".readings a")
    expect(links).to_have_text(["Belinda’s game, as printed", "Belinda’s game, a second reading"])
    links.first.click()
    expect(page.locator("h1")).to_have_text("To læsemåder")
    words = "Belinda’s game med Belinda’s game, as printed"
    expect(page.locator(".reading-pairs [aria-current]")).to_have_text(words)
    # What is found is told in the language of the page, its cards drawn.
    finding = page.locator("#finding td").nth(1)
    expect(finding).to_contain_text("spar konge")
    assert not re.search(r"\b(SK|stated|missing)\b", finding.inner_text())
    page.locator(".reading-pairs a").last.click()
    sentence = ["Belinda’s game, as printed", "Belinda’s game, a second reading"]
    expect(page.locator("thead th a")).to_have_text(sentence)


def test_a_deal_leads_to_another_account_and_their_differences_entry_by_entry(
    page: Page, origin: str
) -> None:
    visit(page, f"{origin}{BELINDA}?lang=en")
    unfolded(page).get_by_role("link", name="Compare", exact=True).click()
    page.get_by_label("Title, player, date").fill("as printed")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Belinda’s game, as printed").click()
    expect(page.locator(".comparison-verdict")).to_have_text("They cannot both be right.")
    row = page.locator(".of-entry", has_text="They differ: the cards").first
    expect(row.locator("td").nth(1)).to_contain_text("Entry 11")
    assert sheets(page) == 1
    row.get_by_role("link", name="Entry 11").last.click()
    expect(page).to_have_url(re.compile(r"/replays/belinda-as-printed\?lang=en#at=11$"))
