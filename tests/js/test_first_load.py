"""What a page asks for at its first view: what it imports, all at once; little, and compressed."""

import gzip
import re
from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path

import brotli
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, Request, expect

from service.app import create_app
from service.eventstore import MemoryStore
from service.http import web
from service.http.web.page_assets import has_current_bundles
from tests.support.api.clients import owner_of
from tests.support.api.recording import DEAL, recorded_deal
from tests.support.web.club import Club
from tests.support.web.eyes import resized

SCRIPTS = Path(web.__file__).parent / "static" / "js"
LIGHT = 110_000
"""So many bytes a first view may cost a phone, heads of answers and all, until the page can be used."""


def paths(table: str = "", deal: str = "") -> dict[str, str]:
    """The address of each page by its name."""
    return {
        "slip": f"/tables/{table}", "sheet": f"/tables/{table}/sheet",
        "slip-batch": f"/tables/{table}/slip-batch", "next": f"/tables/{table}/record",
        "recorder": f"/deals/{deal}/record",
        "replayer": "/replays/belinda", "column": "/replays/belinda/print",
        "report": "/replays/belinda/report", "ruling": f"/deals/{deal}/report",
        "director": f"/tables/{table}/report",
    }  # fmt: skip


MOST_FILES = 8
"""So many files a page has before its type: itself, styles, script, texts, icon."""


def test_the_bundles_are_made_from_the_modules_as_they_are() -> None:
    assert has_current_bundles(), "run `make scripts`, which needs Node"


def test_core_imports_no_feature_and_features_import_one_another_one_way() -> None:
    folders: dict[str, set[str]] = {folder.name: set() for folder in SCRIPTS.iterdir() if folder.is_dir()}
    for module in SCRIPTS.glob("*/*.js"):
        text = module.read_text(encoding="utf-8")
        for name in re.findall(r'"(\.{1,2}/[\w/.-]+?)\.js"', text):
            folders[module.parent.name].add((module.parent / f"{name}.js").resolve(strict=True).parent.name)
    assert folders.pop("messages") <= {"core", "messages"}
    features = {folder: named - {folder, "messages", "vendor"} for folder, named in folders.items()}
    assert features["core"] == set()
    TopologicalSorter(features).prepare()  # raises CycleError


@pytest.mark.parametrize("name", ["slip", "sheet", "recorder", "slip-batch"])
def test_a_first_view_is_light_and_its_type_comes_behind_it(page: Page, club: Club, name: str) -> None:
    table = club.table()
    at = paths(table, club.begun(table))
    club.enter(page, "/tables")
    # The type of that page is here: nothing tells of it any more once the cookie is gone.
    expect(page.locator("html[data-type]")).to_have_count(0)
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.evaluate("document.cookie = 'spadille-type=; Path=/; Max-Age=0'")
    begun: list[str] = []
    ended: dict[str, Request] = {}
    page.on("request", lambda request: begun.append(request.url))

    def ends(request: Request) -> None:
        ended.setdefault(request.url, request)

    page.on("requestfinished", ends)
    club.go(page, f"{at[name]}?lang=da")
    expect(page.locator("html[data-type]")).to_have_count(0)
    type_begins = begun.index(f"{club.origin}/static/css/web-fonts.css")
    assert type_begins < min(place for place, url in enumerate(begun) if url.endswith(".woff2"))
    first = [url for url in dict.fromkeys(begun[:type_begins]) if url in ended]
    assert 4 <= len([url for url in first if "/api/" not in url]) <= MOST_FILES
    sizes = [ended[url].sizes() for url in first]
    assert sum(size["responseHeadersSize"] + size["responseBodySize"] for size in sizes) < LIGHT


def test_hardly_anything_moves_when_the_type_comes(page: Page, club: Club) -> None:
    """The font that stands in for it is as wide and as high: no line of the page breaks elsewhere."""
    resized(page, 390, 844)
    club.enter(page, f"/tables/{club.table()}?lang=da")
    expect(page.locator("html[data-type]")).to_have_count(0)
    tops = "all => all.map((one) => one.getBoundingClientRect().top + scrollY)"
    fields = page.locator(".facts, .confirm, .site-footer")
    with_type = fields.evaluate_all(tops)
    page.evaluate("document.querySelector('link[href*=\"web-fonts.css\"]').remove()")
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    without = fields.evaluate_all(tops)
    assert len(with_type) > 5
    assert max(abs(one - other) for one, other in zip(with_type, without, strict=True)) < 2


LARGE = ("/api/v1/openapi.json", "/static/vendor/openapi-explorer.min.js")
STYLES = "/static/styles/replay.css"
FILES = ("/api/v1/replays/belinda/replay", STYLES, "/static/texts/da.js", "/sw.js")
UNPACK: dict[str, Callable[[bytes], bytes]] = {"br": brotli.decompress, "gzip": gzip.decompress}


@pytest.mark.parametrize("path", [*LARGE, *FILES])
def test_what_is_large_is_sent_compressed_and_each_form_has_its_tag(library: FlaskClient, path: str) -> None:
    plain = library.get(path)
    assert "Content-Encoding" not in plain.headers
    packed_forms = {coding: library.get(path, headers={"Accept-Encoding": coding}) for coding in UNPACK}
    forms = {"": plain, **packed_forms}
    for coding, unpack in UNPACK.items():
        packed = forms[coding]
        assert packed.headers["Content-Encoding"] == coding
        assert unpack(packed.data) == plain.data
        assert len(packed.data) * (3 if path in LARGE else 1.5) < len(plain.data)
        assert int(packed.headers["Content-Length"]) == len(packed.data)
    tags = [form.headers["ETag"] for form in forms.values()]
    assert len(set(tags)) == len(forms)
    for coding, form in forms.items():
        assert "Accept-Encoding" in form.headers["Vary"]
        takes = {"Accept-Encoding": coding} if coding else {}
        known = [library.get(path, headers={**takes, "If-None-Match": tag}).status_code for tag in tags]
        assert known == [304 if tag == form.headers["ETag"] else 200 for tag in tags], coding


def test_the_documentation_of_the_api_is_light(library: FlaskClient) -> None:
    parts = [library.get(path, headers={"Accept-Encoding": "br"}) for path in ("/api/docs", *LARGE)]
    assert sum(len(part.data) for part in parts) < 300_000


def test_the_smallest_form_is_sent_that_the_client_takes(library: FlaskClient) -> None:
    for takes, coding in {
        "br, gzip;q=0.5": "br", "gzip, deflate, br, zstd": "br", "gzip": "gzip", "br;q=0, gzip;q=0.1": "gzip",
        "gzip;q=0, identity": None,
    }.items():  # fmt: skip
        answer = library.get(STYLES, headers={"Accept-Encoding": takes})
        assert answer.headers.get("Content-Encoding") == coding, takes


def test_nothing_of_a_record_is_compressed() -> None:
    """Its length would tell of it."""
    store = MemoryStore()
    recorded_deal(store)
    client = owner_of(create_app(store))
    for path in (f"/deals/{DEAL}", f"/api/v1/deals/{DEAL}/replay", "/deals", "/tables"):
        answer = client.get(path, headers={"Accept-Encoding": "br, gzip"})
        assert (answer.status_code, "Content-Encoding" in answer.headers) == (200, False), path
