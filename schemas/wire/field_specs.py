"""What the engine declares of its events, in the form from which the wire is derived.

``engine.core.field_types`` and ``engine.core.events`` say once what an event is. Here each class is walked
into a tuple of ``FieldSpec``; the fast reader, the writer and marshmallow's schemas are all made
from these, so that no field can be known to one of them and unknown to another.
"""

import types
import typing
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Annotated, Any, Final

from engine.core.cards import Card, Seat, Suit
from engine.core.events import Event
from engine.core.field_types import FieldKind, SeqField
from engine.core.log import EVENT_TYPES, EntryMetadata

KIND_NAMES: Final = frozenset(
    {
        "text", "names", "groups", "integer", "integers", "flag", "moment", "uuid", "seq", "seqs",
        "card", "cards", "suit", "seat", "seats", "seat-counts", "chips-by-name", "switches",
        "choice", "events", "object",
    }
)  # fmt: skip
"""Every kind that the wire knows how to read, write and describe."""

KIND_BY_TYPE: Final[dict[object, FieldKind]] = {
    Seat: FieldKind("seat"),
    Suit: FieldKind("suit"),
    Card: FieldKind("card"),
}
"""Types that are kinds by themselves, without an annotation."""


class InvalidDeclaration(TypeError):
    """The declaration of an event cannot be put on the wire."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of an event, of its bookkeeping or of an object inside an event.

    ``name`` is what the field is called on the wire, ``attribute`` what it is called in the engine.
    ``object_class`` is the class of the object where ``kind`` is ``object``. ``always_written`` is True for a
    field that is written also when it is not known.
    """

    name: str
    attribute: str
    kind: FieldKind
    required: bool
    default: Any = None
    object_class: type | None = None
    always_written: bool = False

    def is_omitted(self, value: object) -> bool:
        """Whether ``value`` is left out on the wire: unknown, or as empty as the default is."""
        if self.required or self.always_written:
            return False
        return value is None or (value == () and self.default == () and not self.kind.always_written)


def field_kind(hint: Any) -> FieldKind:
    """The kind that a type annotation stands for.

    Raises:
        InvalidDeclaration: the annotation names no kind, or one that the wire does not know.
    """
    if typing.get_origin(hint) is Annotated:
        for note in typing.get_args(hint)[1:]:
            if isinstance(note, FieldKind):
                if note.name not in KIND_NAMES:
                    raise InvalidDeclaration(f"the wire knows no kind {note.name!r}; add it to schemas")
                return note
    if hint in KIND_BY_TYPE:
        return KIND_BY_TYPE[hint]
    if isinstance(hint, type) and is_dataclass(hint):
        return FieldKind("object")
    raise InvalidDeclaration(f"{hint!r} is of no kind; declare it in engine.core.field_types")


def build_field_specs(declared_class: type) -> tuple[FieldSpec, ...]:
    """The fields of a declared class, in their order.

    Raises:
        InvalidDeclaration: a field is of no known kind, or may be None without being left out.
    """
    hints = typing.get_type_hints(declared_class, include_extras=True)
    specs = []
    for name, default in _field_defaults(declared_class).items():
        try:
            specs.append(_build_field_spec(name, hints[name], default))
        except InvalidDeclaration as error:
            raise InvalidDeclaration(f"{declared_class.__name__}.{name}: {error}") from None
    return tuple(specs)


def _field_defaults(declared_class: Any) -> dict[str, object]:
    """The fields of a dataclass, or of a named tuple, with their defaults; ``MISSING`` for none."""
    if is_dataclass(declared_class):
        return {field.name: field.default for field in fields(declared_class)}
    return {name: declared_class._field_defaults.get(name, MISSING) for name in declared_class._fields}


def _build_field_spec(attribute: str, hint: Any, default: object) -> FieldSpec:
    required = default is MISSING
    value_type = _strip_optional(hint)
    if value_type is not hint and default is not None:
        raise InvalidDeclaration("a field that may be None has to have None as its default")
    kind = field_kind(value_type)
    return FieldSpec(
        name=attribute.rstrip("_"),
        attribute=attribute,
        kind=kind,
        required=required,
        default=None if required else default,
        object_class=value_type if kind.name == "object" else None,
    )


def _strip_optional(hint: Any) -> Any:
    """``X`` where the annotation is ``X | None``."""
    if typing.get_origin(hint) not in (typing.Union, types.UnionType):
        return hint
    rest = [part for part in typing.get_args(hint) if part is not types.NoneType]
    if len(rest) != 1:
        raise InvalidDeclaration(f"{hint!r} is a choice of several types; give it a kind of its own")
    return rest[0]


def _metadata_field_specs() -> tuple[FieldSpec, ...]:
    """The bookkeeping of an entry in the order in which it is written: id, seq, and the rest."""
    record = {spec.name: spec for spec in build_field_specs(EntryMetadata)}
    seq = FieldSpec("seq", "seq", field_kind(SeqField), required=False)
    specs = (record.pop("id"), seq, *record.values())
    return tuple(
        FieldSpec(s.name, s.attribute, s.kind, s.required, s.default, s.object_class, always_written=True)
        for s in specs
    )


def build_event_specs(event_class: type[Event]) -> tuple[FieldSpec, ...]:
    """The fields of an event class, none of which may bear a name that an entry needs itself.

    Raises:
        InvalidDeclaration: a field is called ``type`` or like a piece of bookkeeping.
    """
    specs = build_field_specs(event_class)
    for spec in specs:
        if spec.name in RESERVED_FIELD_NAMES:
            raise InvalidDeclaration(
                f"{event_class.__name__}.{spec.attribute}: {spec.name!r} belongs to the entry; "
                "no field of an event may be called so"
            )
    return specs


METADATA_FIELDS: Final = _metadata_field_specs()
"""The fields that every entry may have: id, seq, recorded_at, stored_at, recorded_by, basis, accounts."""
RESERVED_FIELD_NAMES: Final = frozenset({"type", *(spec.name for spec in METADATA_FIELDS)})
"""Names that no field of an event may bear."""

EVENT_SPECS: Final[dict[str, tuple[FieldSpec, ...]]] = {
    name: build_event_specs(event_class) for name, event_class in EVENT_TYPES.items()
}
"""The fields of every event, by its ``type``."""
EVENT_TYPE_BY_CLASS: Final[dict[type[Event], str]] = {
    event_class: name for name, event_class in EVENT_TYPES.items()
}
"""The ``type`` of every event class."""


def docstring_summary(declared_class: type) -> str:
    """What a declared class is, in the one sentence that opens its docstring."""
    return (declared_class.__doc__ or "").strip().partition("\n")[0]
