"""The pages over HTTP: what they list, in which language, and what their addresses are."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

import replays
from service.app import create_app
from service.auth.grants import Terms
from service.eventstore import MemoryStore
from service.http.web.pages import LISTED
from service.http.web.views import library
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import DEAL, OPENING, TABLE, recorded_deal, some_deal

SLIP = {
    "type": "result_recorded", "declarer": "middlehand", "contract": "solo", "trump": "H",
    "tricks": {"forehand": 3, "middlehand": 4, "backhand": 2},
}  # fmt: skip


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def client(store: MemoryStore) -> FlaskClient:
    return owner_of(create_app(store))


def test_a_link_to_a_deal_of_the_library_shows_its_table_elsewhere() -> None:
    client = create_app().test_client()
    page = client.get("/replays/belinda?lang=da").get_data(as_text=True)
    (address,) = re.findall(r'<meta property="og:image" content="http://localhost(/[^"]*)">', page)
    picture = client.get(address.replace("&amp;", "&"))
    assert (picture.status_code, picture.content_type) == (200, "image/png")
    assert '<meta property="og:title" content="Belinda’s game">' in page


def text(client: FlaskClient, path: str, languages: str = "") -> str:
    answer = client.get(path, headers={"Accept-Language": languages} if languages else {})
    assert answer.status_code == 200
    return unescape(answer.get_data(as_text=True))


def test_the_library_lists_its_deals_with_their_ends(client: FlaskClient) -> None:
    page = text(client, "/")
    for deal in replays.library():
        assert deal.title in page
        assert f'href="/replays/{deal.name}"' in page
    assert "Belinda won" in page


def test_a_recorded_deal_is_listed_and_replayed(client: FlaskClient, store: MemoryStore) -> None:
    recorded_deal(store, [{**OPENING, "title": "The second of the evening"}, SLIP])
    page = text(client, "/deals")
    assert "The second of the evening" in page
    assert "Solo in hearts: Bo won" in page
    assert "Anna · Bo · Carl" in page
    assert f'data-replay="/api/v1/deals/{DEAL}/replay"' in text(client, f"/deals/{DEAL}")


def test_recorded_deals_come_with_the_latest_first_a_page_at_a_time(
    client: FlaskClient, store: MemoryStore
) -> None:
    for number in range(LISTED + 3):
        recorded_deal(
            store, [{**OPENING, "title": f"Deal {number}."}], f"018f5e2a-7b1c-7d3e-9f40-{number:012}"
        )
    first = text(client, "/deals?lang=da")
    assert re.findall(r"Deal \d+\.", first) == [f"Deal {n}." for n in range(LISTED + 2, 2, -1)]
    (older,) = re.findall(r'href="([^"]+)" rel="next"', first)
    assert "lang=da" in older
    rest = text(client, older)
    assert re.findall(r"Deal \d+\.", rest) == ["Deal 2.", "Deal 1.", "Deal 0."]
    assert 'rel="next"' not in rest


def test_where_nothing_is_recorded_it_is_said_what_to_do(client: FlaskClient, store: MemoryStore) -> None:
    """To whom may, with the ways there; to whom may not, where what he waits for comes from."""
    reader = holding(create_app(store), Terms("viewer"))
    for path, begin, wait in (
        ("/deals", "Open a table, and each of its deals stands here", "shared with you"),
        ("/tables", "Open one when you sit down", "can share it with you"),
    ):
        page = text(client, path, "en")
        assert begin in page
        assert 'href="/tables/new"' in page
        assert 'href="/deals/new"' in page
        assert "curl" not in page
        page = text(reader, path, "en")
        assert wait in page
        assert "/new" not in page


@pytest.mark.parametrize(
    ("query", "languages", "expected"),
    [
        ("", "", "en"),
        ("", "da", "da"),
        ("", "da-DK,da;q=0.9,en;q=0.5", "da"),
        ("", "de, en;q=0.4", "en"),
        ("", "sv", "en"),
        ("?lang=da", "en", "da"),
        ("?lang=en", "da", "en"),
        ("?lang=tlh", "da", "da"),
    ],
)
def test_a_page_is_in_the_language_that_is_asked_for(
    client: FlaskClient, query: str, languages: str, expected: str
) -> None:
    for path in ("/", "/deals", "/replays/belinda"):
        answer = client.get(path + query, headers={"Accept-Language": languages})
        assert f'<html lang="{expected}"' in answer.get_data(as_text=True)
        assert answer.headers["Content-Language"] == expected
        assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize("seed", range(6))
def test_any_deal_has_its_line_and_its_page(client: FlaskClient, store: MemoryStore, seed: int) -> None:
    recorded_deal(store, some_deal(seed))
    recorded_deal(store, [{**OPENING, "ruleset": "nobody-knows"}], TABLE)
    assert "nobody-knows" in text(client, "/deals")
    for deal in (DEAL, TABLE):
        assert text(client, f"/deals/{deal}")


def test_what_a_player_is_called_is_never_markup(client: FlaskClient, store: MemoryStore) -> None:
    name = '<script>alert("1")</script>'
    players = {**OPENING["players"], "forehand": name}
    recorded_deal(store, [{**OPENING, "players": players, "title": name, "source": name}])
    for path in ("/deals", f"/deals/{DEAL}", f"/problems/{name}", f"/replays/{name}"):
        assert b"<script>alert" not in client.get(path, headers={"Accept": "text/html"}).data


def test_the_library_is_searched_by_a_form(client: FlaskClient) -> None:
    page = client.get("/?lang=da&player=&contract=solo&outcome=codille&ruleset=dlu").get_data(as_text=True)
    assert re.findall(r'class="contents-title" href="([^"?]*)', page) == ["/replays/dlu-solo-codille"]
    assert "Ét spil" in page
    assert '<option value="codille" selected>kruk</option>' in page
    assert '<input type="hidden" name="lang" value="da">' in page
    assert "Ingen spil er sådan" in client.get("/?lang=da&player=nobody").get_data(as_text=True)
    everything = client.get("/?lang=en&card=SA").get_data(as_text=True)
    assert everything.count('class="contents-title"') == library.LISTED
    empty = client.get("/?player=&card=").get_data(as_text=True)
    assert empty.count('class="contents-title"') == len(replays.library())
