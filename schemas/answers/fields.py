"""marshmallow fields for requests and answers, in the words of the game."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from functools import partial
from typing import Any, Final

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from engine.core.cards import codes_in_mask
from engine.core.field_types import (
    MAX_INTEGER,
    Chips,
    ChipsByName,
    Date,
    FieldKind,
    Name,
    Ordinal,
    Outcome,
)
from schemas.i18n.translate import translate
from schemas.wire.field_specs import field_kind
from schemas.wire.value_readers import build_value_reader
from schemas.wire.wire_faults import WireError

SEQ_KIND: Final = FieldKind("seq")
UUID_KIND: Final = FieldKind("uuid")

_is_whole_number: Final = re.compile(r"[0-9]{1,12}").fullmatch


def deserialize_as(kind: FieldKind, value: Any) -> Any:
    """The value, read by its kind. Raises ``ValidationError`` with what was expected."""
    try:
        return build_value_reader(kind)(value)
    except WireError as error:
        raise ValidationError([fault.advice for fault in error.faults]) from None


class StrictSchema(Schema):
    """A schema that refuses unknown members."""

    class Meta:
        unknown = RAISE
        register = False


class QuerySchema(StrictSchema):
    """The query parameters of a route."""


class RequestSchema(StrictSchema):
    """The body of a request."""


class VocabularyField(fields.Field[Any]):
    """A word of the game in an answer, made by `word`."""

    kind: FieldKind

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> Any:
        deserialize_as(self.kind, value)
        return value


# Fields are always present unless ``required=False`` or ``load_default``, null only by ``allow_none=True``.


_FIELD_OPTIONS: Final = frozenset({"required", "allow_none", "validate", "data_key", "load_default"})
WRITING_OPTIONS: Final = frozenset({"get", "write", "translate"})
"""How a member is read and written (`schemas.answers.response_schema`), which is not published."""


def _field_arguments(description: str, options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a marshmallow field; options that it does not know become metadata."""
    known = {name: value for name, value in options.items() if name in _FIELD_OPTIONS}
    metadata = {name: value for name, value in options.items() if name not in _FIELD_OPTIONS}
    if description:
        metadata["description"] = description
    return {"required": "load_default" not in known, **known, "metadata": metadata}


def word(kind: FieldKind, description: str = "", **options: Any) -> VocabularyField:
    """A word of the game."""
    field = VocabularyField(**_field_arguments(description, options))
    field.kind = kind
    return field


seat: Final = partial(word, FieldKind("seat"))
suit: Final = partial(word, FieldKind("suit"))
card: Final = partial(word, FieldKind("card"))
seq: Final = partial(word, SEQ_KIND)
uuid: Final = partial(word, UUID_KIND)
name: Final = partial(word, field_kind(Name))
ordinal: Final = partial(word, field_kind(Ordinal))
chips: Final = partial(word, field_kind(Chips))
outcome: Final = partial(word, field_kind(Outcome))
chips_by_name: Final = partial(word, field_kind(ChipsByName))


def string(description: str = "", *, choices: Iterable[str] = (), **options: Any) -> fields.String:
    """A text, one of ``choices`` where these are given."""
    if choices:
        options["validate"] = validate.OneOf(tuple(choices))
    return fields.String(**_field_arguments(description, options))


sentence: Final = partial(string, translate=translate)
day: Final = partial(string, format="date", write=date.isoformat)


def integer(description: str = "", *, min_value: int | None = 0, **options: Any) -> fields.Integer:
    """A whole number, ``min_value`` at least."""
    if min_value is not None:
        options["validate"] = validate.Range(min=min_value)
    return fields.Integer(**_field_arguments(description, options))


def number(description: str = "", **options: Any) -> fields.Float:
    """A number that need not be whole."""
    return fields.Float(**_field_arguments(description, options))


def boolean(description: str = "", **options: Any) -> fields.Boolean:
    """True or false."""
    return fields.Boolean(**_field_arguments(description, options))


def nested(schema: Any, description: str = "", **options: Any) -> fields.Nested:
    """An object of that schema."""
    return fields.Nested(schema, **_field_arguments(description, options))


def list_of(items: Any, description: str = "", **options: Any) -> fields.List[Any]:
    """A list of objects of a schema, or of values of a field."""
    inner = items if isinstance(items, fields.Field) else fields.Nested(items)
    return fields.List(inner, **_field_arguments(description, options))


def digits(description: str, **options: Any) -> fields.String:
    """A whole number of any size, as text."""
    return string(description, validate=validate.Regexp("^[0-9]+$"), write=str, **options)


def cards(description: str = "", **options: Any) -> fields.List[Any]:
    """A list of cards."""
    return list_of(card(), description, **options)


cards_in_mask: Final = partial(cards, write=codes_in_mask)


def dict_of(values: Any, description: str = "", *, keys: Any = None, **options: Any) -> fields.Dict:
    """An object with arbitrary names and these ``values``."""
    return fields.Dict(keys=keys or fields.String(), values=values, **_field_arguments(description, options))


def links() -> fields.Dict:
    """Links by name."""
    address = string(format="uri-reference")
    return dict_of(address, "Links to what belongs to it.", component="Links")


def member_names(**options: Any) -> fields.Dict:
    """The names of the club members in a record, by id."""
    return dict_of(
        string(allow_none=True),
        "The display names of players whom the record names by a member's id; null for a forgotten member.",
        component="MemberNames",
        **options,
    )


def chips_by_player(*, allow_none: bool = False, **options: Any) -> VocabularyField:
    """Chips by seat, and by name for those who sit out."""
    means = "By seat, and by name for players who sit out" + (
        "; null while it is undecided." if allow_none else "."
    )
    return chips_by_name(means, allow_none=allow_none, **options)


def stated_date() -> VocabularyField:
    """The date that the opening of a record states, or null."""
    return word(
        field_kind(Date), "Its date, as its opening states it; null where it states none.", allow_none=True
    )


def set_aside(**options: Any) -> fields.String:
    """Why a table counts nowhere, or null."""
    description = "Why the table is set aside and counts nowhere; null where it counts."
    return string(description, allow_none=True, **options)


def damaged_records() -> fields.List[Any]:
    """The ids of the damaged records of a page."""
    return list_of(
        string(format="uuid"),
        "The ids of damaged records, which are left out of this page.",
    )


def next_page() -> fields.String:
    """The address of the next page."""
    return string("The address of the next page; also in `Link`.", required=False, format="uri-reference")


class QueryParameter(fields.Field[Any]):
    """A query parameter: a value of a kind, written as text."""

    def __init__(self, kind: FieldKind, description: str, *, default: Any = None) -> None:
        stated = {} if default is None else {"default": default}
        super().__init__(load_default=default, metadata={"description": description, **stated})
        self.kind = kind

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> Any:
        number = self.kind.name in ("integer", "seq") and isinstance(value, str) and _is_whole_number(value)
        return deserialize_as(self.kind, int(value) if number else value)


def query_choice(choices: Iterable[str], description: str, default: str | None = None) -> QueryParameter:
    """A query parameter: one of some words."""
    return QueryParameter(FieldKind("choice", choices=tuple(choices)), description, default=default)


def query_text(description: str, max_length: int, default: str | None = None) -> QueryParameter:
    """A query parameter: a text that is not empty."""
    return QueryParameter(FieldKind("text", minimum=1, maximum=max_length), description, default=default)


def query_integer(
    description: str, min_value: int = 0, max_value: int = MAX_INTEGER, default: int | None = None
) -> QueryParameter:
    """A query parameter: a whole number."""
    return QueryParameter(FieldKind("integer", min_value, max_value), description, default=default)


query_seq: Final = partial(QueryParameter, SEQ_KIND)
query_uuid: Final = partial(QueryParameter, UUID_KIND)
