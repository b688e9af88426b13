"""Some of the damages of `python -m tests.system.faults damage`, and how each is told."""

import random
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from service.app import create_app
from service.config.data_files import STORE_FILE_NAME
from service.eventstore import ANY_VERSION, NotAStore, SqliteReader, SqliteStore, StoreDamaged
from service.eventstore.sqlite.connections import PAGE_BYTES
from service.transparency.notary import open_notary
from service.transparency.store_verification import verify_store
from tests.support.api.asking import problem, send
from tests.support.api.clients import of_app, owner_of
from tests.support.api.listening import Line
from tests.support.api.servers import prepare, served
from tests.support.cli.deals import refusal, run
from tests.support.effort import examples
from tests.support.store.writing import deal, event, events
from tests.support.transparency.forging import DEALS, fill, forging
from tests.system.faults import damage
from tests.system.faults.damage import WAL, Damage, damaged, flip, outcome_of


@pytest.fixture(scope="module", autouse=True)
def clubs() -> Iterator[None]:
    yield
    damage.remove_clubs()


def test_some_of_every_kind_of_damage_are_named_or_change_nothing() -> None:
    all_of_it = list(damaged(seed=1, bits=1))
    outcomes = [outcome_of(one) for one in random.Random(1).sample(all_of_it, examples(40, 16))]
    assert [one for one in outcomes if one.faults] == []
    assert "named" in {one.how for one in outcomes}
    assert outcome_of(Damage("none", STORE_FILE_NAME, lambda data: data)) == ("unseen", ())


def test_a_list_of_steps_that_cannot_be_read_is_named() -> None:
    """Turned bits in the table that sqlite-utils keeps, by which it stumbles itself."""
    whole = (damage.club_folder(False) / STORE_FILE_NAME).read_bytes()
    for word in (b'"applied_at" TEXT', b'"migration_set" TEXT', b"0002_salted"):
        at = whole.index(word) + 2
        for bit in (0, 7):
            assert outcome_of(flip(STORE_FILE_NAME, at, bit)).faults == (), word


@pytest.mark.parametrize(("file", "length"), [
    (STORE_FILE_NAME, 0), (STORE_FILE_NAME, 4 * PAGE_BYTES), (STORE_FILE_NAME, 5000),
    (WAL, 0), (WAL, 20_000),
])  # fmt: skip
def test_a_file_that_is_cut_off_is_never_served(file: str, length: int) -> None:
    assert outcome_of(Damage("a cut", file, lambda data: data[:length])) == ("named", ())


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A closed store with five deals, some hundred events."""
    with SqliteStore(tmp_path / STORE_FILE_NAME) as store:
        fill(store, 9)
        assert store.head() > 256
    return tmp_path / STORE_FILE_NAME


def with_another_card(path: Path, deal: str) -> int:
    """An event of the deal says another card than was recorded; its seq."""
    with SqliteReader(path) as reader:
        event = next(one for one in reader.read_stream(deal) if b'"card_played"' in one.body)
    data = path.read_bytes()
    card = data.index(b'"card":"', data.index(event.body)) + 9
    path.write_bytes(data[:card] + (b"6" if data[card : card + 1] == b"7" else b"7") + data[card + 1 :])
    return event.seq


def test_an_event_with_another_card_is_told_to_nobody(club: Path) -> None:
    seq = with_another_card(club, DEALS[2])
    with SqliteStore(club) as store:
        store.require_intact()  # SQLite finds nothing amiss
        client = owner_of(create_app(store, notary=open_notary(club.parent)))
        address = f"/api/v1/deals/{DEALS[2]}"
        for what in ("events", "events.jsonl", "events.deal", "score", "audit", "proof", "state.svg"):
            answer = client.get(f"{address}/{what}")
            assert problem(answer) == (500, "store-damaged"), what
            assert "spadille verify" in answer.get_json()["detail"]
        # Nor is a stream begun that would break off, whatever somebody has of it already.
        for begins in ({}, {"Last-Event-ID": str(seq - 1)}):
            for method in ("GET", "HEAD"):
                answer = client.open(f"{address}/live", method=method, headers=begins, buffered=False)
                assert (answer.status_code, answer.content_type) == (500, "application/problem+json")
        assert of_app(client.application).live_streams.connection_limit.connection_count == 0
        ready = client.get("/readyz").get_json()
        assert (ready["status"], ready["places"]) == ("degraded", [{"stream": DEALS[2], "seq": seq}])
        page = client.get(f"/deals/{DEALS[2]}", headers={"Accept": "text/html"})
        assert page.status_code == 500 and "Traceback" not in page.text
        # Neither a repeat of what is damaged is told, nor is it erased: its hash would be lost.
        with SqliteReader(club) as reader:
            ids = [one.event_id for one in reader.inspection().read_raw_stream(DEALS[2])]
        with pytest.raises(StoreDamaged, match=f"Event {seq} of stream {DEALS[2]} in the store"):
            store.find_events(DEALS[2], ids)
        with pytest.raises(StoreDamaged):
            store.erase({DEALS[2]: dict.fromkeys(ids, b"{}")})
        assert store.read_stream(DEALS[2], limit=1)[0].seq == 1
        assert client.get(f"/api/v1/deals/{DEALS[3]}/events").status_code == 200
        # A note behind the damage is stored and acknowledged.
        before = store.stream_version(DEALS[2])
        answer = send(client, f"deals/{DEALS[2]}/events", {"type": "note_added", "text": "A note."})
        assert (answer.status_code, store.stream_version(DEALS[2])) == (201, before + 1)
    said = run("verify", str(club.parent))
    assert said.exit_code == 1
    assert f"event {seq} of {DEALS[2]}" in said.stdout.replace("\n   ", "")
    assert f"Event {seq} of stream {DEALS[2]}" in refusal("erase-person", str(club.parent), "Anna")


def test_what_stands_in_the_place_of_what_was_erased_is_held_to_a_digest(club: Path) -> None:
    with SqliteStore(club) as store:
        first = store.read_stream(DEALS[1])[0]
        store.erase({DEALS[1]: {first.event_id: first.body.replace(b'"Anna"', b'"N. N."')}})
    club.write_bytes(club.read_bytes().replace(b'"forehand":"N. N."', b'"forehand":"M. M."'))
    with SqliteReader(club) as reader:
        with pytest.raises(StoreDamaged, match="Event 1 of stream"):
            reader.read_stream(DEALS[1])
        (fault,) = verify_store(reader.inspection()).faults
    assert (fault.kind, fault.code, fault.version) == ("changed", "standin", 1)


def test_a_hash_that_is_another_and_an_event_that_is_left_out_are_noticed_when_read(club: Path) -> None:
    with forging(club) as execute:
        execute("UPDATE events SET leaf = randomblob(32) WHERE position = 7")
        execute("DELETE FROM events WHERE stream_key = 2 AND version = 5")
    with SqliteReader(club) as reader:
        faults = verify_store(reader.inspection()).faults
        assert ("changed", "leaf", 7) in [(fault.kind, fault.code, fault.position) for fault in faults]
        with pytest.raises(StoreDamaged, match="is not as it was recorded"):
            reader.read_all()
        (stream,) = reader.list_streams(limit=2)[1:]
        with pytest.raises(StoreDamaged, match=f"Event 5 of stream {stream.stream}"):
            reader.read_stream(stream.stream)


@pytest.mark.parametrize("table", ["leaf_tiles", "subtrees"])
def test_a_hash_of_the_log_that_is_another_keeps_the_service_from_starting(club: Path, table: str) -> None:
    column = "hashes = zeroblob(8192)" if table == "leaf_tiles" else "hash = zeroblob(32)"
    with forging(club) as execute:
        execute(f"UPDATE {table} SET {column}")
    with pytest.raises(SystemExit, match="hash 0 of level 1 of the Merkle log does not match the hashes"):
        prepare(club.parent)


def test_a_store_without_its_end_is_reported_by_all_who_open_it(club: Path) -> None:
    older = club.read_bytes()
    with SqliteReader(club) as reader:
        had = reader.head()
    with SqliteStore(club) as store:
        store.append(DEALS[0], [deal(DEALS[0], ANY_VERSION, *events(7))])
        has = store.head()
    club.write_bytes(older)
    for opening in (SqliteStore, SqliteReader):
        with pytest.raises(StoreDamaged, match=f"ends at position {had}, but events up to {has} were ack"):
            opening(club)
    for command in (["verify", str(club.parent)], ["backup", str(club) + ".zip", "--data", str(club.parent)]):
        assert run(*command).exit_code != 0
    said = run("verify", str(club.parent)).stdout
    assert f"position {had + 1}" in said and str(has) in said
    club.with_name(f"{STORE_FILE_NAME}.head").unlink()
    with SqliteStore(club) as store:
        assert store.head() == had


@pytest.mark.parametrize("left", ["", "-wal"])
def test_a_file_that_was_emptied_is_no_new_store(club: Path, left: str) -> None:
    if left:
        club.with_name(f"{STORE_FILE_NAME}.head").unlink()
        club.with_name(STORE_FILE_NAME + left).write_bytes(b"what is left of the log")
    club.write_bytes(b"")
    with pytest.raises(StoreDamaged, match="ends at position 0, but events up to"):
        SqliteStore(club)
    assert club.read_bytes() == b""
    assert not left or club.with_name(STORE_FILE_NAME + left).read_bytes()


def test_a_note_that_cannot_be_read_or_written_is_no_hindrance(club: Path) -> None:
    note = club.with_name(f"{STORE_FILE_NAME}.head")
    for spoilt in (b"", b"99999 00000000\n", b"\xff" * 30):
        note.write_bytes(spoilt)
        with SqliteStore(club) as store:
            store.append(DEALS[0], [deal(DEALS[0], ANY_VERSION, event())])
        assert int(note.read_bytes().split()[0]) == store_head(club)
    note.unlink()
    note.mkdir()
    with SqliteStore(club) as store:
        assert store.head() == store_head(club)


def store_head(path: Path) -> int:
    with SqliteReader(path) as reader:
        return reader.head()


def test_a_damaged_store_takes_no_older_backup_s_place(club: Path, tmp_path: Path) -> None:
    out = tmp_path / "club.zip"
    assert run("backup", str(out), "--data", str(club.parent)).exit_code == 0
    whole = out.read_bytes()
    with forging(club) as execute:
        ((root,),) = execute("SELECT rootpage FROM sqlite_schema WHERE name = 'streams_by_root'")
    data = bytearray(club.read_bytes())
    data[root * PAGE_BYTES - 6 : root * PAGE_BYTES] = b"\xff" * 6
    club.write_bytes(data)
    assert "is damaged" in refusal("backup", str(out), "--data", str(club.parent))
    assert out.read_bytes() == whole


def test_a_log_that_was_left_behind_is_not_put_into_what_is_restored(club: Path, tmp_path: Path) -> None:
    out, folder = tmp_path / "club.zip", tmp_path / "again"
    assert run("backup", str(out), "--data", str(club.parent)).exit_code == 0
    folder.mkdir()
    (folder / WAL).write_bytes(b"a log of another store")
    assert WAL in refusal("restore", str(out), "--data", str(folder))
    (folder / WAL).unlink()
    (folder / f"{STORE_FILE_NAME}.head").write_bytes(b"%020d 00000000\n" % 99999)
    assert run("restore", str(out), "--data", str(folder)).exit_code == 0
    assert store_head(folder / STORE_FILE_NAME) == store_head(club)


def test_a_beginning_that_is_another_is_reported_as_damage_and_left_as_it_is(club: Path) -> None:
    data = b"X" + club.read_bytes()[1:]
    club.write_bytes(data)
    club.with_name(f"{STORE_FILE_NAME}.head").unlink()
    with pytest.raises(NotAStore, match="If it was one, its beginning is damaged"):
        SqliteStore(club)
    assert club.read_bytes() == data
    said = run("verify", str(club))
    assert said.exit_code == 1 and "damaged" in said.stderr


def test_a_store_that_would_go_on_far_behind_its_end_is_not_written_to(club: Path) -> None:
    with forging(club) as execute:
        execute("UPDATE sqlite_sequence SET seq = seq + 1 << 40 WHERE name = 'events'")
    with pytest.raises(StoreDamaged, match="but the next event would follow"):
        SqliteStore(club)


@pytest.mark.process
def test_over_a_connection_the_problem_of_a_stream_arrives(club: Path) -> None:
    """A client with a place for a stream loses its connection with it; one that gets none is answered."""
    with_another_card(club, DEALS[2])
    with served(club.parent) as port:
        line = Line(port, f"/api/v1/deals/{DEALS[2]}/live")
        told = orjson.loads(line.answer.read())
        assert (line.answer.status, told["type"]) == (500, "/problems/store-damaged")
        line.close()
        other = Line(port, f"/api/v1/deals/{DEALS[3]}/live")
        assert other.answer.status == 200 and next(other.messages()).id == "1"
        other.close()
