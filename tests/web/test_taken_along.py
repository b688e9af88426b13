"""What is taken along of a deal: a link, its text, a drawing, a file, the picture beside a link."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect
from werkzeug.http import parse_options_header

from schemas.notation import read_logs
from schemas.wire.jsonlines import Unreadable
from tests.support.web.club import Club
from tests.support.web.publishing import SHARING, TITLE, published, settled
from tests.support.web.showing import BELINDA, SENTENCE, bare_events_of, opened

AS_PLAYED = "Drawings and other pages show no what-if: here is the deal where it is left."
WHAT_IF = "at=26~2&from=26&if=fHK"


@pytest.fixture
def reader(browser: Browser) -> Iterator[Page]:
    """A page that may use the clipboard."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    yield context.new_page()
    context.close()


def shared(page: Page, address: str) -> None:
    opened(page, address)
    page.locator(f"{SHARING} > summary").click()


def copied(page: Page, way: str) -> str:
    """What one of the ways of sharing puts on the clipboard."""
    page.evaluate("navigator.clipboard.writeText('')")
    page.locator(f"{SHARING} [data-act={way}]").click()
    page.wait_for_function("() => navigator.clipboard.readText()")
    expect(page.locator(f"{SHARING} [role=status]")).to_contain_text("Copied.")
    return page.evaluate("navigator.clipboard.readText()")


@pytest.mark.smoke
def test_a_deal_is_copied_as_a_link_as_text_and_for_a_page(reader: Page, origin: str) -> None:
    shared(reader, f"{origin}{BELINDA}?lang=en#at=20")
    assert copied(reader, "link") == f"{origin}{BELINDA}#at=20"
    assert copied(reader, "text").startswith("Deal:       Belinda")
    assert f'src="{origin}{BELINDA}/embed?lang=en#at=20"' in copied(reader, "embed")
    expect(reader.locator(f"{SHARING} [role=status]")).to_have_text("Copied.")
    with reader.context.expect_page() as drawn:
        reader.locator(f"{SHARING} a", has_text="SVG").click()
    assert "at=20" in drawn.value.url


def test_a_what_if_is_shared_as_what_it_is(reader: Page, origin: str) -> None:
    shared(reader, f"{origin}{BELINDA}?lang=en#{WHAT_IF}")
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
    hands = ["SA", "S2", "CA", "SK", "HK", "H7", "D2", "D3", "D4"], [*("CK", "CQ", "CJ", "C7", "C6", "C5")]
    for one, cards in zip((deal, other), hands, strict=True):
        club.post(f"/deals/{one}/events", {"type": "hand_dealt", "seat": "forehand", "cards": cards}, 1)
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


def of_members(club: Club) -> str:
    """Belinda's game, as three members of the club have played it."""
    ids = dict(zip(("Belinda", "the Baron", "Sir Anonym"), club.members.values(), strict=False))
    opening, *rest = bare_events_of(BELINDA)
    players = {seat: ids[name] for seat, name in opening["players"].items()}
    return club.post("/deals", [{**opening, "players": players}, *rest])["deal"]


def test_members_are_called_by_name_in_the_text_that_is_copied(reader: Page, club: Club) -> None:
    deal = of_members(club)
    club.enter(reader, f"/deals/{deal}?lang=en")
    reader.goto("about:blank")
    shared(reader, f"{club.origin}/deals/{deal}?lang=en#{WHAT_IF}")
    expect(reader.locator(SENTENCE)).to_have_text("Trick 5: Eva leads the king of hearts.")
    what_if = copied(reader, "text")
    reader.locator("[data-act=leave]").first.click()
    text = copied(reader, "text")
    assert what_if.startswith(text.rstrip())
    assert "If Eva plays the king of hearts" in what_if
    for one in (text, what_if):
        assert re.search("^Forehand: +Eva$", one, re.MULTILINE)
        assert "m-" not in one
        assert not any(isinstance(log, Unreadable) for log in read_logs([one.encode()], "-"))
