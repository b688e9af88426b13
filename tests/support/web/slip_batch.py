"""The page on which many slips are typed."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.support.web.club import Club

SEND = ".batch-bar .confirm"
READY = f'{SEND}[aria-disabled="false"]'
STATUS = ".batch-bar .status"


def open_batch(page: Page, club: Club, table: str, lang: str = "en") -> Page:
    club.enter(page, f"/tables/{table}/slip-batch?lang={lang}")
    expect(page.locator(".batch-row")).to_have_count(1)
    expect(row(page, 0).locator(".of-number input")).to_have_attribute("placeholder", "1")
    return page


def row(page: Page, place: int) -> Locator:
    return page.locator(f'.batch-row[data-index="{place}"]')


def cell(page: Page, place: int, column: str) -> Locator:
    return row(page, place).locator(f'[data-column="{column}"]')


def aside(page: Page, place: int) -> Locator:
    """What is said below a row."""
    return row(page, place).locator("xpath=following-sibling::tr[1][contains(@class, 'batch-remarks-row')]")


def typed(page: Page, *lines: str) -> None:
    """Types whole deals, each into one cell, and waits until they are read."""
    first = page.locator(".batch-row").count() - 1
    cell(page, first, "contract").focus()
    for line in lines:
        page.keyboard.type(line)
        page.keyboard.press("Enter")
    for place in range(first, first + len(lines)):
        expect(row(page, place)).to_have_attribute("data-state", "ready")


def lines_of(club: Club, table: str) -> list[dict[str, Any]]:
    return club.get(f"/tables/{table}/ledger")["lines"]
