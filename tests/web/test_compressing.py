"""The contract, its page and the files of pages are sent compressed; nothing that may hold a secret is."""

import gzip
from collections.abc import Callable

import brotli
import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.eventstore import MemoryStore
from tests.support.api.clients import owner_of
from tests.support.api.recording import recorded_deal

LARGE = ("/api/v1/openapi.json", "/api/docs")
FILES = (
    "/api/v1/replays/belinda/replay",
    "/static/css/page.css",
    "/static/js/core/api.js",
    "/static/js/messages/words-da.js",
    "/sw.js",
)


@pytest.fixture(scope="module")
def asker() -> FlaskClient:
    store = MemoryStore()
    recorded_deal(store)
    return owner_of(create_app(store))


UNPACK: dict[str, Callable[[bytes], bytes]] = {"br": brotli.decompress, "gzip": gzip.decompress}
TAKES = {
    "br, gzip;q=0.5": "br",
    "gzip, deflate, br, zstd": "br",
    "gzip": "gzip",
    "br;q=0, gzip;q=0.1": "gzip",
}


@pytest.mark.parametrize("takes", TAKES)
@pytest.mark.parametrize("path", [*LARGE, *FILES])
def test_what_is_large_is_compressed_for_who_takes_that(asker: FlaskClient, path: str, takes: str) -> None:
    plain = asker.get(path)
    packed = asker.get(path, headers={"Accept-Encoding": takes})
    coding = TAKES[takes]
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == coding
    assert UNPACK[coding](packed.data) == plain.data
    assert len(packed.data) * (4 if path in LARGE else 1.5) < len(plain.data)
    assert int(packed.headers["Content-Length"]) == len(packed.data)
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["Vary"]
    assert asker.get(path, headers={"Accept-Encoding": "gzip;q=0, identity"}).data == plain.data


@pytest.mark.parametrize("path", [*LARGE, *FILES])
def test_each_form_has_a_tag_of_its_own(asker: FlaskClient, path: str) -> None:
    forms = [{}, {"Accept-Encoding": "gzip"}, {"Accept-Encoding": "br"}]
    tags = [asker.get(path, headers=form).headers["ETag"] for form in forms]
    assert len(set(tags)) == len(forms)
    for form in forms:
        statuses = [asker.get(path, headers={**form, "If-None-Match": tag}).status_code for tag in tags]
        assert statuses == [304 if tag is tags[forms.index(form)] else 200 for tag in tags]
