"""What happens to requests on their way between a page and the service."""

from collections.abc import Callable

from playwright.sync_api import Page, Request, Route


def lose_first_answer(page: Page, address: str) -> None:
    """Let the first change sent to ``address`` arrive, and lose its answer."""
    first = iter([True])

    def lose(route: Route) -> None:
        if route.request.method == "POST" and next(first, False):
            route.fetch()
            return route.abort()
        return route.continue_()

    page.route(address, lose)


def before_first(page: Page, address: str, act: Callable[[], object]) -> None:
    """Do something, as another device would, right before the first request to ``address`` arrives."""

    def overtake(route: Route) -> None:
        act()
        route.continue_()

    page.route(address, overtake, times=1)


def refuse(page: Page, address: str, kind: str, status: int, detail: str = "") -> None:
    """Answer every change sent to ``address`` with a problem, until the page is unrouted."""
    problem = {"type": f"/problems/{kind}", "status": status, "detail": detail}

    def answer(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        return route.fulfill(status=status, content_type="application/problem+json", json=problem)

    page.route(address, answer)


def posts(page: Page) -> list[Request]:
    """The changes that a page sends from now on."""
    sent: list[Request] = []

    def note(request: Request) -> None:
        if request.method == "POST":
            sent.append(request)

    page.on("request", note)
    return sent
