"""The fields of the engine's events, from which the reader, the writer and the API's contract are made.

`engine.core.field_types` and `engine.core.events` declare them; each class becomes a tuple of `FieldSpec`.
"""

import inspect
import types
import typing
from dataclasses import dataclass, is_dataclass
from typing import Annotated, Any, Final

from engine.core.cards import Card, Seat, Suit
from engine.core.events import Event
from engine.core.field_types import FieldKind, SeqField
from engine.core.log import EVENT_TYPES, EntryMetadata

KIND_BY_TYPE: Final[dict[object, FieldKind]] = {
    Seat: FieldKind("seat"),
    Suit: FieldKind("suit"),
    Card: FieldKind("card"),
}
"""Types that are kinds by themselves, without an annotation."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of an event, of its bookkeeping or of an object inside an event.

    ``name`` is what the field is called on the wire, ``attribute`` what it is called in the engine.
    ``object_class`` is the class of the object where ``kind`` is ``object``.
    """

    name: str
    attribute: str
    kind: FieldKind
    required: bool = False
    default: Any = None
    object_class: type | None = None


def field_kind(hint: Any) -> FieldKind:
    """The kind that a type annotation stands for; raises `TypeError` where it stands for none."""
    for note in typing.get_args(hint)[1:] if typing.get_origin(hint) is Annotated else ():
        if isinstance(note, FieldKind):
            return note
    if hint in KIND_BY_TYPE:
        return KIND_BY_TYPE[hint]
    if is_dataclass(hint):
        return FieldKind("object")
    raise TypeError(f"{hint!r} is of no kind; declare it in engine.core.field_types")


def build_field_specs(declared_class: type) -> tuple[FieldSpec, ...]:
    """The fields of a declared class, in their order."""
    hints = typing.get_type_hints(declared_class, include_extras=True)
    specs = []
    for attribute, parameter in inspect.signature(declared_class).parameters.items():
        hint = _strip_optional(hints[attribute])
        kind = field_kind(hint)
        required = parameter.default is parameter.empty
        specs.append(
            FieldSpec(
                name=attribute.rstrip("_"),
                attribute=attribute,
                kind=kind,
                required=required,
                default=None if required else parameter.default,
                object_class=hint if kind.name == "object" else None,
            )
        )
    return tuple(specs)


def _strip_optional(hint: Any) -> Any:
    """``X`` where the annotation is ``X | None``."""
    if typing.get_origin(hint) not in (typing.Union, types.UnionType):
        return hint
    rest = [part for part in typing.get_args(hint) if part is not types.NoneType]
    return rest[0] if len(rest) == 1 else hint


def _metadata_field_specs() -> tuple[FieldSpec, ...]:
    """The bookkeeping of an entry in the order in which it is written: id, seq, and the rest."""
    entry_id, *rest = build_field_specs(EntryMetadata)
    return (entry_id, FieldSpec("seq", "seq", field_kind(SeqField)), *rest)


def type_field_spec(type_name: str) -> FieldSpec:
    """The field ``type`` of an event of that type."""
    return FieldSpec("type", "type", FieldKind("choice", choices=(type_name,)), required=True)


METADATA_FIELDS: Final = _metadata_field_specs()
"""The fields that every entry may have: id, seq, recorded_at, stored_at, recorded_by, basis, accounts."""
RESERVED_FIELD_NAMES: Final = frozenset({"type", *(spec.name for spec in METADATA_FIELDS)})
"""Names that no field of an event may have."""

EVENT_SPECS: Final[dict[str, tuple[FieldSpec, ...]]] = {
    name: build_field_specs(event_class) for name, event_class in EVENT_TYPES.items()
}
"""The fields of every event, by its ``type``."""
EVENT_TYPE_BY_CLASS: Final[dict[type[Event], str]] = {
    event_class: name for name, event_class in EVENT_TYPES.items()
}
"""The ``type`` of every event class."""


def docstring_summary(declared_class: type) -> str:
    """What a declared class is, in the one sentence that opens its docstring."""
    return (declared_class.__doc__ or "").strip().partition("\n")[0]
