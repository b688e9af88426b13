"""The pages on a phone with a slow network: `python -m bench.pages`.

A phone's processor is four times as slow as this one's, and its network is the slow 4G that browsers'
developer tools simulate (1.6 Mbit/s, 150 ms latency). A page's *first load* is what the network transfers
with an empty cache, compressed as the service sends it, until the page is *usable*: its main content is on
the screen and can be tapped. Its fonts load after that and are counted separately, as are the files that the
service worker then fetches for offline use. `python -m tests.browser.tapping` measures the response to a tap
without a network.

Requires a browser: chromium at /usr/bin/chromium.
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

from bench.goals import BenchGoals, build_bench_parser
from bench.serving import OWNER_TOKEN_BY_PORT, ApiClient, run_server

CHROMIUM_PATH: Final = "/usr/bin/chromium"
PHONE_SETTINGS: Final[Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
}
CPU_SLOWDOWN: Final = 4
SLOW_NETWORK: Final = {
    "offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8,
}  # fmt: skip
GOAL_FIRST_LOAD_BYTES: Final = 100_000
GOAL_USABLE_SECONDS: Final = 2.0
PLAYERS: Final = ["Anna", "Bo", "Carl", "Dorthe"]

WAIT_UNTIL_USABLE_JS: Final = """
(choice) => new Promise((done) => {
  // What the service has written into the page is there before anything of it is to be seen.
  const seen = () => performance.getEntriesByName("first-contentful-paint").length > 0;
  const now = () => [performance.timeOrigin, performance.now()];
  const look = () => document.querySelector(choice) && seen() ? done(now()) : requestAnimationFrame(look);
  requestAnimationFrame(look);
})"""

WAIT_FOR_WORKER_JS: Final = """
async () => {
  await navigator.serviceWorker.ready;
}"""

FETCHED_SIZE_JS: Final = """
() => {
  const came = performance.getEntriesByType("resource");
  return [came.reduce((sum, one) => sum + one.transferSize, 0), came.length];
}"""


class PageLoad(NamedTuple):
    """A first load: bytes and requests until the page was usable; bytes including fonts; seconds.

    ``offline_bytes`` is what the service worker fetches after that, once for all pages.
    """

    usable_bytes: int
    requests: int
    total_bytes: int
    usable_seconds: float
    offline_bytes: int


@contextmanager
def open_browser_and_server() -> Iterator[tuple[Browser, int]]:
    """A browser, and the port of a service with its own store."""
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(Path(folder)) as port,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM_PATH)
        yield browser, port
        browser.close()


def open_phone(browser: Browser, port: int) -> tuple[BrowserContext, Page, CDPSession]:
    """A phone that is logged in as the owner, with an otherwise empty cache."""
    first = browser.new_context(**PHONE_SETTINGS)
    entering = first.new_page()
    entering.goto(f"http://127.0.0.1:{port}/enter#token={OWNER_TOKEN_BY_PORT[port]}&to=/tables")
    entering.wait_for_url("**/tables")
    # Data from earlier pages is dropped: only what no script of theirs has set is the login.
    login = [cookie for cookie in first.cookies() if cookie["httpOnly"]]
    first.close()
    context = browser.new_context(**PHONE_SETTINGS)
    context.add_cookies(login)  # type: ignore[arg-type]
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    return context, page, tools


def measure_first_load(browser: Browser, port: int, path: str, ready_selector: str) -> PageLoad:
    """The cost of the page at ``path`` for a new visitor; ``ready_selector`` finds what can be tapped
    then."""
    context, page, tools = open_phone(browser, port)
    came: list[tuple[float, int]] = []
    ahead: list[float] = []
    try:
        # The offset of the wall clock from the clock of the network events.
        tools.on("Network.requestWillBeSent", lambda told: ahead.append(told["wallTime"] - told["timestamp"]))
        tools.on(
            "Network.loadingFinished",
            lambda told: came.append((told["timestamp"], int(told["encodedDataLength"]))),
        )
        tools.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
        tools.send("Network.emulateNetworkConditions", SLOW_NETWORK)
        page.goto(f"http://127.0.0.1:{port}{path}", wait_until="commit")
        # The time comes from the page itself: a request from outside is as slow as the machine.
        began, took = page.evaluate(WAIT_UNTIL_USABLE_JS, ready_selector)
        page.wait_for_selector("html:not([data-type])", state="attached")
        until = (began + took) / 1000 - ahead[0]
        sizes = [size for at, size in came if at <= until]
        whole = sum(size for _, size in came)
        return PageLoad(sum(sizes), len(sizes), whole, took / 1000, measure_offline_bytes(context, page))
    finally:
        context.close()


def measure_offline_bytes(context: BrowserContext, page: Page) -> int:
    """The bytes that the service worker has fetched once it is ready."""
    page.evaluate(WAIT_FOR_WORKER_JS)
    (worker,) = context.service_workers
    size, count = worker.evaluate(FETCHED_SIZE_JS)
    assert count > 1, "the worker tells of nothing that it fetched"
    return int(size)


def main() -> int:
    """Load each page on a new phone, and print the results."""
    parser = build_bench_parser("Measures the pages on a slow phone.")
    parser.add_argument("--rounds", type=int, default=5, help="an odd number has a true median")
    parser.add_argument("--pages", nargs="+", help="these alone, such as: slip recorder")
    options = parser.parse_args()
    goals = BenchGoals(options)
    with open_browser_and_server() as (browser, port):
        caller = ApiClient(port)
        table = caller.post("/api/v1/tables", {"ruleset": "dlu", "players": PLAYERS})["table"]
        deal = caller.post(f"/api/v1/tables/{table}/deals", {}, 1)["deal"]
        pages = {
            "slip": (f"/tables/{table}", ".slip-form input[type=radio]"),
            "score sheet": (f"/tables/{table}/sheet", "main:not([data-waiting]) table"),
            "recorder": (f"/deals/{deal}/record", "main:not([data-waiting]) button"),
            "slip-batch": (f"/tables/{table}/slip-batch", "main:not([data-waiting]) table"),
            "tables": ("/tables", "main:not([data-waiting]) a.contents-title"),
            "replayer": ("/replays/belinda", "main:not([data-waiting]) button:not([disabled])"),
        }
        for name in options.pages or pages:
            path, ready = pages[name]
            loads = [measure_first_load(browser, port, path, ready) for _ in range(options.rounds)]
            size, requests, whole, seconds, kept = (median(told) for told in zip(*loads, strict=True))
            print(
                f"{name:12} first load {size / 1000:6.1f} kB (goal {GOAL_FIRST_LOAD_BYTES / 1000:.0f}) in "
                f"{requests:.0f} requests, with its type {whole / 1000:.1f} kB; usable after {seconds:.2f} s "
                f"(goal {GOAL_USABLE_SECONDS:.0f}); then {kept / 1000:.0f} kB for when there is no network"
            )
            goals.check_at_most(f"kB of the {name}", size / 1000, GOAL_FIRST_LOAD_BYTES / 1000)
            goals.check_at_most(f"seconds of the {name}", seconds, GOAL_USABLE_SECONDS)
    return goals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
