"""Signed notes, keys, notaries, kept files: a known answer, and that nothing changed is taken for signed."""

import base64
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.eventstore import MemoryStore, StoreDamaged, StoreUnavailable
from service.transparency.checkpoint_file import parse_checkpoint_file
from service.transparency.notary import CHECKPOINT_FILE_NAME, LEAVES_FILE_NAME, Notary, open_notary
from service.transparency.signed_notes import (
    Checkpoint,
    InvalidNote,
    SignedNote,
    Signer,
    build_signed_note,
    generate_signer,
    parse_signed_note,
    parse_signer,
    parse_verifier,
)
from service.transparency.signing_keys import (
    KEY_FILE_NAME,
    KeyUnusable,
    generate_log_signer,
    load_or_create_signers,
)
from tests.support.store.postgres_server import rows
from tests.support.store.writing import deal, events

# The example of Go's golang.org/x/mod/sumdb/note: its key, and the note that it signed.
GO_PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
GO_PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_TEXT = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
)
GO_SIGNATURE = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="


def test_a_signature_is_the_one_that_others_make() -> None:
    signer, key = parse_signer(GO_PRIVATE), parse_verifier(GO_PUBLIC)
    assert signer.verifier == key
    assert (signer.format_private_key(), str(key)) == (GO_PRIVATE, GO_PUBLIC)
    signature = signer.sign(GO_TEXT)
    assert base64.b64encode(signature.key_id + signature.value).decode() == GO_SIGNATURE
    assert "AYEK" not in repr(signer) + str(signer)


SIGNER = generate_signer("spadille/test")
CHECKPOINT = Checkpoint("spadille/test", 17, bytes(range(32)))
NOTE = build_signed_note(CHECKPOINT, [SIGNER])


@given(st.data())
def test_no_changed_note_is_taken_for_signed(data: st.DataObject) -> None:
    text = str(NOTE)
    place = data.draw(st.integers(0, len(text) - 1))
    how = data.draw(st.sampled_from(["change", "cut", "put in"]))
    other = data.draw(st.sampled_from("Aa9+/= \n\r—é\0").filter(lambda one: one != text[place]))
    changed = {
        "change": text[:place] + other + text[place + 1 :],
        "cut": text[:place] + text[place + 1 :],
        "put in": text[:place] + other + text[place:],
    }[how]
    try:
        note = parse_signed_note(changed)
    except InvalidNote:
        return
    assert not SIGNER.verifier.has_signed(note)


@pytest.mark.parametrize(("text", "told"), [
    ("", "an empty line before its signatures"),
    ("a\n1\n", "an empty line before its signatures"),
    ("a\n1\n\n— a b", "ends with a line end"),
    pytest.param(f"a\n1\n\n{str(NOTE).splitlines()[-1]}\n", "has three lines", id="two lines"),
    (str(NOTE).replace("\n17\n", "\n017\n"), "its number of events, not '017'"),
    (str(NOTE).replace("\n17\n", f"\n{'9' * 19}\n"), "its number of events"),
    (str(NOTE).replace("AAEC", "AAE"), "a root hash in base64"),
    (str(NOTE).replace("Hh8=", "Hh9="), "a root hash in base64"),
    (str(NOTE).replace("— ", "- "), "below its empty line"),
    (str(NOTE).replace("— spadille/test", "— spadille+test"), "below its empty line"),
    ("x" * 20_000, "much longer"),
])  # fmt: skip
def test_what_is_no_note_is_reported(text: str, told: str) -> None:
    with pytest.raises(InvalidNote, match=rf"(?i){told}"):
        parse_signed_note(text)


@pytest.mark.parametrize(
    "line",
    ["", "a", "a+b+c", GO_PUBLIC[:-1], GO_PUBLIC.replace("c74f", "c74e"), GO_PUBLIC.replace("ARpc", "AhpC")],
)
def test_what_is_no_key_is_reported(line: str) -> None:
    with pytest.raises(InvalidNote, match="public key"):
        parse_verifier(line)
    for private in (line, GO_PRIVATE[:-1], GO_PRIVATE.replace("c74f", "c74e"), GO_PUBLIC):
        with pytest.raises(InvalidNote, match="private key") as told:
            parse_signer(private)
        assert "AYEK" not in str(told.value)


def key_file(path: Path, *signers: Signer) -> Path:
    path.write_text("".join(f"{signer.format_private_key()}\n" for signer in signers))
    return path


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / KEY_FILE_NAME
    keys = load_or_create_signers(path)
    assert keys[0].name.startswith("spadille/")
    for _ in range(2):
        assert path.stat().st_mode & 0o777 == 0o600
        path.chmod(0o644)
        assert load_or_create_signers(path) == keys
    assert [one.name for one in tmp_path.iterdir()] == [KEY_FILE_NAME]


def test_a_key_is_changed_in_two_steps(tmp_path: Path) -> None:
    (old,) = load_or_create_signers(tmp_path / KEY_FILE_NAME)
    newer = generate_signer(old.name)
    key_file(tmp_path / KEY_FILE_NAME, newer, old)
    note = open_notary(tmp_path).sign_checkpoint(MemoryStore())
    assert old.verifier.has_signed(note) and newer.verifier.has_signed(note)


def test_a_key_file_that_cannot_be_used_is_reported(tmp_path: Path) -> None:
    path = tmp_path / KEY_FILE_NAME
    for held in (b"", b"\n\n", b"nonsense\n", b"\xff\xfe", GO_PUBLIC.encode()):
        path.write_bytes(held)
        with pytest.raises(KeyUnusable, match=r"from a backup"):
            load_or_create_signers(path)
    key_file(path, generate_log_signer(), generate_log_signer())
    with pytest.raises(KeyUnusable, match="keys of several logs"):
        load_or_create_signers(path)
    with pytest.raises(KeyUnusable, match="No such file"):
        load_or_create_signers(tmp_path / "missing" / KEY_FILE_NAME)


def test_what_was_told_last_stands_in_the_folder(tmp_path: Path) -> None:
    def checkpoint(store: MemoryStore) -> SignedNote:
        note = open_notary(tmp_path).sign_checkpoint(store)
        assert (tmp_path / LEAVES_FILE_NAME).read_bytes() == b"".join(store.read_tile(0, 0))
        return note

    with MemoryStore() as store, MemoryStore() as other:
        for size in (0, 3):
            store.append("r", [deal("s", size, *events(3))])
            note = checkpoint(store)
            assert note.checkpoint.size == size + 3
            assert open_notary(tmp_path).sign_checkpoint(store, 1).checkpoint.size == 1
            assert parse_signed_note((tmp_path / CHECKPOINT_FILE_NAME).read_text("utf-8")) == note
        # What was cut off while it was written is written again.
        (tmp_path / LEAVES_FILE_NAME).write_bytes(b"".join(store.read_tile(0, 0))[:70])
        store.append("r", [deal("s", 6, *events(1))])
        checkpoint(store)
        # Where the log begins anew, so do they.
        (tmp_path / CHECKPOINT_FILE_NAME).unlink()
        other.append("r", [deal("s", 0, *events(9))])
        checkpoint(other)


def test_a_notary_signs_nothing_that_contradicts_what_it_signed(tmp_path: Path) -> None:
    notary = Notary.in_memory()
    with MemoryStore() as store, MemoryStore() as other:
        store.append("r", [deal("s", 0, *events(4))])
        other.append("r", [deal("s", 0, *events(3))])
        notary.sign_checkpoint(store)
        with pytest.raises(StoreDamaged, match="of 4 events was signed, but the store has only 3"):
            notary.sign_checkpoint(other)
        other.append("r", [deal("s", 3, *events(3))])
        with pytest.raises(StoreDamaged, match="first 4 events are not those"):
            notary.sign_checkpoint(other)
        store.append("r", [deal("s", 4, *events(3))])
        assert notary.sign_checkpoint(store).checkpoint.size == 7
        with pytest.raises(ValueError, match="has 7 events, not 8"):
            notary.sign_checkpoint(store, 8)


def test_a_notary_that_cannot_read_or_write_says_so(tmp_path: Path) -> None:
    with MemoryStore() as store:
        (tmp_path / CHECKPOINT_FILE_NAME).write_text("garbage")
        with pytest.raises(StoreDamaged, match="newest checkpoint"):
            open_notary(tmp_path).sign_checkpoint(store)
        (tmp_path / CHECKPOINT_FILE_NAME).unlink()
        (tmp_path / CHECKPOINT_FILE_NAME).mkdir()
        with pytest.raises(StoreUnavailable, match="cannot be read"):
            open_notary(tmp_path).sign_checkpoint(store)
        with pytest.raises(StoreUnavailable, match="cannot be written"):
            Notary([generate_log_signer()], tmp_path / "missing").sign_checkpoint(store)


@pytest.mark.parametrize(("text", "told"), [
    ("", "no complete checkpoint"),
    ("leaves 0\n", "no complete checkpoint"),
    (f"{NOTE}\nspadille/test\n3\n", "no complete checkpoint"),
    (f"{NOTE}\nleaves 1\n", "continues where the last one ends"),
    (f"{NOTE}\nleaves x\n", "continues where the last one ends"),
    (f"{NOTE}\nleaves 0\nAAAA\n", "32 bytes in base64"),
    (f"{NOTE}\nleaves 0\n???\n", "32 bytes in base64"),
    (f"{NOTE}\n{str(NOTE).replace('spadille/test', 'spadille/other')}", "several logs"),
])  # fmt: skip
def test_what_is_no_kept_file_is_reported(text: str, told: str) -> None:
    with pytest.raises(InvalidNote, match=told):
        parse_checkpoint_file(text)


@given(st.text())
def test_any_text_is_kept_or_reported(text: str) -> None:
    for one in (text, f"{NOTE}\n{text}", f"{text}\n\n{NOTE}"):
        with suppress(InvalidNote):
            assert isinstance(parse_checkpoint_file(one).notes[0], SignedNote)


def node(tmp_path: Path, name: str) -> Path:
    folder = tmp_path / name
    folder.mkdir()
    return folder


def noted(postgres_url: str) -> list[str]:
    return [key for (key,) in rows(postgres_url, "SELECT verifier FROM signing_keys ORDER BY verifier")]


def test_the_first_node_makes_a_key_and_the_next_needs_it(tmp_path: Path, postgres_url: str) -> None:
    first, second = node(tmp_path, "first"), node(tmp_path, "second")
    notary = open_notary(first, None, postgres_url)
    with pytest.raises(KeyUnusable, match=r"no signing key.*signed by spadille/.*SPADILLE_KEY"):
        open_notary(second, None, postgres_url)
    assert list(second.iterdir()) == []
    open_notary(node(tmp_path, "third"))  # which has a key of its own
    with pytest.raises(KeyUnusable, match=r"is another.*signed by spadille/"):
        open_notary(tmp_path / "third", None, postgres_url)
    other = open_notary(second, first / KEY_FILE_NAME, postgres_url)
    assert other.verifiers == notary.verifiers
    assert other.sign_checkpoint(MemoryStore()) == notary.sign_checkpoint(MemoryStore())
    assert not (second / KEY_FILE_NAME).exists() and (second / "checkpoint.txt").exists()
    (signer,) = load_or_create_signers(first / KEY_FILE_NAME)
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
    old = generate_log_signer()
    new = generate_signer(old.name)
    folder = node(tmp_path, "node")
    named = {"old": [old], "both": [old, new], "new": [new]}
    only_old, both, only_new = (key_file(tmp_path / name, *signers) for name, signers in named.items())
    for key in (only_old, both, only_old, both, only_new, both, only_new):
        open_notary(folder, key, postgres_url)
    with pytest.raises(KeyUnusable):
        open_notary(folder, only_old, postgres_url)
    assert noted(postgres_url) == [str(new.verifier)]
