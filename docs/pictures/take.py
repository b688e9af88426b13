"""Takes the pictures of the pages that the documentation shows.

Run ``make screenshots``; it needs Debian's Chromium. The deals are the library's, and one of an
evening that is recorded here anew, so that a picture stays the same until the pages change.
"""

import logging
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright
from werkzeug.serving import make_server

from docs.pictures.palette import packed
from service.app import create_app
from service.identity.caller import OWNER
from service.store import MemoryStore
from tests.api.live import free_port
from tests.api.recording import recorded_deal
from tests.web.evening import club_deal, where
from tests.web.showing import BELINDA, PRINTED, SECOND, at, events_of

CHROMIUM = "/usr/bin/chromium"
HERE = Path(__file__).parent
PHONE = (390, 844)

FOURTH_TRICK = where(events_of(BELINDA), card="SJ") + 1
REVOKE = where(club_deal(), card="S3")


@dataclass(frozen=True)
class Picture:
    """One picture: its file's name, the page, the window and the colours asked for."""

    name: str
    address: str
    size: tuple[int, int] = (1280, 900)
    colours: Literal["light", "dark"] = "light"


def pictures(recorded: str) -> list[Picture]:
    """Every picture; ``recorded`` is the address of the evening's deal."""
    return [
        Picture("library", "/", size=(1280, 720)),
        Picture("replay-start", BELINDA),
        Picture("replay-trick-4", f"{BELINDA}#at={FOURTH_TRICK}"),
        Picture("replay-end", at(BELINDA, type="result_recorded"), colours="dark"),
        Picture("misprint", at(PRINTED, type="hand_held", seat="middlehand")),
        Picture("revoke", f"{recorded}?lang=en#at={REVOKE}", colours="dark"),
        Picture("phone-second-reading", at(SECOND, card="CJ", type="card_played"), PHONE),
        Picture("phone-danish", f"{recorded}?lang=da#at={REVOKE}", PHONE, "dark"),
        Picture("preview", f"/api/v1{BELINDA}/state.png?at={FOURTH_TRICK}", size=(1200, 630)),
    ]


def take(browser: Browser, picture: Picture, origin: str) -> None:
    """Takes one picture into this folder."""
    width, height = picture.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=picture.colours,
        reduced_motion="reduce",
        device_scale_factor=2 if picture.size == PHONE else 1,
    )
    page = context.new_page()
    page.goto(origin + picture.address, wait_until="networkidle")
    page.evaluate("document.fonts.ready.then(() => new Promise((drawn) => setTimeout(drawn, 300)))")
    (HERE / f"{picture.name}.png").write_bytes(packed(page.screenshot()))
    context.close()


def main() -> None:
    """Takes every picture."""
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    store, port = MemoryStore(), free_port()
    recorded = f"/deals/{recorded_deal(store, club_deal())}"
    server = make_server("127.0.0.1", port, create_app(store, everybody=OWNER, port=port), threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        for picture in pictures(recorded):
            take(browser, picture, f"http://127.0.0.1:{port}")
            print(f"{picture.name}.png")
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
