"""What is taken along of a deal: a link, its text, a drawing, a file, the picture beside a link."""

import re
from html import unescape
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from schemas.notation import read_logs
from schemas.wire.jsonlines import Unreadable
from tests.support.web.club import Club
from tests.support.web.publishing import SHARING, TITLE, published, settled, stranger
from tests.support.web.showing import BELINDA, SENTENCE, events_of

AS_PLAYED = "Drawings and other pages show no what-if: here is the deal where it is left."


@pytest.mark.smoke
def test_a_deal_is_copied_as_a_link_as_text_and_for_a_page(browser: Browser, origin: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{origin}{BELINDA}?lang=en#at=20")
    expect(page.locator("main[data-waiting]")).to_have_count(0)
    page.locator(f"{SHARING} > summary").click()

    def copied(way: str) -> str:
        page.evaluate("navigator.clipboard.writeText('')")
        page.locator(f"{SHARING} [data-act={way}]").click()
        expect(page.locator(f"{SHARING} [role=status]")).to_have_text("Copied.")
        text: str = page.evaluate("navigator.clipboard.readText()")
        return text

    assert copied("link") == f"{origin}{BELINDA}#at=20"
    assert copied("text").startswith("Deal:       Belinda")
    assert f'src="{origin}{BELINDA}/embed?lang=en#at=20"' in copied("embed")
    with context.expect_page() as opened:
        page.locator(f"{SHARING} a", has_text="SVG").click()
    assert "at=20" in opened.value.url
    context.close()


def test_a_what_if_is_shared_as_what_it_is(browser: Browser, origin: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    what_if = "at=26~2&from=26&if=fHK"
    page.goto(f"{origin}{BELINDA}?lang=en#{what_if}")
    expect(page.locator(SENTENCE)).to_have_text("Trick 5: Belinda leads the king of hearts.")
    page.locator(f"{SHARING} > summary").click()
    said = page.locator(f"{SHARING} [role=status]")

    def copied(way: str) -> str:
        page.locator(f"{SHARING} [data-act={way}]").click()
        expect(said).to_contain_text("Copied.")
        text: str = page.evaluate("navigator.clipboard.readText()")
        return text

    assert copied("link") == f"{origin}{BELINDA}#{what_if}"
    assert f'src="{origin}{BELINDA}/embed?lang=en#at=26"' in copied("embed")
    expect(said).to_have_text(
        "Copied. Drawings and other pages show no what-if: here is the deal where it is left."
    )
    text = copied("text")
    assert text.startswith("Deal:       Belinda")
    assert re.search(r"^Deal: +If Belinda plays the king of hearts$", text, re.MULTILINE)
    assert re.search(r"^Branch: .*belinda", text, re.MULTILINE)
    for form in ("SVG", "PNG"):
        with context.expect_page() as opened:
            page.locator(f"{SHARING} a", has_text=form).click()
        assert "at=26&" in opened.value.url
        assert context.request.get(opened.value.url).status == 200
        expect(said).to_have_text(AS_PLAYED)
    context.close()


@pytest.mark.parametrize(
    ("title", "called"),
    [
        ("Őrsis store aften", "őrsis-store-aften.html"),
        ("Chef d’œuvre", "chef-d-œuvre.html"),
        ("тест", "тест.html"),
        ("Ærlig ørred", "ærlig-ørred.html"),
        ("A solo in spades", "a-solo-in-spades.html"),
        ("?!", "deal.html"),
    ],
)
def test_a_published_deal_is_taken_as_a_file_of_its_title(
    browser: Browser, club: Club, title: str, called: str
) -> None:
    deal = settled(club)
    grant = published(club, deal, title)
    with urlopen(f"{club.origin}/deals/{deal}/file") as answer:
        assert answer.headers["Content-Disposition"].isascii()
        html = answer.read().decode()
    reader = stranger(browser)
    reader.goto(f"{club.origin}/deals/{deal}?lang=en")
    with reader.expect_download() as taken:
        reader.get_by_role("link", name="to open without a network").click()
    assert taken.value.suggested_filename == called
    reader.context.close()
    assert f"<h1>{title}</h1>" in html
    assert f"<title>{title}</title>" in html
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

    def played(value: Any) -> Any:
        if isinstance(value, list):
            return [played(one) for one in value]
        if isinstance(value, dict):
            return {played(name): played(one) for name, one in value.items() if name != "seq"}
        return ids.get(value, value)

    deal: str = club.post("/deals", played(events_of(BELINDA)))["deal"]
    return deal


def test_members_are_called_by_name_in_the_text_that_is_copied(browser: Browser, club: Club) -> None:
    deal = of_members(club)
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    club.enter(page, f"/deals/{deal}?lang=en")
    page.goto(f"{club.origin}/deals/{deal}?lang=en#at=26~2&from=26&if=fHK")
    expect(page.locator(SENTENCE)).to_have_text("Trick 5: Eva leads the king of hearts.")
    sharing = page.locator(SHARING)
    sharing.locator("summary").click()
    sharing.locator("[data-act=text]").click()
    expect(sharing.locator("[role=status]")).to_have_text("Copied.")
    what_if: str = page.evaluate("navigator.clipboard.readText()")
    page.locator("[data-act=leave]").first.click()
    sharing.locator("[data-act=text]").click()
    expect(sharing.locator("[role=status]")).to_have_text("Copied.")
    text: str = page.evaluate("navigator.clipboard.readText()")
    assert what_if.startswith(text.rstrip())
    assert "If Eva plays the king of hearts" in what_if
    for one in (text, what_if):
        assert re.search("^Forehand: +Eva$", one, re.MULTILINE)
        assert "m-" not in one
        logs = list(read_logs([one.encode()], "-"))
        assert not any(isinstance(log, Unreadable) for log in logs)
    context.close()
    # Whoever reads it because it is published reads short names; a program reads ids.
    grant = published(club, deal)
    address = f"{club.origin}/api/v1/deals/{deal}/events.deal"
    with urlopen(f"{address}?names=called") as answer:
        assert re.search(b"^Forehand: +Eva$", answer.read(), re.MULTILINE)
    with urlopen(address) as answer:
        assert club.members["Eva"].encode() in answer.read()
    club.owner.delete(f"/api/v1/grants/{grant}", base_url=club.origin)
