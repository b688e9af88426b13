"""Pages of an evening on phones of any size."""

from pathlib import Path

from playwright.sync_api import Page

from service import web
from tests.support.web.eyes import fits_a_narrow_phone, no_fault_by_day_or_night, resized

SCRIPTS = Path(web.__file__).parent / "static" / "js"


LANGUAGES = ("da", "en")


def in_order(page: Page) -> None:
    """It has no fault that axe knows, by day and by night, and fits a narrow phone, also with large text."""
    resized(page, 390, 844)
    no_fault_by_day_or_night(page)
    resized(page, 320, 700)
    targets = page.locator("button:visible, input:visible, select:visible, summary:visible, nav a:visible")
    sizes = targets.evaluate_all(
        "all => all.map((it) => it.closest('label') ?? it).map((it) => [it.offsetWidth, it.offsetHeight])"
    )
    assert [size for size in sizes if min(size) < 44] == []
    fits_a_narrow_phone(page)


def in_one_line(page: Page, selector: str, within: str) -> None:
    """Every such word stands in one line, inside the ``within`` that it belongs to, on any phone."""
    words = page.locator(selector)
    for width in (390, 360, 320):
        resized(page, width, 740)
        for size in ("106.25%", "140%", "212.5%"):
            page.evaluate("size => document.documentElement.style.fontSize = size", size)
            broken = words.evaluate_all(
                """(all, within) => all.filter((it) => it.checkVisibility()).map((it) => {
                    const range = document.createRange();
                    range.selectNodeContents(it);
                    const room = it.closest(within).getBoundingClientRect();
                    const lines = [...range.getClientRects()];
                    const fits = (one) => one.left >= room.left - 1 && one.right <= room.right + 1;
                    const inside = lines.every(fits);
                    return inside && lines.length === 1 ? null : [it.textContent, lines.length, inside];
                }).filter(Boolean)""",
                within,
            )
            assert broken == [], f"{width} px, {size}"
        page.evaluate("document.documentElement.style.fontSize = ''")
