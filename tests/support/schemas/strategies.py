"""Events, entries and logs of every type, made from the declaration; and objects gone wrong.

``events()``, ``entries()`` and ``logs()`` give what the engine keeps, in the order in which the
wire keeps it, so that writing and reading gives the same again. ``mutated(obj)`` gives JSON
objects that were right a moment ago.
"""

from __future__ import annotations

import copy
import datetime as dt
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from engine.core.cards import CARD_CODES, SEAT_NAMES, SEATS
from engine.core.events import CorrectionMade, Event
from engine.core.field_types import MAX_INTEGER, Chips, FieldKind, Name
from engine.core.log import EVENT_TYPES, NO_METADATA, Entry, EntryMetadata, Log
from schemas.wire.field_specs import EVENT_SPECS, METADATA_FIELDS, FieldSpec, build_field_specs, field_kind
from schemas.wire.value_readers import MAX_SWITCH_TEXT_LENGTH

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")


def texts(kind: FieldKind) -> SearchStrategy[str]:
    short = st.text(CHARACTERS, min_size=kind.minimum, max_size=12)
    return short | st.sampled_from(["å" * kind.maximum]) if kind.maximum <= 200 else short


def integers(kind: FieldKind) -> SearchStrategy[int]:
    return st.integers(kind.minimum, kind.maximum) | st.integers(max(kind.minimum, -3), 9)


NAMES = texts(field_kind(Name))
CHIPS = integers(field_kind(Chips))
SEQS: SearchStrategy[int | str] = st.integers(1, MAX_INTEGER) | st.from_regex(
    r"[1-9][0-9]{0,3}(\.[1-9][0-9]{0,2}){1,4}", fullmatch=True
)
ZONES = st.sampled_from([dt.UTC, dt.timezone(dt.timedelta(hours=-5, minutes=-30))])
MOMENTS = st.datetimes(timezones=ZONES).map(lambda moment: moment.isoformat().replace("+00:00", "Z"))


DATES = st.tuples(st.dates(dt.date(1000, 1, 1), dt.date(2999, 12, 31)), st.sampled_from([4, 7, 10])).map(
    lambda given: given[0].isoformat()[: given[1]]
)


def tuples(items: SearchStrategy[Any], most: int) -> SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, max_size=min(most, 4)).map(tuple)


def chips_by_name() -> SearchStrategy[tuple[tuple[str, int], ...]]:
    def in_order(chips: dict[str, int]) -> tuple[tuple[str, int], ...]:
        seats = [name for name in SEAT_NAMES if name in chips]
        return tuple((name, chips[name]) for name in (*seats, *sorted(chips.keys() - set(SEAT_NAMES))))

    return st.dictionaries(st.sampled_from(SEAT_NAMES) | NAMES, CHIPS, max_size=5).map(in_order)


def values(spec: FieldSpec, depth: int) -> SearchStrategy[Any]:
    """The engine's values of one field; corrections hold events for ``depth`` levels more."""
    if spec.object_class is not None:
        return objects(spec.object_class)
    if spec.kind.name == "events":
        return tuples(events(depth - 1), 3) if depth > 0 else st.just(())
    return of_kind(spec.kind)


@cache
def of_kind(kind: FieldKind) -> SearchStrategy[Any]:
    number = FieldKind("integer", minimum=kind.minimum, maximum=kind.maximum)
    return {
        "text": lambda: texts(kind),
        "names": lambda: tuples(NAMES, kind.maximum),
        "groups": lambda: tuples(tuples(NAMES, 3), kind.maximum),
        "integer": lambda: integers(kind),
        "integers": lambda: tuples(CHIPS, kind.maximum),
        "flag": st.booleans,
        "moment": lambda: MOMENTS,
        "date": lambda: DATES,
        "uuid": lambda: st.uuids().map(str),
        "seq": lambda: SEQS,
        "seqs": lambda: tuples(SEQS, kind.maximum),
        "card": lambda: st.integers(0, len(CARD_CODES) - 1),
        "cards": lambda: st.lists(st.integers(0, len(CARD_CODES) - 1), max_size=13).map(tuple),
        "suit": lambda: st.integers(0, 3),
        "seat": lambda: st.sampled_from(SEATS),
        "seats": lambda: tuples(st.sampled_from(SEATS), kind.maximum),
        "seat-counts": lambda: st.dictionaries(st.sampled_from(SEATS), integers(number)).map(
            lambda counts: tuple(sorted(counts.items()))
        ),
        "chips-by-name": chips_by_name,
        "switches": lambda: st.dictionaries(
            NAMES,
            st.booleans() | CHIPS | texts(FieldKind("text", maximum=MAX_SWITCH_TEXT_LENGTH)),
            max_size=3,
        ).map(lambda switches: tuple(sorted(switches.items(), key=lambda pair: pair[0]))),
        "choice": lambda: st.sampled_from(kind.choices),
    }[kind.name]()


def objects(shape: type, depth: int = 0, specs: tuple[FieldSpec, ...] | None = None) -> SearchStrategy[Any]:
    """Objects of a declared class, each optional field sometimes there and sometimes not."""
    fields = {}
    for spec in specs if specs is not None else build_field_specs(shape):
        value = values(spec, depth)
        fields[spec.attribute] = value if spec.required else st.just(spec.default) | value
    return st.builds(shape, **fields)


@cache
def events_of(type_name: str, depth: int = 2) -> SearchStrategy[Event]:
    """Events of one type."""
    return objects(EVENT_TYPES[type_name], depth, EVENT_SPECS[type_name])


@cache
def events(depth: int = 2) -> SearchStrategy[Event]:
    """Events of every type; corrections hold events for ``depth`` levels."""
    if depth == 2:  # corrections of corrections are rare enough to be asked for
        return st.deferred(lambda: st.one_of(*(events_of(name, depth) for name in EVENT_TYPES)))
    plain = [name for name, declared in EVENT_TYPES.items() if declared is not CorrectionMade]
    names = list(EVENT_TYPES) if depth > 0 else plain
    return st.deferred(lambda: st.sampled_from(names).flatmap(lambda name: events_of(name, depth)))


def entry_metadata() -> SearchStrategy[EntryMetadata]:
    """Bookkeeping: none at all, some of it, all of it."""
    return st.just(NO_METADATA) | objects(EntryMetadata)


def entries(seqs: SearchStrategy[Any] = SEQS) -> SearchStrategy[Entry]:
    """Entries of every type, with and without bookkeeping."""
    return st.builds(Entry, seqs, events(), entry_metadata())


def logs(most: int = 8) -> SearchStrategy[Log]:
    """Logs of deals and tables as a file holds them: opened first, numbered from 1."""
    opening = events_of("deal_opened") | events_of("table_opened")
    rest = events().filter(lambda event: type(event).__name__ not in ("DealOpened", "TableOpened"))
    bodies = st.lists(st.tuples(rest, entry_metadata()), max_size=most)
    return st.tuples(st.tuples(opening, entry_metadata()), bodies).map(
        lambda log: tuple(Entry(seq, *entry) for seq, entry in enumerate((log[0], *log[1]), 1))
    )


JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, 2.0, -1, 2.5, 2.5e-42, 1e30, MAX_INTEGER + 1, float("inf"), "", "x", "SA", "??",
    "H", "forehand", "30.1", "1e3", "\0", "\ud800", "å" * 201, "won", "2026-02-30T00:00:00Z", "card_played",
    [], ["SA"], ["forehand", 5, None], [[]], [1] * 41, {}, {"forehand": 1}, {"forehand": True}, {"north": 1},
    {"type": "gap_noted"}, [{"type": "gap_noted"}], [{"type": "gap_noted", "id": None}], {"a": {"b": []}},
)  # fmt: skip
"""Values that are right in some places and wrong in most."""

STRANGE_NAMES = (
    "seet",
    "crads",
    "a/b",
    "m~n",
    "",
    "type",
    *(spec.name for spec in METADATA_FIELDS),
    "x" * 300,
)


@st.composite
def mutated(draw: st.DrawFn, obj: dict[str, Any]) -> Any:
    """``obj`` with one to three things changed: a value, a name, a field gone or one too many."""
    changed: Any = copy.deepcopy(obj)
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(changed))
        if not places:
            return copy.deepcopy(draw(st.sampled_from(JUNK)))
        container, key = draw(st.sampled_from(places))
        _change(draw, container, key)
    return changed


def _change(draw: st.DrawFn, container: Any, key: Any) -> None:
    junk = copy.deepcopy(draw(st.sampled_from(JUNK)))
    action = draw(st.sampled_from(["junk", "junk", "gone", "more", "wrapped", "renamed"]))
    if action == "gone":
        del container[key]
    elif action == "more" and isinstance(container, dict):
        container[draw(st.sampled_from(STRANGE_NAMES))] = junk
    elif action == "more":
        container.insert(0, junk)
    elif action == "wrapped":
        container[key] = [container[key]]
    elif action == "renamed" and isinstance(container, dict):
        container[f"{key}s"] = container.pop(key)
    else:
        container[key] = junk


def _places(value: Any) -> Any:
    """Every container inside a JSON value with each of its keys."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


def corrections(levels: int) -> dict[str, Any]:
    """Corrections within corrections, so many levels deep."""
    obj: dict[str, Any] = {"type": "gap_noted"}
    for _ in range(levels):
        obj = {"type": "correction_made", "reason": "", "with": [obj]}
    return obj
