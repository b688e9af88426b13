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
from service.cli.verdicts import ERASURES, KINDS, SAFEGUARDS, VERDICTS
from service.evidence.notary import LEAVES_FILE, TOLD_FILE, Notary
from service.forgetting import forget, named_in
from service.recording import continue_deal
from service.serve import STORE_NAME
from service.store import SqliteStore
from service.store.connections import PAGE_BYTES, sqlite3
from tests.support.api.clients import owner_of
from tests.support.api.recording import TABLE, posted
from tests.support.cli.deals import answers, run
from tests.support.cli.verify import record
from tests.support.effort import examples
from tests.support.evidence.forging import DEALS, forging, pretend_erasure, put, rehash


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, what is kept of it, and an export of the table with its proof."""
    place = tmp_path_factory.mktemp("recorded")
    record(place / "club")
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
    with SqliteStore(place / "club" / STORE_NAME) as store:
        client = owner_of(create_app(store, notary=Notary.in_folder(place / "club")))
        (place / "deal.proof").write_bytes(client.get(f"/api/v1/deals/{DEALS[0]}/proof").data)
        (place / "public.proof").write_bytes(client.get(f"/api/v1/deals/{DEALS[0]}/proof?viewer=public").data)
        seen = client.get(f"/api/v1/deals/{DEALS[0]}/events.jsonl?viewer=public")
        (place / "public.jsonl").write_bytes(seen.data)
        (place / "deal.jsonl").write_bytes(client.get(f"/api/v1/deals/{DEALS[0]}/events.jsonl").data)
    return place


@pytest.fixture
def place(recorded: Path, tmp_path: Path) -> Path:
    """A copy of it all, to be forged."""
    shutil.copytree(recorded, tmp_path / "copy")
    return tmp_path / "copy"


def verify(place: Path, file: str, *more: str, lang: str = "en") -> tuple[int, str, str]:
    result = run("verify", str(place / file), *more, "--lang", lang, COLUMNS="100")
    return result.exit_code, result.stdout, result.stderr


def held(place: Path, kept: str = "kept.txt") -> tuple[str, str]:
    return "--checkpoint", str(place / kept)


EVERYTHING = [
    ("club", ()),
    (f"club/{STORE_NAME}", ()),
    ("deal.proof", ()),
    ("public.proof", ()),
    ("table.jsonl", ()),
    ("deal.jsonl", ("--proof", "deal.proof")),
]


@pytest.mark.parametrize(("file", "more"), EVERYTHING, ids=[file for file, _ in EVERYTHING])
def test_what_is_whole_is_proved(place: Path, file: str, more: tuple[str, ...]) -> None:
    more = tuple(str(place / one) if one.endswith(".proof") else one for one in more)
    key = ("--key", str(place / "key.txt"))
    for by in (held(place), held(place, "bare.txt"), (*held(place), *key)):
        exit_code, out, err = verify(place, file, *more, *by)
        assert (exit_code, err) == (0, ""), out
        assert out.startswith("✓ ")
        assert ("as they were recorded" in out) == (file != "public.proof")
        assert "proved by a checkpoint kept elsewhere" in out
        assert ("by their hash alone" in out) == (file == "public.proof")
    if file.startswith("club"):
        assert "looked at by itself only" in verify(place, file)[1]
    else:
        assert verify(place, file, *more, *key)[0] == 0
        assert "Name what it is to be proved by" in verify(place, file, *more)[2]


def test_for_programs_there_is_an_object(place: Path) -> None:
    result = run("verify", str(place / "club"), *held(place), "--format", "json")
    (told,) = answers(result)
    events = told["events"]
    assert told == {
        "file": str(place / "club"), "kind": "store", "ok": True, "events": events, "records": 5,
        "proven": events, "hidden": 0, "erased": 0, "erasures": [], "kept_amiss": [], "more": 0, "faults": [],
    }  # fmt: skip
    with forging(place / "club" / STORE_NAME) as execute:
        put(execute, 9, basis="printed")
    (told,) = answers(run("verify", str(place / "club"), *held(place), "--format", "json"))
    (fault,) = told["faults"]
    assert (told["ok"], fault["kind"], fault["what"], fault["position"]) == (False, "changed", "contents", 9)
    assert (fault["stream"], fault["seq"]) == (DEALS[0], 5)
    assert fault["id"] in fault["message"]


@pytest.mark.parametrize("lang", ["en", "da"])
def test_a_forger_is_named_in_both_languages(place: Path, lang: str) -> None:
    with forging(place / "club" / STORE_NAME) as execute:
        put(execute, 9, basis="printed")
        rehash(execute, tiles=True)
    exit_code, out, _ = verify(place, "club", *held(place), lang=lang)
    assert exit_code == 1
    words = {"en": "changed: event 5 of", "da": "ændret: post 5 i"}[lang]
    assert words in " ".join(out.split())
    # The leaf hashes that lie beside the store lead to the checkpoint too.
    assert verify(place, "club", *held(place, "bare.txt"), lang=lang)[:2] == (1, out)
    assert verify(place, "club", lang=lang)[:2] == (1, out)
    # With the checkpoint alone it is noticed, and said what would have told more.
    (place / "club" / LEAVES_FILE).unlink()
    exit_code, out, _ = verify(place, "club", *held(place, "bare.txt"), lang=lang)
    assert exit_code == 1
    assert {"en": "rewritten", "da": "skrevet om"}[lang] in out
    # The proof that somebody had fetched before still proves what was recorded.
    assert verify(place, "deal.proof", *held(place))[0] == 0


@pytest.mark.parametrize("lang", ["en", "da"])
def test_safeguards_that_are_gone_are_counted_and_named_when_asked(place: Path, lang: str) -> None:
    """They are gone together where they are; what happened to events is told before them all."""
    connection = sqlite3.connect(str(place / "club" / STORE_NAME), isolation_level=None)
    gone = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")]
    for name in gone:
        connection.execute(f"DROP TRIGGER {name}")
    connection.close()
    assert len(gone) > SAFEGUARDS + 1
    kind, name = KINDS["rule"][lang], f"{place / 'club'}"
    status, said, _ = verify(place, name, lang=lang)
    assert (status, said.count(f"  {kind}: ")) == (1, SAFEGUARDS)
    left_out = VERDICTS["safeguards"][lang].format(count=len(gone) - SAFEGUARDS)
    assert left_out in " ".join(said.split()) and "--verbose" in left_out
    status, said, _ = verify(place, name, "--verbose", lang=lang)
    assert (status, said.count(f"  {kind}: ")) == (1, len(gone))
    assert "--verbose" not in said
    assert {one for one in gone if one in said} == set(gone)


@pytest.mark.parametrize("lang", ["en", "da"])
def test_what_lies_beside_a_store_and_is_damaged_is_told(place: Path, lang: str) -> None:
    (place / "club" / TOLD_FILE).write_text("garbage")
    exit_code, out, _ = verify(place, "club", *held(place), lang=lang)
    assert exit_code == 1
    assert TOLD_FILE in "".join(out.split())


def test_what_was_erased_is_told(place: Path) -> None:
    with SqliteStore(place / "club" / STORE_NAME) as store:
        first = store.read(DEALS[0])[0]
        told = json.loads(first.body)
        store.erase(DEALS[0], {first.event_id: json.dumps({**told, "title": None}).encode()})
        place_of = first.position
    exit_code, out, _ = verify(place, "club", *held(place))
    said = " ".join(out.split())
    assert exit_code == 0
    assert "as they were recorded" not in said
    (told,) = answers(run("verify", str(place / "club"), *held(place), "--format", "json"))
    assert f"{told['events'] - 2} of them proved by a checkpoint" in said
    assert "1 of them have been erased" in said
    (one,) = told["erasures"]
    assert (one["position"], one["stream"], one["seq"], one["id"]) == (
        place_of, DEALS[0], 1, first.event_id,
    )  # fmt: skip
    assert (
        f"event 1 of {DEALS[0]} (id {first.event_id}, position {place_of}), erased {one['erased_at']}, after "
        f"the checkpoint (position {one['entry']})" in said
    )
    # The newest entry is the one that records the erasure.
    assert (told["proven"], told["erased"], one["entry"]) == (told["events"] - 2, 1, told["events"])
    since = run("checkpoint", str(place / "club"), "-o", str(place / "since.txt"))
    assert since.exit_code == 0
    exit_code, out, _ = verify(place, "club", "--checkpoint", str(place / "since.txt"))
    assert (exit_code, f"erased {one['erased_at']}, before the checkpoint" in " ".join(out.split())) == (
        0,
        True,
    )


@pytest.mark.parametrize("lang", ["en", "da"])
def test_a_note_that_was_changed_as_if_it_were_erased_is_a_fault_without_its_entry(
    place: Path, lang: str
) -> None:
    """All that the store keeps beside an erased event is forged; what it records of it in the log is not."""
    noted(place, "Anna hesitated")
    assert run("checkpoint", str(place / "club"), "-o", str(place / "since.txt")).exit_code == 0
    kept = ("--checkpoint", str(place / "since.txt"))
    with forging(place / "club" / STORE_NAME) as execute:
        position = pretend_erasure(execute, DEALS[0], "note_added", text="Bo hesitated")
    exit_code, out, _ = verify(place, "club", *kept, lang=lang)
    words = {"en": "no entry of the store records that it was", "da": "ingen post i lageret siger"}
    said = " ".join(out.split())
    assert (exit_code, words[lang] in said, f"position {position}" in said) == (1, True, True)


def noted(place: Path, *texts: str) -> None:
    """Adds notes to the first deal."""
    with SqliteStore(place / "club" / STORE_NAME) as store:
        described = store.describe(DEALS[0])
        notes = [posted({"type": "note_added", "text": text}) for text in texts]
        continue_deal(store, described, described.version, notes, strict=False)


@pytest.mark.parametrize("lang", ["en", "da"])
def test_a_card_that_was_changed_as_if_it_were_erased_is_a_fault(place: Path, lang: str) -> None:
    """Forgetting touches names and words; an event of cards alone never was erased by it."""
    with forging(place / "club" / STORE_NAME) as execute:
        position = pretend_erasure(execute, DEALS[0], "card_played", card="SA")
    exit_code, out, _ = verify(place, "club", *held(place), lang=lang)
    assert exit_code == 1
    words = {"en": "it counts as erased, and neither a person", "da": "den tæller som slettet, og der"}
    said = " ".join(out.split())
    assert words[lang] in said and f"position {position}" in said


@pytest.mark.parametrize("lang", ["en", "da"])
def test_of_many_erased_events_some_are_named_and_all_when_asked(place: Path, lang: str) -> None:
    count = ERASURES + 2
    with SqliteStore(place / "club" / STORE_NAME) as store:
        notes = [{"type": "note_added", "text": f"Anna {number}"} for number in range(count)]
        version = store.version(DEALS[0])
        continue_deal(store, store.describe(DEALS[0]), version, [posted(one) for one in notes], strict=False)
        forget(store, named_in(store, "Anna", "N. N.", DEALS[0]))
        erased = sum(one.salt is None for one in store.sealed(DEALS[0]))
    assert erased >= count
    word = {"en": "erased 2", "da": "slettet 2"}[lang]
    exit_code, out, _ = verify(place, "club", *held(place), lang=lang)
    assert (exit_code, out.count(word)) == (0, ERASURES)
    exit_code, out, _ = verify(place, "club", *held(place), "--verbose", lang=lang)
    assert (exit_code, out.count(word)) == (0, erased)


def test_a_line_that_says_more_than_its_proof_is_no_proof(place: Path) -> None:
    """The owner's log beside what a viewer was given: of the hidden hands it proves nothing."""
    exit_code, out, _ = verify(place, "deal.jsonl", "--proof", str(place / "public.proof"), *held(place))
    assert exit_code == 1
    assert "says what the proof does not show" in " ".join(out.split())
    exit_code, out, _ = verify(place, "public.jsonl", "--proof", str(place / "public.proof"), *held(place))
    said = " ".join(out.split())
    assert exit_code == 0, out
    assert "as they were recorded" not in said
    assert "what a line says of them is not proved" in said


def test_that_a_log_only_grew_is_seen_by_checkpoints_alone(place: Path) -> None:
    with SqliteStore(place / "club" / STORE_NAME) as store:
        size = store.head()
        fill_more = {"type": "note_added", "text": "later"}
        continue_deal(
            store, store.describe(DEALS[1]), store.version(DEALS[1]), [posted(fill_more)], strict=False
        )
        client = create_app(store, notary=Notary.in_folder(place / "club")).test_client()
        for name, query in (("grown.json", f"from={size}"), ("other.json", "from=3")):
            path = f"/api/v1/checkpoint/consistency?{query}"
            (place / name).write_bytes(client.get(path).data)
    key = ("--key", str(place / "key.txt"))
    for lang, words in (("en", "begins with the one of"), ("da", "begynder med den på")):
        exit_code, out, _ = verify(place, "grown.json", *held(place), *key, lang=lang)
        assert (exit_code, words in out) == (0, True)
    assert "earlier checkpoint" in verify(place, "grown.json", *key)[2]
    exit_code, out, _ = verify(place, "other.json", *held(place))
    assert (exit_code, "it begins at 3 events" in out) == (1, True)
    forged = (place / "grown.json").read_text().replace(f'"from":{size}', f'"from":{size - 1}')
    (place / "forged.json").write_text(forged)
    assert verify(place, "forged.json", *held(place))[0] == 1
    told = json.loads(forged)
    (place / "forged.json").write_text(json.dumps({**told, "from": size, "hashes": told["hashes"][1:]}))
    exit_code, out, _ = verify(place, "forged.json", *held(place))
    assert exit_code == 2, "spaces: it does not begin as such a file does"
    (place / "forged.json").write_bytes(
        (place / "grown.json").read_bytes().replace(b'"hashes":["', b'"hashes":["A', 1)
    )
    assert "32 bytes in base64" in verify(place, "forged.json", *held(place))[2]


def test_a_key_that_did_not_sign_is_told(place: Path) -> None:
    other = place / "other"
    record(other)
    assert run("checkpoint", str(other), "--public-key", "-o", str(place / "other.txt")).exit_code == 0
    for file in ("club", "deal.proof"):
        exit_code, out, _ = verify(place, file, *held(place), "--key", str(place / "other.txt"))
        assert exit_code == 1
        assert "is not signed by the key" in out
    exit_code, out, _ = verify(place, "deal.proof", "--key", str(place / "other.txt"))
    assert (exit_code, "is not signed" in out) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "There is no file “nowhere”"),
        (["club", "--checkpoint", "nowhere"], "There is no file “nowhere”"),
        (["club", "--checkpoint", "club"], "is a folder"),
        (["club", "--checkpoint", "key.txt"], "There is no whole checkpoint in it"),
        (["club", "--checkpoint", f"club/{STORE_NAME}"], "is not text"),
        (["club", "--checkpoint", "bare.txt", "--key", "bare.txt"], "A public key is a line such as"),
        (["club", "--key", "empty"], "holds no key"),
        (["empty", "--checkpoint", "bare.txt"], "There is no “empty.proof”"),
        (["deal.jsonl", "--checkpoint", "bare.txt"], "There is no “deal.jsonl.proof”"),
        (["deal.jsonl", "--proof", "kept.txt", "--checkpoint", "bare.txt"], "“kept.txt”: It is not JSON"),
        (["club", "--proof", "deal.proof"], "--proof is for an export"),
        (["deal.proof"], "Name what it is to be proved by"),
    ],
)
def test_what_cannot_be_read_is_told(
    place: Path, arguments: list[str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    (place / "empty").touch()
    result = run("verify", *arguments)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())
    assert result.stdout == ""


@pytest.mark.parametrize("arguments", [["nowhere"], ["empty"], ["club", "-o", "no/such/place"]])
def test_a_checkpoint_that_cannot_be_made_is_told(
    place: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    (place / "empty").touch()
    result = run("checkpoint", *arguments)
    assert result.exit_code == (74 if "-o" in arguments else 2)
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("arguments", [["x.jsonl"], ["--store", "club", "--table", TABLE]])
def test_a_proof_is_of_the_logs_of_a_store(arguments: list[str]) -> None:
    result = run("export", *arguments, "--proof", "x.proof")
    assert result.exit_code == 2
    assert "--proof is for the logs of a store" in result.stderr


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False), st.sampled_from(["cut", "flip", "zero", "shuffle"]))
def test_a_damaged_store_is_told_and_never_a_traceback(place: Path, rng: random.Random, how: str) -> None:
    path = place / "club" / STORE_NAME
    whole = path.read_bytes()
    broken = bytearray(whole)
    at = rng.randrange(len(whole))
    if how == "cut":
        del broken[at:]
    elif how == "flip":
        for _ in range(rng.choice([1, 1, 5, 50])):
            broken[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
    elif how == "zero":
        broken[at : at + 700] = bytes(len(broken[at : at + 700]))
    else:
        page = PAGE_BYTES * rng.randrange(len(whole) // PAGE_BYTES)
        broken[page : page + PAGE_BYTES] = rng.randbytes(PAGE_BYTES)[: len(broken[page : page + PAGE_BYTES])]
    path.write_bytes(broken)
    try:
        for by in ((), held(place), held(place, "bare.txt")):
            result = run("verify", str(path), *by)
            assert result.exit_code in (0, 1, 2), result.stderr
            if result.exit_code == 0 and by:
                events = answers(run("verify", str(path), *by, "--format", "json"))[0]["events"]
                assert events == answers_of_whole(place, whole)
            elif result.exit_code == 2:
                assert result.stderr.strip()
                assert result.stdout == ""
            else:
                assert result.stdout.strip() or result.stderr.strip()
    finally:
        path.write_bytes(whole)


def answers_of_whole(place: Path, whole: bytes) -> Any:
    other = place / "whole.db"
    other.write_bytes(whole)
    return answers(run("verify", str(other), "--format", "json"))[0]["events"]


@pytest.mark.parametrize("lang", ["en", "da"])
def test_a_damaged_register_is_a_fault(place: Path, lang: str) -> None:
    assert run("tokens", "make", "recorder", "--data", str(place / "club")).exit_code == 0
    assert verify(place, "club", lang=lang)[0] == 0
    register = place / "club" / "access.db"
    connection = sqlite3.connect(str(register))
    connection.execute("UPDATE grants SET role = 'owner'")
    connection.commit()
    connection.close()
    exit_code, out, _ = verify(place, "club", lang=lang)
    assert exit_code == 1
    assert "is damaged: what stands in it is not what was written" in " ".join(out.split())
    assert "restore it from a backup" in " ".join(out.split())
