"""Marshmallow's schemas of events and entries, made from the declaration.

``EventSchema`` is an entry as it lies on the wire: an event with its bookkeeping flat beside it.
``BareEventSchema`` is an event alone, as a correction puts it in. Both are published in the
API's contract (``schemas.wire.openapi``); bulk logs go through ``schemas.wire.reader``, equally strict.
"""

from functools import cache
from typing import Any, ClassVar, Final

from marshmallow import RAISE, Schema, ValidationError, post_load
from marshmallow.exceptions import SCHEMA
from marshmallow.fields import Field
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from engine.core.events import Event
from engine.core.log import EVENT_TYPES, Entry, Record
from schemas.wire.declaration import BOOKKEEPING, EVENT_SPECS, TYPE_OF, FieldSpec, first_line, specs_of
from schemas.wire.errors import nested, unescaped
from schemas.wire.faults import unfit, unknown_names
from schemas.wire.fields import EventsField, KindField, ShapeField, TypeField
from schemas.wire.reader import A_LIST_OF_EVENTS, AN_EVENT, Reading, typeless_faults


class DeclaredSchema(Schema):
    """The schema of an object that the engine declares; ``owner`` is what messages call it."""

    owner: ClassVar[str]

    class Meta:
        unknown = RAISE
        register = False

    def handle_error(self, error: ValidationError, data: Any, *, many: bool, **kwargs: Any) -> None:
        """Says of an unknown field which one was probably meant, as the fast reader does."""
        if not isinstance(data, dict) or not isinstance(error.messages, dict):
            return
        known = tuple(field.data_key or name for name, field in self.load_fields.items())
        for fault in unknown_names(data, known, self.owner):
            error.messages[unescaped(fault.pointer[1:])] = [fault.advice]


class ShapeSchema(DeclaredSchema):
    """The schema of an object inside an event."""

    shape: ClassVar[type]

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> Any:
        """The object itself."""
        return self.shape(**_stated(data))


class BareSchema(DeclaredSchema):
    """The schema of one type of event alone; ``depth`` is how many corrections deep it stands."""

    event_class: ClassVar[type[Event]]

    def __init__(self, *, depth: int = 0, **options: Any) -> None:
        self.depth = depth
        super().__init__(**options)

    def on_bind_field(self, field_name: str, field_obj: Field[Any]) -> None:
        """Tells the events inside a correction how deep they stand."""
        if isinstance(field_obj, EventsField):
            field_obj.depth = self.depth + 1

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> Event | Reading:
        """The event itself."""
        del data["type"]
        return self.event_class(**_stated(data))


class EntrySchema(BareSchema):
    """The schema of one type of event with its bookkeeping beside it."""

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> Reading:
        """The event, its bookkeeping and the seq that the object claims."""
        event = self.event_class(**_stated(data.get("event", {})))
        return Reading(event, Record(**_stated(data.get("record", {}))), data.get("seq"))


def _stated(data: dict[str, Any]) -> dict[str, Any]:
    """What was said: null says as little as nothing."""
    return {name: value for name, value in data.items() if value is not None}


class OneOfEvents(OneOfSchema):
    """A schema for each type of event, chosen by the object's ``type``."""

    type_field_remove = False
    bookkeeping: ClassVar[tuple[FieldSpec, ...]] = ()

    class Meta:
        unknown = RAISE
        register = False

    def get_data_type(self, data: dict[str, Any]) -> str:
        """The type of an object that is read, one of ours."""
        type_name = data.get(self.type_field)
        if not isinstance(type_name, str) or type_name not in self.type_schemas:
            raise ValidationError(nested(typeless_faults(data, self.bookkeeping)))
        return type_name

    def load(self, data: Any, *, many: bool | None = None, **options: Any) -> Any:
        """Reads an object, or a list of them where the schema is for many."""
        many = self.many if many is None else many
        # The library walks whatever it is given, a text or an object too.
        if many and not isinstance(data, list):
            raise ValidationError(nested(unfit(data, A_LIST_OF_EVENTS).faults))
        return super().load(data, many=many, **options)  # type: ignore[no-untyped-call]

    def _load(self, data: Any, **options: Any) -> Any:
        if not isinstance(data, dict):
            raise ValidationError({SCHEMA: nested(unfit(data, AN_EVENT).faults)})
        return super()._load(data, **options)  # type: ignore[no-untyped-call]


class BareEventSchema(OneOfEvents):
    """An event without bookkeeping, as a correction puts it in.

    Loads to and dumps from an ``Event``.
    """

    def __init__(self, *, depth: int = 0, **options: Any) -> None:
        super().__init__(**options)
        self.type_schemas = {name: schema(depth=depth) for name, schema in _BARE_SCHEMAS.items()}

    def get_obj_type(self, obj: Event) -> str:
        """The type of an event that is written."""
        return TYPE_OF[type(obj)]


class EventSchema(OneOfEvents):
    """An entry: an event with its bookkeeping.

    Loads to a ``Reading``, dumps from an ``Entry``.
    """

    bookkeeping = BOOKKEEPING

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.type_schemas = _ENTRY_SCHEMAS

    def get_obj_type(self, obj: Entry | Reading) -> str:
        """The type of the event in an entry that is written."""
        return TYPE_OF[type(obj.event)]


@cache
def bare_event_schema(depth: int) -> BareEventSchema:
    """The schema of events that stand ``depth`` corrections deep."""
    return BareEventSchema(depth=depth)


def _field(spec: FieldSpec, path: str = "") -> Field[Any]:
    """The marshmallow field of a declared one, which stands at ``path`` in the object."""
    attribute = path + spec.attribute
    if spec.shape is not None:
        return ShapeField(spec, _shape_schema(spec.shape)(), attribute)
    if spec.kind.name == "events":
        return EventsField(spec, bare_event_schema, attribute)
    return KindField(spec, attribute)


def _schema_class(name: str, base: type[Any], members: dict[str, Any], description: str) -> type[Any]:
    # apispec reads the description there; the options of the base's Meta stay in force.
    meta = type("Meta", (base.Meta,), {"description": description})
    return type(f"{name}Schema", (base,), {**members, "Meta": meta, "__doc__": description})


@cache
def _shape_schema(shape: type) -> type[ShapeSchema]:
    members = {spec.name: _field(spec) for spec in specs_of(shape)}
    own = {"shape": shape, "owner": shape.__name__.lower()}
    return _schema_class(shape.__name__, ShapeSchema, members | own, first_line(shape))


def _bare_schema(name: str, event_class: type[Event]) -> type[BareSchema]:
    members: dict[str, Any] = {"type": TypeField(name)}
    members |= {spec.name: _field(spec) for spec in EVENT_SPECS[name]}
    own = {"event_class": event_class, "owner": name}
    return _schema_class(f"Bare{event_class.__name__}", BareSchema, members | own, first_line(event_class))


def _entry_schema(name: str, event_class: type[Event]) -> type[EntrySchema]:
    members: dict[str, Any] = {"type": TypeField(name)}
    members |= {spec.name: _field(spec, "event.") for spec in EVENT_SPECS[name]}
    members |= {spec.name: _field(spec, "" if spec.name == "seq" else "record.") for spec in BOOKKEEPING}
    own = {"event_class": event_class, "owner": name}
    return _schema_class(event_class.__name__, EntrySchema, members | own, first_line(event_class))


_BARE_SCHEMAS: Final = {name: _bare_schema(name, event_class) for name, event_class in EVENT_TYPES.items()}
# Instances: a class here would be made into one again for every event (six times the cost).
_ENTRY_SCHEMAS: Final[dict[str, type[Schema] | Schema]] = {
    name: _entry_schema(name, event_class)() for name, event_class in EVENT_TYPES.items()
}
