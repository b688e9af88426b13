"""Forgetting a person in records and file; and logs for people, in which members are called by name."""

import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Log, audit, build_log
from engine.core.cards import SEATS
from engine.core.events import BidMade, DealOpened, DealSettled, NoteAdded
from engine.core.field_types import Players
from engine.tables import Ledger
from schemas.notation import format_notation_log, read_notation_logs
from schemas.wire.field_specs import EVENT_SPECS, METADATA_FIELDS, FieldSpec, build_field_specs
from schemas.wire.jsonlines import ParsedLog
from service.application.member_names import replace_ids_with_names
from service.config.data_files import STORE_FILE_NAME
from service.eventstore import EventStore, MemoryStore, SqliteStore
from service.eventstore.merkle.tree import root_of_leaves
from service.records.append import append_to_deal
from service.records.deal_starts import start_deals
from service.records.erase_person import (
    PERSON_FIELDS,
    TEXT_FIELDS,
    erase_name,
    find_name_occurrences,
)
from service.records.record_streams import TABLE_KIND
from service.records.repository import read_log, record_info
from service.records.tables import build_ledger
from tests.properties.slow import generator
from tests.support.api.recording import DEAL, OPENING, PLAYERS, TABLE, posted, recorded_deal, recorded_table
from tests.support.cli.deals import refusal, run, text_of
from tests.support.effort import examples
from tests.support.engine.shorthand import corrected, note, settled, slip
from tests.support.transparency.forging import DEALS, checkpoints_of

NAME, STANDIN = "Anna", "N. N."
SLIP = slip("F", "solo", "5-4-0", trump="H")


def record_evening(store: EventStore) -> None:
    """A table with a deal, its settlement, notes, a correction; and a deal alone in which the name is too."""
    recorded_table(store, title="Anna's table")
    opening = {**OPENING, "id": DEALS[30], "table": TABLE, "number": 1, "dealer": "Carl"}
    start_deals(store, record_info(store, TABLE_KIND, TABLE), 1, [[posted(opening)]])
    more: list[dict[str, Any]] = [
        SLIP,
        note("Anna, not Annabel (ANNA?) or Hanna.", author="Anna"),
        settled(Anna=6, Bo=-3, Carl=-3) | {"recorded_by": "Anna"},
        corrected([4], settled(Anna=4, Bo=-2, Carl=-2)) | {"reason": "Anna said so"},
    ]
    append_to_deal(store, store.stream_info(DEALS[30]), 1, [posted(one) for one in more], strict=False)
    recorded_deal(store, [OPENING, SLIP])


def table_ledger(store: EventStore) -> Ledger:
    return build_ledger(read_log(store, TABLE), lambda deal: read_log(store, deal))


def erased(store: EventStore, root: str | None = None) -> int:
    found = find_name_occurrences(store, NAME, STANDIN, root)
    erase_name(store, found)
    return sum(len(one.replacements) for one in found)


def test_the_name_is_gone_and_the_rest_is_what_it_was() -> None:
    with MemoryStore() as store:
        record_evening(store)
        kept, before = checkpoints_of(store), table_ledger(store)
        scores = [audit(read_log(store, one)).score for one in (DEAL, DEALS[30])]
        assert erased(store) == 6
        for event in store.read_all():
            assert b'"Anna"' not in event.body
        note = read_log(store, DEALS[30])[2].event
        assert getattr(note, "text", None) == "N. N., not Annabel (ANNA?) or Hanna."
        assert [audit(read_log(store, one)).score for one in (DEAL, DEALS[30])] == scores
        assert str(table_ledger(store)) == str(before).replace("Anna", STANDIN)
        size, root = kept.notes[0].checkpoint.size, kept.notes[0].checkpoint.root
        assert root_of_leaves(store.read_tile(0, 0)[:size]) == root
        assert erased(store) == 0


@settings(max_examples=examples(25))
@given(st.integers(0, 1 << 30), st.sampled_from(sorted(PLAYERS)))
def test_any_deal_pays_what_it_paid(seed: int, seat: str) -> None:
    with MemoryStore() as store:
        recorded_deal(store, generator.random_deal(random.Random(seed)))
        name = getattr(getattr(read_log(store, DEAL)[0].event, "players", None), seat)
        before = audit(read_log(store, DEAL))
        erase_name(store, find_name_occurrences(store, name, STANDIN))
        after = audit(read_log(store, DEAL))
        assert after.score.payments == before.score.payments
        assert [one.code for one in after.findings] == [one.code for one in before.findings]
        assert name.encode() not in b"".join(event.body for event in store.read_all())


def fields_of_text(specs: tuple[FieldSpec, ...]) -> set[str]:
    found = {spec.name for spec in specs if spec.kind.name in ("text", "names", "groups", "chips-by-name")}
    inner = [build_field_specs(spec.object_class) for spec in specs if spec.object_class]
    return found.union(*map(fields_of_text, inner))


IMPERSONAL_FIELDS = frozenset(
    {"bid", "chip_value", "contract", "currency", "deal", "engine", "kind", "ruleset", "table", "until"}
)
"""Fields of text that name no person."""


def test_every_field_of_text_is_one_with_people_or_words_or_neither() -> None:
    told = fields_of_text(tuple(spec for specs in (*EVENT_SPECS.values(), METADATA_FIELDS) for spec in specs))
    assert told - PERSON_FIELDS - TEXT_FIELDS - IMPERSONAL_FIELDS == set()
    assert not PERSON_FIELDS & TEXT_FIELDS and not (PERSON_FIELDS | TEXT_FIELDS) & IMPERSONAL_FIELDS
    assert (TEXT_FIELDS | IMPERSONAL_FIELDS) - told == set()


def test_it_is_first_said_and_then_done(tmp_path: Path) -> None:
    club = tmp_path / "club"
    club.mkdir()
    with SqliteStore(club / STORE_FILE_NAME) as store:
        record_evening(store)
    assert "is in 6 entries of 3 records" in text_of("erase-person", str(club), NAME)
    with SqliteStore(club / STORE_FILE_NAME) as store:
        assert b"Anna" in store.read_stream(DEAL)[0].body
    of_table = ("--table", TABLE.upper(), "--pseudonym", "X")
    assert run("erase-person", str(club), NAME, *of_table, "--yes").exit_code == 0
    done = run("erase-person", str(club), NAME, "--yes", "--lang", "da")
    assert (done.exit_code, "er slettet i 1 poster" in done.stdout) == (0, True)
    assert "in no entry" in run("erase-person", str(club), NAME, "--yes").stdout
    with SqliteStore(club / STORE_FILE_NAME) as store:
        assert not [event for event in store.read_all() if b"Anna" in event.body.replace(b"Annabel", b"")]
        assert b'"X"' in store.read_stream(DEALS[30])[0].body


def test_what_cannot_be_done_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("club").mkdir()
    with SqliteStore(Path("club") / STORE_FILE_NAME) as store:
        record_evening(store)
    for arguments, told in (
        (["nowhere", NAME], "There is no store “nowhere”"),
        (["club", NAME, "--pseudonym", "Bo"], "somebody's name in these records"),
        (["club", NAME, "--pseudonym", ""], "Give a name"),
        (["club", NAME, "--pseudonym", NAME], "Give a name"),
        (["club", " "], "Give a name"),
    ):
        assert told in refusal("erase-person", *arguments), arguments


EVA, FINN, GERDA = "m-aaaaaaaaaaaaaaaa", "m-bbbbbbbbbbbbbbbb", "m-cccccccccccccccc"


def of_members(third: str = GERDA) -> Log:
    opened = DealOpened(players=Players(EVA, FINN, third), ruleset="dlu", dealer=third)
    note = NoteAdded(text=f"{EVA} might have passed, and ({FINN}) too.")
    payments = ((EVA, 4), (FINN, -2), (third, -2))
    return build_log([opened, BidMade(seat=SEATS[0], bid="solo"), note, DealSettled(payments=payments)])


def read_again(log: Log) -> Log:
    (found,) = read_notation_logs([format_notation_log(log).encode()], "-")
    assert isinstance(found, ParsedLog), found
    return found.log


@pytest.mark.parametrize(
    "name", ["Eva", "Eva Engel", "“Eva”", '"Eva"', "Eva: the 2nd", "F", "forehand", "Øvé {?}"]
)
def test_a_text_with_whatever_names_says_the_same_when_it_is_read(name: str) -> None:
    log = replace_ids_with_names(of_members(), {EVA: name, FINN: "Finn", GERDA: "Gerda"})
    assert read_again(log) == log
    assert "m-" not in format_notation_log(log)
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
    log = replace_ids_with_names(of_members(third), names)
    assert set(re.findall(r"m-[a-z2-7]{16}", format_notation_log(log))) == left
    assert read_again(log) == log


def test_a_note_without_room_for_a_name_stays_as_it_is() -> None:
    log = build_log([*(entry.event for entry in of_members()), NoteAdded(text=f"{EVA} {'x' * 19_981}")])
    assert replace_ids_with_names(log, {EVA: "E" * 100})[-1] == log[-1]
