"""The pages of tables over HTTP: who finds which, in which order, and what their frames name."""

import re
from html import unescape

import orjson
from flask.testing import FlaskClient

from service.app import create_app
from service.auth.grants import Scope, Terms
from service.eventstore import MemoryStore
from service.http.web.pages import LISTED
from service.http.web.views.table import as_attribute
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import recorded_table

ID = "018f5e2a-7b1c-7d3e-9f40-{:012}"


def text(client: FlaskClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return unescape(answer.get_data(as_text=True))


def test_tables_come_with_the_latest_first_a_page_at_a_time() -> None:
    store = MemoryStore()
    for number in range(LISTED + 2):
        recorded_table(store, ID.format(number), title=f"Table {number}.")
    client = owner_of(create_app(store))
    first = text(client, "/tables?lang=da")
    assert re.findall(r"Table \d+\.", first) == [f"Table {n}." for n in range(LISTED + 1, 1, -1)]
    assert 'href="/tables/new?lang=da"' in first
    (older,) = re.findall(r'href="([^"]+)" rel="next"', first)
    rest = text(client, older)
    assert re.findall(r"Table \d+\.", rest) == ["Table 1.", "Table 0."]
    assert 'rel="next"' not in rest


def test_a_link_to_one_table_shows_that_one_and_comes_with_its_code() -> None:
    store = MemoryStore()
    one, other = (recorded_table(store, ID.format(n), title=f"Table {n}.") for n in (1, 2))
    app = create_app(store)
    viewer = holding(app, Terms("viewer", Scope("table", one)))
    listed = text(viewer, "/tables")
    assert "Table 1." in listed
    assert "Table 2." not in listed
    assert "/tables/new" not in listed
    for path in (f"/tables/{one}", f"/tables/{one}/sheet"):
        page = text(viewer, path)
        assert "data-may-write" not in page
        assert "data-may-share" not in page
    for path in (f"/tables/{other}", f"/tables/{other}/sheet"):
        text(viewer, path, 404)
    text(viewer, "/tables/new", 403)
    recorder = holding(app, Terms("recorder", Scope("table", one)))
    assert "data-may-write" in text(recorder, f"/tables/{one}")

    owner, terms = owner_of(app), {"role": "viewer", "table": one}
    made = owner.post("/api/v1/grants", json=terms).get_json()
    assert made["link"].endswith(f"&to=/tables/{one}")
    assert made["qr"].startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox=')
    assert made["token"] not in made["qr"]
    assert owner.post("/api/v1/grants", json={**terms, "public": True}).get_json()["qr"] is None


def test_a_page_of_records_is_never_cached_and_offers_what_the_table_plays() -> None:
    store = MemoryStore()
    table = recorded_table(store, ID.format(1), switches={"sitter-pays": True})
    answer = owner_of(create_app(store)).get(f"/tables/{table}?lang=da")
    assert answer.headers["Cache-Control"] == "no-store"
    (rules,) = re.findall(r"data-rules='([^']*)'", answer.get_data(as_text=True))
    offered = orjson.loads(unescape(rules))
    assert {one["name"] for one in offered["contracts"]} >= {"solo", "ren nolo", "bedre spil"}


def test_what_a_module_is_told_never_leaves_its_attribute() -> None:
    told = {"name": 'O\'Hara & <b> "x" &#39; > &amp;', "æ": None}
    attribute = as_attribute("rules", told)
    before, inside, after = attribute.split("'")
    assert (before, after) == ("data-rules=", "")
    assert not set(inside) & set("<>")
    assert orjson.loads(unescape(inside)) == told
