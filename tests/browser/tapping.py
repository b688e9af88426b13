"""How soon a slip answers a tap with the network gone, on a slow processor: ``python -m
tests.browser.tapping``.

The goal is 50 ms. It is measured, not tested: today's machine says nothing about the code.
"""

import logging
import sys

import click
from playwright.sync_api import Page, expect, sync_playwright

from service.eventstore import MemoryStore
from tests.conftest import CHROMIUM
from tests.support.web.club import CONFIRM
from tests.support.web.devices import open_slip
from tests.support.web.serving import serving_store

TAPS = (
    '[data-facts="declarer"] input >> nth=0', '[data-facts="contract"] input[value="solo"]',
    '[data-facts="trump"] input[value="H"]', '[data-facts="outcome"] input[value="won"]', CONFIRM,
)  # fmt: skip

WATCH = """() => {
    window.taps = [];
    document.addEventListener("click", (event) => {
        const at = event.timeStamp;
        requestAnimationFrame(() => setTimeout(() => window.taps.push(performance.now() - at)));
    }, true);
}"""


def measured(page: Page, slips: int) -> list[float]:
    """Milliseconds from each tap to the picture behind it."""
    page.evaluate(WATCH)
    for number in range(1, slips + 1):
        for tap in TAPS:
            before = page.evaluate("taps.length")
            page.locator(tap).click(force=True)
            page.wait_for_function("before => taps.length > before", arg=before)
            if tap == TAPS[-2]:
                expect(page.locator(f'{CONFIRM}[aria-disabled="false"]')).to_be_visible()
        expect(page.locator(".deal-number")).to_have_text(f"Deal {number + 1}")
    return page.evaluate("taps")


@click.command()
@click.option("--slips", default=10, show_default=True, help="So many deals are written down.")
@click.option("--slower", default=4, show_default=True, help="The processor is taken to be so much slower.")
def main(slips: int, slower: int) -> None:
    """How soon a slip answers a tap with the network gone."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with serving_store(MemoryStore()) as club, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM))
        device = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        page = open_slip(device, club, club.table(players=("Anna", "Bo", "Carl")))
        device.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        device.set_offline(True)
        times = sorted(measured(page, slips))
        browser.close()
    middle, slow = times[len(times) // 2], times[int(len(times) * 0.95)]
    click.echo(f"{len(times)} taps: half within {middle:.0f} ms, 95 of 100 within {slow:.0f} ms, ", nl=False)
    click.echo(f"all within {times[-1]:.0f} ms")


if __name__ == "__main__":
    sys.exit(main())
