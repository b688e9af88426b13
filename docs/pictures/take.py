"""Takes the pictures of the pages that the documentation shows.

Run ``make screenshots``; it needs Debian's Chromium. Each picture is taken of the fixture's deals, so
that it stays the same until the pages change.
"""

import logging
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright
from werkzeug.serving import make_server

from tests.page_fixture.app import create_app

CHROMIUM = "/usr/bin/chromium"
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Picture:
    """One picture: its file's name, the page, the window and the colours asked for."""

    name: str
    address: str
    size: tuple[int, int] = (1280, 900)
    colours: Literal["light", "dark"] = "light"


PHONE = (390, 844)
PICTURES = [
    Picture("library", "/"),
    Picture("replay-start", "/replays/belinda"),
    Picture("replay-drawn", "/replays/belinda#at=16", colours="dark"),
    Picture("replay-trick-4", "/replays/belinda#at=28"),
    Picture("replay-end", "/replays/belinda#at=45", colours="dark"),
    Picture("replay-revoke", "/replays/bo?lang=da#at=24"),
    Picture("phone-start", "/replays/belinda", PHONE, "dark"),
    Picture("phone-trick-4", "/replays/belinda#at=28", PHONE),
    Picture("phone-danish", "/replays/bo?lang=da#at=27", PHONE, "dark"),
    Picture("phone-end", "/replays/belinda#at=45", PHONE),
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
    page.evaluate("document.fonts.ready")
    page.screenshot(path=HERE / f"{picture.name}.png")
    context.close()


def main() -> None:
    """Takes every picture."""
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = make_server("127.0.0.1", 0, create_app(), threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        for picture in PICTURES:
            take(browser, picture, f"http://127.0.0.1:{server.server_port}")
            print(f"{picture.name}.png")
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
