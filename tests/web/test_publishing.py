"""What a club publishes: it stands in the library, fits into other pages, and can be taken back."""

import re
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect
from werkzeug import Response
from werkzeug.test import TestResponse

from tests.support.engine.shorthand import dealt, slip
from tests.support.web.club import Club
from tests.support.web.eyes import no_fault
from tests.support.web.publishing import SHARING, TITLE, published, settled
from tests.support.web.serving import serving
from tests.support.web.showing import BELINDA, SENTENCE, opened


def shared(page: Page, club: Club, deal: str) -> None:
    club.enter(page, f"/deals/{deal}?lang=en")
    page.locator(f"{SHARING} > summary").click()
    expect(page.locator(f"{SHARING} [data-act=link]")).to_be_visible()


@pytest.mark.smoke
def test_a_deal_is_published_renamed_and_taken_back(page: Page, second: Page, club: Club) -> None:
    deal = settled(club)
    shared(page, club, deal)
    expect(page.locator("[data-act=embed]")).to_have_count(0)
    page.locator(".publishing input").fill(TITLE)
    # Two clicks publish it once.
    page.locator("[data-act=publish]").dblclick()
    expect(page.locator(f"{SHARING} [role=status]")).to_have_text("It stands in the library now.")
    expect(page.locator("[data-act=embed]")).to_be_visible()
    expect(page.locator("h1")).to_have_text(TITLE)
    page.wait_for_load_state("networkidle")
    assert titles_of(club, deal) == [TITLE]
    page.locator(".publishing input").fill(f"{TITLE}!")
    page.locator(".publishing input").press("Enter")
    expect(page.locator("h1")).to_have_text(f"{TITLE}!")
    expect(page.locator(".publishing [data-act=unpublish]")).to_be_visible()

    second.goto(f"{club.origin}/?lang=da")
    row = second.locator(".contents li", has_text=TITLE)
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Eva · Finn · Anna")
    assert "Eva Engel" not in second.content()
    row.get_by_role("link").click()
    expect(second.locator("h1")).to_have_text(f"{TITLE}!")
    expect(second.locator("main[data-waiting]")).to_have_count(0)
    second.locator(f"{SHARING} > summary").click()
    expect(second.locator(f"{SHARING} [data-act=embed]")).to_be_visible()
    expect(second.locator(".publishing")).to_have_count(0)
    no_fault(second)

    page.locator("[data-act=unpublish]").click()
    expect(page.locator(f"{SHARING} [role=status]")).to_have_text("It was taken back.")
    assert second.reload().status in (401, 404)  # type: ignore[union-attr]
    second.goto(f"{club.origin}/?lang=da")
    expect(second.locator(".contents li", has_text=TITLE)).to_have_count(0)


def test_the_hands_of_an_open_record_are_shown_once_it_is_closed_there(
    page: Page, second: Page, club: Club
) -> None:
    deal = club.begun(club.table(players=("Anna", "Bo", "Carl")))
    club.post(f"/deals/{deal}/events", dealt("F", "SA S2 CA SK HK H7 D2 D3 D4"), 1)
    shared(page, club, deal)
    page.locator(".publishing input").fill("A solo in spades")
    page.locator("[data-act=publish]").click()
    # What it pays is not decided: there is nothing to be closed yet.
    expect(page.locator("[data-act=unpublish]")).to_be_visible()
    expect(page.locator(".publishing [data-act=close]")).to_have_count(0)
    club.post(f"/deals/{deal}/events", slip("F", "solo", trump="S", outcome="won"), 2)
    opened(second, f"{club.origin}/deals/{deal}?lang=en")
    assert second.locator(".card[data-card=CA]").count() == 0

    shared(page, club, deal)
    page.locator(".publishing [data-act=close]").click()
    expect(page.locator(f"{SHARING} [role=status]")).to_contain_text("everybody can see the hands")
    expect(page.locator(".publishing [data-act=close]")).to_have_count(0)
    assert club.events("deals", deal)[-1]["type"] == "deal_closed"
    second.reload()
    expect(second.locator(".card[data-card=CA]")).to_have_count(1)


def titles_of(club: Club, deal: str) -> list[str]:
    grants = club.get("/grants")["grants"]
    return [one["title"] for one in grants if one["active"] and one["title"] and one["scope"]["id"] == deal]


def framed(page: Page, **frames: str) -> None:
    """A page of another site with these frames in it, by their titles."""
    size = 'width="900" height="700"'
    body = "".join(f'<iframe title="{name}" {size} {more}></iframe>' for name, more in frames.items())
    with serving(Response(body, mimetype="text/html")) as site:
        page.goto(site)


def test_a_published_deal_replays_in_somebody_else_s_page(second: Page, club: Club) -> None:
    deal = settled(club)
    published(club, deal)
    library = f'src="{club.origin}{BELINDA}/embed?lang=en#at=20"'
    framed(
        second,
        ours=f'src="{club.origin}/deals/{deal}/embed?lang=en"',
        library=library,
        whole=f'src="{club.origin}/deals/{deal}?lang=en"',
        shut=f'sandbox="allow-scripts allow-same-origin allow-popups" {library}',
    )
    expect(second.frame_locator("[title=ours]").locator("h1")).to_have_text(TITLE)
    walked = second.frame_locator("[title=library]")
    expect(walked.locator(SENTENCE)).to_contain_text("Trick 2")
    walked.locator("[data-move=on]").click()
    expect(walked.locator(SENTENCE)).to_contain_text("Trick 3")
    inside = second.frame_locator("[title=shut]")
    expect(inside.locator(SENTENCE)).to_contain_text("Trick 2")
    assert inside.locator(".table").evaluate("table => table.getBoundingClientRect().height") >= 370
    # A page in which something can be done stands in nobody else's.
    assert second.frames[3].url.startswith("chrome-error:")


def test_what_is_not_published_says_no_more_in_a_page_than_that(second: Page, club: Club) -> None:
    deal = settled(club)

    def ask(path: str) -> TestResponse:
        return club.owner.get(path, base_url=club.origin)

    def embedded(name: str) -> tuple[int, str, str]:
        answer = ask(f"/deals/{name}/embed?lang=en")
        return answer.status_code, answer.headers["Content-Security-Policy"], answer.text

    before = embedded(deal)
    assert before[0] == 404
    grant = published(club, deal)
    status, policy, text = embedded(deal)
    assert status == 200
    assert "frame-ancestors *" in policy
    assert not re.search(r"publish|grant|session", text)
    club.owner.delete(f"/api/v1/grants/{grant}", base_url=club.origin)
    # Taken back, never published, never there: in a frame that is all one.
    assert embedded(deal) == before == embedded("018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f")
    assert "frame-ancestors *" in before[1]
    assert not re.search(rf"{deal}|grant|session", before[2])
    # Only there: the page of the deal, and an address that is none, stand in nobody else's.
    for path in (f"/deals/{deal}", "/deals/nowhere/embed", "/replays/nowhere/embed", "/embed"):
        assert "frame-ancestors 'none'" in ask(path).headers["Content-Security-Policy"], path
    framed(second, ours=f'src="{club.origin}/deals/{deal}/embed?lang=da"')
    told = second.frame_locator("[title=ours]").locator("main")
    expect(told).to_have_text("Dette spil er ikke længere udgivet.")


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
