"""The objects in answers. One declaration publishes their shape and writes them from the engine's values."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from operator import attrgetter, itemgetter
from typing import Any, Final, cast

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

    A member is read from the attribute of its name, or by ``get``: the path of an attribute, the place in a
    tuple, or a function. Its field says how it is written; ``write`` (of the value) or ``translate`` (of the
    value and a language) replace that. A member that is not required is left out where it is None or False.
    """

    @classmethod
    def write(cls, value: Any, lang: str = SOURCE_LANGUAGE, **given: Any) -> Json:
        """The object of a value of the engine, in a language. The members in ``given`` are JSON already."""
        write_object = _object_writer(cls, lang, tuple(given))
        return write_object(value, given) if given else write_object(value)


@cache
def _object_writer(schema: type[Schema], lang: str, given_names: tuple[str, ...] = ()) -> Callable[..., Json]:
    """Makes the object of a schema from a value, and from members of these names that are JSON already."""
    members = {field.data_key or name: (name, field) for name, field in schema().fields.items()}
    in_order: Json = dict.fromkeys(members)
    optional = [name for name, (_, field) in members.items() if not field.required]
    paths: dict[str, str | int] = {}
    functions: dict[str, Callable[[Any], Any]] = {}
    writers: dict[str, ValueWriter] = {}
    for name, (attribute, field) in members.items():
        if name not in given_names:
            get = field.metadata.get("get", attribute)
            if isinstance(get, str | int):
                paths[name] = get
            else:
                functions[name] = get
            if (write := _value_writer(field, lang)) is not None:
                writers[name] = write
    get_values = _values_getter(list(paths.values()))

    def write_object(value: Any, given: Mapping[str, Any] = NOTHING_GIVEN) -> Json:
        obj = in_order.copy()
        obj.update(zip(paths, get_values(value), strict=False))
        for name, get in functions.items():
            obj[name] = get(value)
        for name, write in writers.items():
            if (member := obj[name]) is not None:
                obj[name] = write(member)
        if given:
            obj.update(given)
        for name in optional:
            if (member := obj[name]) is None or member is False:
                del obj[name]
        return obj

    return write_object


def _values_getter(paths: Sequence[str | int]) -> Callable[[Any], Sequence[Any]]:
    """Gets what stands at the paths of attributes of an object, or at the places of a tuple."""
    getters: list[Callable[[Any], Any]] = [
        attrgetter(path) if isinstance(path, str) else itemgetter(path) for path in paths
    ]
    if len(paths) < 2 or len(set(map(type, paths))) > 1:
        return lambda value: [get(value) for get in getters]
    return attrgetter(*map(str, paths)) if isinstance(paths[0], str) else itemgetter(*paths)


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
    members: Json = {seat: build_field(get=place) for place, seat in enumerate(SEAT_NAMES)}
    return type(f"{name}BySeatSchema", (ResponseSchema,), {**members, "__doc__": "By seat."})
