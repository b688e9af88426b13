"""What evenings come to: the score sheet, on a phone and on paper; seasons; and the members of the club."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from service.auth.grants import GrantTerms, Scope
from tests.support.engine.shorthand import corrected, slip
from tests.support.web.club import Club, Json, ready
from tests.support.web.eyes import LANGUAGES, Watch, in_order, resized, sheets


def table_of_three(club: Club) -> str:
    """A table of three deals: a solo won, a nolo lost, one passed out."""
    table = club.table(players=("Anna", "Bo", "Carl"), chip_value="0.25", currency="kr")
    club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    club.deal(table, declarer="forehand", contract="simple-nolo", tricks={"forehand": 2})
    club.deal(table, outcome="passed_out")
    return table


@pytest.mark.smoke
def test_the_sheet_says_what_the_ledger_says(page: Page, club: Club) -> None:
    table = table_of_three(club)
    club.enter(page, f"/tables/{table}/sheet?lang=da")
    ledger = club.get(f"/tables/{table}/ledger")
    signed = {
        player: f"{total:+}".replace("-", "−") if total else "0" for player, total in ledger["totals"].items()
    }
    expect(page.locator(".score-sheet tfoot td")).to_have_text([signed[one] for one in ledger["players"]])
    words = ["Solo i hjerter: Anna vandt", "Købe-nolo: Bo gik kruk", "Alle meldte pas"]
    expect(page.locator(".score-sheet .deal-text")).to_have_text(words)
    # Who pays whom is what players look for at the end.
    expect(page.locator("[data-part=sheet] h2")).to_have_text(
        ["Hvem skylder hvem", "Spil for spil", "Aftenens gang", "Spillerne"]
    )
    assert page.locator(".debts li").count() == len(ledger["owes"]) > 0
    first = ledger["owes"][0]
    expect(page.locator(".debts li").first).to_contain_text(f"{first['debtor']} giver {first['creditor']}")
    expect(page.locator(".debts li").first).to_contain_text(f"({first['money'].replace('.', ',')} kr)")
    figures = page.locator(".figures tbody tr").first.locator("td")
    expect(figures).to_have_text([signed["Anna"], "3", "1", "1", "0", "0"])
    expect(page.locator(".chart-name")).to_have_text(["Anna", "Bo", "Carl"])
    label = page.locator(".chart").get_attribute("aria-label")
    assert label and all(f"{one} {signed[one]}" in label for one in ledger["players"])
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Som regneark (CSV)").click()
    assert re.fullmatch(r"Regnskab 20\d\d-\d\d-\d\d\.csv", downloading.value.suggested_filename)
    assert downloading.value.path().read_text("utf-8-sig").startswith("nr;giver;")


def test_the_reason_for_every_chip_is_a_tap_away_and_follows_a_correction(page: Page, club: Club) -> None:
    table = table_of_three(club)
    club.enter(page, f"/tables/{table}/sheet?lang=da")
    page.locator(".deal-toggle").nth(1).click()
    reason = page.locator(".reason-row")
    expect(reason.locator(".items td").first).to_contain_text("købe-nolo kruk")
    expect(reason.locator(".items .chips")).to_have_text("3 til hver")
    expect(page.locator(".deal-toggle").nth(1)).to_have_attribute("aria-expanded", "true")
    deal = club.get(f"/tables/{table}/ledger")["lines"][1]["deal"]
    won = slip("F", "simple-nolo", outcome="won")
    club.post(f"/deals/{deal}/events", corrected([2], won), 2)
    expect(reason.locator(".items .chips")).to_have_text("2 fra hver")
    expect(page.locator(".deal-toggle").nth(1)).to_be_focused()
    page.locator(".deal-toggle").nth(1).click()
    expect(reason).to_have_count(0)


def test_a_corrected_deal_bears_a_mark_and_a_payment_is_no_deal(page: Page, club: Club) -> None:
    table = table_of_three(club)
    deal = club.get(f"/tables/{table}/ledger")["lines"][0]["deal"]
    better = slip("F", "solo", trump="H", outcome="bete")
    club.post(f"/deals/{deal}/events", corrected([2], better) | {"reason": "Bo så det"}, 2)
    club.post(f"/tables/{table}/events", {"type": "payment_made", "from": "Bo", "to": "Anna", "amount": 3},
              club.get(f"/tables/{table}")["version"])  # fmt: skip
    club.deal(table, outcome="passed_out")
    club.enter(page, f"/tables/{table}/sheet?lang=da")
    rows = page.locator(".score-sheet tbody tr")
    expect(rows.nth(0).locator("th")).to_have_text("1Solo i hjerter: Anna gik bet rettet")
    expect(page.locator(".mark")).to_have_count(1)
    page.locator(".deal-toggle").first.click()
    expect(page.locator(".reason-row .replaced-entry")).to_have_text(
        "Solo i hjerter: Anna vandt Rettet: Bo så det"
    )
    # What was paid by hand is no deal: the chart counts by the deals' own numbers.
    marks = page.locator(".chart text:not([text-anchor=end]):not([text-anchor=start])")
    expect(marks).to_have_text(["1", "2", "3", "4"])


FIGURES = ".score-sheet-part table, .score-sheet-part table *"


def test_where_a_row_has_no_room_it_is_a_block_and_nothing_is_cut(page: Page, club: Club) -> None:
    """On a narrow phone, with large type, on a desk with large type: nothing is moved sideways."""
    table = club.table(players=("Anne-Sophie Østergaard", "Bo", "Carl-Christian", "Dorthe", "Ørsted"))
    for contract in ("solo", "pure-nolo", "simple"):
        club.deal(table, declarer="forehand", contract=contract, outcome="codille")
    club.enter(page, f"/tables/{table}/sheet?lang=da")
    page.locator(".deal-toggle").first.click()
    expect(page.locator(".reason-row .payments")).to_be_visible()
    sheet = page.locator(".score-sheet")
    for width, size, folded in (
        (1280, "", False), (640, "", None), (320, "", True), (320, "212.5%", True), (390, "212.5%", True),
        (1280, "212.5%", None), (1280, "", False),
    ):  # fmt: skip
        resized(page, width, 800)
        page.evaluate("size => document.documentElement.style.fontSize = size", size)
        if folded is not None:
            state = expect(sheet)
            (state.to_have_class if folded else state.not_to_have_class)(re.compile("is-folded"))
        cut = page.locator(FIGURES).evaluate_all(
            """all => all.filter((it) => !it.closest("thead") || !it.closest(".is-folded"))
                .filter((it) => it.getBoundingClientRect().right > document.documentElement.clientWidth
                    || (it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).overflowX !== "visible"))
                .map((it) => it.outerHTML.slice(0, 80))"""
        )
        assert cut == [], (width, size)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        # However it is laid out, it is a table to who hears it.
        heard = page.get_by_role("table", name="Spil for spil")
        expect(heard.get_by_role("columnheader")).to_have_count(6)
        expect(heard.get_by_role("row", name="I alt").get_by_role("cell")).to_have_count(5)


def test_forty_deals_are_printed_on_one_sheet(page: Page, club: Club) -> None:
    table = club.table(title="Torsdagsklubben")
    for number in range(40):
        declarer = ("forehand", "middlehand", "backhand")[number % 3]
        outcome = ("won", "bete", "codille")[number // 3 % 3]
        club.deal(table, declarer=declarer, contract="solo", trump="H", outcome=outcome)
    club.enter(page, f"/tables/{table}/sheet?lang=da")
    expect(page.locator(".score-sheet tbody tr")).to_have_count(40)
    page.locator(".deal-toggle").first.click()
    expect(page.locator(".reason-row .payments")).to_be_visible()
    assert sheets(page, format="A4", print_background=True) == 1


SEASON = "2011-12"
SOLO = {"contract": "solo", "trump": "H"}


def open_evening(club: Club, day: str, players: tuple[str, ...], *results: Json, **more: Any) -> str:
    """The id of a table that was opened on a day, with deals of these results."""
    named = tuple(club.members.get(name, name) for name in players)
    table = club.table(players=named, recorded_at=f"{day}T19:00:00Z", **more)
    for result in results:
        club.deal(table, **result)
    return table


@pytest.fixture(scope="module")
def last_table(club: Club) -> str:
    """The last of three tables of one season, long past: no other test plays then."""
    won, lost = ({"declarer": "forehand", "outcome": outcome, **SOLO} for outcome in ("won", "codille"))
    worth = {"chip_value": "0.25", "currency": "kr"}
    open_evening(club, "2011-09-01", ("Eva", "Finn", "Ingrid"), won, lost, won, **worth)
    open_evening(
        club, "2011-10-06", ("Eva", "Finn", "Gerda", "Ingrid"), won, won, {"outcome": "passed_out"}, **worth
    )
    return open_evening(club, "2012-03-01", ("Gerda", "Finn", "Åse"), lost, title="Den lange aften i marts")


def column(page: Page, table: str, place: int) -> Locator:
    """A column of a table, from its first row to its last."""
    return page.locator(f"{table} tbody tr > :nth-child({place})")


@pytest.mark.usefixtures("watched")
def test_a_season_shows_what_its_ledgers_come_to(page: Page, club: Club, last_table: str) -> None:
    club.enter(page, "/tables?lang=da")
    page.get_by_role("link", name="Sæson", exact=True).click()
    page.get_by_role("link", name="Sæsonen 2011/12").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sæsonen 2011/12")
    words = "1. august 2011 – 31. juli 2012 · 3 aftener · 7 spil"
    expect(page.locator(".table-head .muted")).to_have_text(words)
    told = club.get(f"/seasons/{SEASON}")
    names = [told["names"].get(one["player"], one["player"]) for one in told["standings"]]
    signs = [f"{one['settled']:+}".replace("-", "−") if one["settled"] else "0" for one in told["standings"]]
    expect(column(page, ".standings", 2)).to_have_text(names)
    expect(column(page, ".standings", 3)).to_have_text(signs)
    rows = page.locator(".evenings tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.last).to_contain_text("Den lange aften i marts")
    assert rows.last.locator(".chips-change").count() == 3, "who was not there has nothing there"
    expect(page.get_by_role("img", name=re.compile("Kurver over spillernes stilling"))).to_have_count(1)
    expect(page.locator(".games thead th")).to_have_text(["Spiller", "solo"])

    page.get_by_role("link", name="Vundet").click()
    won = [str(one) for one in sorted((one["won"] for one in told["standings"]), reverse=True)]
    expect(column(page, ".standings", 8)).to_have_text(won)
    expect(page.locator("th[aria-sort]")).to_have_text("Vundet")
    page.get_by_role("link", name="Vundet").click()
    expect(column(page, ".standings", 8)).to_have_text(won[::-1])
    page.get_by_role("link", name="Spiller").click()
    alphabetical = sorted(names, key=str.casefold)
    expect(column(page, ".standings", 2)).to_have_text(alphabetical)

    rows.last.get_by_role("link").click()
    page.wait_for_url(f"**/tables/{last_table}/sheet?lang=da")


def test_other_days_are_chosen_by_keyboard_and_fit_one_page(page: Page, club: Club, last_table: str) -> None:
    assert last_table
    club.enter(page, "/seasons?lang=en")
    page.get_by_label("From").fill("2011-10-01")
    page.get_by_label("To").fill("2012-04-01")
    page.get_by_label("To").press("Enter")
    page.wait_for_url("**/seasons/2011-10-01--2012-04-01?lang=en")
    expect(page.get_by_role("heading", level=1)).to_have_text("1 October 2011 – 1 April 2012")
    expect(page.locator(".evenings tbody tr")).to_have_count(2)
    assert sheets(page, format="A4", print_background=True) == 1
    page.emulate_media(media="print")
    for table_of in (".standings", ".evenings", ".games"):
        rows = page.locator(f"{table_of} tbody tr")
        heights = rows.evaluate_all("all => all.map((it) => it.getBoundingClientRect().height)")
        assert max(heights) - min(heights) < 2, (table_of, heights)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.usefixtures("last_table")
def test_the_pages_of_the_club_are_in_order_for_every_eye(page: Page, club: Club, language: str) -> None:
    club.enter(page, f"/seasons?lang={language}")
    in_order(page)
    for path in (f"/seasons/{SEASON}", f"/members/{club.members['Gerda']}", "/members"):
        club.go(page, f"{path}?lang={language}")
        if path == "/members":
            page.locator("[data-member] button").nth(0).click()
            page.locator("[data-member] .member-actions button").nth(1).click()
        in_order(page)
        # Nothing of a table has to be pushed into sight.
        resized(page, 390)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        pushed = "all => all.filter((it) => it.scrollWidth > it.clientWidth).length"
        assert page.locator(".wide").evaluate_all(pushed) == 0, path


@pytest.mark.smoke
def test_a_member_is_added_changed_and_forgotten(page: Page, club: Club) -> None:
    assert club.members
    watch = Watch(page)
    club.enter(page, "/members?lang=en")
    status = page.locator(".member-status")
    adding = page.locator(".member-add")
    adding.get_by_label("Name").fill("Ole Olsen")
    adding.get_by_label("Member since").fill("2019-09-01")
    page.keyboard.press("Enter")
    expect(status).to_have_text("Ole Olsen is a member now.")
    item = page.locator("[data-member]").filter(has_text="Ole Olsen")
    expect(item).to_contain_text("since 1 September 2019")
    adding.get_by_label("Name").fill("ole olsen")
    page.keyboard.press("Enter")
    expect(status).to_contain_text("looks like that of Ole Olsen")
    assert [one["name"] for one in club.get("/members")["members"]].count("ole olsen") == 0

    page.get_by_role("button", name="Change Ole Olsen").click()
    changing = page.locator("[data-member] form")
    changing.get_by_label("Name").fill("Ole Olufsen")
    changing.get_by_label("Called at the table").fill("Ole")
    page.keyboard.press("Enter")
    expect(status).to_have_text("Ole Olufsen is saved.")
    ole = next(one for one in club.get("/members")["members"] if one["name"] == "Ole Olufsen")
    assert (ole["short"], ole["joined"]) == ("Ole", "2019-09-01")
    won = {"declarer": "forehand", "outcome": "won", **SOLO}
    table = open_evening(club, "2009-09-03", ("Finn", "Gerda", ole["id"]), won)
    page.get_by_role("link", name="Ole Olufsen").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ole Olufsen")
    expect(page.get_by_role("link", name="The season of 2009/10")).to_be_visible()
    expect(page.get_by_role("link", name="3 September 2009")).to_have_attribute(
        "href", f"/tables/{table}/sheet?lang=en"
    )

    page.go_back()
    ready(page).get_by_role("button", name="Forget Ole Olufsen").click()
    expect(page.locator("[data-member]").filter(has_text="Forget Ole Olufsen?")).to_contain_text(
        "The deals stay, so that the accounts of the others still add up"
    )
    page.get_by_role("button", name="Yes, forget").click()
    expect(status).to_have_text("It is forgotten.")
    for path in ("/members", f"/tables/{table}/sheet", "/tables", f"/tables/{table}", "/seasons/2009-10"):
        assert "Ole" not in club.go(page, f"{path}?lang=en").inner_text("body"), path
    expect(page.locator(".standings")).to_contain_text("someone who left")
    (refused,) = watch.complaints
    assert "409" in refused
    assert page.request.get(f"{club.origin}/members/{ole['id']}?lang=en").status == 404


@pytest.mark.parametrize("view", ["sheet", "recorder"])
def test_who_reads_is_told_that_the_link_was_withdrawn(page: Page, club: Club, view: str) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"))
    deal = club.begun(table)
    path = f"/tables/{table}/sheet" if view == "sheet" else f"/deals/{deal}/record"
    club.enter(page, f"{path}?lang=en", GrantTerms("recorder", Scope("table", table)))
    (grant,) = [one["id"] for one in club.get("/grants")["grants"] if one["scope"]["id"] == table]
    assert club.owner.delete(f"/api/v1/grants/{grant}", base_url=club.origin).status_code == 200
    told = "Your link was withdrawn or has expired. Ask the person who keeps the table for a new one."
    expect(page.locator("[data-part=connection]")).to_have_text(told)
    page.reload()
    expect(page.locator("main")).to_contain_text("it was withdrawn or has expired")
