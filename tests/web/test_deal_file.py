"""A deal as one file: it replays from a disk, asks nobody for anything, and holds no more than it may."""

from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import replays
from engine import EVERYTHING, Log, log_of, view
from engine.core.events import DealOpened, NoteAdded
from engine.core.vocabulary import Players
from service.http.web.standalone import standalone
from service.records.points import VIEWERS
from tests.support.web.eyes import LANGUAGES, no_fault
from tests.support.web.showing import SENTENCE, opened, said
from tests.support.web.watching import Watch

SPITEFUL = "</script><script>alert(1)</script><!-- <b>Ægte & “ærlig”</b>"


def belinda() -> Log:
    deal = replays.find("belinda")
    assert deal is not None
    return deal.log()


class Parts(HTMLParser):
    """The elements of a file, by their tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deal_replays_from_a_disk_without_a_network_and_is_printed_as_a_column(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    file = tmp_path / "deal.html"
    log = log_of([*(entry.event for entry in belinda()), NoteAdded("<b>Ægte</b> & </script>", on=5)])
    file.write_text(standalone(view(log, EVERYTHING), language).html, encoding="utf-8")
    context = browser.new_context(
        offline=True, viewport={"width": 390, "height": 844}, reduced_motion="reduce"
    )
    page = context.new_page()
    watch = Watch(page)
    opened(page, f"{file.as_uri()}#at=26")
    there = said(page)
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
    players = Players(SPITEFUL, "Bo", "Carl")
    log = log_of([DealOpened("dlu", players, title=SPITEFUL), NoteAdded(SPITEFUL)])
    plain = log_of([DealOpened("dlu", Players("Anna", "Bo", "Carl"), title="Deal"), NoteAdded("Well.")])
    assert Parts(standalone(log, "da").html).tags == Parts(standalone(plain, "da").html).tags


def test_a_seats_file_holds_what_that_seat_may_know() -> None:
    html = {word: standalone(view(belinda(), viewer), "en").html for word, viewer in VIEWERS.items()}
    assert '"C3"' in html["forehand"]  # what Belinda discarded
    assert '"C3"' not in html["backhand"]
