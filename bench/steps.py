"""How long a replayer takes to draw a step: `python -m bench.steps`.

The time is all work of the browser's main thread for a step: script, style, layout and the paint list, from
the key press until the next frame, for every step of a library deal forward and back. Motion is on, as a
reader has it: the compositor moves cards, which costs the main thread only the start. The baseline in the
same run is a step that changes one word of an empty page. A screen shows sixty frames a second, so a step may
take 16 ms. The deal is stepped through several times and the minimum of each step counts, as other work on
the machine only adds to it. The address, which is written once the reader stops, is measured separately.

Requires a browser: chromium at /usr/bin/chromium.
"""

from __future__ import annotations

import sys
from statistics import median
from typing import Final

from playwright.sync_api import CDPSession, Page

from bench.goals import BenchGoals, build_bench_parser
from bench.pages import open_browser_and_server

GOAL_STEP_MS: Final = 16.0
WINDOW_SIZES: Final = {"phone": (390, 844), "desktop": (1280, 900)}
IDLE_WAIT_MS: Final = 400
STEP_KEYS: Final = ("ArrowRight", "ArrowLeft")
WORD_PAGE: Final = """<!doctype html><title>A word</title><p id="word"></p><script>
addEventListener("keydown", (event) => { document.getElementById("word").textContent = event.timeStamp; });
</script>"""
WAIT_UNTIL_DRAWN_JS: Final = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


def main_thread_seconds(cdp_session: CDPSession) -> float:
    """Seconds that the main thread has worked so far."""
    told = cdp_session.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in told if one["name"] == "TaskDuration"))


def measure_steps_ms(page: Page, count: int) -> list[float]:
    """Milliseconds of main-thread work for each of this many steps forward, and back."""
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    took: list[float] = []
    for key in STEP_KEYS:
        for _ in range(count):
            page.evaluate(WAIT_UNTIL_DRAWN_JS)
            before = main_thread_seconds(tools)
            page.keyboard.press(key)
            page.evaluate(WAIT_UNTIL_DRAWN_JS)
            took.append((main_thread_seconds(tools) - before) * 1000)
    return took


def measure_deal_steps(page: Page, url: str) -> tuple[list[float], float]:
    """The steps of a deal, to its end and back; and the work once the reader stops."""
    page.goto(url)
    page.wait_for_selector("main:not([data-waiting]) .table")
    page.wait_for_selector("html:not([data-type])", state="attached")
    slider = page.locator(".step-controls input[type=range]")
    slider.fill("0")
    took = measure_steps_ms(page, int(slider.get_attribute("max") or 0))
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = main_thread_seconds(tools)
    page.wait_for_timeout(IDLE_WAIT_MS)
    return took, (main_thread_seconds(tools) - before) * 1000


def measure_word_steps(page: Page, count: int) -> list[float]:
    """The steps of the baseline."""
    page.set_content(WORD_PAGE)
    return measure_steps_ms(page, count)


def main() -> int:
    """Step through the deal at each size, and print the times."""
    parser = build_bench_parser("Measures how long the replayer draws a step.")
    parser.add_argument("--deal", default="belinda", help="a deal of the library")
    parser.add_argument("--walks", type=int, default=3, help="so many times, of each step the least")
    options = parser.parse_args()
    goals = BenchGoals(options)
    with open_browser_and_server() as (browser, port):
        address = f"http://127.0.0.1:{port}/replays/{options.deal}"
        for name, (width, height) in WINDOW_SIZES.items():
            walks = []
            for _ in range(options.walks):
                page = browser.new_page(viewport={"width": width, "height": height})
                walks.append(measure_deal_steps(page, address))
                page.close()
            took = sorted(map(min, zip(*(walk for walk, _ in walks), strict=True)))
            word = median(measure_word_steps(browser.new_page(), len(took) // 2))
            print(
                f"{name:8} {len(took)} steps, the least of {options.walks} walks: "
                f"median {median(took):.1f} ms, 95 of 100 within {took[int(len(took) * 0.95)]:.1f} ms, "
                f"all within {took[-1]:.1f} ms (goal {GOAL_STEP_MS:.0f}); "
                f"the address afterwards {min(rest for _, rest in walks):.1f} ms; "
                f"a word of an empty page {word:.1f} ms, ratio {median(took) / word:.1f}"
            )
            goals.check_at_most(f"milliseconds of a step, {name}", took[-1], GOAL_STEP_MS)
    return goals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
