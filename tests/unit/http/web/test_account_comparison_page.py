"""The pages that compare two accounts of a deal: which can be chosen, what differs, for which reader."""

import re

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.auth.grants import GrantTerms, Scope
from service.eventstore import MemoryStore
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import recorded_deal
from tests.support.web.evening import club_deal
from tests.support.web.report import plain
from tests.support.web.showing import BELINDA, PRINTED

PHONE, BOOK = (f"018f5e2a-7b1c-7d3e-9f40-{number:012}" for number in (1, 2))


def page(client: FlaskClient, path: str, lang: str = "en", status: int = 200) -> str:
    answer = client.get(f"{path}{'&' if '?' in path else '?'}lang={lang}", headers={"Accept": "text/html"})
    assert answer.status_code == status
    return answer.text


def chosen(html: str) -> list[str]:
    return re.findall(r'class="contents-title" href="([^"?]*)', html)


@pytest.fixture(scope="module")
def phones() -> FlaskClient:
    """The owner's client of a club where two phones wrote down a deal, and one saw another card."""
    store = MemoryStore()
    events = club_deal()
    place = max(index for index, one in enumerate(events) if one["type"] == "card_played")
    recorded_deal(store, events, PHONE)
    recorded_deal(store, [*events[:place], {**events[place], "card": "??"}, *events[place + 1 :]], BOOK)
    return owner_of(create_app(store))


def test_the_other_accounts_come_first_and_others_are_searched_for(
    library: FlaskClient, phones: FlaskClient
) -> None:
    readings = [f"{BELINDA}/compare/belinda-{name}" for name in ("as-printed", "second-reading")]
    assert chosen(page(library, f"{BELINDA}/compare")) == readings
    assert chosen(page(library, f"{BELINDA}/compare?q=printed+baron")) == readings[:1]
    linked = page(library, f"{BELINDA}/compare?q=http://localhost/replays/dlu-solo-won?lang=da")
    assert chosen(linked) == [f"{BELINDA}/compare/dlu-solo-won"]
    assert "No deal is found." in page(library, f"{BELINDA}/compare?q=/deals/{PHONE}")
    assert page(library, "/library").count("Compare its accounts") == 3
    assert chosen(page(phones, f"/deals/{PHONE}/compare")) == [f"/deals/{PHONE}/compare/{BOOK}"]
    assert chosen(page(phones, f"/deals/{PHONE}/compare?q={BOOK}")) == [f"/deals/{PHONE}/compare/{BOOK}"]


def test_it_says_what_differs_and_if_both_can_be_right(library: FlaskClient, phones: FlaskClient) -> None:
    said = plain(page(library, f"{PRINTED}/compare/belinda"))
    assert "They cannot both be right. The same in both: 39." in said
    assert "Belinda’s game, as printed: 45 entries, which cannot all be true" in said
    assert "They differ: the cards" in said and "Entry 13 The Baron has now" in said
    html = page(phones, f"/deals/{PHONE}/compare/{BOOK}", "da")
    assert "Begge kan have ret." in html and "Den ene siger mere: kortet" in html
    assert len(re.findall(r'<tr class="of-entry', html)) == 1


def test_a_reader_compares_what_the_reader_may_see(phones: FlaskClient) -> None:
    viewer = holding(phones.application, GrantTerms("viewer", Scope("deal", PHONE)))
    assert chosen(page(viewer, f"/deals/{PHONE}/compare")) == []
    assert chosen(page(viewer, f"/deals/{PHONE}/compare?q={BOOK}")) == []
    page(viewer, f"/deals/{PHONE}/compare/{BOOK}", status=404)
