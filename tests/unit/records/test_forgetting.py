"""Forgetting a person in records and file; and logs for people, in which members are called by name."""

import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Log, audit, log_of
from engine.core.cards import SEATS
from engine.core.events import BidMade, DealOpened, DealSettled, NoteAdded
from engine.core.vocabulary import Players
from schemas.notation import read_logs, written_log
from schemas.wire.declaration import BOOKKEEPING, EVENT_SPECS, FieldSpec, specs_of
from schemas.wire.jsonlines import DealLog
from service.app import create_app
from service.application.named_logs import named_log
from service.config.data_files import STORE_NAME
from service.eventstore import EventStore, MemoryStore, SqliteStore
from service.eventstore.merkle.tree import root_of
from service.records.append import continue_deal
from service.records.erase_person import NEITHER, PEOPLE, WORDS, forget, named_in
from service.records.records import TABLE as TABLE_KIND
from service.records.records import described, log_in
from service.records.tables import ledger_in, start_deal
from tests.properties.slow import generator
from tests.support.api.clients import owner_of
from tests.support.api.recording import DEAL, OPENING, PLAYERS, TABLE, posted, recorded_deal, recorded_table
from tests.support.cli.deals import refusal, run, text_of
from tests.support.effort import examples
from tests.support.engine.shorthand import corrected, note, settled, slip
from tests.support.evidence.forging import DEALS, kept_of

NAME, STANDIN = "Anna", "N. N."
SLIP = slip("F", "solo", "5-4-0", trump="H")


def evening(store: EventStore) -> None:
    """A table with a deal, its settlement, notes, a correction; and a deal alone in which the name is too."""
    recorded_table(store, title="Anna's table")
    opening = {**OPENING, "id": DEALS[30], "table": TABLE, "number": 1, "dealer": "Carl"}
    start_deal(store, described(store, TABLE_KIND, TABLE), 1, posted(opening))
    more: list[dict[str, Any]] = [
        SLIP,
        note("Anna, not Annabel (ANNA?) or Hanna.", author="Anna"),
        settled(Anna=6, Bo=-3, Carl=-3) | {"recorded_by": "Anna"},
        corrected([4], settled(Anna=4, Bo=-2, Carl=-2)) | {"reason": "Anna said so"},
    ]
    continue_deal(store, store.describe(DEALS[30]), 1, [posted(one) for one in more], strict=False)
    recorded_deal(store, [OPENING, SLIP])


def erased(store: EventStore, root: str | None = None) -> int:
    found = named_in(store, NAME, STANDIN, root)
    forget(store, found)
    return sum(len(one.bodies) for one in found)


def test_the_name_is_gone_and_the_rest_is_what_it_was() -> None:
    with MemoryStore() as store:
        evening(store)
        kept, before = kept_of(store), ledger_in(store, TABLE)
        scores = [audit(log_in(store, one)).score for one in (DEAL, DEALS[30])]
        assert erased(store) == 6
        for event in store.follow():
            assert b'"Anna"' not in event.body
        note = log_in(store, DEALS[30])[2].event
        assert getattr(note, "text", None) == "N. N., not Annabel (ANNA?) or Hanna."
        assert [audit(log_in(store, one)).score for one in (DEAL, DEALS[30])] == scores
        after = ledger_in(store, TABLE)
        assert str(after) == str(before).replace("Anna", STANDIN)
        assert root_of(store.tile(0, 0)[: kept.notes[0].checkpoint.size]) == kept.notes[0].checkpoint.root
        assert erased(store) == 0


@settings(max_examples=examples(25))
@given(st.integers(0, 1 << 30), st.sampled_from(sorted(PLAYERS)))
def test_any_deal_pays_what_it_paid(seed: int, seat: str) -> None:
    with MemoryStore() as store:
        recorded_deal(store, generator.random_deal(random.Random(seed)))
        opened = log_in(store, DEAL)[0].event
        name = getattr(getattr(opened, "players", None), seat)
        before = audit(log_in(store, DEAL))
        forget(store, named_in(store, name, STANDIN))
        after = audit(log_in(store, DEAL))
        assert after.score.payments == before.score.payments
        assert [one.code for one in after.findings] == [one.code for one in before.findings]
        assert name.encode() not in b"".join(event.body for event in store.follow())


def fields_of_text(specs: tuple[FieldSpec, ...]) -> set[str]:
    found = {spec.name for spec in specs if spec.kind.name in ("text", "names", "groups", "chips-by-name")}
    return found.union(*(fields_of_text(specs_of(spec.shape)) for spec in specs if spec.shape))


def test_every_field_of_text_is_one_with_people_or_words_or_neither() -> None:
    told = fields_of_text(tuple(spec for specs in (*EVENT_SPECS.values(), BOOKKEEPING) for spec in specs))
    assert told - PEOPLE - WORDS - NEITHER == set()
    assert not PEOPLE & WORDS and not (PEOPLE | WORDS) & NEITHER
    assert (WORDS | NEITHER) - told == set()


def test_it_is_first_said_and_then_done(tmp_path: Path) -> None:
    club = tmp_path / "club"
    club.mkdir()
    with SqliteStore(club / STORE_NAME) as store:
        evening(store)
    assert "stands in 6 entries of 3 records" in text_of("erase-person", str(club), NAME)
    with SqliteStore(club / STORE_NAME) as store:
        assert b"Anna" in store.read(DEAL)[0].body
    assert (
        run("erase-person", str(club), NAME, "--table", TABLE.upper(), "--pseudonym", "X", "--yes").exit_code
        == 0
    )
    done = run("erase-person", str(club), NAME, "--yes", "--lang", "da")
    assert (done.exit_code, "er slettet i 1 poster" in done.stdout) == (0, True)
    assert "in no entry" in run("erase-person", str(club), NAME, "--yes").stdout
    with SqliteStore(club / STORE_NAME) as store:
        assert not [event for event in store.follow() if b"Anna" in event.body.replace(b"Annabel", b"")]
        assert b'"X"' in store.read(DEALS[30])[0].body


def test_what_cannot_be_done_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("club").mkdir()
    with SqliteStore(Path("club") / STORE_NAME) as store:
        evening(store)
    for arguments, told in (
        (["nowhere", NAME], "There is no store “nowhere”"),
        (["club", NAME, "--pseudonym", "Bo"], "somebody's name in these records"),
        (["club", NAME, "--pseudonym", ""], "Say a name"),
        (["club", NAME, "--pseudonym", NAME], "Say a name"),
        (["club", " "], "Say a name"),
    ):
        assert told in refusal("erase-person", *arguments), arguments


def test_who_kept_the_name_is_not_told_that_nothing_changed() -> None:
    store = MemoryStore()
    evening(store)
    client = owner_of(create_app(store))
    paths = [
        f"/api/v1/{path}"
        for path in (f"deals/{DEAL}/events", f"deals/{DEAL}/events.deal", f"tables/{TABLE}/events")
    ]
    known = {path: {"If-None-Match": client.get(path).headers["ETag"]} for path in paths}
    assert {client.get(path, headers=known[path]).status_code for path in paths} == {304}
    erased(store)
    for path in paths:
        answer = client.get(path, headers=known[path])
        assert (answer.status_code, NAME in answer.text) == (200, False)


EVA, FINN, GERDA = "m-aaaaaaaaaaaaaaaa", "m-bbbbbbbbbbbbbbbb", "m-cccccccccccccccc"


def of_members(third: str = GERDA) -> Log:
    return log_of(
        [
            DealOpened(players=Players(EVA, FINN, third), ruleset="dlu", dealer=third),
            BidMade(seat=SEATS[0], bid="solo"),
            NoteAdded(text=f"{EVA} might have passed, and ({FINN}) too."),
            DealSettled(payments=((EVA, 4), (FINN, -2), (third, -2))),
        ]
    )


def read_again(log: Log) -> Log:
    (found,) = read_logs([written_log(log).encode()], "-")
    assert isinstance(found, DealLog), found
    return found.log


@pytest.mark.parametrize(
    "name", ["Eva", "Eva Engel", "“Eva”", '"Eva"', "Eva: the 2nd", "F", "forehand", "Øvé {?}"]
)
def test_a_text_with_whatever_names_says_the_same_when_it_is_read(name: str) -> None:
    log = named_log(of_members(), {EVA: name, FINN: "Finn", GERDA: "Gerda"})
    assert read_again(log) == log
    assert "m-" not in written_log(log)
    opened, _, note, settled = (entry.event for entry in log)
    assert isinstance(opened, DealOpened)
    assert opened.players == Players(name, "Finn", "Gerda")
    assert isinstance(note, NoteAdded)
    assert note.text == f"{name} might have passed, and (Finn) too."
    assert isinstance(settled, DealSettled)
    assert dict(settled.payments) == {name: 4, "Finn": -2, "Gerda": -2}


@pytest.mark.parametrize(("names", "third", "left"), [
    ({EVA: "Eva", FINN: "eva", GERDA: "Gerda"}, GERDA, {EVA, FINN}),
    ({EVA: "Eva", FINN: "Finn"}, "Eva", {EVA}),
    ({EVA: None, FINN: "Finn", GERDA: "Gerda"}, GERDA, {EVA}),
    ({}, GERDA, {EVA, FINN, GERDA}),
], ids=["two of one name", "a guest of that name", "forgotten", "of whom nothing is known"])  # fmt: skip
def test_a_doubtful_name_keeps_the_id(names: dict[str, str | None], third: str, left: set[str]) -> None:
    log = named_log(of_members(third), names)
    assert set(re.findall(r"m-[a-z2-7]{16}", written_log(log))) == left
    assert read_again(log) == log


def test_a_note_without_room_for_a_name_stays_as_it_is() -> None:
    log = log_of([*(entry.event for entry in of_members()), NoteAdded(text=f"{EVA} {'x' * 19_981}")])
    last = named_log(log, {EVA: "E" * 100})[-1]
    assert last == log[-1]
