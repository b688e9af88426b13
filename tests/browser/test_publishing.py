"""What a club publishes, and what is taken along of a deal: a link, text, a drawing, a file, a preview."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect
from werkzeug import Response
from werkzeug.http import parse_options_header
from werkzeug.test import TestResponse

from schemas.notation import read_notation_logs
from schemas.wire.jsonlines import UnreadableLog
from tests.support.engine.shorthand import dealt, slip
from tests.support.web.club import Club
from tests.support.web.eyes import no_fault
from tests.support.web.serving import serving
from tests.support.web.showing import BELINDA, SENTENCE, bare_events_of, unfolded, visit

TITLE = "Fire matadorer og kruk"
SHARING = "[data-part=sharing]"
SHARE = "[data-tool=sharing]"


def settled(club: Club) -> str:
    """A deal of two members and a guest that is settled and closed."""
    members = club.members
    table = club.table(players=(members["Eva"], members["Finn"], "Anna"))
    deal = club.deal(table, declarer="middlehand", contract="solo", trump="H", outcome="codille")
    payments = club.get(f"/deals/{deal}/score")["payments"]
    closing = {"type": "deal_closed", "payments": payments, "engine": "1"}
    club.post(f"/deals/{deal}/events", closing, club.get(f"/deals/{deal}")["version"])
    return deal


def published(club: Club, deal: str, title: str = TITLE) -> str:
    return club.post("/grants", {"role": "viewer", "deal": deal, "public": True, "title": title})["id"]


def shared(page: Page, club: Club, deal: str) -> None:
    club.enter(page, f"/deals/{deal}?lang=en")
    page.locator(SHARE).click()
    expect(page.locator(f"{SHARING} [data-act=link]")).to_be_visible()


@pytest.mark.smoke
def test_a_deal_is_published_renamed_and_taken_back(page: Page, second: Page, club: Club) -> None:
    deal = settled(club)
    shared(page, club, deal)
    expect(page.locator("[data-act=embed]")).to_have_count(0)
    page.locator(".publishing input").fill(TITLE)
    # Two clicks publish it once.
    page.locator("[data-act=publish]").dblclick()
    expect(page.locator(f"{SHARING} [role=status]")).to_have_text("It is in the library now.")
    expect(page.locator("[data-act=embed]")).to_be_visible()
    expect(page.locator("h1")).to_have_text(TITLE)
    page.wait_for_load_state("networkidle")
    grants = [one for one in club.get("/grants")["grants"] if one["active"] and one["scope"]["id"] == deal]
    assert [one["title"] for one in grants if one["title"]] == [TITLE]
    page.locator(".publishing input").fill(f"{TITLE}!")
    page.locator(".publishing input").press("Enter")
    expect(page.locator("h1")).to_have_text(f"{TITLE}!")
    # The title changes before the earlier one is taken back.
    expect(page.locator(".publishing[aria-busy]")).to_have_count(0)

    second.goto(f"{club.origin}/library?lang=da")
    row = second.locator(".contents li", has_text=f"{TITLE}!")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Eva · Finn · Anna")
    assert "Eva Engel" not in second.content()
    row.get_by_role("link").click()
    expect(second.locator("h1")).to_have_text(f"{TITLE}!")
    expect(second.locator("main[data-waiting]")).to_have_count(0)
    second.locator(SHARE).click()
    expect(second.locator(f"{SHARING} [data-act=embed]")).to_be_visible()
    expect(second.locator(".publishing")).to_have_count(0)
    no_fault(second)

    page.locator("[data-act=unpublish]").click()
    expect(page.locator(f"{SHARING} [role=status]")).to_have_text("It is taken back.")
    assert second.reload().status in (401, 404)  # type: ignore[union-attr]
    second.goto(f"{club.origin}/library?lang=da")
    expect(second.locator(".contents li", has_text=f"{TITLE}!")).to_have_count(0)


def test_hands_of_an_open_record_are_shown_once_it_is_closed(page: Page, second: Page, club: Club) -> None:
    deal = club.begun(club.table(players=("Anna", "Bo", "Carl")))
    club.post(f"/deals/{deal}/events", dealt("F", "SA S2 CA SK HK H7 D2 D3 D4"), 1)
    shared(page, club, deal)
    page.locator(".publishing input").fill("A solo in spades")
    page.locator("[data-act=publish]").click()
    # What it pays is not decided: there is nothing to be closed yet.
    expect(page.locator("[data-act=unpublish]")).to_be_visible()
    expect(page.locator(".publishing [data-act=close]")).to_have_count(0)
    club.post(f"/deals/{deal}/events", slip("F", "solo", trump="S", outcome="won"), 2)
    visit(second, f"{club.origin}/deals/{deal}?lang=en")
    assert second.locator(".card[data-card=CA]").count() == 0

    shared(page, club, deal)
    page.locator(".publishing [data-act=close]").click()
    expect(page.locator(f"{SHARING} [role=status]")).to_contain_text("everybody can see the hands")
    expect(page.locator(".publishing [data-act=close]")).to_have_count(0)
    assert club.events("deals", deal)[-1]["type"] == "deal_closed"
    second.reload()
    expect(second.locator(".card[data-card=CA]")).to_have_count(1)


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
    assert struck not in ask("/library?lang=en", base_url=club.origin).text
    events = club.events("tables", table)
    (place,) = (seq for seq, event in enumerate(events, 1) if event["type"] == "deal_started")
    correction = {"type": "correction_made", "replaces": [place], "reason": "never played", "with": []}
    club.post(f"/tables/{table}/events", correction, len(events))
    assert struck in ask("/library?lang=en", base_url=club.origin).text
    with urlopen(f"{club.origin}/library?lang=en") as answer:
        page = answer.read().decode()
    assert TITLE in page
    assert struck not in page
    club.owner.delete(f"/api/v1/grants/{grant}", base_url=club.origin)


AS_PLAYED = "Drawings and other pages do not show the what-if: this is the point where it branches off."
WHAT_IF = "at=26~2&from=26&if=fHK"


@pytest.fixture
def reader(browser: Browser) -> Iterator[Page]:
    """A page that may use the clipboard."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    yield context.new_page()
    context.close()


def opened_to_share(page: Page, address: str) -> None:
    visit(page, address)
    page.locator(SHARE).click()


def copied(page: Page, way: str) -> str:
    """What one of the ways of sharing puts on the clipboard."""
    page.evaluate("navigator.clipboard.writeText('')")
    tool = unfolded(page).locator("[data-tool=text]" if way == "text" else SHARE)
    if tool.get_attribute("aria-expanded") == "false":
        tool.click()
    page.locator(f".tools [data-act={way}]").click()
    page.wait_for_function("() => navigator.clipboard.readText()")
    expect(page.locator(".tool-panel > [role=status]")).to_contain_text("Copied.")
    return page.evaluate("navigator.clipboard.readText()")


@pytest.mark.smoke
def test_a_deal_is_copied_as_a_link_as_text_and_for_a_page(reader: Page, origin: str) -> None:
    opened_to_share(reader, f"{origin}{BELINDA}?lang=en#at=20")
    assert copied(reader, "link") == f"{origin}{BELINDA}#at=20"
    assert copied(reader, "text").startswith("Deal:       Belinda")
    assert f'src="{origin}{BELINDA}/embed?lang=en#at=20"' in copied(reader, "embed")
    expect(reader.locator(f"{SHARING} [role=status]")).to_have_text("Copied.")
    with reader.context.expect_page() as drawn:
        reader.locator(f"{SHARING} a", has_text="SVG").click()
    assert "at=20" in drawn.value.url


def test_a_what_if_is_shared_as_what_it_is(reader: Page, origin: str) -> None:
    opened_to_share(reader, f"{origin}{BELINDA}?lang=en#{WHAT_IF}")
    expect(reader.locator(SENTENCE)).to_have_text("Trick 5: Belinda leads the king of hearts.")
    said = reader.locator(f"{SHARING} [role=status]")
    assert copied(reader, "link") == f"{origin}{BELINDA}#{WHAT_IF}"
    assert f'src="{origin}{BELINDA}/embed?lang=en#at=26"' in copied(reader, "embed")
    expect(said).to_have_text(f"Copied. {AS_PLAYED}")
    with reader.context.expect_page() as drawn:
        reader.locator(f"{SHARING} a", has_text="PNG").click()
    assert "at=26&" in drawn.value.url
    assert reader.context.request.get(drawn.value.url).status == 200
    expect(said).to_have_text(AS_PLAYED)


def test_a_published_deal_is_taken_as_a_file_of_its_title(second: Page, club: Club) -> None:
    deal = settled(club)
    for title, called in (
        ("Őrsis store aften", "őrsis-store-aften.html"),
        ("Chef d’œuvre", "chef-d-œuvre.html"),
        ("?!", "deal.html"),
    ):
        grant = published(club, deal, title)
        with urlopen(f"{club.origin}/deals/{deal}/file") as answer:
            disposition = answer.headers["Content-Disposition"]
            html = answer.read().decode()
        assert disposition.isascii()
        assert parse_options_header(disposition)[1]["filename"] == called
        assert f"<h1>{title}</h1>" in html
        assert f"<title>{title}</title>" in html
        if title == "Chef d’œuvre":
            second.goto(f"{club.origin}/deals/{deal}?lang=en")
            with second.expect_download() as taken:
                unfolded(second).locator("[data-tool=text]").click()
                second.get_by_role("link", name="to open without a network").click()
            assert taken.value.suggested_filename == called
        club.owner.delete(f"/api/v1/grants/{grant}", base_url=club.origin)


def preview_of(club: Club, deal: str) -> tuple[dict[str, str], bytes]:
    """What a stranger's program finds for a link to a deal: the page's properties, and the picture."""
    with urlopen(f"{club.origin}/deals/{deal}?lang=en") as answer:
        found = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', answer.read().decode()))
    with urlopen(unescape(found["image"])) as answer:
        return found, answer.read()


def test_a_link_to_a_published_deal_has_a_preview_without_hidden_hands(club: Club) -> None:
    deal, other = (club.begun(club.table(players=("Anna", "Bo", "Carl"))) for _ in range(2))
    for one, cards in ((deal, "SA S2 CA SK HK H7 D2 D3 D4"), (other, "CK CQ CJ C7 C6 C5")):
        club.post(f"/deals/{one}/events", dealt("F", cards), 1)
    for one in (deal, other):
        page = club.owner.get(f"/deals/{one}", base_url=club.origin).text
        assert "og:image" not in page  # it is nobody's business yet
    grants = [published(club, one) for one in (deal, other)]
    (told, picture), (_, another) = (preview_of(club, one) for one in (deal, other))
    assert told["title"] == TITLE
    assert picture.startswith(b"\x89PNG")
    drawn = club.owner.get(unescape(told["image"]), base_url=club.origin).data
    # Two records that differ in nothing but their hands look the same to everybody, and not to their owner.
    assert picture == another != drawn
    led = {"type": "card_played", "seat": "forehand", "card": "SA", "trick": 1}
    club.post(f"/deals/{deal}/events", led, 2)
    assert "at=2&" in unescape(preview_of(club, deal)[0]["image"])
    for grant in grants:
        club.owner.delete(f"/api/v1/grants/{grant}", base_url=club.origin)


def test_members_are_called_by_name_in_the_text_that_is_copied(reader: Page, club: Club) -> None:
    ids = dict(zip(("Belinda", "the Baron", "Sir Anonym"), club.members.values(), strict=False))
    opening, *rest = bare_events_of(BELINDA)
    players = {seat: ids[name] for seat, name in opening["players"].items()}
    deal = club.post("/deals", [{**opening, "players": players}, *rest])["deal"]
    club.enter(reader, f"/deals/{deal}?lang=en")
    reader.goto("about:blank")
    opened_to_share(reader, f"{club.origin}/deals/{deal}?lang=en#{WHAT_IF}")
    expect(reader.locator(SENTENCE)).to_have_text("Trick 5: Eva leads the king of hearts.")
    what_if = copied(reader, "text")
    reader.locator("[data-act=leave]").first.click()
    text = copied(reader, "text")
    assert what_if.startswith(text.rstrip())
    assert "If Eva plays the king of hearts" in what_if
    for one in (text, what_if):
        assert re.search("^Forehand: +Eva$", one, re.MULTILINE)
        assert "m-" not in one
        assert not any(isinstance(log, UnreadableLog) for log in read_notation_logs([one.encode()], "-"))
