"""The contract, its page and the files of pages are sent compressed; nothing that may hold a secret is."""

import gzip
from collections.abc import Callable

import brotli
import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.eventstore import MemoryStore
from tests.support.api.clients import owner_of
from tests.support.api.recording import DEAL, recorded_deal

LARGE = ("/api/v1/openapi.json", "/api/docs")
STYLES = "/static/css/page.css"
FILES = ("/api/v1/replays/belinda/replay", STYLES, "/static/js/messages/words-da.js", "/sw.js")
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
        assert len(packed.data) * (4 if path in LARGE else 1.5) < len(plain.data)
        assert int(packed.headers["Content-Length"]) == len(packed.data)
    tags = [form.headers["ETag"] for form in forms.values()]
    assert len(set(tags)) == len(forms)
    for coding, form in forms.items():
        assert "Accept-Encoding" in form.headers["Vary"]
        takes = {"Accept-Encoding": coding} if coding else {}
        known = [library.get(path, headers={**takes, "If-None-Match": tag}).status_code for tag in tags]
        assert known == [304 if tag == form.headers["ETag"] else 200 for tag in tags], coding


def test_the_smallest_form_is_sent_that_the_client_takes(library: FlaskClient) -> None:
    for takes, coding in {
        "br, gzip;q=0.5": "br",
        "gzip, deflate, br, zstd": "br",
        "gzip": "gzip",
        "br;q=0, gzip;q=0.1": "gzip",
        "gzip;q=0, identity": None,
    }.items():
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
