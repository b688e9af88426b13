"""What a page complains of, and whom it asks."""

from typing import Any

from playwright.sync_api import Page

BLOCKED = "Service Worker registration blocked by Playwright"
"""What the browser is made to say where a test does without the service worker."""


class Watch:
    def __init__(self, page: Page) -> None:
        self.complaints: list[str] = []
        self.hosts: set[str] = set()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.hosts.add("/".join(request.url.split("/")[:3])))

    def _hear(self, said: Any) -> None:
        if said.type in ("error", "warning") and said.text != BLOCKED:
            self.complaints.append(said.text)
