"""Logging in by a link, in a browser: the token leaves the address, and the deals are there."""

import threading
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from werkzeug.serving import make_server

from service.app import create_app
from service.auth.first_login import link
from service.auth.grants import Member, Scope, Terms
from service.auth.register import Register
from service.auth.tokens import TOKEN, new_secret
from service.eventstore import MemoryStore
from tests.support.api.recording import DEAL, PLAYERS, recorded_deal, some_deal
from tests.support.api.servers import free_port
from tests.support.web.eyes import resized


@pytest.fixture(scope="module")
def register() -> Register:
    return Register()


@pytest.fixture(scope="module")
def origin(register: Register) -> Iterator[str]:
    """An application in which nobody is anybody yet, over a deal in which a member plays."""
    store = MemoryStore()
    anna = register.enrol(Member("", "Anna Andersen", "Anna"))
    first, *rest = some_deal()
    players = {**first["players"], **PLAYERS, "forehand": anna.id}
    recorded_deal(store, [{**first, "players": players}, *rest])
    port = free_port()
    server = make_server("127.0.0.1", port, create_app(store, register=register, port=port), threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{port}"
    server.shutdown()


def token(register: Register, **more: object) -> str:
    made = register.make(Terms("recorder", Scope("deal", DEAL), **more)).token  # type: ignore[arg-type]
    assert made
    return made


@pytest.mark.smoke
def test_a_link_opens_its_deal_and_leaves_no_token_behind(
    page: Page, origin: str, register: Register
) -> None:
    secret = token(register, once=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{origin}/deals")
    expect(page.locator(".lead")).to_have_text(
        "You are not logged in. With the link that you were given, you see the deals it is for."
    )
    page.goto(link(origin, secret, f"/deals/{DEAL}"))
    page.wait_for_url(f"{origin}/deals/{DEAL}*")
    expect(page.locator("main[data-waiting]")).to_have_count(0)
    # The member is called by name wherever the page speaks.
    expect(page.locator("main")).to_contain_text("Anna")
    assert "m-" not in page.inner_text("main")
    assert not any(secret in url for url in asked)
    # All that a script can read is that this device has the type.
    assert page.evaluate("document.cookie") in ("", "spadille-type=kept")
    page.go_back()
    assert secret not in page.url
    page.goto(f"{origin}/deals")
    expect(page.locator("ol.contents li")).to_have_count(1)
    page.get_by_role("button", name="Log out").click()
    expect(page.locator("ol.contents li")).to_have_count(0)
    expect(page.get_by_role("button", name="Log out")).to_have_count(0)


@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        ("", "There is no link here to log in with."),
        ("#token=", "There is no link here to log in with."),
        ("#token=nonsense", "This link does not hold any longer."),
        (f"#token={TOKEN}", "This link does not hold any longer."),
    ],
)
def test_a_link_that_does_not_hold_is_told(page: Page, origin: str, fragment: str, said: str) -> None:
    secret = new_secret(TOKEN) if fragment.endswith(TOKEN) else ""
    page.goto(f"{origin}/enter{fragment.replace(TOKEN, secret) if secret else fragment}")
    expect(page.get_by_role("status")).to_contain_text(said)
    assert page.url == f"{origin}/enter"


def test_a_link_leads_to_no_other_site(page: Page, origin: str, register: Register) -> None:
    for to in (
        "https://evil.example/",
        "//evil.example/",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/\\evil.example",
    ):
        page.goto(f"{origin}/enter#token={token(register)}&to={to}")
        page.wait_for_url(f"{origin}/tables")
        assert page.url == f"{origin}/tables", to


def test_the_page_is_in_order_for_every_eye_and_in_danish(page: Page, origin: str) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(f"{origin}/enter?lang=da#token=nonsense")
    expect(page.get_by_role("status")).to_contain_text("Linket gælder ikke længere.")
    assert Axe().run(page).violations_count == 0
    resized(page, 320, 700)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert not [one for one in complaints if "Content Security Policy" in one]


def test_another_site_or_another_person_is_asked_about(page: Page, origin: str, register: Register) -> None:
    anna, bo = (
        link(origin, made.token or "", f"/deals/{DEAL}")
        for made in (
            register.make(Terms("player", Scope("deal", DEAL), seat="forehand", label="Anna")),
            register.make(Terms("player", Scope("deal", DEAL), seat="middlehand", label="Bo", once=True)),
        )
    )
    page.route(
        "http://evil.example/",
        lambda route: route.fulfill(content_type="text/html", body=f"<script>location = {anna!r}</script>"),
    )
    page.goto("http://evil.example/")
    expect(page.get_by_text("A link brought you here that logs you in. Go on?")).to_be_visible()
    assert page.url == f"{origin}/enter"
    assert not [one for one in page.context.cookies(origin) if one["name"] != "spadille-type"]
    page.get_by_role("button", name="Open").click()
    page.wait_for_url(f"{origin}/deals/{DEAL}*")
    question = (
        "This browser is logged in as Anna (forehand). The link is for Bo (middlehand). "
        "Only one of them can write here."
    )
    for answer, seat in (("Stay Anna (forehand)", "forehand"), ("Continue as Bo (middlehand)", "middlehand")):
        page.goto(bo)
        expect(page.get_by_text(question)).to_be_visible()
        assert Axe().run(page).violations_count == 0
        page.get_by_role("button", name=answer).click()
        page.wait_for_url(f"{origin}/deals/{DEAL}*")
        held = page.evaluate("fetch('/api/v1/session').then((answer) => answer.json())")["grants"]
        assert [one["seat"] for one in held] == [seat]
