"""The pages on a phone with a slow network: `python -m bench.pages`.

A phone's processor is four times as slow as this one's, and its network is the slow 4G that browsers' own
tools imitate (1.6 Mbit/s, 150 ms until anything comes back). A page's *first load* is what comes over the
network where nothing has been kept yet, compressed as the service sends it; it is *usable* when what it is
for can be tapped. Then the network goes, and *a tap* is measured until the screen is drawn again.

A browser is needed: chromium at /usr/bin/chromium.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from bench.serving import TOKENS, Caller, served

CHROMIUM: Final = "/usr/bin/chromium"
PHONE: Final[Any] = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True}
SLOWER: Final = 4
NETWORK: Final = {
    "offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8,
}  # fmt: skip
GOAL_BYTES: Final = 100_000
GOAL_SECONDS: Final = 2.0
GOAL_TAP_MS: Final = 50.0
TAPS: Final = 15
PLAYERS: Final = ["Anna", "Bo", "Carl", "Dorthe"]

DRAWN_AGAIN: Final = """
async ([choice]) => {
  const began = performance.now();
  document.querySelectorAll(choice)[0].click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - began;
}"""


class Load(NamedTuple):
    """A first load: bytes over the network, and seconds until the page could be used."""

    size: int
    seconds: float


def phone(browser: Browser) -> tuple[BrowserContext, Page, CDPSession]:
    """A phone that has kept nothing yet."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    return context, page, tools


def log_in(page: Page, port: int) -> None:
    """Opens a link of the owner's; what that loads is forgotten again, but for the login."""
    page.goto(f"http://127.0.0.1:{port}/enter#token={TOKENS[port]}&to=/tables")
    page.wait_for_url("**/tables")


def forget(context: BrowserContext, tools: CDPSession, origin: str) -> None:
    """Forgets all that the phone has kept, but for its login."""
    tools.send("Network.clearBrowserCache")
    kinds = "cache_storage,service_workers,indexeddb"
    tools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": kinds})


def first_load(browser: Browser, port: int, path: str, ready: str) -> Load:
    """What the page at ``path`` costs who has nothing of it; ``ready`` is what can be tapped then."""
    context, page, tools = phone(browser)
    sizes: list[int] = []
    try:
        log_in(page, port)
        page.goto("about:blank")
        forget(context, tools, f"http://127.0.0.1:{port}")
        tools.on("Network.loadingFinished", lambda told: sizes.append(int(told["encodedDataLength"])))
        tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        tools.send("Network.emulateNetworkConditions", NETWORK)
        page.goto(f"http://127.0.0.1:{port}{path}", wait_until="commit")
        page.wait_for_selector(ready)
        seconds = page.evaluate("performance.now() / 1000")
        return Load(sum(sizes), seconds)
    finally:
        context.close()


def taps(browser: Browser, port: int, path: str, choice: str) -> list[float]:
    """Milliseconds from a tap to the next picture, without a network."""
    context, page, tools = phone(browser)
    try:
        log_in(page, port)
        page.goto(f"http://127.0.0.1:{port}{path}")
        page.wait_for_selector(choice)
        page.wait_for_timeout(500)
        context.set_offline(True)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        return [page.evaluate(DRAWN_AGAIN, [f"{choice}:not(:checked)"]) for _ in range(TAPS)]
    finally:
        context.close()


def main() -> None:
    """Load each page on a new phone, tap without a network, print what it took."""
    parser = argparse.ArgumentParser(description="Measures the pages on a slow phone.")
    parser.add_argument("--rounds", type=int, default=5, help="an odd number has a true median")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as port,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        caller = Caller(port)
        table = caller.post("/api/v1/tables", {"ruleset": "dlu", "players": PLAYERS})["table"]
        deal = caller.post(f"/api/v1/tables/{table}/deals", {}, 1)["deal"]
        pages = {
            "slip": (f"/tables/{table}", ".slip-form input[type=radio]"),
            "score sheet": (f"/tables/{table}/sheet", "main:not([data-waiting]) table"),
            "recorder": (f"/deals/{deal}/record", "main:not([data-waiting]) button"),
            "replayer": ("/replays/belinda", "main:not([data-waiting]) button:not([disabled])"),
        }
        for name, (path, ready) in pages.items():
            loads = [first_load(browser, port, path, ready) for _ in range(options.rounds)]
            size, seconds = median(one.size for one in loads), median(one.seconds for one in loads)
            print(
                f"{name:12} first load {size / 1000:6.1f} kB (goal {GOAL_BYTES / 1000:.0f}), "
                f"usable after {seconds:.2f} s (goal {GOAL_SECONDS:.0f})"
            )
        took = taps(browser, port, *pages["slip"])
        print(
            f"a tap without a network: median {median(took):.0f} ms, slowest of {TAPS} {max(took):.0f} ms "
            f"(goal {GOAL_TAP_MS:.0f})"
        )
        browser.close()


if __name__ == "__main__":
    main()
