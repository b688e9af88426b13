"""The service's own pages in a real browser, over a live server with its own policy."""

import json
import re
import threading
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from werkzeug.serving import make_server

import replays
from service.app import create_app
from service.identity.caller import OWNER
from service.store import MemoryStore
from tests.support.api.recording import DEAL, recorded_deal, some_deal
from tests.support.api.servers import free_port
from tests.support.web.watching import Watch

SENTENCE = '[data-part="sentence"]'
PAGES = ["/", "/deals", "/replays/belinda", f"/deals/{DEAL}", "/nowhere", "/api/docs"]


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    """Where the application answers, held to its port as when it is served."""
    store = MemoryStore()
    recorded_deal(store, some_deal(3, contract="solo"))
    port = free_port()
    server = make_server("127.0.0.1", port, create_app(store, everybody=OWNER, port=port), threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{port}"
    server.shutdown()


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    if "/replays/" in address or address.endswith(DEAL):
        expect(page.locator("main[data-waiting]")).to_have_count(0)
    return page


def said(page: Page) -> str:
    return page.locator(SENTENCE).inner_text()


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "da"])
def test_a_page_breaks_no_policy_and_asks_no_other_host(
    chromium_page: Page, origin: str, path: str, language: str
) -> None:
    watch = Watch(chromium_page)
    opened(chromium_page, f"{origin}{path}?lang={language}")
    chromium_page.keyboard.press("ArrowRight")
    chromium_page.wait_for_load_state("networkidle")
    unexpected = [said for said in watch.complaints if not (path == "/nowhere" and "404" in said)]
    assert unexpected == []
    assert watch.hosts == {origin}
    assert chromium_page.locator("html").get_attribute("lang") == language


@pytest.mark.smoke
def test_from_the_library_belinda_s_game_is_played_to_its_end(chromium_page: Page, origin: str) -> None:
    watch = Watch(chromium_page)
    chromium_page.goto(origin)
    title = next(deal.title for deal in replays.library() if deal.name == "belinda")
    chromium_page.get_by_role("link", name=title, exact=True).click()
    expect(chromium_page.locator("main[data-waiting]")).to_have_count(0)
    first = said(chromium_page)
    chromium_page.keyboard.press("ArrowRight")
    assert said(chromium_page) != first
    chromium_page.keyboard.press("ArrowLeft")
    assert said(chromium_page) == first
    tricks = []
    for _ in range(20):
        chromium_page.keyboard.press("Shift+ArrowRight")
        if said(chromium_page).startswith("Trick"):
            tricks.append(said(chromium_page).partition(":")[0])
    assert list(dict.fromkeys(tricks)) == [f"Trick {number}" for number in range(1, 10)]
    assert "Belinda wins" in chromium_page.locator(".outcome").inner_text()
    assert watch.complaints == []


def test_a_deal_recorded_over_http_is_replayed(chromium_page: Page, origin: str) -> None:
    def send(path: str, body: Any, version: int | None = None) -> Any:
        headers = {"Content-Type": "application/json"} | ({"If-Match": f'"{version}"'} if version else {})
        request = urllib.request.Request(origin + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    events = [{**event} for event in some_deal(11, contract="simple")]
    events[0]["title"] = "Recorded a moment ago"
    deal = send("/api/v1/deals", events[:4])["deal"]
    for version, event in enumerate(events[4:], 4):
        send(f"/api/v1/deals/{deal}/events?mode=strict", event, version)
    watch = Watch(chromium_page)
    chromium_page.goto(f"{origin}/deals")
    chromium_page.get_by_role("link", name="Recorded a moment ago").click()
    expect(chromium_page.locator("main[data-waiting]")).to_have_count(0)
    assert chromium_page.url.startswith(f"{origin}/deals/{deal}")
    chromium_page.locator('[data-move="end"]').click()
    expect(chromium_page.locator(".payments")).to_be_visible()
    expect(chromium_page).to_have_url(re.compile(f"#at={len(events)}$"))
    assert watch.complaints == []


def test_another_site_s_page_can_change_nothing(chromium_page: Page, origin: str) -> None:
    """A page of another origin, in the same browser, sends what it can: a form, and a plain request."""
    store_before = json.load(urllib.request.urlopen(f"{origin}/api/v1/deals", timeout=10))
    other = make_server("127.0.0.1", 0, lambda environ, start: (start("200 OK", []), [b"<p>elsewhere"])[1])
    threading.Thread(target=other.serve_forever, daemon=True).start()
    chromium_page.goto(f"http://127.0.0.1:{other.server_port}/")
    body = json.dumps({"ruleset": "dlu", "players": {"forehand": "a", "middlehand": "b", "backhand": "c"}})
    outcome = chromium_page.evaluate(
        """async ([address, body]) => {
            const tries = [{mode: "no-cors"}, {headers: {"Content-Type": "application/json"}}];
            return Promise.all(tries.map((how) => fetch(address, {method: "POST", body, ...how})
                .then((answer) => answer.type, () => "refused")));
        }""",
        [f"{origin}/api/v1/deals", body],
    )
    other.shutdown()
    assert outcome[1] == "refused"
    after = json.load(urllib.request.urlopen(f"{origin}/api/v1/deals", timeout=10))
    assert len(after["deals"]) == len(store_before["deals"])
