"""What holds of every page, for every reader, by day and night, large and small; what it complains of."""

import re
from typing import Any, Final, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

LANGUAGES: Final = ("da", "en")
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
BLOCKED = "Service Worker registration blocked by Playwright"
"""What the browser is made to say where a test does without the service worker."""
NARROW: Final = 320
"""The narrowest phone, in pixels."""
FINGER: Final = 44
"""How wide and high everything is that a finger taps, in pixels."""


SHIFT: Final = """new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) if (!one.hadRecentInput) sum += one.value;
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 300);
})"""
"""How much has moved on a page by itself, as a share of the window."""


class Watch:
    """What a page complains of, and whom it asks."""

    def __init__(self, page: Page) -> None:
        self.complaints: list[str] = []
        self.hosts: set[str] = set()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.hosts.add("/".join(request.url.split("/")[:3])))

    def _hear(self, said: Any) -> None:
        if said.type in ("error", "warning") and said.text != BLOCKED:
            self.complaints.append(said.text)


WHOLE: Final[dict[str, Any]] = {"resultTypes": ["violations"]}
OF_COLOURS: Final[dict[str, Any]] = {**WHOLE, "runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules of axe that it checks by day, and those that it checks again by night."""


def no_fault(page: Page) -> None:
    """Axe finds nothing on the page as it stands: by day and by night, in usual type and in large type."""
    for size in ("", "200%"):
        page.evaluate("size => document.documentElement.style.fontSize = size", size)
        for scheme, options in zip(SCHEMES, (WHOLE, OF_COLOURS), strict=True):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = Axe().run(page, options=options)
            assert found.violations_count == 0, f"{scheme}, type {size or '100%'}: {found.generate_report()}"
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.emulate_media(color_scheme="light", reduced_motion="reduce")


def resized(page: Page, width: int, height: int = 740) -> Page:
    """The page at this size, once it is laid out for it and whoever watches its size was told."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("(width) => innerWidth === width", arg=width)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page


def fits_a_narrow_phone(page: Page) -> None:
    """Nothing has to be pushed sideways, even with text twice as large, and a finger can tap each control."""
    resized(page, NARROW, 700)
    targets = page.locator(":is(button, input, select, textarea, summary, nav a, .column-ways a):visible")
    sizes = targets.evaluate_all(
        "all => all.map((it) => it.closest('label') ?? it).map((it) => [it.offsetWidth, it.offsetHeight])"
    )
    assert [size for size in sizes if min(size) < FINGER] == []
    for size in ("106.25%", "212.5%"):
        page.evaluate("size => document.documentElement.style.fontSize = size", size)
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW, size
    page.evaluate("document.documentElement.style.fontSize = ''")


IN_SIGHT = """it => {
    const { left, top, right, bottom } = it.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isWhole = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
    return isWhole && (hit === it || it.contains(hit)) && scrollY === 0;
}"""
"""Whether the whole of an element is seen and can be tapped, without scrolling."""
PHONES: Final = [(390, 664), (360, 640), (412, 732)]
"""The windows of phones, as their browsers leave them."""


def placed_controls(page: Page) -> set[str]:
    """Where everything stands in the window that can be tapped."""
    controls = page.locator(":is(a, button, input, select, textarea, summary):visible")
    placed = controls.evaluate_all(
        """all => all.map((it) => [it, it.getBoundingClientRect()])
            .filter(([, { top, bottom }]) => bottom > 0 && top < innerHeight)
            .map(([it, { left, top, width, height }]) =>
                [it.name || it.textContent.trim(), it.value, left, top, width, height].join(" "))"""
    )
    return set(placed)


def sheets(page: Page, **paper: Any) -> int:
    return len(re.findall(rb"/Type /Page\b", page.pdf(**paper)))


def in_order(page: Page) -> None:
    """The page has no fault for any eye or finger."""
    resized(page, 390, 844)
    no_fault(page)
    fits_a_narrow_phone(page)
