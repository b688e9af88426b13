"""Events and entries in the words of marshmallow, made from the declaration, for the API's contract.

They say what is published (``schemas.wire.event_openapi``), and read by ``schemas.wire.event_reader``. What
is written goes through ``schemas.wire.event_writer``.
"""

from typing import Any, ClassVar, Final

from marshmallow import Schema, ValidationError

from engine.core.log import EVENT_TYPES
from schemas.wire.event_reader import read_event, read_submitted_entry
from schemas.wire.field_specs import (
    EVENT_SPECS,
    METADATA_FIELDS,
    FieldSpec,
    docstring_summary,
    type_field_spec,
)
from schemas.wire.wire_faults import WireError


class DeclaredSchema(Schema):
    """What the engine declares: published as it says, and read by the reader."""

    has_metadata: ClassVar[bool] = True

    class Meta:
        register = False

    def load(self, data: Any, **_: Any) -> Any:
        """The entry or the event; raises ``ValidationError`` with all that is wrong."""
        try:
            return read_submitted_entry(data) if self.has_metadata else read_event(data)
        except WireError as error:
            raise ValidationError(str(error)) from None


class DeclaredObjectSchema(DeclaredSchema):
    """An object with these fields."""

    specs: ClassVar[tuple[FieldSpec, ...]]


class EventUnionSchema(DeclaredSchema):
    """One of several objects, told apart by their ``type``."""

    schemas_by_type: ClassVar[dict[str, type[DeclaredObjectSchema]]]


def _build_schemas(*, has_metadata: bool) -> dict[str, type[DeclaredObjectSchema]]:
    """A schema for each type of event, with the bookkeeping that it may have."""
    prefix, metadata_fields = ("", METADATA_FIELDS) if has_metadata else ("Bare", ())
    schemas: dict[str, type[DeclaredObjectSchema]] = {}
    for type_name, event_class in EVENT_TYPES.items():
        members: dict[str, Any] = {
            "specs": (type_field_spec(type_name), *EVENT_SPECS[type_name], *metadata_fields),
            "has_metadata": has_metadata,
            "__doc__": docstring_summary(event_class),
        }
        schemas[type_name] = type(f"{prefix}{event_class.__name__}Schema", (DeclaredObjectSchema,), members)
    return schemas


ENTRY_SCHEMAS: Final = _build_schemas(has_metadata=True)
BARE_EVENT_SCHEMAS: Final = _build_schemas(has_metadata=False)


class EventSchema(EventUnionSchema):
    """An entry: an event with its bookkeeping."""

    schemas_by_type = ENTRY_SCHEMAS


class BareEventSchema(EventUnionSchema):
    """An event without bookkeeping, as a correction puts it in."""

    has_metadata = False
    schemas_by_type = BARE_EVENT_SCHEMAS
