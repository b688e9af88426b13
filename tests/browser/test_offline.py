"""Without a network: the slip goes on, what waits is sent once; what a device keeps, and for whom."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Request, Route, expect

from service.auth.grants import GrantTerms, Scope
from service.http.web import offline, page_assets
from tests.support.api.clients import of_app
from tests.support.waiting import until
from tests.support.web.club import CONFIRM, Club, all_sent, arrived, fill, payments, ready, waiting
from tests.support.web.devices import LINES, STATUS, again, all_kept, await_cached, ends, open_slip, write
from tests.support.web.eyes import LANGUAGES, in_order
from tests.support.web.network import before_first, lose_first_answer, posts, refuse
from tests.support.web.showing import evaluated


def ways(sent: list[Request]) -> list[str]:
    """What was posted to write deals down, in order."""
    return [way for one in sent if (way := one.url.rpartition("/")[2]) != "validate"]


@pytest.mark.smoke
def test_an_evening_goes_on_without_a_network_and_is_sent_after(phone: BrowserContext, club: Club) -> None:
    """Three deals, a correction of one that waits, and the page opened anew meanwhile."""
    table = club.table(plan={"deals": 8})
    page = open_slip(phone, club, table)
    fill(page, "Anna", "solo", "hearts", "Won")
    assert payments(page)["Anna"] == "+6"
    phone.set_offline(True)
    page.locator(CONFIRM).click()
    expect(page.locator(STATUS)).to_have_text("Deal 1 is stored here and sent later.")
    expect(page.locator(".deal-number")).to_have_text("Deal 2")
    expect(page.locator(".deal-seats")).to_have_text("Anna deals · Carl-Christian sits out · 7 left")
    expect(page.locator(".queue-status")).to_have_text("1 not sent yet")
    expect(page.locator(LINES).first).to_contain_text("Solo in hearts: Anna won")
    expect(page.locator(LINES).first).to_contain_text("Not sent yet")

    fill(page, "Bo", "tourné", "clubs", "Bête")
    expect(page.locator(".verdict .ask")).to_have_text("The payment is worked out when the network is back.")
    page.locator(CONFIRM).click()
    expect(page.locator(".deal-number")).to_have_text("Deal 3")
    again(page)
    expect(page.locator(LINES)).to_have_count(2)
    expect(page.locator(".queue-status")).to_have_text("2 not sent yet")
    expect(page.locator(".deal-number")).to_have_text("Deal 3")
    page.locator(".is-passed").click()
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
    expect(page.locator(".queue-status")).to_be_empty()
    expect(page.locator(".connection")).to_be_empty()
    expect(page.locator(LINES).first).to_contain_text("All passed")
    expect(page.locator(LINES).nth(1).locator("s")).to_have_text("Tourné in clubs: Bo bête")
    deal = club.get(f"/tables/{table}/ledger")["lines"][1]["deal"]
    assert [event["type"] for event in club.events("deals", deal)] == [
        "deal_opened", "result_recorded", "correction_made",
    ]  # fmt: skip


def test_a_page_opened_offline_can_share_and_log_out_later(phone: BrowserContext, club: Club) -> None:
    table = club.table()
    page = open_slip(phone, club, table)
    phone.set_offline(True)
    club.go(page, f"/tables/{table}?lang=en")
    page.get_by_role("button", name="More").click()
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
    expect(page.locator("main")).to_contain_text("You need a link for that")
    expect(page.get_by_role("button", name="Log out")).to_have_count(0)


def test_an_answer_that_is_lost_is_asked_for_again_until_it_comes(phone: BrowserContext, club: Club) -> None:
    table = club.table()
    page = open_slip(phone, club, table)
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
    page = open_slip(phone, club, table)
    other = phone.new_page()
    other.goto(page.url)
    ready(other)
    phone.set_offline(True)
    write(page, "Anna", "solo", "hearts")
    expect(other.locator(LINES)).to_have_count(1)
    write(other, "Bo", "tourné", "clubs")
    expect(page.locator(".queue-status")).to_have_text("2 not sent yet")
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
    page = open_slip(phone, club, table)
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
        expect(page.locator(".discarded-entries")).to_contain_text("Deal 1. Solo in hearts: Anna won")
    expect(question).to_have_count(0)
    all_sent(page)
    expected = {"Enter it as well": [("solo", "won")], "Change it": [("solo", "bete")]}.get(way, [])
    assert ends(club, table) == [("simple", "bete"), *expected, ("tourne", "won")]
    if way == "Throw it away":
        again(page).get_by_role("button", name="Forget it").click()
        expect(page.locator(".discarded-entries")).to_be_empty()


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


SECRET = re.compile(r"spadille_[ts]_\w+")
CARDS = ["SA", "H5", "H3", "HK", "CK", "D7", "D2", "C4", "S5"]
HAND = {"type": "hand_dealt", "seat": "forehand", "cards": CARDS}


def recorder(table: str) -> GrantTerms:
    return GrantTerms("recorder", Scope("table", table))


def given(club: Club, table: str) -> str:
    """The grant that the table's recorder was given last."""
    made = [one for one in of_app(club.app).register.list_grants() if one.terms == recorder(table)]
    return max(made, key=lambda one: one.made_at).id


@pytest.mark.parametrize("language", LANGUAGES)
def test_offline_pages_are_in_order_for_every_eye(phone: BrowserContext, club: Club, language: str) -> None:
    """Slip, score sheet and a page that is not kept; what waits, what was overtaken, what was thrown away."""
    won, hearts = {"da": ("Vundet", "hjerter"), "en": ("Won", "hearts")}[language]
    table = club.table(title="Torsdagsklubben")
    club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    page = open_slip(phone, club, table, language)
    phone.set_offline(True)
    for declarer, contract in (("Bo", "tourné"), ("Anna", "solo"), ("Bo", "tourné")):
        write(page, declarer, contract, hearts, won)
    again(page)
    expect(page.locator("h1")).to_have_text("Torsdagsklubben")
    expect(page.locator(LINES)).to_have_count(4)
    page.locator('.table-nav a[href*="/sheet"]').click()
    arrived(page, "**/sheet**")
    expect(page.locator(".score-sheet tbody tr")).to_have_count(1)
    page.goto(f"{club.origin}/deals?lang={language}")
    link = page.get_by_role("link", name="Torsdagsklubben")
    expect(link).to_be_visible()
    in_order(page)
    link.click()
    ready(page)
    another = {"declarer": "middlehand", "contract": "simple", "outcome": "bete"}
    club.deal(table, **another)
    phone.set_offline(False)
    page.locator(".decision .choice").last.click()
    expect(page.locator(".discarded-entries li")).to_have_count(1)
    all_sent(page)
    before_first(page, "**/api/v1/tables/*/deals", lambda: club.deal(table, **another))
    write(page, "Anna", "solo", hearts, won)
    expect(page.locator(".decision")).to_be_visible()
    in_order(page)


def test_who_logs_out_leaves_nothing_behind(phone: BrowserContext, club: Club) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"))
    deal = club.deal(table, declarer="forehand", contract="solo", outcome="won")
    club.post(f"/deals/{deal}/events", HAND, 2)
    page = open_slip(phone, club, table)
    expect(page.locator(LINES)).to_have_count(1)
    until(lambda: '"Carl"' in all_kept(page), "the device keeps the table")
    before = all_kept(page)
    assert SECRET.search(before) is None
    assert not [card for card in CARDS if f'"{card}"' in before], "no hand is kept"
    phone.set_offline(True)
    write(page, "Anna", "solo", "hearts")
    leave = page.locator("[data-logout]")
    leave.click()
    expect(page.get_by_text("If you log out now, it is lost.")).to_be_visible()
    leave.click()
    expect(page.get_by_text("You cannot log out without a network.")).to_be_visible()
    assert len(waiting(page)) == 1
    phone.set_offline(False)
    all_sent(page)
    other = phone.new_page()
    other.goto(page.url)
    ready(other)
    evaluated(other, "core/device-cache", "await it.currentSessionId();")
    with page.expect_navigation():
        leave.click()
    expect(page.locator("[data-logout]")).to_have_count(0)
    # A page of that login in another tab learns something new, and keeps none of it.
    keep = """const buildContent = () => ({ players: ['Carl'] });
        await it.writeCached(given[0], { buildContent, isSameKind: () => true, maxEntries: 9 });"""
    evaluated(other, "core/device-cache", keep, table)
    after = all_kept(page)
    assert not [name for name in ('"Anna"', '"Bo"', '"Carl"', table) if name in after]
    phone.set_offline(True)
    page.goto(f"{club.origin}/tables/{table}?lang=en")
    words = "There is no network, and this table has not been opened on this device before."
    expect(page.locator(".connection")).to_have_text(words)
    page.goto(f"{club.origin}/tables?lang=en")
    expect(page.get_by_text("No table has been opened on this device yet.")).to_be_visible()


def test_what_one_login_wrote_is_not_sent_as_another_s(phone: BrowserContext, club: Club) -> None:
    """A link is revoked while something waits; it stays, and is sent when the next one says so."""
    table = club.table()
    page = open_slip(phone, club, table, terms=recorder(table))
    phone.set_offline(True)
    write(page, "Anna", "solo", "hearts")
    expect(page.locator(".queue-status")).to_have_text("1 not sent yet")
    register = of_app(club.app).register
    register.revoke_grant(given(club, table))
    phone.set_offline(False)
    expect(page.locator(".decision")).to_contain_text("The link is no longer valid")
    assert [one["state"] for one in waiting(page)] == ["held"]

    phone.clear_cookies()
    club.enter(page, f"/tables/{table}?lang=en", recorder(table))
    left = page.locator(".decision")
    expect(left).to_contain_text("An entry waits here, written under another login")
    expect(left).to_contain_text("Solo in hearts: Anna won")
    assert ends(club, table) == []
    left.get_by_role("button", name="Enter with my link").click()
    expect(left).to_have_count(0)
    all_sent(page)
    assert ends(club, table) == [("solo", "won")]
    assert club.get(f"/tables/{table}/events")["events"][-1]["recorded_by"] == given(club, table)


def test_what_is_refused_is_laid_before_a_person_and_sent_once(phone: BrowserContext, club: Club) -> None:
    """In the service's own words, or in the page's for what is too large, also for a proxy in between."""
    table, events = club.table(), "**/api/v1/deals/*/events"
    page, tries = phone.new_page(), list[Request]()
    club.enter(page, f"/tables/{table}?lang=da")
    question = page.locator(".decision")
    refuse(page, events, "invalid-event", 422, "No such contract.")
    write(page, "Anna", "solo", "hjerter", "Vundet")
    expect(question).to_contain_text("Spil 1 blev ikke taget imod")
    expect(question).to_contain_text("No such contract.")
    page.unroute(events)
    refuse(page, events, "record-full", 413, "A record takes 5000 entries.")
    question.get_by_role("button", name="Ret det").click()
    fill(page, "Anna", "solo", "klør", "Vundet")
    page.locator(CONFIRM).click()
    expect(question).to_contain_text("Der er ikke plads til flere poster her.")
    assert question.locator("[lang=en]").count() == 0
    page.unroute(events)

    def too_large(route: Route) -> None:
        """Answers as a proxy in between does that takes no such request."""
        tries.append(route.request)
        route.fulfill(status=413, content_type="text/html", body="<h1>413 Request Entity Too Large</h1>")

    page.route(events, too_large)
    page.clock.install()
    question.get_by_role("button", name="Send det igen").click()
    expect(question).to_contain_text("Det er mere, end der kan sendes på én gang.")
    page.clock.run_for(60_000)
    assert len(tries) == 1
    page.unroute(events)
    question.get_by_role("button", name="Send det igen").click()
    expect(question).to_have_count(0)
    all_sent(page)
    assert ends(club, table) == [("solo", "won")]


def test_a_browser_that_keeps_nothing_says_so_and_still_writes(phone: BrowserContext, club: Club) -> None:
    table = club.table()
    phone.add_init_script(
        "IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError') }"
    )
    page = phone.new_page()
    club.enter(page, f"/tables/{table}?lang=en")
    write(page, "Anna", "solo", "hearts")
    expect(page.locator(STATUS)).to_have_text("Deal 1 is written down.")
    phone.set_offline(True)
    write(page, "Bo", "tourné", "clubs")
    expect(page.locator(".connection")).to_contain_text("This browser stores nothing")
    phone.set_offline(False)
    expect(page.locator(STATUS)).to_have_text("Deal 2 is written down.")
    assert ends(club, table) == [("solo", "won"), ("tourne", "won")]


def test_a_new_version_of_the_pages_takes_the_place_of_the_old_one(
    phone: BrowserContext, club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = club.table()
    page = open_slip(phone, club, table)
    first = page.evaluate("caches.keys()")
    changed = tmp_path / "css"
    shutil.copytree(page_assets.STYLES_FOLDER, changed)
    with (changed / "evening.css").open("a") as style:
        style.write("\n.deal-number { letter-spacing: 7px; }\n")
    for module in (offline, page_assets):
        monkeypatch.setattr(module, "STYLES_FOLDER", changed)
    offline.assets_version.cache_clear()
    try:
        spaced = "getComputedStyle(document.querySelector('.deal-number')).letterSpacing"
        again(page)
        assert page.evaluate(spaced) == "7px", "a page and its files are of one version"
        page.evaluate(
            """async (first) => {
                while (String(await caches.keys()) === String(first) || (await caches.keys()).length > 1)
                    await new Promise((again) => setTimeout(again, 50));
            }""",
            first,
        )
        await_cached(page, table)
        phone.set_offline(True)
        again(page)
        assert page.evaluate(spaced) == "7px"
    finally:
        offline.assets_version.cache_clear()
