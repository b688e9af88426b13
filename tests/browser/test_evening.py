"""An evening at a table, in the browser: opened, kept by slips, followed, corrected, and closed."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from service.http.api.routes.identity import render_qr_code
from tests.support.engine.shorthand import SEATS, corrected, slip
from tests.support.web.club import (
    CONFIRM,
    Club,
    all_sent,
    arrived,
    confirm,
    fill,
    pass_all,
    payments,
    ready,
    tap,
)
from tests.support.web.devices import LINES, again
from tests.support.web.eyes import LANGUAGES, Watch, fits_a_narrow_phone, in_order, no_fault, resized


@pytest.mark.smoke
def test_a_table_is_opened_by_names_and_one_tap(page: Page, new_club: Club) -> None:
    club, members = new_club, new_club.members
    watch = Watch(page)
    club.enter(page, "/tables/new?lang=da")
    for name in ("Eva", "Finn", "Gerda"):
        page.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("button", name="En til ved bordet").click()
    page.get_by_label("Spiller 4", exact=True).fill("Ingrid")
    page.get_by_label("Regler").select_option("dlu")
    page.get_by_text("Takster").click()
    row = page.locator(".tariff tbody tr").filter(has_text="nolo ouvert")
    assert row.locator("td").all_inner_texts() == ["6", "–", "7"]
    page.get_by_label("oversidderen betaler og får").check()
    page.locator(".choice").filter(has_text="Omgange").click()
    page.get_by_label("Antal omgange").fill("5")
    expect(page.get_by_text("20 spil i alt")).to_be_visible()
    page.get_by_label("En jeton er værd").fill("0,25")
    today = page.evaluate("new Date().toLocaleDateString('sv')")
    expect(page.get_by_label("Dato")).to_have_value(today)
    page.get_by_role("button", name="Åbn bordet").click()
    arrived(page, "**/tables/0*-*")
    expect(page.locator(".deal-number")).to_have_text("Spil 1")
    expect(page.locator(".deal-seats")).to_contain_text("Ingrid giver")
    table = page.url.rpartition("/")[2].partition("?")[0]
    assert club.events("tables", table) == [
        {
            "type": "table_opened", "ruleset": "dlu", "switches": {"sitter-pays": True},
            "players": [members["Eva"], members["Finn"], members["Gerda"], "Ingrid"],
            "plan": {"deals": 20}, "chip_value": "0.25", "currency": "kr", "date": today,
        }
    ]  # fmt: skip
    # The next table is offered as this one was: one tap opens it.
    club.go(page, "/tables/new?lang=da")
    page.get_by_role("button", name="Åbn bordet").click()
    page.wait_for_url("**/tables/0*-*")
    again = ready(page).url.rpartition("/")[2].partition("?")[0]
    assert again != table
    assert club.events("tables", again) == club.events("tables", table)
    assert watch.complaints == []
    assert watch.hosts == {club.origin}


def test_a_new_club_tries_a_made_up_evening_and_puts_it_away(page: Page, new_club: Club) -> None:
    new_club.enter(page, "/?lang=en")
    in_order(page)
    page.get_by_role("button", name="Try it with a made-up evening").click()
    page.wait_for_url("**/sheet?lang=en")
    expect(page.locator("h1")).to_have_text("A made-up evening")
    page.get_by_role("button", name="Ariel won").last.click()
    page.locator(".deal-link a").click()
    expect(page.get_by_text("Made up: it counts nowhere.")).to_be_visible()
    no_fault(page)
    expect(page.locator(".source")).to_contain_text("Made up to try Spadille; nobody played it")
    new_club.go(page, "/?lang=en")
    in_order(page)
    expect(page.get_by_text("No evening of this season has been played yet.")).to_be_visible()
    page.get_by_role("button", name="Put it away").click()
    expect(page.locator("h1")).to_have_text("A new evening")


def test_people_change_places_at_a_table_and_all_are_taken_off(page: Page, new_club: Club) -> None:
    """The buttons say where to, and keep the focus; what was cleared comes back."""
    assert new_club.members
    new_club.enter(page, "/tables/new?lang=da")
    told, fields = page.locator(".seats-status"), page.locator(".seats input")
    for number, name in enumerate(("Kim", "Lis", "Mads"), 1):
        page.get_by_label(f"Spiller {number}", exact=True).fill(name)
    page.get_by_role("button", name="Byt om på pladserne").click()
    page.get_by_role("button", name="Ned Kim").press("Enter")
    expect(told).to_have_text("Kim sidder nu på plads 2.")
    expect(page.get_by_role("button", name="Ned Kim")).to_be_focused()
    page.keyboard.press("Enter")
    expect(told).to_have_text("Kim sidder nu på plads 3.")
    expect(page.get_by_role("button", name="Op Kim")).to_be_focused()
    fits_a_narrow_phone(page)
    page.get_by_role("button", name="Færdig med at bytte").click()

    for name in ("Eva", "Finn", "Gerda"):
        page.get_by_role("button", name=name, exact=True).click()
    expect(told).to_have_text("Der er seks ved bordet; flere er der ikke plads til.")
    expect(page.get_by_role("button", name="Hans", exact=True)).to_be_disabled()
    names = ["Lis", "Mads", "Kim", "Eva", "Finn", "Gerda"]
    assert [field.input_value() for field in fields.all()] == names
    page.get_by_role("button", name="Tøm").click()
    expect(told).to_have_text("Alle navne er fjernet.")
    assert [field.input_value() for field in fields.all()] == ["", "", ""]
    page.get_by_role("button", name="Sæt dem tilbage").click()
    assert [field.input_value() for field in fields.all()] == names


def test_what_is_wrong_at_the_opening_is_said(page: Page, new_club: Club) -> None:
    new_club.enter(page, "/tables/new?lang=en")
    for number, name in enumerate(("Kim", "Kim", ""), 1):
        page.get_by_label(f"Player {number}", exact=True).fill(name)
    press = page.get_by_role("button", name="Open the table")
    press.click()
    expect(page.get_by_role("alert")).to_have_text("Write at least three names.")
    expect(page.get_by_label("Player 3", exact=True)).to_be_focused()
    page.get_by_label("Player 3", exact=True).fill("Lis")
    expect(page.get_by_role("alert")).to_be_empty()
    press.click()
    expect(page.get_by_role("alert")).to_have_text("Kim is there twice.")
    expect(page.get_by_label("Player 2", exact=True)).to_be_focused()
    page.get_by_label("Player 2", exact=True).fill("Mads")
    page.get_by_label("A chip is worth").fill("a lot")
    press.click()
    expect(page.get_by_role("alert")).to_contain_text("0.25")
    expect(page.get_by_label("A chip is worth")).to_be_focused()


@pytest.mark.smoke
@pytest.mark.usefixtures("watched")
def test_slips_are_judged_written_followed_and_corrected(page: Page, second: Page, club: Club) -> None:
    """Three deals: one lost, one passed out, a nolo; a second browser sees each at once."""
    table = club.table(chip_value="0.25", currency="kr")
    club.enter(page, f"/tables/{table}?lang=da")
    club.enter(second, f"/tables/{table}/sheet?lang=da")
    expect(page.locator(".deal-seats")).to_have_text("Dorthe giver · Bo sidder over")

    fill(page, "Anna", "solo", "hjerter", "Kruk")
    assert payments(page) == {"Anna": "−8", "Carl-Christian": "+4", "Dorthe": "+4"}
    expect(page.locator(".verdict-game")).to_have_text("Solo i hjerter: Anna gik kruk")
    expect(page.locator(".reasons")).to_have_text("Solo kruk: 4 til hver. 7. Takster")
    assert club.get(f"/tables/{table}")["deals"] == 0, "nothing is stored before it is confirmed"
    confirm(page, "Spil 1 er skrevet ned.")
    expect(page.locator(LINES).first).to_contain_text("Solo i hjerter: Anna gik kruk")
    expect(second.locator(".score-sheet tfoot td").first).to_have_text("−8")

    pass_all(page, "Spil 2 er skrevet ned.")
    expect(second.locator(".score-sheet tbody tr")).to_have_count(2)

    expect(page.locator(".deal-seats")).to_have_text("Anna giver · Carl-Christian sidder over")
    fill(page, "Dorthe", "ren nolo", outcome="Bet")
    trumps = page.locator('[data-facts="trump"] input')
    assert trumps.evaluate_all("all => all.every((one) => one.disabled)"), "a nolo has no trumps"
    assert payments(page) == {"Bo": "+4", "Dorthe": "−8", "Anna": "+4"}
    confirm(page, "Spil 3 er skrevet ned.")
    expect(second.locator(".score-sheet tfoot td")).to_have_text(["−4", "+4", "+4", "−4"])

    page.get_by_role("button", name="Ret spil 1").click()
    expect(page.locator(".deal-number")).to_have_text("Ret spil 1")
    expect(page.locator(".bar .status")).to_be_empty()
    tap(page, "outcome", "Vundet")
    expect(page.locator(".verdict-game")).to_have_text("Solo i hjerter: Anna vandt")
    page.get_by_label("Hvorfor rettes det?").fill("Det var vundet")
    confirm(page, "Spil 1 er rettet.")
    first = page.locator(LINES).last
    expect(first).to_contain_text("Solo i hjerter: Anna vandt")
    expect(first.locator("s")).to_have_text("Solo i hjerter: Anna gik kruk")
    expect(first).to_contain_text("Rettet: Det var vundet")
    expect(second.locator(".score-sheet tfoot td")).to_have_text(["+10", "+4", "−3", "−11"])
    expect(page.locator(".deal-number")).to_have_text("Spil 4")
    deal = club.get(f"/tables/{table}/ledger")["lines"][0]["deal"]
    assert [event["type"] for event in club.events("deals", deal)] == [
        "deal_opened", "result_recorded", "correction_made",
    ]  # fmt: skip


def seat_at(page: Page, name: str, player: str) -> None:
    page.locator(f'[data-place="{name}"]').first.select_option(label=player)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_dealt_and_who_sat_out_are_corrected(page: Page, club: Club, language: str) -> None:
    resized(page, 390, 844)
    table = club.table(ruleset="dlu", players=("Anna", "Bo", "Carl", "Dora"))
    deal = club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    club.enter(page, f"/tables/{table}?lang={language}")
    page.locator(f"{LINES} .correct-button").click()
    page.locator(".seating-change summary").click()
    in_order(page)
    assert payments(page) == {"Anna": "+6", "Carl": "−3", "Dora": "−3"}
    seat_at(page, "dealer", "Anna")
    sitting = page.locator("[data-place] >> nth=-1")
    assert [page.locator(f'[data-place="{one}"]').input_value() for one in SEATS.values()] == [
        "Bo",
        "Dora",
        "Anna",
    ]
    expect(sitting).to_have_value("Carl")
    expect(page.locator(".deal-seats")).to_contain_text("Carl")
    payers = page.locator(".payments-summary dt")
    expect(payers).to_have_text(["Bo", "Dora", "Anna"])
    seat_at(page, "forehand", "Carl")
    expect(sitting).to_have_value("Bo")
    expect(payers).to_have_text(["Carl", "Dora", "Anna"])
    assert payments(page) == {"Carl": "−3", "Dora": "−3", "Anna": "+6"}
    page.locator(CONFIRM).click()
    expect(page.locator(".bar .status")).to_contain_text("1")
    [line] = club.get(f"/tables/{table}/ledger")["lines"]
    assert line["seating"] == {"dealer": "Anna", "forehand": "Carl", "middlehand": "Dora", "backhand": "Anna",
                               "sitting_out": ["Bo"]}  # fmt: skip
    assert (line["declarer"], line["chips"]) == ("Anna", {"Anna": 6, "Carl": -3, "Dora": -3})
    assert club.events("deals", deal)[-1]["replaces"] == [1, 2]
    expect(page.locator(f"{LINES} s")).to_contain_text("Anna")


@pytest.mark.usefixtures("watched")
def test_more_than_nine_tricks_cannot_be_tapped_and_are_marked_in_the_log(page: Page, club: Club) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"))
    eleven = {"forehand": 7, "middlehand": 4}
    club.deal(table, declarer="middlehand", contract="solo", trump="H", tricks=eleven)
    club.deal(table, outcome="passed_out")
    club.enter(page, f"/tables/{table}?lang=en")
    fault = "The slip has 11 tricks; there are nine."
    expect(page.locator(LINES).last.locator(".fault")).to_have_text(f"Not in order: {fault}")
    expect(page.locator(f"{LINES} .fault")).to_have_count(1)
    tap(page, "declarer", "Bo")
    tap(page, "contract", "solo")
    tap(page, "tricks", "4")
    expect(page.locator('.trick-row[aria-pressed="true"]')).to_have_text("Tricks: Carl –")
    shut = page.locator('[data-facts="tricks"] input:disabled')
    assert shut.evaluate_all("all => all.map((one) => one.value)") == ["6", "7", "8", "9"]
    tap(page, "tricks", "5")
    expect(page.locator(CONFIRM)).to_have_text("Write it down")
    page.get_by_role("button", name="Correct deal 1").click()
    expect(page.locator(CONFIRM)).to_have_text("Write it down anyway")
    expect(page.locator(".verdict .fault")).to_have_text(fault)
    plain = page.locator(CONFIRM).evaluate("it => getComputedStyle(it).backgroundColor")
    assert plain == "rgba(0, 0, 0, 0)", "what does not fit is no plain green button"
    club.go(page, f"/tables/{table}/sheet?lang=en")
    expect(page.locator(".deal-toggle .doubt")).to_have_text("?Not in order")


def test_a_deal_is_struck_out_and_put_in_again(page: Page, club: Club) -> None:
    table = club.table(plan={"deals": 2})
    club.deal(table, declarer="forehand", contract="solo", outcome="won")
    club.deal(table, declarer="backhand", contract="tourne", outcome="bete")
    club.enter(page, f"/tables/{table}?lang=en")
    expect(page.get_by_text("That was the last deal agreed on.")).to_be_visible()
    page.get_by_role("button", name="Correct deal 1").click()
    page.get_by_label("Why is it corrected?").fill("")
    page.get_by_role("button", name="Strike the deal out").click()
    expect(page.locator(".bar .status")).to_have_text("Say why it is corrected.")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".bar .status")).to_be_empty()
    page.get_by_role("button", name="Correct deal 1").click()
    page.get_by_label("Why is it corrected?").fill("Written twice")
    struck_out = page.locator(LINES).last
    page.get_by_role("button", name="Strike the deal out").click()
    expect(page.get_by_text("Strike deal 1 out?")).to_be_visible()
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.get_by_role("button", name="Strike the deal out")).to_be_focused()
    assert len(club.get(f"/tables/{table}/ledger")["lines"]) == 2, "nothing is struck before it is confirmed"
    page.get_by_role("button", name="Strike the deal out").click()
    page.get_by_role("button", name="Yes, strike it out").click()
    expect(page.locator(".bar .status")).to_have_text("Deal 1 is struck out.")
    expect(struck_out.locator("s")).to_have_text("Solo: Anna won")
    expect(struck_out).to_contain_text("Struck out: Written twice")
    assert len(club.get(f"/tables/{table}/ledger")["lines"]) == 1
    page.get_by_role("button", name="Restore it deal 1").click()
    expect(page.locator(".bar .status")).to_have_text("Deal 1 counts again.")
    expect(struck_out.locator("s")).to_have_count(0)
    assert [line["number"] for line in club.get(f"/tables/{table}/ledger")["lines"]] == [1, 2]


def test_a_table_is_set_aside_and_counts_again(page: Page, club: Club) -> None:
    table = club.table()
    club.deal(table, declarer="forehand", contract="solo", outcome="won")
    club.enter(page, f"/tables/{table}?lang=en")
    page.get_by_text("Set this table aside").click()
    page.get_by_role("button", name="Set it aside").click()
    expect(page.get_by_text("Say why.")).to_be_visible()
    page.get_by_label("Why?").fill("Opened twice.")
    page.get_by_role("button", name="Set it aside").click()
    line = page.locator('[data-part="aside"]')
    expect(line).to_have_text("This table is set aside and counts nowhere: Opened twice.")
    expect(page.locator(".slip-form")).to_be_hidden()
    expect(page.locator(LINES)).to_contain_text("Solo: Anna won")
    fits_a_narrow_phone(page)
    assert club.get(f"/tables/{table}")["voided"] == "Opened twice."
    club.go(page, f"/tables/{table}/sheet?lang=en")
    expect(line).to_contain_text("counts nowhere")
    club.go(page, f"/tables/{table}?lang=en")
    page.get_by_role("button", name="Let the table count again").click()
    expect(page.locator(".slip-form")).to_be_visible()
    expect(line).to_be_empty()
    assert club.get(f"/tables/{table}")["voided"] is None


def test_the_evening_ends_and_nobody_writes_at_a_closed_table(page: Page, club: Club) -> None:
    """Neither there nor on the pages of its deals, until it is opened again."""
    table = club.table()
    deal = club.begun(table)
    club.enter(page, f"/tables/{table}?lang=en")
    page.get_by_role("button", name="That is all for tonight").click()
    expect(page.locator(".end-actions")).to_contain_text("Deal 1 is not finished.")
    page.get_by_role("button", name="Yes, close it").click()
    expect(page.locator(".deal-number")).to_have_text("The evening is over")
    expect(page.locator(".slip-form")).to_be_hidden()
    expect(page.locator(".current-standings dd")).to_have_count(4)
    to_sheet = page.get_by_role("link", name="See the score sheet").get_attribute("href") or ""
    assert f"/tables/{table}/sheet" in to_sheet
    all_sent(page)
    assert club.get(f"/tables/{table}")["closed"]
    club.go(page, f"/tables/{table}/record?lang=en")
    expect(page.locator(".deal-start-open .lead")).to_have_text("The table is closed. Open it again")
    expect(page.get_by_role("link", name="Deal 1")).to_be_visible()
    club.go(page, f"/deals/{deal}/record?lang=en")
    expect(page.locator(".pad")).to_contain_text("The table is closed.")
    expect(page.locator("[data-call], .more-menu button, [data-act]:visible")).to_have_count(0)
    page.get_by_role("link", name="Open it again").click()
    page.get_by_role("button", name="Open it again").click()
    expect(page.locator(".slip-form")).to_be_visible()
    all_sent(page)
    assert not club.get(f"/tables/{table}")["closed"]
    club.go(page, f"/deals/{deal}/record?lang=en")
    expect(page.locator("[data-call=pass]")).to_be_visible()


def half_filled(page: Page, *contracts: str) -> None:
    """Waits until the device keeps slips with these contracts, and no other."""
    script = """async (wanted) => {
        const { deviceCache } = await import("/static/js/core/device-cache.js");
        for (let tries = 0; tries < 1000; tries += 1) {
            const slips = (await deviceCache.readAll()).filter((one) => one.slip);
            if (slips.map((one) => one.facts.contract).join() === wanted.join()) return;
            await new Promise((later) => setTimeout(later, 20));
        }
        throw new Error("It keeps something else.");
    }"""
    page.evaluate(script, list(contracts))


def test_a_half_filled_slip_is_kept_until_it_is_written_or_somebody_logs_out(page: Page, club: Club) -> None:
    """Over a reload and a correction; for its own deal and this login alone."""
    table = club.table(players=("Anna", "Bo", "Carl"))
    club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    club.enter(page, f"/tables/{table}?lang=da")
    tap(page, "declarer", "Bo")
    tap(page, "contract", "tourné")
    half_filled(page, "tourne")
    again(page)
    expect(page.get_by_role("radio", name="Bo")).to_be_checked()
    page.get_by_role("button", name="Ret spil 1").click()
    expect(page.get_by_role("radio", name="Anna")).to_be_checked()
    tap(page, "outcome", "Bet")
    page.get_by_role("button", name="Annuller").click()
    expect(page.get_by_role("radio", name="tourné", exact=True)).to_be_checked()
    tap(page, "trump", "klør")
    tap(page, "outcome", "Vundet")
    confirm(page, "Spil 2 er skrevet ned.")
    half_filled(page)
    assert club.get(f"/tables/{table}/ledger")["lines"][1]["contract"] == "tourne"
    # Somebody else writes that deal meanwhile: what was begun is not taken for the next one.
    tap(page, "declarer", "Carl")
    tap(page, "contract", "solo")
    half_filled(page, "solo")
    page.goto(f"{club.origin}/tables?lang=da")
    club.deal(table, outcome="passed_out")
    club.go(page, f"/tables/{table}?lang=da")
    expect(page.locator(".slip-form input:checked")).to_have_count(0)
    page.get_by_role("button", name="Log ud").click()
    expect(page.get_by_role("button", name="Log ud")).to_have_count(0)
    half_filled(page)


def test_other_rules_are_offered_from_their_own_data(page: Page, club: Club) -> None:
    """What is paid besides, and a pool: as the ruleset and the ledger have it."""
    table = club.table(players=("Anna", "Bo", "Carl"), ruleset="ombre")
    club.enter(page, f"/tables/{table}?lang=en")
    (due,) = club.get(f"/tables/{table}/ledger")["following"]
    tap(page, "declarer", "Anna")
    page.locator('[data-facts="contract"] .choice').first.click()
    tap(page, "outcome", "Won")
    expect(page.locator(f'{CONFIRM}[aria-disabled="false"]')).to_be_visible()
    reasons = page.locator(".reasons")
    expect(reasons).to_contain_text(f"The pool held {due['pool']}")
    page.get_by_role("button", name="The first five").click()
    expect(reasons).to_contain_text("primeras")
    # What an item is for and what is paid for it are parted by one colon.
    assert not re.search(r": [^;.]*: ", reasons.inner_text())
    confirm(page, "Deal 1 is written down.")


def test_a_viewer_s_link_shows_the_table_and_no_way_to_write(page: Page, second: Page, club: Club) -> None:
    table = club.table()
    deal = club.deal(table, declarer="forehand", contract="solo", trump="D", outcome="won")
    club.post(f"/deals/{deal}/events", corrected([2], slip("F", "solo", trump="H", outcome="won")), 2)
    club.enter(page, f"/tables/{table}?lang=en")
    page.get_by_role("button", name="Share").click()
    page.locator('[data-role="viewer"]').click()
    link = page.get_by_label("The link", exact=True).input_value()
    drawn = page.locator(".qr path").get_attribute("d")
    assert drawn and f'd="{drawn}"' in render_qr_code(link), "the code is that of the link"
    assert "token=" in urlsplit(link).fragment
    assert "token" not in urlsplit(link).query

    guest, watch = second, Watch(second)
    guest.goto(link)
    guest.wait_for_url(f"{club.origin}/tables/{table}")
    club.go(guest, f"/tables/{table}?lang=en")
    expect(guest.locator("[data-part=log]")).to_contain_text("Solo in hearts: Anna won")
    # Why it was corrected is not for every onlooker; that it was, is.
    expect(guest.locator("[data-part=log] .replaced-entry i")).to_have_text("Corrected")
    expect(guest.locator(".deal-number")).to_have_text("Deal 2")
    # There is nothing for a viewer to fill in: the page shows how it stands instead.
    expect(guest.locator(".current-standings dd")).to_have_text(["+6", "0", "−3", "−3"])
    assert guest.locator(".evening button, .evening input").count() == 0
    guest.goto(f"{club.origin}/tables?lang=en")
    expect(guest.locator(".contents li")).to_have_count(1)
    expect(guest.get_by_text("Open a table")).to_have_count(0)
    club.go(guest, f"/tables/{table}/sheet?lang=en")
    expect(guest.locator(".score-sheet tfoot td")).to_have_text(["+6", "0", "−3", "−3"])
    assert watch.complaints == []

    page.locator(".grants li").filter(has_text="Onlooker").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("The link is no longer valid.")).to_be_visible()
    expect(page.locator(".grants")).to_have_text("Nobody yet.")
    guest.goto(f"{club.origin}/tables/{table}?lang=en")
    expect(guest.locator("h1")).to_have_text("That did not work")
    page.get_by_role("button", name="Close").click()
    assert page.locator(".qr").count() == 0, "the secret does not stay behind in the page"
