"""One key for all nodes of a store on PostgreSQL: who would sign with another does not start."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.eventstore.memory import MemoryStore
from service.transparency.keys import KEY_FILE, KeyUnusable, fresh_signer, keys_in
from service.transparency.notary import Notary
from service.transparency.notes import Signer, new_signer
from service.transparency.opening import open_notary
from tests.support.store.postgres_server import rows

pytestmark = pytest.mark.postgres


def node(tmp_path: Path, name: str) -> Path:
    folder = tmp_path / name
    folder.mkdir()
    return folder


def key_file(path: Path, *signers: Signer) -> Path:
    path.write_text("".join(f"{signer.secret()}\n" for signer in signers))
    return path


def noted(postgres_url: str) -> list[str]:
    return [key for (key,) in rows(postgres_url, "SELECT verifier FROM signing_keys ORDER BY verifier")]


def test_the_first_node_makes_a_key_and_the_next_needs_it(tmp_path: Path, postgres_url: str) -> None:
    first, second = node(tmp_path, "first"), node(tmp_path, "second")
    notary = open_notary(first, None, postgres_url)
    with pytest.raises(KeyUnusable, match=r"no key of the checkpoints.*signed by spadille/.*SPADILLE_KEY"):
        open_notary(second, None, postgres_url)
    assert list(second.iterdir()) == []
    Notary.in_folder(node(tmp_path, "third"))  # which has a key of its own
    with pytest.raises(KeyUnusable, match=r"is another.*signed by spadille/"):
        open_notary(tmp_path / "third", None, postgres_url)
    other = open_notary(second, first / KEY_FILE, postgres_url)
    assert other.verifiers == notary.verifiers
    assert other.checkpoint(MemoryStore()) == notary.checkpoint(MemoryStore())
    assert not (second / KEY_FILE).exists() and (second / "checkpoint.txt").exists()
    (signer,) = keys_in(first / KEY_FILE)
    assert noted(postgres_url) == [str(signer.verifier)], "the secret key is not in the database"


def test_of_nodes_that_start_at_once_with_their_own_keys_one_does(tmp_path: Path, postgres_url: str) -> None:
    def start(folder: Path) -> str:
        try:
            open_notary(folder, None, postgres_url)
        except KeyUnusable:
            return "refused"
        return "started"

    with ThreadPoolExecutor(5) as threads:
        ended = threads.map(start, [node(tmp_path, str(number)) for number in range(5)])
    assert sorted(ended) == ["refused"] * 4 + ["started"]


def test_the_key_is_changed_node_by_node(tmp_path: Path, postgres_url: str) -> None:
    old = fresh_signer()
    new = new_signer(old.name)
    folder = node(tmp_path, "node")
    only_old = key_file(tmp_path / "old", old)
    both = key_file(tmp_path / "both", old, new)
    only_new = key_file(tmp_path / "new", new)
    for key in (only_old, both, only_old, both, only_new, both, only_new):
        open_notary(folder, key, postgres_url)
    with pytest.raises(KeyUnusable):
        open_notary(folder, only_old, postgres_url)
    assert noted(postgres_url) == [str(new.verifier)]
