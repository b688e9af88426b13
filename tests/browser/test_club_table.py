"""Somebody comes to a table, somebody goes home; and what a table agrees on beside its rules."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.web.club import Club, confirm, fill, ready
from tests.support.web.eyes import in_order

SEATS = ".deal-seats"


@pytest.mark.smoke
@pytest.mark.usefixtures("watched")
def test_a_player_comes_and_one_goes_home(page: Page, club: Club) -> None:
    eva = club.members["Eva"]
    table = club.table(players=("Anna", "Bo", "Carl"))
    club.enter(page, f"/tables/{table}?lang=da")
    fill(page, "Anna", "solo", "hjerter", "Vundet")
    confirm(page, "Spil 1 er skrevet ned.")
    page.locator(".seating-panel summary").click()
    page.get_by_role("button", name="Eva", exact=True).click()
    page.get_by_label("Sidder efter").select_option("Anna")
    page.get_by_role("button", name="Sætter sig").click()
    expect(page.locator(".seating-panel [role=status]")).to_have_text("Eva sidder nu med.")
    # Anna is the next to deal; of four the player opposite the dealer sits out.
    expect(page.locator(SEATS)).to_have_text("Anna giver · Bo sidder over")
    fill(page, "Carl", "solo", "ruder", "Bet")
    confirm(page, "Spil 2 er skrevet ned.")
    expect(page.locator(SEATS)).to_have_text("Eva giver · Carl sidder over")
    page.get_by_role("button", name="Går hjem Eva").click()
    expect(page.locator(".is-confirming")).to_contain_text("Går Eva hjem?")
    page.get_by_role("button", name="Ja", exact=True).click()
    expect(page.locator(SEATS)).to_have_text("Bo giver")
    log = page.locator("[data-part=log] > li")
    expect(log.first).to_contain_text("Eva går hjem")
    fill(page, "Bo", "solo", "klør", "Vundet")
    confirm(page, "Spil 3 er skrevet ned.")
    assert [event for event in club.events("tables", table) if event["type"].startswith("player")] == [
        {"type": "player_joined", "player": eva, "place": 2},
        {"type": "player_left", "player": eva},
    ]
    ledger = club.get(f"/tables/{table}/ledger")
    assert ledger["findings"] == []
    assert sum(ledger["totals"].values()) == 0
    assert ledger["totals"][eva] == next(one["chips"] for one in ledger["figures"] if one["player"] == eva)

    page.get_by_role("link", name="Regnskab").click()
    sheet = ready(page).locator(".score-sheet")
    expect(sheet.locator("thead th")).to_have_text(["Spil", "Anna", "Bo", "Carl", "Eva"])
    expect(sheet.locator(".seating-row")).to_have_text(["Eva kommer til", "Eva går hjem"])
    expect(sheet.locator("tbody tr").nth(1)).to_have_class("seating-row")
    expect(sheet.locator("tbody tr").last.locator("td").last).to_have_class("is-away")
    expect(sheet.locator("tfoot td").last).to_have_text({2: "+2", -2: "−2", 3: "+3"}[ledger["totals"][eva]])
    expect(page.locator(".figures tbody tr")).to_have_count(4)


def test_what_was_a_mistake_is_taken_back_and_the_dealer_can_be_another(page: Page, club: Club) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"))
    club.enter(page, f"/tables/{table}?lang=en")
    page.keyboard.press("Tab")
    summary = page.locator(".seating-panel summary")
    summary.press("Enter")
    page.get_by_label("Who comes?").fill("Bo")
    page.keyboard.press("Enter")
    expect(page.locator(".seating-panel [role=status]")).to_have_text("Bo sits here already.")
    page.get_by_label("Who comes?").fill("Ingrid")
    page.keyboard.press("Enter")
    expect(page.locator(SEATS)).to_have_text("Carl deals · Anna sits out")
    page.get_by_label("Who deals next?").select_option("Anna")
    page.get_by_role("button", name="Deals next").click()
    expect(page.locator(SEATS)).to_have_text("Anna deals · Carl sits out")
    page.get_by_role("button", name="Undo Round the table: Anna, Bo, Carl and Ingrid; Anna deals").click()
    expect(page.locator(SEATS)).to_have_text("Carl deals · Anna sits out")
    page.get_by_role("button", name="Undo Ingrid comes").click()
    expect(page.locator(SEATS)).to_have_text("Carl deals")
    expect(page.locator("[data-part=log] s").last).to_have_text("Ingrid comes")
    assert club.get(f"/tables/{table}/ledger")["findings"] == []
    in_order(page)


def test_a_table_agrees_on_choices_and_numbers(page: Page, club: Club) -> None:
    club.enter(page, "/tables/new?lang=da")
    for number, name in enumerate(("Kim", "Lis", "Mads"), 1):
        page.get_by_label(f"Spiller {number}", exact=True).fill(name)
    page.get_by_label("Regler").select_option("lomber")
    page.locator("summary").click()
    row = page.locator(".tariff tbody tr").filter(has_text="købe-nolo").locator("td").last
    before = row.inner_text()
    matadors = page.locator(".rule-switch").filter(has_text="Hvornår matadorer tvinges")
    expect(matadors.get_by_role("radio", checked=True)).to_have_count(1)
    expect(matadors).to_contain_text("(det sædvanlige)")
    page.locator(".rule-switch").filter(has_text="købe-nolo").get_by_label("4").check()
    expect(row).not_to_have_text(before)
    in_order(page)
    page.get_by_label("Regler").select_option("ombre")
    most = page.get_by_label("Flest estuches, der betales")
    most.fill("12")
    page.get_by_role("button", name="Åbn bordet").click()
    words = "Flest estuches, der betales: Et tal fra 1 til 9."
    expect(page.locator("main").get_by_role("alert")).to_have_text(words)
    most.fill("7")
    page.get_by_label("gascarille, når alle melder pas").check()
    expect(page.locator(".tariff tbody tr").filter(has_text="gascarille")).to_have_count(1)
    page.get_by_label("Er man fire, sidder den over, som har giveren over for sig.").check()
    page.get_by_role("button", name="Åbn bordet").click()
    page.wait_for_url("**/tables/0*-*")
    opened = club.events("tables", ready(page).url.rpartition("/")[2].partition("?")[0])[0]
    assert opened["switches"] == {"estuches-most": 7, "gascarille": True, "sits-out": "opposite-dealer"}
