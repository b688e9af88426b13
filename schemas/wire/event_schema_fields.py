"""Marshmallow's fields for the kinds of values that events are made of.

Each reads and writes through ``schemas.wire.value_readers`` and ``schemas.wire.event_writer``, as the fast
reader does; what marshmallow adds is the structure: which fields there are, what is required, what is
unknown.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from marshmallow import Schema, ValidationError, fields, missing

from schemas.wire.event_reader import EXPECTED_NO_DEEPER_EVENTS, MAX_CORRECTION_DEPTH, describe_expected_field
from schemas.wire.event_writer import build_value_writer
from schemas.wire.field_specs import FieldSpec
from schemas.wire.problem_errors import nest_faults
from schemas.wire.value_readers import build_value_reader
from schemas.wire.wire_faults import NO_VALUE, WireError, WireFault, quote_value, unexpected_value_error

if TYPE_CHECKING:
    DeclaredBase = fields.Field[Any]
else:
    DeclaredBase = object


def build_field_options(spec: FieldSpec, attribute: str | None = None) -> dict[str, Any]:
    """What every field of a declaration tells marshmallow; ``attribute`` is where it stands in the object."""
    expected = describe_expected_field(spec)
    return {
        "data_key": spec.name,
        "attribute": attribute or spec.attribute,
        "required": spec.required,
        "allow_none": not spec.required,
        "error_messages": {
            "required": WireFault("", NO_VALUE, expected).advice,
            "null": WireFault("", quote_value(None), expected).advice,
        },
    }


class DeclaredField(DeclaredBase):
    """A field that the engine's declaration knows; what it leaves out on the wire is left out."""

    spec: FieldSpec

    def get_value(self, obj: Any, attr: str, accessor: Any = None, default: Any = missing) -> Any:
        """The value to write, or ``missing`` where it is left out."""
        value = super().get_value(obj, attr, accessor, default)
        return missing if self.spec.is_omitted(value) else value


class KindField(DeclaredField, fields.Field[Any]):
    """A value of one kind: a seat, cards, a text, chips by name."""

    def __init__(self, spec: FieldSpec, attribute: str | None = None) -> None:
        super().__init__(**build_field_options(spec, attribute))
        self.spec = spec
        self._read = build_value_reader(spec.kind)
        self._write = build_value_writer(spec.kind)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> Any:
        try:
            return self._read(value)
        except WireError as error:
            raise ValidationError(nest_faults(error.faults)) from None

    def _serialize(self, value: Any, attr: str | None, obj: Any, **_: Any) -> Any:
        return None if value is None else self._write(value)


class ObjectField(DeclaredField, fields.Nested):
    """An object inside an event: its players, its branch, a table's plan."""

    def __init__(self, spec: FieldSpec, schema: Schema, attribute: str | None = None) -> None:
        super().__init__(schema, **build_field_options(spec, attribute))
        self.spec = spec

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, partial: Any = None, **more: Any
    ) -> Any:
        if not isinstance(value, dict):
            raise ValidationError(
                nest_faults(unexpected_value_error(value, describe_expected_field(self.spec)).faults)
            )
        return super()._deserialize(value, attr, data, partial=partial, **more)


class EventListField(DeclaredField, fields.Field[Any]):
    """The events that a correction puts in.

    ``depth`` is how many corrections deep the list stands; the schema that holds the field says
    so when it binds it. ``schema_for_depth`` returns the schema of the events at a depth.
    """

    depth = 1

    def __init__(
        self, spec: FieldSpec, schema_for_depth: Callable[[int], Schema], attribute: str | None = None
    ) -> None:
        super().__init__(**build_field_options(spec, attribute))
        self.spec = spec
        self._schema_for_depth = schema_for_depth

    def item_schema(self) -> Schema:
        """Return the schema of the events in the list."""
        return self._schema_for_depth(self.depth)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> Any:
        if not isinstance(value, list) or len(value) > self.spec.kind.maximum:
            raise ValidationError(
                nest_faults(unexpected_value_error(value, describe_expected_field(self.spec)).faults)
            )
        if value and self.depth > MAX_CORRECTION_DEPTH:
            raise ValidationError(
                nest_faults(unexpected_value_error(value, EXPECTED_NO_DEEPER_EVENTS).faults)
            )
        schema, events, messages = self.item_schema(), [], {}
        for index, item in enumerate(value):
            try:
                events.append(schema.load(item))
            except ValidationError as error:
                messages[index] = error.messages
        if messages:
            raise ValidationError(messages)
        return tuple(events)

    def _serialize(self, value: Any, attr: str | None, obj: Any, **_: Any) -> Any:
        schema = self.item_schema()
        return [schema.dump(event) for event in value]


class EventTypeField(fields.Field[str]):
    """The ``type`` of an event: one word for each class of schema."""

    _CHECK_ATTRIBUTE = False

    def __init__(self, type_name: str) -> None:
        super().__init__(required=True)
        self.type_name = type_name

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> str:
        if value != self.type_name:
            raise ValidationError(nest_faults(unexpected_value_error(value, f'"{self.type_name}"').faults))
        return self.type_name

    def _serialize(self, value: Any, attr: str | None, obj: Any, **_: Any) -> str:
        return self.type_name
