"""What each kind of value takes and refuses, as a plain table: everything derived reads through it."""

from typing import Any

import pytest

from engine.core.field_types import MAX_INTEGER, FieldKind
from engine.core.log import EVENT_TYPES
from schemas.wire.field_specs import (
    EVENT_SPECS,
    EVENT_TYPE_BY_CLASS,
    RESERVED_FIELD_NAMES,
    docstring_summary,
)
from schemas.wire.value_readers import build_value_reader
from schemas.wire.wire_faults import WireError

UUID = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"
TEXT, LONG = FieldKind("text", minimum=1, maximum=5), FieldKind("text", maximum=5)
COUNT, CHIPS = FieldKind("integer", maximum=9), FieldKind("integer", minimum=-9, maximum=9)
FLAG, ID, SEQ, SEAT, SUIT, CARD_KIND = map(FieldKind, ("flag", "uuid", "seq", "seat", "suit", "card"))
MOMENT, DATE = FieldKind("moment", maximum=40), FieldKind("date", maximum=10)
CARDS = FieldKind("cards", maximum=3)
TRICKS, PAID = FieldKind("seat-counts", maximum=9), FieldKind("chips-by-name", maximum=3)
SWITCHES, CHOICE = FieldKind("switches", maximum=2), FieldKind("choice", choices=("won", "bete"))

LISTS = {
    "seats": FieldKind("seats", maximum=3),
    "names": FieldKind("names", maximum=2),
    "groups": FieldKind("groups", maximum=2),
}
SWITCHED = (("a", True), ("b", 1))

TAKEN: list[tuple[FieldKind, Any, Any]] = [
    (TEXT, "a", "a"), (TEXT, "æøåß♠", "æøåß♠"), (LONG, "", ""), (LONG, "a\n\t", "a\n\t"),
    (LONG, "🂡" * 5, "🂡" * 5),
    (COUNT, 0, 0), (COUNT, 9, 9), (COUNT, 2.0, 2), (COUNT, -0.0, 0), (CHIPS, -9, -9),
    (FLAG, True, True), (FLAG, False, False),
    (MOMENT, "2026-11-20T21:30:00Z", "2026-11-20T21:30:00Z"),
    (MOMENT, "2026-11-20t21:30:00.123456z", "2026-11-20T21:30:00.123456Z"),
    (MOMENT, "2024-02-29T23:59:59-05:30", "2024-02-29T23:59:59-05:30"),
    *((DATE, text, text) for text in ("1766", "2026-11", "2024-02-29")),
    (ID, UUID, UUID), (ID, UUID.upper(), UUID),
    (SEQ, 1, 1), (SEQ, 30.0, 30), (SEQ, MAX_INTEGER, MAX_INTEGER), (SEQ, "3.1.2.3.1000", "3.1.2.3.1000"),
    (SEAT, "backhand", 2), (SUIT, "S", 3), (CARD_KIND, "C2", 0), (CARD_KIND, "??", 40), (CARD_KIND, "S?", 44),
    (CARDS, [], ()), (CARDS, ["C2", "??", "C2"], (0, 40, 0)),
    (LISTS["seats"], ["backhand", "forehand"], (2, 0)),
    (FieldKind("seqs", maximum=3), [2, "30.1"], (2, "30.1")),
    (FieldKind("integers", maximum=2), [-1, 2.0], (-1, 2)),
    (LISTS["names"], ["Anna", "Bo"], ("Anna", "Bo")),
    (LISTS["groups"], [["Anna", "Bo"], []], (("Anna", "Bo"), ())),
    (TRICKS, {"backhand": 2, "forehand": 0}, ((0, 0), (2, 2))), (TRICKS, {}, ()),
    (PAID, {"Dora": -1, "backhand": 1, "forehand": 2.0}, (("forehand", 2), ("backhand", 1), ("Dora", -1))),
    (SWITCHES, {"b": 1, "a": True}, SWITCHED), (SWITCHES, {"a": "", "b": -3.0}, (("a", ""), ("b", -3))),
    (CHOICE, "bete", "bete"),
]  # fmt: skip

WRONG: dict[FieldKind, list[Any]] = {
    TEXT: ["", "abcdef", 5, None, ["a"], "a\0", "\ud800", "å\0", "å\udfff"],
    COUNT: [
        True, False, -1, 10, 2.5, 2.5e-42, 1e300, float("inf"), float("nan"), "2", [2], None, 10**5000,
    ],
    FLAG: [1, 0, "true", "yes", 1.0, None],
    MOMENT: [
        "2026-11-20", "2026-11-20T21:30:00", "2026-11-20 21:30:00Z", "2026-11-20T21:30Z",
        "2026-11-20T24:00:00Z", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "0000-01-01T00:00:00Z", "2026-11-20T21:30:60Z", "2026-11-20T21:30:00.Z", "2026-11-20T21:30:00+0100",
        "2026-11-20T21:30:00+24:00", "2026-11-20T21:30:00,5Z", "20261120T213000Z", "2026-11-20T21:30:00Z\n",
        "٢٠٢٦-11-20T21:30:00Z", "2026-11-20T21:30:00." + "1" * 30 + "Z", 1763674200, None,
    ],
    DATE: ["26", "2026-", "2026-13", "2026-02-30", "2025-02-29", "0999", "3000", "2026-1-1", "2026\n", 2026],
    ID: [
        UUID.replace("-", ""), f"{{{UUID}}}", f"urn:uuid:{UUID}", UUID[:-1], UUID + "\n", "g" + UUID[1:], 5,
    ],
    SEQ: [
        0, -1, True, 1.5, MAX_INTEGER + 1, "30", "30.", "30.0", "030.1", "30.1.1.1.1.1", "30.10000", "٣.١",
        "30.1\n", [30], None,
    ],
    SEAT: ["Forehand", 0, ["forehand"], {}],
    SUIT: ["s", "N", "", None],
    CARD_KIND: ["S8", "7S", "?S", "sa", "SA ", 39, ["SA"]],
    CARDS: ["SA", {"SA": 1}, ["C2"] * 4, ("C2",), None],
    FieldKind("seats", maximum=1): [["forehand", "backhand"]],
    TRICKS: [[["forehand", 1]], "forehand", 3],
    PAID: [{"a": 1, "b": 1, "c": 1, "d": 1}, []],
    SWITCHES: [{"a": 1, "b": 1, "c": 1}, True],
    CHOICE: ["Won", None, [], 0],
}  # fmt: skip
"""Values that are wrong as a whole."""

WRONG_INSIDE: list[tuple[FieldKind, Any, list[str]]] = [
    (CARDS, ["S8", "C2", 1], ["/0", "/2"]), (CARDS, [None], ["/0"]),
    (LISTS["seats"], ["forehand", "north"], ["/1"]),
    (LISTS["names"], ["", "Bo"], ["/0"]),
    (LISTS["groups"], [["Anna", 5], "Bo"], ["/0/1", "/1"]),
    (FieldKind("groups", maximum=1), [["Anna", "Bo"]], ["/0"]),
    (FieldKind("integers", maximum=2), [True, 2.5], ["/0", "/1"]),
    (FieldKind("seqs", maximum=2), [0, "30.1"], ["/0"]),
    (TRICKS, {"north": 1, "forehand": 10}, ["/north", "/forehand"]),
    (TRICKS, {"forehand": None}, ["/forehand"]),
    (PAID, {"": 1}, ["/"]), (PAID, {"a/b~c": "1"}, ["/a~1b~0c"]), (PAID, {"a": MAX_INTEGER + 1}, ["/a"]),
    (SWITCHES, {"a": None}, ["/a"]), (SWITCHES, {"a": 0.5}, ["/a"]), (SWITCHES, {"a": []}, ["/a"]),
    (SWITCHES, {"a": "x" * 201}, ["/a"]), (SWITCHES, {"a\0": 1}, ["/a\0"]),
]  # fmt: skip
"""Values some of whose parts are wrong, and where."""

REFUSED = [(kind, value, [""]) for kind, values in WRONG.items() for value in values] + WRONG_INSIDE


def test_taken(subtests: pytest.Subtests) -> None:
    for kind, value, meant in TAKEN:
        with subtests.test(kind=kind, value=value, meant=meant):
            read = build_value_reader(kind)(value)
            assert repr(read) == repr(meant)  # repr: 2 is not 2.0 and 1 is not True


def test_refused(subtests: pytest.Subtests) -> None:
    for kind, value, pointers in REFUSED:
        with subtests.test(kind=kind, value=value, pointers=pointers):
            with pytest.raises(WireError) as caught:
                build_value_reader(kind)(value)
            assert [fault.pointer for fault in caught.value.faults] == pointers
            assert all(len(fault.read) < 100 and fault.expected for fault in caught.value.faults)


def test_fields_come_in_declared_order_with_their_kinds() -> None:
    seat, card, trick = EVENT_SPECS["card_played"]
    assert (seat.name, seat.kind.name, seat.required) == ("seat", "seat", True)
    assert (card.name, card.kind.name, card.required) == ("card", "card", True)
    assert (trick.name, trick.kind.name, trick.required, trick.default) == ("trick", "integer", False, None)
    assert (trick.kind.minimum, trick.kind.maximum) == (1, 1_000_000_000)


def test_every_event_is_there_under_its_type() -> None:
    assert not any(spec.name in RESERVED_FIELD_NAMES for specs in EVENT_SPECS.values() for spec in specs)
    assert EVENT_SPECS.keys() == EVENT_TYPES.keys()
    assert {EVENT_TYPE_BY_CLASS[declared] for declared in EVENT_TYPES.values()} == EVENT_TYPES.keys()
    assert all(docstring_summary(declared).endswith((".", "points.")) for declared in EVENT_TYPES.values())
