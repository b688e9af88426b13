"""What a club publishes: it stands in the library, fits into other pages, and can be taken back."""

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from service.auth.grants import Terms
from tests.support.web.club import Club
from tests.support.web.publishing import SHARING, TITLE, published, settled, stranger
from tests.support.web.showing import BELINDA, SENTENCE


def shared(page: Page, club: Club, deal: str, terms: Terms | None = None) -> Page:
    """The page of a deal, with its ways of sharing opened."""
    club.enter(page, f"/deals/{deal}?lang=en", terms)
    expect(page.locator("main[data-waiting]")).to_have_count(0)
    page.locator(f"{SHARING} > summary").click()
    expect(page.locator(f"{SHARING} [data-act=link]")).to_be_visible()
    return page


@pytest.mark.smoke
def test_a_deal_is_published_renamed_and_taken_back(page: Page, browser: Browser, club: Club) -> None:
    deal = settled(club)
    shared(page, club, deal)
    expect(page.locator("[data-act=embed]")).to_have_count(0)
    page.locator(".publishing input").fill(TITLE)
    page.locator(".publishing input").press("Enter")
    expect(page.locator(f"{SHARING} [role=status]")).to_have_text("It stands in the library now.")
    expect(page.locator("[data-act=embed]")).to_be_visible()
    page.locator(".publishing input").fill(f"{TITLE}!")
    page.locator("[data-act=publish]").click()
    expect(page.locator(".publishing [data-act=unpublish]")).to_be_visible()

    reader = stranger(browser)
    reader.goto(f"{club.origin}/?lang=da")
    row = reader.locator(".contents li", has_text=TITLE)
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Eva · Finn · Anna")
    assert "Eva Engel" not in reader.content()
    row.get_by_role("link").click()
    expect(reader.locator("h1")).to_have_text(f"{TITLE}!")
    expect(reader.locator("main[data-waiting]")).to_have_count(0)
    reader.locator(f"{SHARING} > summary").click()
    expect(reader.locator(f"{SHARING} [data-act=embed]")).to_be_visible()
    expect(reader.locator(".publishing")).to_have_count(0)
    assert Axe().run(reader).violations_count == 0

    page.locator("[data-act=unpublish]").click()
    expect(page.locator(f"{SHARING} [role=status]")).to_have_text("It was taken back.")
    assert reader.reload().status in (401, 404)  # type: ignore[union-attr]
    reader.goto(f"{club.origin}/?lang=da")
    expect(reader.locator(".contents li", has_text=TITLE)).to_have_count(0)
    reader.context.close()


def test_the_hands_of_an_open_record_are_shown_once_it_is_closed_there(
    page: Page, browser: Browser, club: Club
) -> None:
    deal = club.begun(club.table(players=("Anna", "Bo", "Carl")))
    dealt = {
        "type": "hand_dealt",
        "seat": "forehand",
        "cards": ["SA", "S2", "CA", "SK", "HK", "H7", "D2", "D3", "D4"],
    }
    club.post(f"/deals/{deal}/events", dealt, 1)
    shared(page, club, deal)
    page.locator(".publishing input").fill("A solo in spades")
    page.locator("[data-act=publish]").click()
    # What it pays is not decided: there is nothing to be closed yet.
    expect(page.locator("[data-act=unpublish]")).to_be_visible()
    expect(page.locator(".publishing [data-act=close]")).to_have_count(0)
    won = {
        "type": "result_recorded",
        "declarer": "forehand",
        "contract": "solo",
        "trump": "S",
        "outcome": "won",
    }
    club.post(f"/deals/{deal}/events", won, 2)
    reader = stranger(browser)
    reader.goto(f"{club.origin}/deals/{deal}?lang=en")
    expect(reader.locator("main[data-waiting]")).to_have_count(0)
    assert reader.locator(".card[data-card=CA]").count() == 0

    page.reload()
    shared(page, club, deal)
    page.locator(".publishing [data-act=close]").click()
    expect(page.locator(f"{SHARING} [role=status]")).to_contain_text("everybody can see the hands")
    expect(page.locator(".publishing [data-act=close]")).to_have_count(0)
    assert club.events("deals", deal)[-1]["type"] == "deal_closed"
    reader.reload()
    expect(reader.locator(".card[data-card=CA]")).to_have_count(1)
    reader.context.close()


def status_for_strangers(club: Club, deal: str) -> int:
    """With what everybody is answered who asks for a deal."""
    try:
        with urlopen(f"{club.origin}/api/v1/deals/{deal}") as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def titles_of(club: Club, deal: str) -> list[str]:
    """The titles under which a deal is published now."""
    grants = club.get("/grants")["grants"]
    return [one["title"] for one in grants if one["active"] and one["title"] and one["scope"]["id"] == deal]


def take_back(page: Page, told: str = "It was taken back.") -> None:
    page.locator("[data-act=unpublish]").click()
    expect(page.locator(f"{SHARING} [role=status]")).to_have_text(told)


def test_two_clicks_publish_a_deal_once(page: Page, club: Club) -> None:
    deal = settled(club)
    shared(page, club, deal)
    before = page.locator("h1").inner_text()
    page.locator(".publishing input").fill(TITLE)
    page.locator("[data-act=publish]").dblclick()
    expect(page.locator(f"{SHARING} [role=status]")).to_have_text("It stands in the library now.")
    expect(page.locator("h1")).to_have_text(TITLE)
    expect(page).to_have_title(re.compile(f"^{TITLE} "))
    expect(page.locator("[data-act=publish]")).to_be_focused()
    page.wait_for_load_state("networkidle")
    assert titles_of(club, deal) == [TITLE]
    take_back(page)
    expect(page.locator("h1")).to_have_text(before)
    assert titles_of(club, deal) == []
    assert status_for_strangers(club, deal) == 401


@pytest.fixture
def elsewhere() -> Iterator[tuple[str, dict[str, str]]]:
    """A site of somebody else's: where it is, and the pages on it, by their paths."""
    pages: dict[str, str] = {}

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = pages.get(self.path, "").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(found)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", pages
    server.shutdown()


def test_a_published_deal_replays_in_somebody_else_s_page(
    browser: Browser, club: Club, elsewhere: tuple[str, dict[str, str]]
) -> None:
    site, pages = elsewhere
    deal = settled(club)
    published(club, deal)
    pages["/"] = "".join(
        f'<iframe title="{name}" width="900" height="700" src="{club.origin}{address}"></iframe>'
        for name, address in (
            ("ours", f"/deals/{deal}/embed?lang=en"),
            ("library", f"{BELINDA}/embed?lang=en#at=20"),
            ("page", f"/deals/{deal}?lang=en"),
        )
    )
    shut = 'sandbox="allow-scripts allow-same-origin allow-popups"'
    pages["/"] += f'<iframe title="shut" {shut} src="{club.origin}{BELINDA}/embed?lang=en#at=20"></iframe>'
    reader = stranger(browser)
    reader.goto(site)
    expect(reader.frame_locator("[title=ours]").locator("h1")).to_have_text(TITLE)
    walked = reader.frame_locator("[title=library]")
    expect(walked.locator(SENTENCE)).to_contain_text("Trick 2")
    walked.locator("[data-move=on]").click()
    expect(walked.locator(SENTENCE)).to_contain_text("Trick 3")
    inside = reader.frame_locator("[title=shut]")
    expect(inside.locator(SENTENCE)).to_contain_text("Trick 2")
    assert inside.locator(".table").evaluate("table => table.getBoundingClientRect().height") >= 370
    # A page in which something can be done stands in nobody else's.
    assert reader.frames[3].url.startswith("chrome-error:")
    reader.context.close()


def test_what_is_not_published_says_no_more_in_a_page_than_that(
    browser: Browser, club: Club, elsewhere: tuple[str, dict[str, str]]
) -> None:
    site, pages = elsewhere
    deal = settled(club)
    ask = club.owner.get

    def framed(name: str, lang: str = "en") -> tuple[int, str, str]:
        answer = ask(f"/deals/{name}/embed?lang={lang}", base_url=club.origin)
        return answer.status_code, answer.headers["Content-Security-Policy"], answer.text

    before = framed(deal)
    assert before[0] == 404
    grant = published(club, deal)
    status, policy, text = framed(deal)
    assert status == 200
    assert "frame-ancestors *" in policy
    assert not re.search(r"publish|grant|session", text)
    pages["/"] = f'<iframe title="ours" src="{club.origin}/deals/{deal}/embed?lang=da"></iframe>'
    club.owner.delete(f"/api/v1/grants/{grant}", base_url=club.origin)
    # Taken back, never published, never there: in a frame that is all one.
    assert framed(deal) == before == framed("018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f")
    assert "frame-ancestors *" in before[1]
    assert not re.search(rf"{deal}|grant|session", before[2])
    # Only there: the page of the deal, and an address that is none, stand in nobody else's.
    for path in (f"/deals/{deal}", "/deals/nowhere/embed", "/replays/nowhere/embed", "/embed"):
        assert "frame-ancestors 'none'" in ask(path, base_url=club.origin).headers["Content-Security-Policy"]
    reader = stranger(browser)
    reader.goto(site)
    told = reader.frame_locator("[title=ours]").locator("main")
    expect(told).to_have_text("Dette spil er ikke længere udgivet.")
    reader.context.close()


def test_a_note_that_is_hidden_shows_nowhere(browser: Browser, club: Club) -> None:
    deal = club.begun(club.table(players=("Anna", "Bo", "Carl")))
    note = {"type": "note_added", "text": "Anna holds both black aces.", "mark": "!", "on": 1}
    club.post(f"/deals/{deal}/events", note, 1)
    grant = published(club, deal)
    told = club.get(f"/deals/{deal}/replay")["notes"]
    assert [one["text"] for one in told] == [note["text"]]
    with urlopen(f"{club.origin}/api/v1/deals/{deal}/replay") as answer:
        assert json.loads(answer.read())["notes"] == []
    reader = stranger(browser)
    reader.goto(f"{club.origin}/deals/{deal}?lang=en")
    expect(reader.locator("main[data-waiting]")).to_have_count(0)
    expect(reader.locator(SENTENCE)).not_to_be_empty()
    assert reader.locator(".note, .tick-note").count() == 0
    reader.context.close()
    club.owner.delete(f"/api/v1/grants/{grant}", base_url=club.origin)


def test_who_may_read_the_evening_is_told_that_a_published_deal_was_struck_out(club: Club) -> None:
    table = club.table(players=("Anna", "Bo", "Carl"))
    deal = club.deal(table, declarer="middlehand", contract="solo", trump="H", outcome="codille")
    grant = published(club, deal)
    struck = "Struck out of its evening"
    ask = club.owner.get
    assert struck not in ask("/?lang=en", base_url=club.origin).text
    events = club.events("tables", table)
    (place,) = (seq for seq, event in enumerate(events, 1) if event["type"] == "deal_started")
    correction = {"type": "correction_made", "replaces": [place], "reason": "never played", "with": []}
    club.post(f"/tables/{table}/events", correction, len(events))
    assert struck in ask("/?lang=en", base_url=club.origin).text
    with urlopen(f"{club.origin}/?lang=en") as answer:
        page = answer.read().decode()
    assert TITLE in page
    assert struck not in page
    club.owner.delete(f"/api/v1/grants/{grant}", base_url=club.origin)
