"""Events and entries in the words of marshmallow, made from the declaration, for the API's contract.

They say what is published (``schemas.wire.event_openapi``). What is read goes through
``schemas.wire.event_reader``, what is written through ``schemas.wire.event_writer``.
"""

from typing import Any, ClassVar, Final

from marshmallow import Schema

from engine.core.log import EVENT_TYPES
from schemas.wire.field_specs import (
    EVENT_SPECS,
    METADATA_FIELDS,
    FieldSpec,
    docstring_summary,
    type_field_spec,
)


class DeclaredSchema(Schema):
    """An object with these fields."""

    specs: ClassVar[tuple[FieldSpec, ...]]

    class Meta:
        register = False


class EventUnionSchema(Schema):
    """One of several objects, told apart by their ``type``."""

    schemas_by_type: ClassVar[dict[str, type[DeclaredSchema]]]

    class Meta:
        register = False


def _build_schemas(prefix: str, metadata_fields: tuple[FieldSpec, ...]) -> dict[str, type[DeclaredSchema]]:
    """A schema for each type of event, with the bookkeeping that it may have."""
    schemas: dict[str, type[DeclaredSchema]] = {}
    for type_name, event_class in EVENT_TYPES.items():
        members: dict[str, Any] = {
            "specs": (type_field_spec(type_name), *EVENT_SPECS[type_name], *metadata_fields),
            "__doc__": docstring_summary(event_class),
        }
        schemas[type_name] = type(f"{prefix}{event_class.__name__}Schema", (DeclaredSchema,), members)
    return schemas


ENTRY_SCHEMAS: Final = _build_schemas("", METADATA_FIELDS)
BARE_EVENT_SCHEMAS: Final = _build_schemas("Bare", ())


class EventSchema(EventUnionSchema):
    """An entry: an event with its bookkeeping."""

    schemas_by_type = ENTRY_SCHEMAS


class BareEventSchema(EventUnionSchema):
    """An event without bookkeeping, as a correction puts it in."""

    schemas_by_type = BARE_EVENT_SCHEMAS
