"""Logging in by a link, in a browser: the token leaves the address, and the deals are there."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from service.auth.access_register import AccessRegister
from service.auth.grants import GrantTerms, Member, Scope
from service.auth.login_links import format_login_link
from service.auth.tokens import TOKEN_PREFIX, generate_secret
from service.eventstore import MemoryStore
from tests.support.api.recording import DEAL, PLAYERS, recorded_deal, some_deal
from tests.support.web.club import arrived
from tests.support.web.eyes import Watch, fits_a_narrow_phone, no_fault
from tests.support.web.serving import serving_store


@pytest.fixture(scope="module")
def register() -> AccessRegister:
    return AccessRegister()


@pytest.fixture(scope="module")
def origin(register: AccessRegister) -> Iterator[str]:
    """An application in which nobody is anybody yet, with a deal in which a member plays."""
    store = MemoryStore()
    anna = register.add_member(Member("", "Anna Andersen", "Anna"))
    first, *rest = some_deal()
    players = {**first["players"], **PLAYERS, "forehand": anna.id}
    recorded_deal(store, [{**first, "players": players}, *rest])
    with serving_store(store, register=register) as club:
        yield club.origin


def token(register: AccessRegister, **more: object) -> str:
    made = register.create_grant(GrantTerms("recorder", Scope("deal", DEAL), **more)).token  # type: ignore[arg-type]
    assert made
    return made


@pytest.mark.smoke
def test_a_link_opens_its_deal_and_leaves_no_token(page: Page, origin: str, register: AccessRegister) -> None:
    secret = token(register, once=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{origin}/deals")
    expect(page.locator(".lead")).to_contain_text(
        "open the one that you received, or ask the person who runs"
    )
    page.goto(format_login_link(origin, secret, f"/deals/{DEAL}"))
    arrived(page, f"{origin}/deals/{DEAL}*")
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


def test_a_link_that_does_not_hold_is_told_on_a_page_in_order(page: Page, origin: str) -> None:
    watch = Watch(page)
    for fragment, said in {
        "": "This address has no login link.",
        "#token=": "This address has no login link.",
        "#token=nonsense": "This link is no longer valid.",
        f"#token={generate_secret(TOKEN_PREFIX)}": "This link is no longer valid.",
    }.items():
        page.goto("about:blank")
        page.goto(f"{origin}/enter{fragment}")
        expect(page.get_by_role("status")).to_contain_text(said)
        expect(page).to_have_url(f"{origin}/enter")
    page.goto(f"{origin}/enter?lang=da#token=nonsense")
    expect(page.get_by_role("status")).to_contain_text("Linket gælder ikke længere.")
    no_fault(page)
    fits_a_narrow_phone(page)
    assert not [one for one in watch.complaints if "Content Security Policy" in one]


OTHER_SITES = (
    "https://evil.example/", "//evil.example/", "\\\\evil.example", "javascript:alert(1)", "/\\evil.example",
)  # fmt: skip


def test_a_link_leads_to_no_other_site(page: Page, origin: str, register: AccessRegister) -> None:
    for to in OTHER_SITES:
        page.goto(f"{origin}/enter#token={token(register)}&to={to}")
        page.wait_for_url(f"{origin}/tables")
        assert page.url == f"{origin}/tables", to


def test_another_site_or_another_person_is_asked_about(
    page: Page, origin: str, register: AccessRegister
) -> None:
    anna, bo = (
        format_login_link(origin, register.create_grant(terms).token or "", f"/deals/{DEAL}")
        for terms in (
            GrantTerms("player", Scope("deal", DEAL), seat="forehand", label="Anna"),
            GrantTerms("player", Scope("deal", DEAL), seat="middlehand", label="Bo", once=True),
        )
    )
    leads_here = f"<script>location = {anna!r}</script>"
    page.route("http://evil.example/", lambda route: route.fulfill(content_type="text/html", body=leads_here))
    page.goto("http://evil.example/")
    expect(page.get_by_text("You opened a link that logs you in. Continue?")).to_be_visible()
    assert page.url == f"{origin}/enter"
    assert not [one for one in page.context.cookies(origin) if one["name"] != "spadille-type"]
    page.get_by_role("button", name="Open").click()
    page.wait_for_url(f"{origin}/deals/{DEAL}*")
    question = (
        "This browser is logged in as Anna (forehand). The link is for Bo (middlehand). "
        "Only one of them can write here."
    )
    for answer, seat in (
        ("Stay logged in as Anna (forehand)", "forehand"),
        ("Continue as Bo (middlehand)", "middlehand"),
    ):
        page.goto(bo)
        expect(page.get_by_text(question)).to_be_visible()
        no_fault(page)
        page.get_by_role("button", name=answer).click()
        page.wait_for_url(f"{origin}/deals/{DEAL}*")
        held = page.evaluate("fetch('/api/v1/session').then((answer) => answer.json())")["grants"]
        assert [one["seat"] for one in held] == [seat]
