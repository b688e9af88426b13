"""A store that is large enough for several tiles, recorded once and copied for each test."""

import shutil
from pathlib import Path

import pytest

from service.eventstore import SqliteStore
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.records.erase_person import erase_name, find_name_occurrences
from tests.support.transparency.forging import fill


@pytest.fixture(scope="package")
def store_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recorded") / "store.db"
    with SqliteStore(path) as store:
        fill(store, 22)
        erase_name(store, find_name_occurrences(store, "Anna", "N. N."))
        assert store.head() > 2 * TILE_WIDTH + 10
    return path


@pytest.fixture
def path(store_path: Path, tmp_path: Path) -> Path:
    """A store with two full tiles and more, in which a name was erased."""
    return Path(shutil.copy(store_path, tmp_path / "store.db"))
