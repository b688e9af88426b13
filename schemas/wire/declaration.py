"""What the engine declares of its events, in the form from which the wire is derived.

``engine.core.vocabulary`` and ``engine.core.events`` say once what an event is. Here each class is walked
into a tuple of ``FieldSpec``; the fast reader, the writer and marshmallow's schemas are all made
from these, so that no field can be known to one of them and unknown to another.
"""

import types
import typing
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Annotated, Any, Final

from engine.core.cards import Card, Seat, Suit
from engine.core.events import Event
from engine.core.log import EVENT_TYPES, Record
from engine.core.vocabulary import Kind, SeqField

KINDS: Final = frozenset(
    {
        "text", "names", "groups", "integer", "integers", "flag", "moment", "uuid", "seq", "seqs",
        "card", "cards", "suit", "seat", "seats", "seat-counts", "chips-by-name", "switches",
        "choice", "events", "object",
    }
)  # fmt: skip
"""Every kind that the wire knows how to read, write and describe."""

BARE_KINDS: Final[dict[object, Kind]] = {Seat: Kind("seat"), Suit: Kind("suit"), Card: Kind("card")}
"""Types that are kinds by themselves, without an annotation."""


class DeclarationError(TypeError):
    """The declaration of an event cannot be put on the wire."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of an event, of its bookkeeping or of an object inside an event.

    ``name`` is what the field is called on the wire, ``attribute`` what it is called in the
    engine. ``shape`` is the class of the object where ``kind`` is ``object``. ``always`` is True
    for a field that is written also when it is not known.
    """

    name: str
    attribute: str
    kind: Kind
    required: bool
    default: Any = None
    shape: type | None = None
    always: bool = False

    def omits(self, value: object) -> bool:
        """Whether ``value`` is left out on the wire: unknown, or as empty as the default is."""
        if self.required or self.always:
            return False
        return value is None or (value == () and self.default == () and not self.kind.stated)


def kind_of(hint: Any) -> Kind:
    """The kind that a type annotation stands for.

    Raises:
        DeclarationError: the annotation names no kind, or one that the wire does not know.
    """
    if typing.get_origin(hint) is Annotated:
        for note in typing.get_args(hint)[1:]:
            if isinstance(note, Kind):
                if note.name not in KINDS:
                    raise DeclarationError(f"the wire knows no kind {note.name!r}; add it to schemas")
                return note
    if hint in BARE_KINDS:
        return BARE_KINDS[hint]
    if isinstance(hint, type) and is_dataclass(hint):
        return Kind("object")
    raise DeclarationError(f"{hint!r} is of no kind; declare it in engine.core.vocabulary")


def specs_of(declared: type) -> tuple[FieldSpec, ...]:
    """The fields of a declared class, in their order.

    Raises:
        DeclarationError: a field is of no known kind, or may be None without being left out.
    """
    hints = typing.get_type_hints(declared, include_extras=True)
    specs = []
    for name, default in _defaults(declared).items():
        try:
            specs.append(_spec(name, hints[name], default))
        except DeclarationError as error:
            raise DeclarationError(f"{declared.__name__}.{name}: {error}") from None
    return tuple(specs)


def _defaults(declared: Any) -> dict[str, object]:
    """The fields of a dataclass, or of a named tuple, with their defaults; ``MISSING`` for none."""
    if is_dataclass(declared):
        return {field.name: field.default for field in fields(declared)}
    return {name: declared._field_defaults.get(name, MISSING) for name in declared._fields}


def _spec(attribute: str, hint: Any, default: object) -> FieldSpec:
    required = default is MISSING
    inner = _without_none(hint)
    if inner is not hint and default is not None:
        raise DeclarationError("a field that may be None has to have None as its default")
    kind = kind_of(inner)
    return FieldSpec(
        name=attribute.rstrip("_"),
        attribute=attribute,
        kind=kind,
        required=required,
        default=None if required else default,
        shape=inner if kind.name == "object" else None,
    )


def _without_none(hint: Any) -> Any:
    """``X`` where the annotation is ``X | None``."""
    if typing.get_origin(hint) not in (typing.Union, types.UnionType):
        return hint
    rest = [part for part in typing.get_args(hint) if part is not types.NoneType]
    if len(rest) != 1:
        raise DeclarationError(f"{hint!r} is a choice of several types; give it a kind of its own")
    return rest[0]


def _bookkeeping() -> tuple[FieldSpec, ...]:
    """The bookkeeping of an entry in the order in which it is written: id, seq, and the rest."""
    record = {spec.name: spec for spec in specs_of(Record)}
    seq = FieldSpec("seq", "seq", kind_of(SeqField), required=False)
    ordered = (record.pop("id"), seq, *record.values())
    return tuple(
        FieldSpec(s.name, s.attribute, s.kind, s.required, s.default, s.shape, always=True) for s in ordered
    )


def checked_specs(event_class: type[Event]) -> tuple[FieldSpec, ...]:
    """The fields of an event class, none of which may bear a name that an entry needs itself.

    Raises:
        DeclarationError: a field is called ``type`` or like a piece of bookkeeping.
    """
    specs = specs_of(event_class)
    for spec in specs:
        if spec.name in RESERVED:
            raise DeclarationError(
                f"{event_class.__name__}.{spec.attribute}: {spec.name!r} belongs to the entry; "
                "no field of an event may be called so"
            )
    return specs


BOOKKEEPING: Final = _bookkeeping()
"""The fields that every entry may have: id, seq, recorded_at, stored_at, recorded_by, basis, accounts."""
RESERVED: Final = frozenset({"type", *(spec.name for spec in BOOKKEEPING)})
"""Names that no field of an event may bear."""

EVENT_SPECS: Final[dict[str, tuple[FieldSpec, ...]]] = {
    name: checked_specs(event_class) for name, event_class in EVENT_TYPES.items()
}
"""The fields of every event, by its ``type``."""
TYPE_OF: Final[dict[type[Event], str]] = {event_class: name for name, event_class in EVENT_TYPES.items()}
"""The ``type`` of every event class."""


def first_line(declared: type) -> str:
    """What a declared class is, in the one sentence that opens its docstring."""
    return (declared.__doc__ or "").strip().partition("\n")[0]
