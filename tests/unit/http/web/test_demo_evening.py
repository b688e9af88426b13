"""The made-up evening for a new club: to whom it is offered, and that all its pages say what it is."""

import re
from html import unescape

import orjson
import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.auth.grants import GrantTerms, Role
from service.eventstore import MemoryStore
from service.http.web.demo_evening import build_demo_evening
from tests.support.api.asking import body_of, fetch, send
from tests.support.api.clients import holding, owner_of


def page(client: FlaskClient, path: str, lang: str = "en") -> str:
    return unescape(client.get(f"{path}?lang={lang}", headers={"Accept": "text/html"}).text)


@pytest.mark.parametrize("lang", ["en", "da"])
def test_it_is_recorded_without_a_finding_and_can_be_set_aside(lang: str) -> None:
    client = owner_of(create_app(MemoryStore()))
    (found,) = re.findall(r"data-demo='(.*?)'", page(client, "/", lang))
    evening = orjson.loads(found)
    assert [one["source"] for deal in evening["deals"] for one in deal if "source" in one] != []
    opened = body_of(send(client, "tables", evening["table"]), 201)
    table = opened["table"]
    body_of(send(client, f"tables/{table}/slip-batches", evening["deals"], 1), 201)
    audited = fetch(client, f"tables/{table}/audit")
    assert (audited["ok"], len(audited["deals"])) == (True, len(evening["deals"]))
    assert {one["outcome"] for one in audited["deals"]} == {"won", "bete", "codille", "passed_out"}
    for path in ("/", "/tables"):
        html = page(client, path, lang)
        assert f'data-demo-table="{table}"' in html and "data-demo=" not in html
    # What can be done stands below how it ended.
    listed = page(client, "/tables", lang)
    assert listed.index("contents-end") < listed.index("contents-more")
    (deal, *_) = fetch(client, f"deals?table={table}")["deals"]
    pages = ("/", "/tables", f"/tables/{table}", f"/tables/{table}/sheet", f"/tables/{table}/report")
    deal_pages = ("/deals", f"/deals/{deal['id']}", f"/deals/{deal['id']}/record")
    assert [path for path in (*pages, *deal_pages) if 'class="made-up"' not in page(client, path, lang)] == []
    assert 'data-last=""' in page(client, "/tables/new", lang)
    version = fetch(client, f"tables/{table}")["version"]
    body_of(send(client, f"tables/{table}/events", {"type": "table_voided", "reason": ""}, version), 201)
    for path in ("/", "/tables"):
        assert "data-demo" not in page(client, path, lang)


def test_it_is_offered_only_to_who_may_open_tables_and_where_there_is_none() -> None:
    app = create_app(MemoryStore())
    offered: dict[Role, bool] = {"owner": True, "organiser": True, "recorder": False, "viewer": False}
    for role, is_offered in offered.items():
        for path in ("/", "/tables"):
            assert ("data-demo=" in page(holding(app, GrantTerms(role)), path)) is is_offered, role
    for path in ("/", "/tables"):
        assert "data-demo=" not in page(app.test_client(use_cookies=False), path)
    own = {**build_demo_evening("en", "2026-11-27")["table"], "title": "Thursday"}
    body_of(send(owner_of(app), "tables", own), 201)
    html = page(owner_of(app), "/tables")
    assert "data-demo" not in html and "made-up" not in html
