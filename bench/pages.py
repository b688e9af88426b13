"""The pages on a phone with a slow network: `python -m bench.pages`.

A phone's processor is four times as slow as this one's, and its network is the slow 4G that browsers' own
tools imitate (1.6 Mbit/s, 150 ms until anything comes back). A page's *first load* is what comes over the
network where nothing has been kept yet, compressed as the service sends it, until the page is *usable*: what
it is for is on the screen, and can be tapped. Its type comes behind that, and is counted apart; so is what
the service worker fetches then, so that pages open without a network. How soon a tap is answered without one
is measured by `python -m tests.browser.tapping`.

A browser is needed: chromium at /usr/bin/chromium.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from bench.goals import Goals, bench_options
from bench.serving import TOKENS, Caller, served

CHROMIUM: Final = "/usr/bin/chromium"
PHONE: Final[Any] = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True}
SLOWER: Final = 4
NETWORK: Final = {
    "offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8,
}  # fmt: skip
GOAL_BYTES: Final = 100_000
GOAL_SECONDS: Final = 2.0
PLAYERS: Final = ["Anna", "Bo", "Carl", "Dorthe"]

USABLE: Final = """
(choice) => new Promise((done) => {
  // What the service has written into the page is there before anything of it is to be seen.
  const seen = () => performance.getEntriesByName("first-contentful-paint").length > 0;
  const now = () => [performance.timeOrigin, performance.now()];
  const look = () => document.querySelector(choice) && seen() ? done(now()) : requestAnimationFrame(look);
  requestAnimationFrame(look);
})"""

FOR_LATER: Final = """
async () => {
  await navigator.serviceWorker.ready;
}"""

FETCHED: Final = """
() => {
  const came = performance.getEntriesByType("resource");
  return [came.reduce((sum, one) => sum + one.transferSize, 0), came.length];
}"""


class Load(NamedTuple):
    """A first load: bytes and requests until the page could be used; bytes with its type; seconds.

    ``kept`` is what the service worker fetches behind that, in bytes, once for all pages.
    """

    size: int
    requests: int
    whole: int
    seconds: float
    kept: int


@contextmanager
def browsed() -> Iterator[tuple[Browser, int]]:
    """A browser, and the port of a service on a store of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as port,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        yield browser, port
        browser.close()


def phone(browser: Browser, port: int) -> tuple[BrowserContext, Page, CDPSession]:
    """A phone that is logged in as the owner, and has kept nothing else yet."""
    door = browser.new_context(**PHONE)
    entering = door.new_page()
    entering.goto(f"http://127.0.0.1:{port}/enter#token={TOKENS[port]}&to=/tables")
    entering.wait_for_url("**/tables")
    # What tells of earlier pages stays behind: only what no script of theirs has set is the login.
    login = [cookie for cookie in door.cookies() if cookie["httpOnly"]]
    door.close()
    context = browser.new_context(**PHONE)
    context.add_cookies(login)  # type: ignore[arg-type]
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    return context, page, tools


def first_load(browser: Browser, port: int, path: str, ready: str) -> Load:
    """What the page at ``path`` costs who has nothing of it; ``ready`` is what can be tapped then."""
    context, page, tools = phone(browser, port)
    came: list[tuple[float, int]] = []
    ahead: list[float] = []
    try:
        # By how much the clock of days is ahead of the clock that the network's events are told by.
        tools.on("Network.requestWillBeSent", lambda told: ahead.append(told["wallTime"] - told["timestamp"]))
        tools.on(
            "Network.loadingFinished",
            lambda told: came.append((told["timestamp"], int(told["encodedDataLength"]))),
        )
        tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        tools.send("Network.emulateNetworkConditions", NETWORK)
        page.goto(f"http://127.0.0.1:{port}{path}", wait_until="commit")
        # The moment is the page's own: what asks for it from outside is as slow as the machine.
        began, took = page.evaluate(USABLE, ready)
        page.wait_for_selector("html:not([data-type])", state="attached")
        until = (began + took) / 1000 - ahead[0]
        sizes = [size for at, size in came if at <= until]
        whole = sum(size for _, size in came)
        return Load(sum(sizes), len(sizes), whole, took / 1000, fetched_for_later(context, page))
    finally:
        context.close()


def fetched_for_later(context: BrowserContext, page: Page) -> int:
    """The bytes that the service worker has fetched once it is ready."""
    page.evaluate(FOR_LATER)
    (worker,) = context.service_workers
    size, count = worker.evaluate(FETCHED)
    assert count > 1, "the worker tells of nothing that it fetched"
    return int(size)


def main() -> int:
    """Load each page on a new phone, and print what it took."""
    parser = bench_options("Measures the pages on a slow phone.")
    parser.add_argument("--rounds", type=int, default=5, help="an odd number has a true median")
    parser.add_argument("--pages", nargs="+", help="these alone, such as: slip recorder")
    options = parser.parse_args()
    goals = Goals(options)
    with browsed() as (browser, port):
        caller = Caller(port)
        table = caller.post("/api/v1/tables", {"ruleset": "dlu", "players": PLAYERS})["table"]
        deal = caller.post(f"/api/v1/tables/{table}/deals", {}, 1)["deal"]
        pages = {
            "slip": (f"/tables/{table}", ".slip-form input[type=radio]"),
            "score sheet": (f"/tables/{table}/sheet", "main:not([data-waiting]) table"),
            "recorder": (f"/deals/{deal}/record", "main:not([data-waiting]) button"),
            "pile": (f"/tables/{table}/slip-batch", "main:not([data-waiting]) table"),
            "tables": ("/tables", "main:not([data-waiting]) a.contents-title"),
            "replayer": ("/replays/belinda", "main:not([data-waiting]) button:not([disabled])"),
        }
        for name in options.pages or pages:
            path, ready = pages[name]
            loads = [first_load(browser, port, path, ready) for _ in range(options.rounds)]
            size, requests, whole, seconds, kept = (median(told) for told in zip(*loads, strict=True))
            print(
                f"{name:12} first load {size / 1000:6.1f} kB (goal {GOAL_BYTES / 1000:.0f}) in "
                f"{requests:.0f} requests, with its type {whole / 1000:.1f} kB; usable after {seconds:.2f} s "
                f"(goal {GOAL_SECONDS:.0f}); then {kept / 1000:.0f} kB for when there is no network"
            )
            goals.at_most(f"kB of the {name}", size / 1000, GOAL_BYTES / 1000)
            goals.at_most(f"seconds of the {name}", seconds, GOAL_SECONDS)
    return goals.status()


if __name__ == "__main__":
    sys.exit(main())
