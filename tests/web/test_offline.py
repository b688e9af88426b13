"""Without a network: the slip goes on, what waits is sent once and in order, and nothing is lost unseen."""

import pytest
from playwright.sync_api import BrowserContext, Request, expect

from tests.support.web.club import CONFIRM, Club, all_sent, fill, payments, ready, waiting
from tests.support.web.devices import LINES, STATUS, again, ends, opened, write
from tests.support.web.network import before_first, lose_first_answer, posts


def ways(sent: list[Request]) -> list[str]:
    """What was posted to write deals down, in order."""
    return [way for one in sent if (way := one.url.rpartition("/")[2]) != "validate"]


@pytest.mark.smoke
def test_an_evening_goes_on_without_a_network_and_is_sent_once_it_is_back(
    phone: BrowserContext, club: Club
) -> None:
    """Three deals, a correction of one that waits, and the page opened anew meanwhile."""
    table = club.table(plan={"deals": 8})
    page = opened(phone, club, table)
    fill(page, "Anna", "solo", "hearts", "Won")
    assert payments(page)["Anna"] == "+6"
    phone.set_offline(True)
    page.locator(CONFIRM).click()
    expect(page.locator(STATUS)).to_have_text("Deal 1 is kept, and sent later.")
    expect(page.locator(".deal-number")).to_have_text("Deal 2")
    expect(page.locator(".deal-seats")).to_have_text("Anna deals · Carl-Christian sits out · 7 left")
    expect(page.locator(".waits")).to_have_text("1 not sent yet")
    expect(page.locator(LINES).first).to_contain_text("Solo in hearts: Anna won")
    expect(page.locator(LINES).first).to_contain_text("Not sent yet")

    fill(page, "Bo", "tourné", "clubs", "Bête")
    expect(page.locator(".verdict .ask")).to_have_text("The payment is worked out when the network is back.")
    page.locator(CONFIRM).click()
    expect(page.locator(".deal-number")).to_have_text("Deal 3")
    again(page)
    expect(page.locator(LINES)).to_have_count(2)
    expect(page.locator(".waits")).to_have_text("2 not sent yet")
    expect(page.locator(".deal-number")).to_have_text("Deal 3")
    fill(page, "All passed")
    page.locator(CONFIRM).click()
    expect(page.locator(".deal-seats")).to_have_text("Bo deals · Dorthe sits out · 6 left")
    page.get_by_role("button", name="Correct deal 2").click()
    fill(page, "Bo", "tourné", "clubs", "Won")
    page.locator(CONFIRM).click()
    expect(page.locator(".connection")).to_have_text("No network. 4 to be sent when it is back.")
    assert len(waiting(page)) == 4
    assert ends(club, table) == []

    phone.set_offline(False)
    all_sent(page)
    assert ends(club, table) == [("solo", "won"), ("tourne", "won"), (None, "passed_out")]
    dealers = [line["seating"]["dealer"] for line in club.get(f"/tables/{table}/ledger")["lines"]]
    assert dealers == ["Dorthe", "Anna", "Bo"]
    expect(page.locator(".waits")).to_be_empty()
    expect(page.locator(".connection")).to_be_empty()
    expect(page.locator(LINES).first).to_contain_text("All passed")
    expect(page.locator(LINES).nth(1).locator("s")).to_have_text("Tourné in clubs: Bo bête")
    deal = club.get(f"/tables/{table}/ledger")["lines"][1]["deal"]
    assert [event["type"] for event in club.events("deals", deal)] == [
        "deal_opened", "result_recorded", "correction_made",
    ]  # fmt: skip


def test_who_opened_it_without_a_network_can_share_and_log_out_when_it_is_back(
    phone: BrowserContext, club: Club
) -> None:
    table = club.table()
    page = opened(phone, club, table)
    phone.set_offline(True)
    club.go(page, f"/tables/{table}?lang=en")
    share = page.get_by_role("button", name="Share")
    expect(share).to_have_count(0)
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    phone.set_offline(False)
    expect(share).to_be_enabled()
    share.click()
    dialog = page.get_by_role("dialog")
    dialog.locator("[data-role=recorder]").click()
    expect(dialog.locator(".qr")).to_be_visible()
    expect(dialog.locator("[data-role=recorder]")).to_have_attribute("aria-pressed", "true")
    expect(dialog.locator("[data-role=viewer]")).to_have_attribute("aria-pressed", "false")
    dialog.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Log out").click()
    # The page is asked for again, as everybody sees it.
    expect(page.locator("main")).to_contain_text("That takes a link")
    expect(page.get_by_role("button", name="Log out")).to_have_count(0)


def test_an_answer_that_is_lost_is_asked_for_again_until_it_comes(phone: BrowserContext, club: Club) -> None:
    table = club.table()
    page = opened(phone, club, table)
    lose_first_answer(page, "**/api/v1/tables/*/deals")
    lose_first_answer(page, "**/api/v1/deals/*/events")
    sent = posts(page)
    write(page, "Anna", "solo", "hearts")
    write(page, "Bo", "tourné", "clubs")
    expect(page.locator(".deal-number")).to_have_text("Deal 3")
    expect(page.locator(STATUS)).to_have_text("Deal 2 is written down.")
    assert ways(sent) == ["deals", "deals", "events", "events", "deals", "events"]
    assert ends(club, table) == [("solo", "won"), ("tourne", "won")]
    assert [line["number"] for line in club.get(f"/tables/{table}/ledger")["lines"]] == [1, 2]
    # What is confirmed at the moment of another's is a question too.
    before_first(page, "**/api/v1/tables/*/deals", lambda: club.deal(table, outcome="passed_out"))
    write(page, "Anna", "solo", "hearts")
    page.locator(".decision").get_by_role("button", name="Enter it as well").click()
    all_sent(page)
    assert ends(club, table)[2:] == [(None, "passed_out"), ("solo", "won")]
    expect(page.locator(LINES).first).to_contain_text("Solo in hearts: Anna won")


def test_two_tabs_send_what_waits_once(phone: BrowserContext, club: Club) -> None:
    table = club.table()
    page = opened(phone, club, table)
    other = phone.new_page()
    other.goto(page.url)
    ready(other)
    phone.set_offline(True)
    write(page, "Anna", "solo", "hearts")
    expect(other.locator(LINES)).to_have_count(1)
    write(other, "Bo", "tourné", "clubs")
    expect(page.locator(".waits")).to_have_text("2 not sent yet")
    sent = [posts(tab) for tab in (page, other)]
    phone.set_offline(False)
    for tab in (page, other):
        all_sent(tab)
        expect(tab.locator(".entry-chips")).to_have_count(2)
    assert sorted(ways(sent[0] + sent[1])) == ["deals", "deals", "events", "events"]
    assert ends(club, table) == [("solo", "won"), ("tourne", "won")]


@pytest.mark.parametrize("way", ["Enter it as well", "Change it", "Throw it away"])
def test_what_others_wrote_first_is_laid_before_a_person(phone: BrowserContext, club: Club, way: str) -> None:
    """Two deals wait, and one was written on another device: each way out, and the later deal follows."""
    table = club.table()
    page = opened(phone, club, table)
    phone.set_offline(True)
    write(page, "Anna", "solo", "hearts")
    write(page, "Bo", "tourné", "clubs")
    club.deal(table, declarer="middlehand", contract="simple", outcome="bete")
    phone.set_offline(False)
    question = page.locator(".decision")
    expect(question).to_contain_text("Deal 1: somebody else wrote first")
    expect(question).to_contain_text("Deal 1. Simple game: Carl-Christian bête")
    expect(question).to_contain_text("Deal 1. Solo in hearts: Anna won")
    assert ends(club, table) == [("simple", "bete")], "nothing is written over it"
    question.get_by_role("button", name=way).click()
    if way == "Change it":
        fill(page, "Anna", "solo", "hearts", "Bête")
        page.locator(CONFIRM).click()
    if way == "Throw it away":
        expect(page.locator(".thrown")).to_contain_text("Deal 1. Solo in hearts: Anna won")
    expect(question).to_have_count(0)
    all_sent(page)
    expected = {"Enter it as well": [("solo", "won")], "Change it": [("solo", "bete")]}.get(way, [])
    assert ends(club, table) == [("simple", "bete"), *expected, ("tourne", "won")]
    if way == "Throw it away":
        again(page).get_by_role("button", name="Forget it").click()
        expect(page.locator(".thrown")).to_be_empty()


def test_a_slip_opens_and_writes_where_no_stream_comes_through(phone: BrowserContext, club: Club) -> None:
    """Something between lets no stream through: the page reads the log, and tells a deal by its number."""
    table = club.table()
    page = phone.new_page()
    page.route("**/live*", lambda route: route.abort())
    club.enter(page, f"/tables/{table}?lang=en")
    club.deal(table, declarer="middlehand", contract="simple", outcome="bete")
    write(page, "Anna", "solo", "hearts")
    question = page.locator(".decision")
    expect(question).to_contain_text("Deal 1: somebody else wrote first")
    question.get_by_role("button", name="Enter it as well").click()
    all_sent(page)
    assert ends(club, table) == [("simple", "bete"), ("solo", "won")]
    expect(page.locator(LINES).first.locator(".entry-number")).to_have_text("2")
