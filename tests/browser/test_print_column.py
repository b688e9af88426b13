"""A deal as a column, on the screen and on paper; and as one file that needs no network."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from engine import FULL_VIEWER, build_log, view
from engine.core.events import DealOpened, NoteAdded
from engine.core.field_types import Players
from service.http.web.standalone_file import build_standalone_file
from tests.support.drawing.looking import log_called
from tests.support.web.club import Club
from tests.support.web.eyes import LANGUAGES, Watch, no_fault, sheets
from tests.support.web.showing import BELINDA, BOARD, CLUB, SENTENCE, SLIP, events_of, sentence, visit


def column(page: Page, origin: str, path: str, lang: str = "en", **asked: str) -> Page:
    more = "".join(f"&{name}={value}" for name, value in asked.items())
    return visit(page, f"{origin}{path}/print?lang={lang}{more}")


def text(locator: Locator) -> list[str]:
    """What the eye sees of each of some elements, on one line."""
    plain = """all => all.map((one) => {
        const seen = one.cloneNode(true);
        for (const unseen of seen.querySelectorAll(".visually-hidden")) unseen.remove();
        const suit = (pip) => pip.classList[2].at(-1).toUpperCase();
        for (const pip of seen.querySelectorAll(".pip")) pip.replaceWith(suit(pip));
        for (const part of seen.querySelectorAll("li, td, th, p, .who, .exchange-count")) part.append(" ");
        for (const row of seen.querySelectorAll(".diagram-suit")) row.firstChild.after(" ");
        return seen.textContent.replace(/\\s+/g, " ").trim();
    })"""
    return locator.evaluate_all(plain)


def hand(page: Page, part: str, side: str) -> list[str]:
    """The rows of the hand at a side of the diagram in a part of the column."""
    return text(page.locator(f".of-{part} .diagram-hand.is-{side} li"))


@pytest.mark.smoke
def test_a_deal_is_told_as_a_column_tells_it(page: Page, origin: str) -> None:
    column(page, origin, BELINDA)
    expect(page.locator("h1")).to_have_text("Belinda’s game")
    words = "Rules: English Ombre (Aldenham, Parlett) · Sir Anonym dealt · 5 in the pool"
    expect(page.locator(".column-facts")).to_have_text(words)
    headings = ["As dealt", "The bidding", "The exchange", "As play begins", "The tricks", "The score"]
    assert page.locator(".column h2").all_inner_texts() == headings
    assert hand(page, "dealt", "bottom") == ["S A K 2", "H K 7", "D 2 3", "C K 3"]
    assert hand(page, "dealt", "left") == ["S 6 4", "H J 2 3 6", "D –", "C 7 6 5"]
    assert hand(page, "held", "right") == ["S Q J 7 5 3", "H A", "D K Q J", "C –"]
    # What is the highest trump stands first, also where it is a low card otherwise.
    assert hand(page, "held", "bottom")[0] == "S A 2 K"
    expect(page.locator(".of-dealt .diagram-middle")).to_have_text("13 in the talon")
    assert text(page.locator(".column-auction td")) == ["I play1", "pass !?2", "pass"]
    assert text(page.locator(".column-lines li")) == ["Belinda discarded 4 C3 H7 D2 D34", "drew 4"]
    tricks = text(page.locator(".column-tricks tbody tr"))
    assert len(tricks) == 9
    assert tricks[4] == "5 ·CK SQ !9 x"
    assert text(page.locator(".column-tricks .wins"))[4:6] == ["SQ", "·DK"]
    paid = text(page.locator(".column-score .payments tr"))
    assert paid == ["Belinda 5 tricks +23", "the Baron 4 tricks −9", "Sir Anonym 0 tricks −9"]


def test_a_note_stands_below_the_diagram_of_its_point(page: Page, origin: str) -> None:
    column(page, origin, BELINDA)
    notes = [event["text"] for event in events_of(BELINDA) if event["type"] in ("note_added", "gap_noted")]
    assert sorted(text(page.locator(".column .note"))) == sorted(notes)
    remark = page.locator(".remark", has_text="The Baron’s last trump")
    assert text(remark.locator(".remark-head")) == ["9 Trick 5: the Baron plays the queen of spades. !"]
    assert text(remark.locator(".is-trick > *")) == ["·CK", "SQ"]
    assert text(remark.locator(".diagram-hand.is-bottom li")) == ["S –", "H K Q", "D 4 5", "C –"]
    expect(remark.locator(".diagram-hand.is-left .diagram-unseen")).to_have_text("five cards not known")
    # The last card of all leaves no hand to show, and a note to a bid is read beside the hands as dealt.
    assert [one.locator(".diagram").count() for one in page.locator(".remark").all()] == [
        *[0] * 6, *[1] * 4, 0,
    ]  # fmt: skip
    # A sign at the card leads there.
    page.locator(".column-tricks sup a", has_text="9").press("Enter")
    page.wait_for_url("**#remark-9")


def test_findings_and_corrections_stand_where_they_belong(page: Page, origin: str) -> None:
    column(page, origin, CLUB, "da")
    heads = text(page.locator(".of-tricks .remark-head"))
    assert heads[0].startswith("1 Stik 3: Carl-Christian lægger hjerter 4. Skrevet om")
    assert heads[1] == "2 Stik 4: Carl-Christian lægger spar 3."
    revoke = page.locator(".remark").nth(1)
    expect(revoke.locator(".diagram")).to_be_visible()
    expect(revoke.locator(".column-finding")).to_contain_text("Imod reglerne. I stik 4 spillede Bo")
    assert text(page.locator(".column-tricks tbody tr").nth(3).locator("td"))[2] == "S32"


def test_nobody_reads_more_than_that_seat_may_know(page: Page, origin: str) -> None:
    column(page, origin, BOARD, viewer="public")
    assert text(page.locator(".of-dealt .diagram-hand li")) == []
    expect(page.locator(".diagram-talon")).to_have_count(0)
    column(page, origin, BOARD, viewer="forehand")
    assert hand(page, "dealt", "bottom") == ["S A 5", "H K 3 5", "D 2 7", "C K 4"]
    # Of another's hand forehand knows what fell in the trick.
    assert hand(page, "dealt", "right") == []


def test_the_page_of_a_deal_leads_there_and_it_is_printed_by_the_keyboard(page: Page, origin: str) -> None:
    watch = Watch(page)
    visit(page, f"{origin}{BELINDA}?lang=en")
    link = page.get_by_role("link", name="Print", exact=True)
    link.press("Enter")
    expect(page.locator("main[data-waiting]")).to_have_count(0)
    page.evaluate("window.print = () => (window.printed = true)")
    page.get_by_role("button", name="Print it").press("Enter")
    assert page.evaluate("window.printed")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{origin}{BELINDA}?lang=en")
    assert watch.complaints == []
    assert watch.hosts == {origin}


def test_a_column_is_printed_on_few_sheets_and_without_what_is_pressed(page: Page, origin: str) -> None:
    for path, most in ((BELINDA, 2), (CLUB, 1), (BOARD, 1), (SLIP, 1)):
        column(page, origin, path)
        assert sheets(page, prefer_css_page_size=True) == most, path
    assert re.search(rb"/MediaBox \[0 0 59[45]", page.pdf(prefer_css_page_size=True)), "on A4"
    page.emulate_media(media="print")
    expect(page.locator(".column-ways")).to_be_hidden()
    expect(page.locator("header.site")).to_be_hidden()
    assert page.locator(".column").evaluate("one => getComputedStyle(one).columnCount") == "2"


def test_a_deal_of_an_evening_has_its_number_and_the_title_of_its_table(page: Page, club: Club) -> None:
    deal = club.deal(club.table(players=("Anna", "Bo", "Carl"), title="Thursday"), outcome="passed_out")
    club.enter(page, f"/deals/{deal}/print?lang=en")
    expect(page.locator("h1")).to_have_text("Deal 1")
    expect(page.locator(".column-facts")).to_have_text(
        "Rules: Danish Ombre Union (DLU) · Thursday · Carl dealt"
    )
    assert "<h1>Deal 1</h1>" in club.owner.get(f"/deals/{deal}/file?lang=en", base_url=club.origin).text


SPITEFUL = "</script><script>alert(1)</script><!-- <b>Ægte & “ærlig”</b>"


class Parts(HTMLParser):
    """The elements of a file, by their tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deal_replays_from_a_disk_and_is_printed(browser: Browser, tmp_path: Path, language: str) -> None:
    file = tmp_path / "deal.html"
    note = NoteAdded("<b>Ægte</b> & </script>", on=5)
    log = build_log([*(entry.event for entry in log_called("belinda")), note])
    file.write_text(build_standalone_file(view(log, FULL_VIEWER), language).html, encoding="utf-8")
    context = browser.new_context(
        offline=True, viewport={"width": 390, "height": 844}, reduced_motion="reduce"
    )
    page = context.new_page()
    watch = Watch(page)
    visit(page, f"{file.as_uri()}#at=26")
    there = sentence(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(SENTENCE)).not_to_have_text(there)
    page.locator('[data-move="end"]').click()
    expect(page.locator(".panel.score").first).to_be_visible()
    page.locator("summary", has_text={"en": "as text", "da": "som tekst"}[language]).click()
    expect(page.locator(".notation")).to_contain_text("Belinda")
    assert page.evaluate("document.fonts.check('16px \"Spadille Serif\"')")
    no_fault(page)
    expect(page.locator(".column h2")).to_have_count(6)
    expect(page.locator(".column")).to_be_hidden()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".column .diagram").first).to_be_visible()
    expect(page.locator(".table")).to_be_hidden()
    rules = {"en": "Rules: English", "da": "Regler: Engelsk"}[language]
    expect(page.locator(".column-facts")).to_contain_text(rules)
    expect(page.locator(".column .note", has_text="<b>Ægte</b> & </script>")).to_have_count(1)
    assert [host for host in watch.hosts if not host.startswith(("file:", "data:"))] == []
    assert watch.complaints == []
    context.close()


def test_what_somebody_wrote_stays_text() -> None:
    log = build_log([DealOpened("dlu", Players(SPITEFUL, "Bo", "Carl"), title=SPITEFUL), NoteAdded(SPITEFUL)])
    plain = build_log([DealOpened("dlu", Players("Anna", "Bo", "Carl"), title="Deal"), NoteAdded("Well.")])
    written, expected = (Parts(build_standalone_file(one, "da").html).tags for one in (log, plain))
    assert written == expected
