"""The objects in answers. One declaration publishes their shape and writes them from the engine's values."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple, cast

from marshmallow import Schema, fields

from engine.core.cards import SEAT_NAMES
from schemas.answers.fields import StrictSchema, VocabularyField
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.wire.event_schemas import DeclaredSchema
from schemas.wire.event_writer import KIND_WRITERS, ValueWriter, entry_object, event_object

Json = dict[str, Any]

NOTHING_GIVEN: Final[Mapping[str, Any]] = {}


class ResponseSchema(StrictSchema):
    """An object in an answer, complete with all its members.

    A member is read from the attribute of its name, or by ``get``: the path of an attribute, or a function.
    Its field says how it is written; ``write`` (of the value) or ``translate`` (of the value and a language)
    replace that. A member that is not required is left out where it is None or False.
    """

    @classmethod
    def write(cls, value: Any, lang: str = SOURCE_LANGUAGE, **given: Any) -> Json:
        """The object of a value of the engine, in a language. The members in ``given`` are JSON already."""
        return _object_writer(cls, lang)(value, given)


class _Member(NamedTuple):
    """How a member of an object is made; ``write`` is None where JSON has the value as it is."""

    name: str
    read: Callable[[Any], Any]
    write: ValueWriter | None
    is_required: bool


@cache
def _object_writer(schema: type[Schema], lang: str) -> Callable[..., Json]:
    """What makes the object of a schema, from a value and from members that are JSON already."""
    members = [_build_member(name, field, lang) for name, field in schema().fields.items()]

    def write_object(value: Any, given: Mapping[str, Any] = NOTHING_GIVEN) -> Json:
        obj = {}
        for name, read, write, is_required in members:
            if given and name in given:
                member = given[name]
            else:
                member = read(value)
                if write is not None and member is not None:
                    member = write(member)
            if is_required or (member is not None and member is not False):
                obj[name] = member
        return obj

    return write_object


def _build_member(name: str, field: fields.Field[Any], lang: str) -> _Member:
    get = field.metadata.get("get", name)
    return _Member(
        field.data_key or name,
        attrgetter(get) if isinstance(get, str) else get,
        _value_writer(field, lang),
        field.required,
    )


def _value_writer(field: fields.Field[Any], lang: str) -> ValueWriter | None:
    """What makes JSON of a value of a field; None where it is JSON already."""
    if "write" in field.metadata:
        return cast("ValueWriter | None", field.metadata["write"])
    if "translate" in field.metadata:
        return partial(field.metadata["translate"], lang=lang)
    if isinstance(field, VocabularyField):
        return KIND_WRITERS.get(field.kind.name)
    if isinstance(field, fields.Nested):
        if isinstance(field.schema, DeclaredSchema):
            return entry_object if field.schema.has_metadata else event_object
        return _object_writer(type(field.schema), lang)
    if isinstance(field, fields.List):
        return _list_writer(_value_writer(field.inner, lang))
    if isinstance(field, fields.Dict):
        return _dict_writer(None if field.value_field is None else _value_writer(field.value_field, lang))
    return None


def _list_writer(write: ValueWriter | None) -> ValueWriter:
    return list if write is None else lambda values: [write(value) for value in values]


def _dict_writer(write: ValueWriter | None) -> ValueWriter:
    if write is None:
        return dict
    return lambda values: {name: write(value) for name, value in dict(values).items()}


def by_seat_schema(name: str, build_field: Callable[..., fields.Field[Any]]) -> type[ResponseSchema]:
    """The schema of an object with a field for each seat, written from a value for each seat."""
    members: Json = {seat: build_field(get=itemgetter(place)) for place, seat in enumerate(SEAT_NAMES)}
    return type(f"{name}BySeatSchema", (ResponseSchema,), {**members, "__doc__": "By seat."})
