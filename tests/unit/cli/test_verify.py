"""`spadille verify` and `spadille checkpoint`: stores, proofs and exports, what is named, how it ends."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.app import create_app
from service.cli.io import transparency_files
from service.cli.views.verdicts import (
    DIFFERENCE_PHRASES,
    FAULT_KIND_WORDS,
    MAX_LISTED_ERASURES,
    MAX_LISTED_SAFEGUARDS,
    VERDICT_PHRASES,
    fault_sentence,
)
from service.config.data_files import STORE_FILE_NAME
from service.eventstore import SqliteStore
from service.eventstore.sqlite.connections import PAGE_BYTES, sqlite3
from service.presentation.text.style import TextStyle
from service.records.append import append_to_deal
from service.records.erase_person import erase_name, find_name_occurrences
from service.transparency import verification_result
from service.transparency.notary import CHECKPOINT_FILE_NAME, LEAVES_FILE_NAME, open_notary
from service.transparency.verification_result import IntegrityFault
from tests.support.api.clients import owner_of
from tests.support.api.recording import TABLE, posted
from tests.support.cli.deals import answers, lacking, refusal, run
from tests.support.cli.verify import make_club_folder
from tests.support.effort import examples
from tests.support.transparency.forging import DEALS, forging, pretend_erasure, put, rehash


@pytest.fixture(scope="module")
def club_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, what is kept of it, and an export of the table with its proof."""
    place = tmp_path_factory.mktemp("recorded")
    make_club_folder(place / "club")
    club = str(place / "club")
    for arguments in (
        ("checkpoint", club, "-o", str(place / "bare.txt")),
        ("checkpoint", club, "--leaves", "-o", str(place / "kept.txt")),
        ("checkpoint", club, "--public-key", "-o", str(place / "key.txt")),
        ("export", "--store", club, "--table", TABLE, "--format", "jsonl", "-o", str(place / "table.jsonl"),
         "--proof", str(place / "table.jsonl.proof")),
    ):  # fmt: skip
        result = run(*arguments)
        assert (result.exit_code, result.output) == (0, ""), arguments
    with SqliteStore(place / "club" / STORE_FILE_NAME) as store:
        client = owner_of(create_app(store, notary=open_notary(place / "club")))
        (place / "deal.proof").write_bytes(client.get(f"/api/v1/deals/{DEALS[0]}/proof").data)
        (place / "public.proof").write_bytes(client.get(f"/api/v1/deals/{DEALS[0]}/proof?viewer=public").data)
        seen = client.get(f"/api/v1/deals/{DEALS[0]}/events.jsonl?viewer=public")
        (place / "public.jsonl").write_bytes(seen.data)
        (place / "deal.jsonl").write_bytes(client.get(f"/api/v1/deals/{DEALS[0]}/events.jsonl").data)
    return place


@pytest.fixture
def place(club_files: Path, tmp_path: Path) -> Path:
    """A copy of it all, to be forged."""
    shutil.copytree(club_files, tmp_path / "copy")
    return tmp_path / "copy"


def verify(place: Path, file: str, *more: str, lang: str = "en") -> tuple[int, str, str]:
    result = run("verify", str(place / file), *more, "--lang", lang, COLUMNS="100")
    return result.exit_code, " ".join(result.stdout.split()), " ".join(result.stderr.split())


def verified(place: Path, *more: str) -> Any:
    (told,) = answers(run("verify", str(place / "club"), *note_args(place), "--format", "json", *more))
    return told


def note_args(place: Path, kept: str = "kept.txt") -> tuple[str, str]:
    return "--checkpoint", str(place / kept)


def noted(place: Path, deal: str, *texts: str) -> None:
    with SqliteStore(place / "club" / STORE_FILE_NAME) as store:
        notes = [posted({"type": "note_added", "text": text}) for text in texts]
        append_to_deal(store, store.stream_info(deal), store.stream_version(deal), notes, strict=False)


@pytest.mark.parametrize(("file", "proof"), [
    ("club", ""), (f"club/{STORE_FILE_NAME}", ""), ("deal.proof", ""), ("public.proof", ""),
    ("table.jsonl", ""), ("deal.jsonl", "deal.proof"),
])  # fmt: skip
def test_whole_records_are_proved(place: Path, file: str, proof: str) -> None:
    more = ("--proof", str(place / proof)) if proof else ()
    key = ("--key", str(place / "key.txt"))
    for by in (note_args(place, "bare.txt"), (*note_args(place), *key)):
        exit_code, out, err = verify(place, file, *more, *by)
        assert (exit_code, err) == (0, ""), out
        assert out.startswith("✓ ") and "proved by a checkpoint that you kept elsewhere" in out
        assert ("all unchanged" in out) == (file != "public.proof")
        assert ("by their hash alone" in out) == (file == "public.proof")
    if file.startswith("club"):
        assert "checked only against itself" in verify(place, file)[1]
    else:
        assert verify(place, file, *more, *key)[0] == 0
        assert "A proof needs something to be checked against" in verify(place, file, *more)[2]


def test_programs_get_an_object(place: Path) -> None:
    told = verified(place)
    events = told["events"]
    assert told == {
        "file": str(place / "club"), "kind": "store", "ok": True, "events": events, "records": 5,
        "proven": events, "hidden": 0, "erased": 0, "erasures": [], "more": 0, "faults": [],
    }  # fmt: skip
    with forging(place / "club" / STORE_FILE_NAME) as execute:
        put(execute, 9, basis="printed")
    told = verified(place)
    (fault,) = told["faults"]
    assert (told["ok"], fault["kind"], fault["what"], fault["position"]) == (False, "changed", "contents", 9)
    assert (fault["stream"], fault["seq"]) == (DEALS[0], 5)
    assert fault["id"] in fault["message"]


def test_a_forgery_is_named_in_both_languages(place: Path) -> None:
    with forging(place / "club" / STORE_FILE_NAME) as execute:
        put(execute, 9, basis="printed")
        rehash(execute, tiles=True)
    for lang, changed in (("en", "changed: event 5 of"), ("da", "ændret: post 5 i")):
        exit_code, out, _ = verify(place, "club", *note_args(place), lang=lang)
        assert (exit_code, changed in out) == (1, True)
        # The leaf hashes in the store's folder lead to the checkpoint too.
        assert verify(place, "club", *note_args(place, "bare.txt"), lang=lang)[:2] == (1, out)
        assert verify(place, "club", lang=lang)[:2] == (1, out)
    # With the checkpoint alone it is noticed, and said what would have told more.
    (place / "club" / LEAVES_FILE_NAME).unlink()
    for lang, rewritten in (("en", "rewritten"), ("da", "skrevet om")):
        exit_code, out, _ = verify(place, "club", *note_args(place, "bare.txt"), lang=lang)
        assert (exit_code, rewritten in out) == (1, True)
    # The proof that somebody had fetched before still proves what was recorded.
    assert verify(place, "deal.proof", *note_args(place))[0] == 0


def test_some_missing_safeguards_are_named_and_all_if_asked(place: Path) -> None:
    connection = sqlite3.connect(str(place / "club" / STORE_FILE_NAME), isolation_level=None)
    gone = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")]
    for name in gone:
        connection.execute(f"DROP TRIGGER {name}")
    connection.close()
    assert len(gone) > MAX_LISTED_SAFEGUARDS + 1
    fault = f"{FAULT_KIND_WORDS['rule']}: "
    status, said, _ = verify(place, "club")
    assert (status, said.count(fault)) == (1, MAX_LISTED_SAFEGUARDS)
    more = VERDICT_PHRASES["safeguards"].format(count=len(gone) - MAX_LISTED_SAFEGUARDS)
    assert more in said and "--verbose" in said
    status, said, _ = verify(place, "club", "--verbose")
    assert (status, said.count(fault), "--verbose" in said) == (1, len(gone), False)
    assert [one for one in gone if one not in said] == []


def test_a_damaged_register_or_checkpoint_of_the_store_is_named(place: Path) -> None:
    assert run("tokens", "make", "recorder", "--data", str(place / "club")).exit_code == 0
    assert verify(place, "club")[0] == 0
    connection = sqlite3.connect(str(place / "club" / "access.db"))
    connection.execute("UPDATE grants SET role = 'owner'")
    connection.commit()
    connection.close()
    exit_code, out, _ = verify(place, "club")
    assert (exit_code, "is damaged: its contents are not what was written" in out) == (1, True)
    (place / "club" / CHECKPOINT_FILE_NAME).write_text("garbage")
    exit_code, out, _ = verify(place, "club", *note_args(place))
    assert (exit_code, CHECKPOINT_FILE_NAME in out.replace(" ", "")) == (1, True)


def test_what_was_erased_is_named_with_when_and_where(place: Path) -> None:
    with SqliteStore(place / "club" / STORE_FILE_NAME) as store:
        first = store.read_stream(DEALS[0])[0]
        erased = {**json.loads(first.body), "title": None}
        store.erase({DEALS[0]: {first.event_id: json.dumps(erased).encode()}})
    told = verified(place)
    (one,) = told["erasures"]
    # The newest entry is the one that records the erasure.
    assert (told["proven"], told["erased"], one["entry"]) == (told["events"] - 2, 1, told["events"])
    assert (one["position"], one["stream"], one["seq"], one["id"]) == (
        first.position, DEALS[0], 1, first.event_id,
    )  # fmt: skip
    exit_code, said, _ = verify(place, "club", *note_args(place))
    assert (exit_code, "all unchanged" in said) == (0, False)
    assert lacking(said, (
        f"{told['events'] - 2} of them are proved by a checkpoint",
        "1 of them have been erased",
        f"event 1 of {DEALS[0]} (id {first.event_id}, position {first.position}), erased {one['erased_at']}, "
        f"after the checkpoint (position {one['entry']})",
    )) == []  # fmt: skip
    assert run("checkpoint", str(place / "club"), "-o", str(place / "since.txt")).exit_code == 0
    exit_code, said, _ = verify(place, "club", *note_args(place, "since.txt"))
    assert (exit_code, f"erased {one['erased_at']}, before the checkpoint" in said) == (0, True)


@pytest.mark.parametrize(("kind", "fields", "sentence"), [
    ("note_added", {"text": "Bo hesitated"}, "no entry in the store records the erasure"),
    ("card_played", {"card": "SA"}, "its replacement names neither a person"),
])  # fmt: skip
def test_a_feigned_erasure_is_a_fault(place: Path, kind: str, fields: dict[str, str], sentence: str) -> None:
    noted(place, DEALS[0], "Anna hesitated")
    assert run("checkpoint", str(place / "club"), "-o", str(place / "since.txt")).exit_code == 0
    with forging(place / "club" / STORE_FILE_NAME) as execute:
        position = pretend_erasure(execute, DEALS[0], kind, **fields)
    exit_code, said, _ = verify(place, "club", *note_args(place, "since.txt"))
    assert (exit_code, sentence in said, f"position {position}" in said) == (1, True, True)


def test_some_of_many_erased_events_are_named_and_all_if_asked(place: Path) -> None:
    noted(place, DEALS[0], *(f"Anna {number}" for number in range(MAX_LISTED_ERASURES + 2)))
    with SqliteStore(place / "club" / STORE_FILE_NAME) as store:
        erase_name(store, find_name_occurrences(store, "Anna", "N. N.", DEALS[0]))
        erased = sum(one.salt is None for one in store.read_sealed_events(DEALS[0]))
    for more, count in (((), MAX_LISTED_ERASURES), (("--verbose",), erased)):
        exit_code, out, _ = verify(place, "club", *note_args(place), *more)
        assert (exit_code, out.count("erased 2")) == (0, count)


def test_a_line_that_says_more_than_its_proof_is_no_proof(place: Path) -> None:
    """The owner's log with what a viewer was given: of the hidden hands it proves nothing."""
    proof = ("--proof", str(place / "public.proof"), *note_args(place))
    exit_code, said, _ = verify(place, "deal.jsonl", *proof)
    assert (exit_code, "has contents that the proof does not show" in said) == (1, True)
    exit_code, said, _ = verify(place, "public.jsonl", *proof)
    assert (exit_code, "all unchanged" in said) == (0, False)
    assert "what a line says of them is not proved" in said


def test_checkpoints_alone_prove_that_a_log_only_grew(place: Path) -> None:
    with SqliteStore(place / "club" / STORE_FILE_NAME) as store:
        size = store.head()
    noted(place, DEALS[1], "later")
    with SqliteStore(place / "club" / STORE_FILE_NAME) as store:
        client = create_app(store, notary=open_notary(place / "club")).test_client()
        for name, query in (("grown.json", f"from={size}"), ("other.json", "from=3")):
            (place / name).write_bytes(client.get(f"/api/v1/checkpoint/consistency?{query}").data)
    key = ("--key", str(place / "key.txt"))
    for lang, words in (("en", "begins with the"), ("da", "begynder med de")):
        exit_code, out, _ = verify(place, "grown.json", *note_args(place), *key, lang=lang)
        assert (exit_code, words in out) == (0, True)
    assert "earlier checkpoint" in verify(place, "grown.json", *key)[2]
    exit_code, out, _ = verify(place, "other.json", *note_args(place))
    assert (exit_code, "it begins at 3 events" in out) == (1, True)


def test_a_key_that_did_not_sign_is_reported(place: Path) -> None:
    make_club_folder(place / "other")
    other = ("--key", str(place / "other.txt"))
    assert run("checkpoint", str(place / "other"), "--public-key", "-o", other[1]).exit_code == 0
    for file, by in (("club", note_args(place)), ("deal.proof", note_args(place)), ("deal.proof", ())):
        exit_code, out, _ = verify(place, file, *by, *other)
        assert (exit_code, "is not signed by the key" in out) == (1, True), file


UNREADABLE = [
    (["nowhere"], "There is no file “nowhere”"),
    (["club", "--checkpoint", "nowhere"], "There is no file “nowhere”"),
    (["club", "--checkpoint", "club"], "is a folder"),
    (["club", "--checkpoint", f"club/{STORE_FILE_NAME}"], "is not text"),
    (["club", "--checkpoint", "bare.txt", "--key", "bare.txt"], "A public key is a line such as"),
    (["club", "--key", "empty"], "has no key"),
    (["empty", "--checkpoint", "bare.txt"], "There is no “empty.proof”"),
    (["deal.jsonl", "--proof", "kept.txt", "--checkpoint", "bare.txt"], "“kept.txt”: It is not JSON"),
    (["club", "--proof", "deal.proof"], "--proof needs an export"),
    (["deal.proof"], "A proof needs something to be checked against"),
]


def test_what_cannot_be_read(place: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    monkeypatch.chdir(place)
    (place / "empty").touch()
    for arguments, says in UNREADABLE:
        with subtests.test(" ".join(arguments)):
            assert says in refusal("verify", *arguments)
    for arguments, status in ((["nowhere"], 2), (["empty"], 2), (["club", "-o", "no/such/place"], 74)):
        with subtests.test(f"checkpoint {' '.join(arguments)}"):
            result = run("checkpoint", *arguments)
            assert (result.exit_code, len(result.stderr.splitlines())) == (status, 1)


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False), st.sampled_from([0, 1, 700, PAGE_BYTES]), st.booleans())
def test_damage_is_named_without_a_traceback(place: Path, rng: random.Random, size: int, zeros: bool) -> None:
    """Some bytes of it are others, or its end is missing."""
    path, events = place / "club" / STORE_FILE_NAME, verified(place)["events"]
    whole = path.read_bytes()
    at = rng.randrange(len(whole))
    other = bytes(size) if zeros else rng.randbytes(size)
    path.write_bytes(whole[:at] + other + whole[at + size :] if size else whole[:at])
    try:
        for by in ((), note_args(place), note_args(place, "bare.txt")):
            result = run("verify", str(path), *by)
            assert result.exit_code in (0, 1, 2), result.stderr
            assert result.stdout.strip() or result.stderr.strip()
            if result.exit_code == 2:
                assert result.stderr.strip() and result.stdout == ""
            if result.exit_code == 0 and by:
                assert verified(place)["events"] == events
    finally:
        path.write_bytes(whole)


def test_every_kind_of_fault_has_its_words() -> None:
    sources = [*Path(verification_result.__file__).parent.glob("*.py"), Path(transparency_files.__file__)]
    written = " ".join(path.read_text(encoding="utf-8") for path in sources)
    assert [what for what in DIFFERENCE_PHRASES if f'"{what}"' not in written] == []


def test_what_a_forger_wrote_cannot_steer_the_terminal() -> None:
    fault = IntegrityFault(
        "changed", "no_entry", 1, "\x1b[2Jstream", 2, "\x1b]0;id", {"said": "\x07bell\u202e"}
    )
    assert fault_sentence(fault, TextStyle()).isprintable()
