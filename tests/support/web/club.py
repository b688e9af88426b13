"""A club and its evening, for the tests of its pages: tables and slips over HTTP, and by tapping."""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

from flask import Flask
from playwright.sync_api import Page, expect

from service.auth.grants import GrantTerms
from tests.support.api.clients import Owner, token_for

Json = dict[str, Any]

PLAYERS = ("Anna", "Bo", "Carl-Christian", "Dorthe")
CONFIRM = ".slip-form .confirm"
BUSY = ".slip-form.is-busy"
"""The slip as long as a second tap is taken for part of the one that wrote the last slip down."""


class Club(Owner):
    """A running service: its application, and where it answers."""

    origin: str

    def __init__(self, app: Flask, origin: str) -> None:
        super().__init__(app)
        self.app, self.origin, self.owner = app, origin, self.client

    @cached_property
    def members(self) -> dict[str, str]:
        """The ids of four members by their short names."""
        full = {"Eva": "Eva Engel", "Finn": "Finn Friis", "Gerda": "Gerda Gram", "Hans": "Hans Holm"}
        return {
            short: self.post("/members", {"name": name, "short": short})["id"] for short, name in full.items()
        }

    def table(self, *, players: tuple[str, ...] = PLAYERS, ruleset: str = "dlu", **more: Any) -> str:
        return self.post("/tables", {"ruleset": ruleset, "players": list(players), **more})["table"]

    def begun(self, table: str) -> str:
        """The id of a further deal of the table, of which nothing more is known."""
        version = self.get(f"/tables/{table}")["version"]
        return self.post(f"/tables/{table}/deals", {}, version)["deal"]

    def deal(self, table: str, **result: Any) -> str:
        deal = self.begun(table)
        self.post(f"/deals/{deal}/events", {"type": "result_recorded", **result}, 1)
        return deal

    def events(self, kind: str, stream: str) -> list[Json]:
        kept = self.get(f"/{kind}/{stream}/events?limit=500")["events"]
        extra = {"id", "seq", "recorded_at", "stored_at", "recorded_by", "basis", "accounts"}
        return [{name: value for name, value in event.items() if name not in extra} for event in kept]

    def enter(self, page: Page, to: str, terms: GrantTerms | None = None) -> Page:
        """The page at ``to``, in a browser that is logged in: as the owner unless told otherwise."""
        token = token_for(self.app, terms or GrantTerms("owner"))
        ours = {"Origin": self.origin}
        entered = page.request.post(f"{self.origin}/api/v1/session", data={"token": token}, headers=ours)
        assert entered.ok, entered.text()
        return self.go(page, to)

    def go(self, page: Page, to: str) -> Page:
        """The page at ``to``, in a browser that is logged in or needs not be."""
        page.goto(self.origin + to)
        return ready(page)


def ready(page: Page) -> Page:
    expect(page.locator("main[data-waiting]")).to_have_count(0)
    return page


def arrived(page: Page, address: str | Callable[[str], bool]) -> Page:
    page.wait_for_url(address)
    return ready(page)


def tap(page: Page, group: str, *names: str) -> None:
    """Taps choices of a group of the slip, by what stands on them."""
    for name in names:
        choices = page.locator(f'[data-facts="{group}"] .choice')
        choices.filter(has=page.get_by_role("radio", name=re.compile(f"^{re.escape(name)}"))).first.click()


def fill(page: Page, declarer: str, contract: str = "", trump: str = "", outcome: str = "") -> None:
    """Fills in a slip, as far as it says anything, and waits until it is judged."""
    tap(page, "declarer", declarer)
    tap(page, "contract", *([contract] if contract else []))
    tap(page, "trump", *([trump] if trump else []))
    tap(page, "outcome", *([outcome] if outcome else []))
    expect(page.locator(f'{CONFIRM}[aria-disabled="false"]')).to_be_visible()


def pass_all(page: Page, said: str) -> None:
    """Writes down that all passed, by one tap."""
    page.locator(".is-passed").click()
    expect(page.locator(".bar .status")).to_have_text(said)


def payments(page: Page) -> dict[str, str]:
    """What the slip would pay, as it stands before it is confirmed."""
    names = page.locator(".payments-summary dt").all_inner_texts()
    return dict(zip(names, page.locator(".payments-summary dd").all_inner_texts(), strict=True))


def confirm(page: Page, said: str) -> None:
    page.locator(CONFIRM).click()
    expect(page.locator(".bar .status")).to_have_text(said)


OUTBOX = """new Promise((done, failed) => {
    const opening = indexedDB.open("spadille");
    opening.onerror = failed;
    opening.onsuccess = () => {
        const reading = opening.result.transaction("outbox").objectStore("outbox").getAll();
        reading.onerror = failed;
        reading.onsuccess = () => {
            opening.result.close();
            done(reading.result.filter((one) => one.state !== "dropped"));
        };
    };
})"""


def waiting(page: Page) -> list[Json]:
    """What waits in the outbox of the page's device."""
    rows: list[Json] = page.evaluate(OUTBOX)
    return rows


def all_sent(page: Page) -> None:
    """Waits until the service has all that was written on the page."""
    page.evaluate(
        f"""async () => {{
            const end = Date.now() + 30_000;
            for (let rows = await {OUTBOX}; rows.length; rows = await {OUTBOX}) {{
                if (Date.now() > end) throw new Error(JSON.stringify(rows));
                await new Promise((later) => setTimeout(later, 20));
            }}
        }}"""
    )
