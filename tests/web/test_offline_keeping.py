"""What a device keeps, for whom and how long: pages, tables, and what is not sent yet."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Request, Route, expect

from service.auth.grants import Scope, Terms
from service.http.web import offline
from service.http.web.pages import pages
from tests.support.api.clients import of_app
from tests.support.waiting import until
from tests.support.web.club import CONFIRM, Club, all_sent, arrived, fill, ready, waiting
from tests.support.web.devices import LINES, STATUS, again, all_kept, ends, kept, opened, write
from tests.support.web.eyes import LANGUAGES, in_order
from tests.support.web.network import before_first, refuse
from tests.support.web.showing import evaluated

SECRET = re.compile(r"spadille_[ts]_\w+")
CARDS = ["SA", "H5", "H3", "HK", "CK", "D7", "D2", "C4", "S5"]
HAND = {"type": "hand_dealt", "seat": "forehand", "cards": CARDS}


def recorder(table: str) -> Terms:
    return Terms("recorder", Scope("table", table))


def given(club: Club, table: str) -> str:
    """The grant that the table's recorder was given last."""
    made = [one for one in of_app(club.app).register.grants() if one.terms == recorder(table)]
    return max(made, key=lambda one: one.made_at).id


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_without_a_network_are_in_order_for_every_eye(
    phone: BrowserContext, club: Club, language: str
) -> None:
    """Slip, score sheet and a page that is not kept; what waits, what was overtaken, what was thrown away."""
    won, hearts = {"da": ("Vundet", "hjerter"), "en": ("Won", "hearts")}[language]
    table = club.table(title="Torsdagsklubben")
    club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    page = opened(phone, club, table, language)
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
    in_order(page, by_night=language == "da")
    link.click()
    ready(page)
    another = {"declarer": "middlehand", "contract": "simple", "outcome": "bete"}
    club.deal(table, **another)
    phone.set_offline(False)
    page.locator(".decision .choice").last.click()
    expect(page.locator(".thrown li")).to_have_count(1)
    all_sent(page)
    before_first(page, "**/api/v1/tables/*/deals", lambda: club.deal(table, **another))
    write(page, "Anna", "solo", hearts, won)
    expect(page.locator(".decision")).to_be_visible()
    in_order(page, by_night=language == "da")


def test_who_logs_out_leaves_nothing_behind(phone: BrowserContext, club: Club) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"))
    deal = club.deal(table, declarer="forehand", contract="solo", outcome="won")
    club.post(f"/deals/{deal}/events", HAND, 2)
    page = opened(phone, club, table)
    expect(page.locator(LINES)).to_have_count(1)
    until(lambda: '"Carl"' in all_kept(page), "the device keeps the table")
    before = all_kept(page)
    assert SECRET.search(before) is None
    assert not [card for card in CARDS if f'"{card}"' in before], "no hand is kept"
    phone.set_offline(True)
    write(page, "Anna", "solo", "hearts")
    leave = page.locator("[data-leave]")
    leave.click()
    expect(page.get_by_text("It is lost if you log out now.")).to_be_visible()
    leave.click()
    expect(page.get_by_text("so nobody can be logged out")).to_be_visible()
    assert len(waiting(page)) == 1
    phone.set_offline(False)
    all_sent(page)
    other = phone.new_page()
    other.goto(page.url)
    ready(other)
    with page.expect_navigation():
        leave.click()
    expect(page.locator("[data-leave]")).to_have_count(0)
    # A page of that login in another tab learns something new, and keeps none of it.
    keep = "await it.keepNow(given[0], { told: () => ({ players: ['Carl'] }), isOne: () => true, most: 9 });"
    evaluated(other, "core/session", keep, table)
    after = all_kept(page)
    assert not [name for name in ('"Anna"', '"Bo"', '"Carl"', table) if name in after]
    phone.set_offline(True)
    page.goto(f"{club.origin}/tables/{table}?lang=en")
    expect(page.locator(".connection")).to_have_text(
        "There is no network, and this table has not been opened on this device before."
    )
    page.goto(f"{club.origin}/tables?lang=en")
    expect(page.get_by_text("No table has been opened on this device yet.")).to_be_visible()


def test_what_one_login_wrote_is_not_sent_as_another_s(phone: BrowserContext, club: Club) -> None:
    """A link is revoked while something waits; it stays, and is sent when the next one says so."""
    table = club.table()
    page = opened(phone, club, table, terms=recorder(table))
    phone.set_offline(True)
    write(page, "Anna", "solo", "hearts")
    expect(page.locator(".waits")).to_have_text("1 not sent yet")
    register = of_app(club.app).register
    register.revoke(given(club, table))
    phone.set_offline(False)
    expect(page.locator(".decision")).to_contain_text("The link does not hold any longer")
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
    log = club.get(f"/tables/{table}/events")["events"]
    assert log[-1]["recorded_by"] == given(club, table)


def test_what_is_refused_is_laid_before_a_person_and_not_tried_for_ever(
    phone: BrowserContext, club: Club
) -> None:
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
    expect(question).to_contain_text("Der er ikke plads til flere linjer her.")
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


def test_a_browser_that_keeps_nothing_says_so_and_writes_all_the_same(
    phone: BrowserContext, club: Club
) -> None:
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
    expect(page.locator(".connection")).to_contain_text("This browser keeps nothing")
    phone.set_offline(False)
    all_sent(page)
    assert ends(club, table) == [("solo", "won"), ("tourne", "won")]


def test_a_new_version_of_the_pages_takes_the_place_of_the_old_one(
    phone: BrowserContext, club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = club.table()
    page = opened(phone, club, table)
    first = page.evaluate("caches.keys()")
    changed = tmp_path / "web"
    shutil.copytree(offline.HERE, changed)
    with (changed / "static" / "css" / "evening.css").open("a") as style:
        style.write("\n.deal-number { letter-spacing: 7px; }\n")
    monkeypatch.setattr(offline, "HERE", changed)
    monkeypatch.setattr(pages, "_static_folder", str(changed / "static"))
    offline.version.cache_clear()
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
        kept(page, table)
        phone.set_offline(True)
        again(page)
        assert page.evaluate(spaced) == "7px"
    finally:
        offline.version.cache_clear()
