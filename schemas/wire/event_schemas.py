"""Marshmallow's schemas of events and entries, made from the declaration.

``EventSchema`` is an entry as it lies on the wire: an event with its bookkeeping flat beside it.
``BareEventSchema`` is an event alone, as a correction puts it in. Both are published in the
API's contract (``schemas.wire.event_openapi``); bulk logs go through ``schemas.wire.event_reader``,
equally strict.
"""

from functools import cache
from typing import Any, ClassVar, Final

from marshmallow import RAISE, Schema, ValidationError, post_load
from marshmallow.exceptions import SCHEMA
from marshmallow.fields import Field
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from engine.core.events import Event
from engine.core.log import EVENT_TYPES, Entry, EntryMetadata
from schemas.wire.event_reader import (
    EXPECTED_EVENT,
    EXPECTED_EVENT_LIST,
    ParsedEntry,
    find_untyped_object_faults,
)
from schemas.wire.event_schema_fields import EventListField, EventTypeField, KindField, ObjectField
from schemas.wire.field_specs import (
    EVENT_SPECS,
    EVENT_TYPE_BY_CLASS,
    METADATA_FIELDS,
    FieldSpec,
    build_field_specs,
    docstring_summary,
)
from schemas.wire.problem_errors import nest_faults, unescape_pointer_token
from schemas.wire.wire_faults import find_unknown_names, unexpected_value_error


class DeclaredSchema(Schema):
    """The schema of an object that the engine declares; ``object_name`` is what messages call it."""

    object_name: ClassVar[str]

    class Meta:
        unknown = RAISE
        register = False

    def handle_error(self, error: ValidationError, data: Any, *, many: bool, **kwargs: Any) -> None:
        """Says of an unknown field which one was probably meant, as the fast reader does."""
        if not isinstance(data, dict) or not isinstance(error.messages, dict):
            return
        known = tuple(field.data_key or name for name, field in self.load_fields.items())
        for fault in find_unknown_names(data, known, self.object_name):
            error.messages[unescape_pointer_token(fault.pointer[1:])] = [fault.advice]


class ObjectSchema(DeclaredSchema):
    """The schema of an object inside an event."""

    object_class: ClassVar[type]

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> Any:
        """The object itself."""
        return self.object_class(**_drop_nulls(data))


class BareEventTypeSchema(DeclaredSchema):
    """The schema of one type of event alone; ``depth`` is how many corrections deep it stands."""

    event_class: ClassVar[type[Event]]

    def __init__(self, *, depth: int = 0, **options: Any) -> None:
        self.depth = depth
        super().__init__(**options)

    def on_bind_field(self, field_name: str, field_obj: Field[Any]) -> None:
        """Tells the events inside a correction how deep they stand."""
        if isinstance(field_obj, EventListField):
            field_obj.depth = self.depth + 1

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> Event | ParsedEntry:
        """The event itself."""
        del data["type"]
        return self.event_class(**_drop_nulls(data))


class EntryTypeSchema(BareEventTypeSchema):
    """The schema of one type of event with its bookkeeping beside it."""

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> ParsedEntry:
        """The event, its bookkeeping and the seq that the object claims."""
        event = self.event_class(**_drop_nulls(data.get("event", {})))
        return ParsedEntry(event, EntryMetadata(**_drop_nulls(data.get("metadata", {}))), data.get("seq"))


def _drop_nulls(data: dict[str, Any]) -> dict[str, Any]:
    """What was said: null says as little as nothing."""
    return {name: value for name, value in data.items() if value is not None}


class EventUnionSchema(OneOfSchema):
    """A schema for each type of event, chosen by the object's ``type``."""

    type_field_remove = False
    metadata_fields: ClassVar[tuple[FieldSpec, ...]] = ()

    class Meta:
        unknown = RAISE
        register = False

    def get_data_type(self, data: dict[str, Any]) -> str:
        """The type of an object that is read, one of ours."""
        type_name = data.get(self.type_field)
        if not isinstance(type_name, str) or type_name not in self.type_schemas:
            raise ValidationError(nest_faults(find_untyped_object_faults(data, self.metadata_fields)))
        return type_name

    def load(self, data: Any, *, many: bool | None = None, **options: Any) -> Any:
        """Reads an object, or a list of them where the schema is for many."""
        many = self.many if many is None else many
        # The library walks whatever it is given, a text or an object too.
        if many and not isinstance(data, list):
            raise ValidationError(nest_faults(unexpected_value_error(data, EXPECTED_EVENT_LIST).faults))
        return super().load(data, many=many, **options)  # type: ignore[no-untyped-call]

    def _load(self, data: Any, **options: Any) -> Any:
        if not isinstance(data, dict):
            raise ValidationError({SCHEMA: nest_faults(unexpected_value_error(data, EXPECTED_EVENT).faults)})
        return super()._load(data, **options)  # type: ignore[no-untyped-call]


class BareEventSchema(EventUnionSchema):
    """An event without bookkeeping, as a correction puts it in.

    Loads to and dumps from an ``Event``.
    """

    def __init__(self, *, depth: int = 0, **options: Any) -> None:
        super().__init__(**options)
        self.type_schemas = {name: schema(depth=depth) for name, schema in _BARE_SCHEMAS.items()}

    def get_obj_type(self, obj: Event) -> str:
        """The type of an event that is written."""
        return EVENT_TYPE_BY_CLASS[type(obj)]


class EventSchema(EventUnionSchema):
    """An entry: an event with its bookkeeping.

    Loads to a ``ParsedEntry``, dumps from an ``Entry``.
    """

    metadata_fields = METADATA_FIELDS

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.type_schemas = _ENTRY_SCHEMAS

    def get_obj_type(self, obj: Entry | ParsedEntry) -> str:
        """The type of the event in an entry that is written."""
        return EVENT_TYPE_BY_CLASS[type(obj.event)]


@cache
def get_bare_event_schema(depth: int) -> BareEventSchema:
    """The schema of events that stand ``depth`` corrections deep."""
    return BareEventSchema(depth=depth)


def _build_field(spec: FieldSpec, path: str = "") -> Field[Any]:
    """The marshmallow field of a declared one, which stands at ``path`` in the object."""
    attribute = path + spec.attribute
    if spec.object_class is not None:
        return ObjectField(spec, _build_object_schema(spec.object_class)(), attribute)
    if spec.kind.name == "events":
        return EventListField(spec, get_bare_event_schema, attribute)
    return KindField(spec, attribute)


def _build_schema_class(name: str, base: type[Any], members: dict[str, Any], description: str) -> type[Any]:
    # apispec reads the description there; the options of the base's Meta stay in force.
    meta = type("Meta", (base.Meta,), {"description": description})
    return type(f"{name}Schema", (base,), {**members, "Meta": meta, "__doc__": description})


@cache
def _build_object_schema(object_class: type) -> type[ObjectSchema]:
    members = {spec.name: _build_field(spec) for spec in build_field_specs(object_class)}
    own = {"object_class": object_class, "object_name": object_class.__name__.lower()}
    return _build_schema_class(
        object_class.__name__, ObjectSchema, members | own, docstring_summary(object_class)
    )


def _build_bare_schema(name: str, event_class: type[Event]) -> type[BareEventTypeSchema]:
    members: dict[str, Any] = {"type": EventTypeField(name)}
    members |= {spec.name: _build_field(spec) for spec in EVENT_SPECS[name]}
    own = {"event_class": event_class, "object_name": name}
    return _build_schema_class(
        f"Bare{event_class.__name__}", BareEventTypeSchema, members | own, docstring_summary(event_class)
    )


def _build_entry_schema(name: str, event_class: type[Event]) -> type[EntryTypeSchema]:
    members: dict[str, Any] = {"type": EventTypeField(name)}
    members |= {spec.name: _build_field(spec, "event.") for spec in EVENT_SPECS[name]}
    members |= {
        spec.name: _build_field(spec, "" if spec.name == "seq" else "metadata.") for spec in METADATA_FIELDS
    }
    own = {"event_class": event_class, "object_name": name}
    return _build_schema_class(
        event_class.__name__, EntryTypeSchema, members | own, docstring_summary(event_class)
    )


_BARE_SCHEMAS: Final = {
    name: _build_bare_schema(name, event_class) for name, event_class in EVENT_TYPES.items()
}
# Instances: a class here would be made into one again for every event (six times the cost).
_ENTRY_SCHEMAS: Final[dict[str, type[Schema] | Schema]] = {
    name: _build_entry_schema(name, event_class)() for name, event_class in EVENT_TYPES.items()
}
