"""Marshmallow's fields for what requests ask and answers say, in the words of the vocabulary."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from engine.core.cards import SEAT_NAMES
from engine.core.field_types import FieldKind
from schemas.wire.value_readers import build_value_reader
from schemas.wire.wire_faults import WireError
from service.eventstore import ANY_VERSION
from service.eventstore.interface import ExpectedVersion

SEAT_KIND: Final = FieldKind("seat")
SUIT_KIND: Final = FieldKind("suit")
CARD_KIND: Final = FieldKind("card")
SEQ_KIND: Final = FieldKind("seq")

_is_whole_number: Final = re.compile(r"[0-9]{1,12}").fullmatch
IF_MATCH_PATTERN: Final = r'^\s*(\*|(W/)?"[!#-~]*"(\s*,\s*(W/)?"[!#-~]*")*)\s*$'
"""What ``If-Match`` may be: ``*``, or entity tags with commas between."""
_is_if_match: Final = re.compile(IF_MATCH_PATTERN).match
_strong_versions: Final = re.compile(r'(?<!W/)"([0-9]{1,10})(?:-[!#-~]*)?"').findall
"""The versions that strong tags begin with; what stands behind a hyphen says what was made of the record."""


def deserialize_as(kind: FieldKind, value: Any) -> Any:
    """The value, read as the kind says. Raises ``ValidationError`` with what was expected."""
    try:
        return build_value_reader(kind)(value)
    except WireError as error:
        raise ValidationError([fault.advice for fault in error.faults]) from None


class ResponseSchema(Schema):
    """An object that an answer holds; what is published of it is all that it holds."""

    class Meta:
        unknown = RAISE
        register = False


class VocabularyField(fields.Field[Any]):
    """A word of the game in an answer; null where ``allow_none`` says that it can be."""

    def __init__(
        self, kind: FieldKind, description: str = "", *, allow_none: bool = False, required: bool = True
    ) -> None:
        super().__init__(
            required=required,
            allow_none=allow_none,
            metadata={"description": description} if description else {},
        )
        self.kind = kind

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> Any:
        deserialize_as(self.kind, value)
        return value


class IntegerField(fields.Integer):
    """A whole number in an answer; a boolean is none."""

    def __init__(
        self,
        description: str = "",
        *,
        min_value: int = 0,
        allow_none: bool = False,
        data_key: str | None = None,
    ) -> None:
        super().__init__(
            strict=True,
            required=True,
            allow_none=allow_none,
            data_key=data_key,
            validate=validate.Range(min=min_value),
            metadata=with_description({}, description),
        )

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **more: Any) -> int:
        if isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        number: int = super()._deserialize(value, attr, data, **more)
        return number


def with_description(metadata: dict[str, Any], description: str) -> dict[str, Any]:
    """Metadata of a field with what it means, where that is said."""
    return {**metadata, "description": description} if description else metadata


def string_field(description: str = "", *, allow_none: bool = False) -> fields.String:
    """A text of an answer that is always there, or null."""
    return fields.String(required=True, allow_none=allow_none, metadata=with_description({}, description))


def boolean_field(
    description: str = "", *, required: bool = True, allow_none: bool = False
) -> fields.Boolean:
    """True or false, and no other way of saying it; null where ``allow_none`` says that it can be."""
    return fields.Boolean(
        required=required,
        allow_none=allow_none,
        truthy={True},
        falsy={False},
        metadata=with_description({}, description),
    )


def nested_field(
    schema: type[Schema], description: str = "", *, allow_none: bool = False, required: bool = True
) -> fields.Nested:
    """An object of that schema."""
    return fields.Nested(
        schema, required=required, allow_none=allow_none, metadata=with_description({}, description)
    )


def list_field(
    items: type[Schema] | fields.Field[Any],
    description: str = "",
    *,
    required: bool = True,
    allow_none: bool = False,
) -> fields.List[Any]:
    """A list of objects or values."""
    inner = items if isinstance(items, fields.Field) else fields.Nested(items)
    return fields.List(
        inner, required=required, allow_none=allow_none, metadata=with_description({}, description)
    )


def build_by_seat_schema(name: str, build_field: Callable[[], fields.Field[Any]]) -> type[Schema]:
    """The schema of an object with a field for each seat."""
    fields_and_meaning = {**{seat: build_field() for seat in SEAT_NAMES}, "__doc__": "By seat."}
    made: type[Schema] = type(f"{name}BySeatSchema", (ResponseSchema,), fields_and_meaning)
    return made


class QueryParameter(fields.Field[Any]):
    """A query parameter: a value of a kind, written as text."""

    def __init__(self, kind: FieldKind, description: str, *, default: Any = None, **metadata: Any) -> None:
        stated = {} if default is None else {"default": default}
        super().__init__(load_default=default, metadata={"description": description, **stated, **metadata})
        self.kind = kind

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> Any:
        number = self.kind.name in ("integer", "seq") and isinstance(value, str) and _is_whole_number(value)
        return deserialize_as(self.kind, int(value) if number else value)


class IfMatch(NamedTuple):
    """What ``If-Match`` asks for: ``*``, or one of some versions (none of which need be one of ours)."""

    is_any: bool
    versions: tuple[int, ...] = ()

    def resolve_version(self, current_version: Callable[[], int]) -> ExpectedVersion:
        """The version to append at. Where several are named, the one that ``current_version`` gives."""
        if self.is_any:
            return ANY_VERSION
        if len(self.versions) == 1:
            return self.versions[0]
        return current_version() if current_version() in self.versions else -1


class IfMatchField(fields.Field[IfMatch]):
    """The header ``If-Match``: a version in quotes, or ``*``."""

    def __init__(self, description: str) -> None:
        super().__init__(
            data_key="If-Match",
            required=True,
            metadata={"type": "string", "description": description, "pattern": IF_MATCH_PATTERN},
        )

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> IfMatch:
        if not isinstance(value, str) or not _is_if_match(value):
            raise ValidationError('write the version you know in quotes, such as "17", or *.')
        return IfMatch(value.strip() == "*", tuple(map(int, _strong_versions(value))))


def links_field() -> fields.Dict:
    """Addresses by what they lead to."""
    return fields.Dict(
        keys=fields.String(),
        values=fields.String(metadata={"format": "uri-reference"}),
        required=True,
        metadata={"component": "Links", "description": "Addresses of what belongs to it."},
    )
