"""A device that keeps pages and what was written on it: the slip there, and all that it keeps."""

from playwright.sync_api import BrowserContext, Page, expect

from service.auth.grants import GrantTerms
from tests.support.web.club import CONFIRM, Club, fill, ready
from tests.support.web.showing import evaluated

LINES = "[data-part=log] .entry-line"
STATUS = ".bar .status"


def installed(device: BrowserContext, club: Club, to: str, terms: GrantTerms | None = None) -> Page:
    """The page at ``to`` on a device that is logged in and whose service worker answers for that page."""
    page = device.new_page()
    club.enter(page, "/enter", terms)
    page.evaluate("navigator.serviceWorker.ready")
    return club.go(page, to)


def open_slip(
    device: BrowserContext, club: Club, table: str, language: str = "en", terms: GrantTerms | None = None
) -> Page:
    """The slip of a table on a device that has opened it, and could do so without a network."""
    page = installed(device, club, f"/tables/{table}?lang={language}", terms)
    await_cached(page, table)
    return page


def await_cached(page: Page, table: str, part: str = "") -> None:
    """Waits until the device keeps the table as it is now, or that part of its Danish page."""
    found = "(await it.readCachedTable(given[0]))" + (f"?.pages?.da?.{part}" if part else "")
    again = "await new Promise((again) => setTimeout(again, 50))"
    evaluated(page, "evening/cached-tables", f"while (!{found}) {again};", table)


def write(page: Page, declarer: str, contract: str, trump: str = "", outcome: str = "Won") -> None:
    """Writes a slip down, whoever answers: when the next one is begun, the device keeps it."""
    fill(page, declarer, contract, trump, outcome)
    number = page.locator(".deal-number")
    before = number.inner_text()
    page.locator(CONFIRM).click()
    expect(number).not_to_have_text(before)


def again(page: Page) -> Page:
    page.reload()
    return ready(page)


def ends(club: Club, table: str) -> list[tuple[str | None, str | None]]:
    """Contract and outcome of every deal of a table, as the service has it."""
    return [(one["contract"], one["outcome"]) for one in club.get(f"/tables/{table}/ledger")["lines"]]


def all_kept(page: Page) -> str:
    """Everything that the browser keeps for our pages: databases, caches and other storage, as text."""
    return page.evaluate(
        """async () => {
            const asked = (request) =>
                new Promise((done) => (request.onsuccess = () => done(request.result)));
            const database = await asked(indexedDB.open("spadille"));
            const found = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
            for (const store of database.objectStoreNames) {
                const all = database.transaction(store).objectStore(store).getAll();
                found.push(JSON.stringify(await asked(all)));
            }
            database.close();
            for (const name of await caches.keys()) {
                const cache = await caches.open(name);
                for (const request of await cache.keys()) {
                    const answer = await cache.match(request, { ignoreVary: true });
                    const type = answer.headers.get("Content-Type") ?? "";
                    found.push(request.url);
                    if (/text|json/.test(type) && !/javascript/.test(type)) found.push(await answer.text());
                }
            }
            return found.join("\\n");
        }"""
    )
