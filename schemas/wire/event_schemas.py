"""Events and entries as marshmallow schemas, which follow from the declaration and read by its reader."""

from functools import cache
from typing import Any, ClassVar

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


class EventSchema(DeclaredSchema):
    """An entry: an event with its bookkeeping."""


class BareEventSchema(DeclaredSchema):
    """An event without bookkeeping, as a correction puts it in."""

    has_metadata = False


@cache
def event_schema(type_name: str, *, has_metadata: bool) -> type[DeclaredObjectSchema]:
    """The schema of a type of event, with the bookkeeping that it may have."""
    event_class = EVENT_TYPES[type_name]
    prefix, metadata_fields = ("", METADATA_FIELDS) if has_metadata else ("Bare", ())
    members: dict[str, Any] = {
        "specs": (type_field_spec(type_name), *EVENT_SPECS[type_name], *metadata_fields),
        "has_metadata": has_metadata,
        "__doc__": docstring_summary(event_class),
    }
    return type(f"{prefix}{event_class.__name__}Schema", (DeclaredObjectSchema,), members)
