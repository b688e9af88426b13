"""The reader: what it takes, and every fault it finds."""

import json
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import events as ev
from engine.core.cards import BACKHAND, parse_card
from engine.core.field_types import Branch, Players
from engine.core.log import Entry, EntryMetadata
from schemas.wire.event_reader import (
    MAX_CORRECTION_DEPTH,
    ParsedEntry,
    read_entry,
    read_event,
    read_submitted_entry,
)
from schemas.wire.event_writer import entry_object, event_object
from schemas.wire.quick_reader import read_line
from schemas.wire.wire_faults import WireError
from tests.support.costs import calls
from tests.support.schemas.strategies import corrections, entries, mutated

UUID = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"
PLAYERS = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}


def faults(read: Callable[[Any], Any], obj: Any) -> dict[str, tuple[str, str]]:
    with pytest.raises(WireError) as caught:
        read(obj)
    return {fault.pointer: (fault.read, fault.expected) for fault in caught.value.faults}


def test_an_opening_with_all_that_stands_inside_it() -> None:
    opened = read_event(
        {
            "type": "deal_opened", "ruleset": "dlu", "revision": 2.0, "switches": {"nolo": True},
            "players": {**PLAYERS, "sitting_out": ["Dora"], "partners": [["Anna", "Bo"]]},
            "branch": {"deal": "d7", "at": "30.1", "known": 44}, "pool": None, "reserved": [5],
        }
    )  # fmt: skip
    assert opened == ev.DealOpened(
        ruleset="dlu", revision=2, switches=(("nolo", True),), reserved=(5,),
        players=Players("Anna", "Bo", "Carl", ("Dora",), (("Anna", "Bo"),)),
        branch=Branch("d7", "30.1", 44),
    )  # fmt: skip


def test_bookkeeping_lies_flat_beside_the_event() -> None:
    obj = {
        "type": "card_played", "seat": "backhand", "card": "S?", "id": UUID.upper(), "seq": 7,
        "basis": "told", "recorded_at": "2026-11-20T21:30:00z", "stored_at": None, "accounts": [],
    }  # fmt: skip
    event = ev.CardPlayed(BACKHAND, parse_card("S?"))
    record = EntryMetadata(id=UUID, recorded_at="2026-11-20T21:30:00Z", basis="told", accounts=())
    assert read_submitted_entry(obj) == ParsedEntry(event, record, 7)
    assert read_entry(obj, 7) == Entry(7, event, record)


def test_all_faults_are_told_and_not_only_the_first() -> None:
    obj = {"type": "hand_dealt", "seat": "nord", "crads": ["S8"], "id": 5, "basis": "guessed"}
    assert faults(read_submitted_entry, obj) == {
        "/seat": ('"nord"', "a seat: forehand, middlehand or backhand"),
        "/cards": ("nothing", "a list of at most 40 cards"),
        "/crads": ('"crads"', '"cards", or leave it out'),
        "/id": ("5", "a UUID of 36 characters, such as 018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"),
        "/basis": ('"guessed"', "one of seen, told, reconstructed, printed"),
    }


def test_faults_inside_lists_and_objects_have_their_place() -> None:
    dealt = {"type": "hand_dealt", "seat": "forehand", "cards": ["SA", "S8", "C2", None]}
    expected = "a card: suit C D H S, then rank 2–7 A J K Q or ? (?? for an unknown card)"
    assert faults(read_event, dealt) == {"/cards/1": ('"S8"', expected), "/cards/3": ("null", expected)}
    players = {"forehand": "A", "backhand": 3, "north": "X"}
    opened = {"type": "deal_opened", "ruleset": "dlu", "players": players}
    assert set(faults(read_event, opened)) == {"/players/middlehand", "/players/backhand", "/players/north"}
    put_in = [{"type": "gap_noted"}, {"type": "slam_announced"}]
    corrected = {"type": "correction_made", "reason": "", "with": put_in}
    assert set(faults(read_event, corrected)) == {"/with/1/seat"}


@pytest.mark.parametrize(
    ("obj", "read", "expected"),
    [
        ({"type": "card_playd"}, '"card_playd"', 'a type of event; the nearest is "card_played"'),
        ({"type": "CARD-PLAYED"}, '"CARD-PLAYED"', 'a type of event; the nearest is "card_played"'),
        ({"type": "xyz"}, '"xyz"', "a type of event, such as card_played"),
        ({"type": ["card_played"]}, '["card_played"]', "a type of event, such as card_played"),
        ({"type": None}, "null", "a type of event, such as card_played"),
        ({"seat": "forehand"}, "nothing", "a type of event, such as card_played"),
    ],
)
def test_a_type_that_is_none_of_ours(obj: dict[str, Any], read: str, expected: str) -> None:
    assert faults(read_submitted_entry, obj) == {"/type": (read, expected)}


@pytest.mark.parametrize("obj", [None, True, 5, "card_played", [], [{"type": "gap_noted"}]])
def test_what_is_no_object(obj: Any) -> None:
    for read in (read_submitted_entry, read_event):
        assert faults(read, obj)[""][1] == 'an event: an object with a "type"'


def test_events_in_a_correction_bear_no_bookkeeping() -> None:
    obj = {"type": "correction_made", "reason": "", "with": [{"type": "gap_noted", "id": None}]}
    ((pointer, (_, expected)),) = faults(read_submitted_entry, obj).items()
    assert pointer == "/with/0/id"
    assert expected == "only fields of gap_noted (text); bookkeeping belongs to the entry"


def test_corrections_go_only_so_deep() -> None:
    assert event_object(read_event(corrections(MAX_CORRECTION_DEPTH)))["with"][0]["with"][0]["with"][0][
        "with"
    ] == [{"type": "gap_noted"}]
    ((pointer, (_, expected)),) = faults(read_submitted_entry, corrections(MAX_CORRECTION_DEPTH + 1)).items()
    assert pointer == "/with/0" * MAX_CORRECTION_DEPTH + "/with"
    assert expected == "no events: corrections nest at most 4 levels deep"
    assert set(faults(read_submitted_entry, corrections(300))) == {pointer}


def test_a_seq_that_is_not_its_place_is_a_fault() -> None:
    obj = {"type": "gap_noted", "seq": 7}
    assert read_submitted_entry(obj).seq == 7
    got = faults(lambda o: read_entry(o, 5), obj)
    assert got == {"/seq": ("7", "5, its place in this log, or leave out seq")}


def test_messages_stay_short_and_printable() -> None:
    obj: dict[str, Any] = {"type": "note_added", "text": "æ" * 20_001, "mark": "\ud800"}
    obj["on"] = [[[1]], {"a": {"b": 1}}, "x" * 999]
    got = faults(read_event, obj)
    assert got["/text"][0] == '"' + "æ" * 59 + '…" (20001 characters)'
    assert got["/on"][0].startswith('[[…], {…}, "xxxx') and len(got["/on"][0]) <= 60
    assert got["/mark"][0] == r'"\\ud800"'
    for read, expected in got.values():
        (read + expected).encode("utf-8")


def test_the_advice_says_what_to_do() -> None:
    with pytest.raises(WireError) as caught:
        read_event({"type": "trump_named", "seat": "forehand", "trump": "N"})
    (fault,) = caught.value.faults
    assert fault.advice == 'In place of "N", write a suit: C, D, H or S.'
    assert str(caught.value) == f"At /trump: {fault.advice}"


def test_a_name_is_guessed_for_few_of_a_flood_of_unknown_names() -> None:
    obj: dict[str, Any] = {"type": "c" * 1_000_000, **{f"seat{n}": n for n in range(30_000)}}
    assert "/type" in faults(read_submitted_entry, obj)
    played = {**obj, "type": "card_played"}
    assert len(faults(read_submitted_entry, played)) == 30_002
    # A guess alone is some hundred calls.
    assert calls(lambda: faults(read_submitted_entry, played)) < 50 * 30_000


@given(entries())
def test_what_is_written_is_read_again(entry: Entry) -> None:
    obj = entry_object(entry)
    assert repr(read_submitted_entry(obj)) == repr(ParsedEntry(entry.event, entry.metadata, entry.seq))
    assert repr(read_entry(entry_object(entry, omit_unknown=True), entry.seq)) == repr(entry)


@given(st.data())
def test_a_line_read_at_once_is_read_as_strictly(data: st.DataObject) -> None:
    obj = data.draw(mutated(entry_object(data.draw(entries()), omit_unknown=data.draw(st.booleans()))))
    separators = data.draw(st.sampled_from([(",", ":"), (", ", ": ")]))
    line = json.dumps(obj, ensure_ascii=False, separators=separators).encode("utf-8", "surrogatepass")
    if (parts := read_line(line)) is not None:
        assert repr(ParsedEntry(*parts)) == repr(read_submitted_entry(orjson.loads(line)))


STORED_LINE = (
    b'{"type":"card_played","seat":"backhand","card":"H5","trick":4,"id":"' + UUID.encode() + b'","seq":12,'
    b'"recorded_at":"2026-11-20T19:30:05.250Z","stored_at":"2026-11-20T20:30:05+01:00","recorded_by":"anna"}'
)


@pytest.mark.parametrize("more", [b"", b',"basis":"seen","accounts":null', b',"basis":null'])
def test_a_stored_line_is_read_at_once_unless_a_name_stands_twice(more: bytes) -> None:
    line = STORED_LINE[:-1] + more + b"}"
    parts = read_line(line)
    assert parts is not None and ParsedEntry(*parts) == read_submitted_entry(orjson.loads(line))
    for name, value in orjson.loads(line).items():
        for separator in (":", ": ", " : "):
            again = f'{{"{name}"{separator}{orjson.dumps(value).decode()},'.encode()
            assert read_line(again + line[1:]) is None


LINES = [
    b'{"type":"card_played","seat":"backhand","card":"H5"}',
    b'{"type":"card_played","seat":"backhand","card":"H5","seq":12}\r',
    b'{"type": "card_played", "seat": "backhand", "card": "H5", "seq": 12, "recorded_by": "anna"}',
    orjson.dumps({"type": "deal_opened", "ruleset": "dlu", "players": PLAYERS, "date": "2026-11", "seq": 1}),
    b'{"type":"deal_settled","payments":{"forehand":2},"recorded_at":"2026-11-30T23:59:59Z"}',
]


@pytest.mark.parametrize("line", LINES)
def test_an_ordinary_line_is_read_at_once(line: bytes) -> None:
    parts = read_line(line)
    assert parts is not None and ParsedEntry(*parts) == read_submitted_entry(orjson.loads(line))


@pytest.mark.parametrize(
    "line",
    [
        b'{"seq":12,"type":"gap_noted"}',
        b'{"type":"gap_noted","seq":12,"text":"x"}',
        b'{"type":"gap_noted",,"seq":12}',
        b'{"type":"gap_noted","text":"x,"seq":12}',
        b'{"type":"gap_noted","seq":012}',
        b'{"type":"gap_noted","seq":12}}',
        b'{"type":"gap_noted","seq":12}\xc2\xa0',
        b'{"type":"gap_noted","seq":12,"seq":12}',
        b'{"type":"gap_noted","recorded_at":"2026-02-29T23:59:59Z"}',
        b'{"type":"gap_noted","recorded_at":"2026-11-31T23:59:59Z"}',
        b'{"type":"deal_settled","payments":{"forehand":2,"forehand":2}}',
        b'{"type":"deal_settled","payments":{"forehand":2,"seq":12}',
        b'{"type":"deal_settled","payments":{"forehand":"2"}}',
        b'{"type":"deal_voided","reason":null,"seq":12}',
    ],
)
def test_other_lines_are_left_to_the_reader_that_says_what_is_wrong(line: bytes) -> None:
    assert read_line(line) is None
