"""The JSON Schemas of the contract (OpenAPI 3.1), made from marshmallow schemas and from events.

`ContractPlugin` takes the place of apispec's marshmallow plugin, which knows neither schemas chosen by
``type`` nor kinds of fields. The words of `engine.core.field_types` (Seat, Card, Name, Chips, …) are
published once each.
"""

from collections.abc import Callable, Collection
from copy import deepcopy
from typing import Any, Final

from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.common import resolve_schema_instance
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow.fields import Field

from engine.core import field_types
from engine.core.cards import SEAT_NAMES, SUIT_LETTERS
from engine.core.field_types import MAX_INTEGER, Branch, Chips, FieldKind, Name
from engine.core.log import EVENT_TYPES
from schemas.answers.fields import WRITING_OPTIONS, QueryParameter, VocabularyField
from schemas.wire.event_reader import MAX_CORRECTION_DEPTH
from schemas.wire.event_schemas import BareEventSchema, DeclaredObjectSchema, EventSchema, event_schema
from schemas.wire.field_specs import (
    KIND_BY_TYPE,
    METADATA_FIELDS,
    FieldSpec,
    build_field_specs,
    docstring_summary,
    field_kind,
)
from schemas.wire.value_readers import (
    DATE_PATTERN,
    MAX_SWITCH_TEXT_LENGTH,
    SEQ_PART_PATTERN,
    describe_expected_value,
)

Json = dict[str, Any]

NO_NUL_PATTERN: Final = r"^[^\u0000]*$"

COMPONENT_DESCRIPTIONS: Final = {
    "Seat": "A seat in the order of play: forehand is the eldest and leads to the first trick.",
    "Suit": "A suit: clubs, diamonds, hearts or spades.",
    "Card": "A card: suit, then rank. `??` is an unknown card, `S?` one whose suit alone is known.",
    "Seq": (
        "The entry's place in its stream: 1, 2, …; `30.1` is the first event that the correction at 30 adds."
    ),
    "SeatCounts": "A number for some seats: tricks, points.",
    "ChipsByName": "Chips to (+) or from (−) seats or players, by name.",
    "Switches": "Points in which the table differs from its ruleset.",
}
"""What a word of the vocabulary means, where its bounds alone do not say it."""

FIELD_DESCRIPTIONS: Final[dict[tuple[type, str], str]] = {
    (Branch, "deal"): (
        "The deal from which it branches: the id of a deal recorded here, or the name or title of one in "
        "the library; in a file also the title of another deal of the file. The server stores the id, or "
        "the library's name."
    ),
    (
        Branch,
        "at",
    ): (
        "The last common entry: `23`, a part of a correction such as `30.1`, or, if that deal is itself a "
        "variation, an entry of its beginning such as `1.5`."
    ),
    (
        Branch,
        "known",
    ): (
        "The number of entries of that deal's log that count. Null or left out: all of its entries at the "
        "time of recording."
    ),
}
"""What a field of an object inside an event means, by the object's class, where its kind does not say it."""

METADATA_DESCRIPTIONS: Final = {
    "id": "The entry's id, chosen by its writer; preferably version 7. Unique within a table and its deals.",
    "seq": "The entry's place in its stream. The server assigns it; if you send it, it must fit.",
    "recorded_at": (
        "When the entry was recorded, by the device's clock. For an imported entry without it, when the "
        "original service stored it. Null if unknown."
    ),
    "stored_at": "When the entry was stored, by this server's clock. The server assigns it.",
    "recorded_by": (
        "Who recorded the entry: the id of the grant that wrote it. The server assigns it and ignores "
        "yours, except in an owner's file. Null if unknown."
    ),
    "basis": "How it is known; null if not stated: then as in the deal's opening.",
    "accounts": "The sources that say so; null without any.",
}


def _text(kind: FieldKind) -> Json:
    least = {"minLength": kind.minimum} if kind.minimum else {}
    return {"type": "string", **least, "maxLength": kind.maximum, "pattern": NO_NUL_PATTERN}


def _integer(kind: FieldKind) -> Json:
    return {"type": "integer", "minimum": kind.minimum, "maximum": kind.maximum}


def _seat_counts(kind: FieldKind) -> Json:
    properties = {seat: _integer(kind) for seat in SEAT_NAMES}
    return {"type": "object", "properties": properties, "additionalProperties": False}


_SCALAR_SCHEMAS: Final[dict[str, Callable[[FieldKind], Json]]] = {
    "text": _text,
    "integer": _integer,
    "flag": lambda _: {"type": "boolean"},
    "moment": lambda kind: {"type": "string", "format": "date-time", "maxLength": kind.maximum},
    "date": lambda _: {"type": "string", "pattern": f"^{DATE_PATTERN}$"},
    "uuid": lambda _: {"type": "string", "format": "uuid", "minLength": 36, "maxLength": 36},
    "choice": lambda kind: {"type": "string", "enum": list(kind.choices)},
    "seat": lambda _: {"type": "string", "enum": list(SEAT_NAMES)},
    "suit": lambda _: {"type": "string", "enum": list(SUIT_LETTERS)},
    "card": lambda _: {
        "type": "string",
        "pattern": r"^([CDHS][2-7AJKQ?]|\?\?)$",
        "examples": ["SA", "H7", "??", "S?"],
    },
    "seq": lambda _: {
        "anyOf": [
            {"type": "integer", "minimum": 1, "maximum": MAX_INTEGER},
            {"type": "string", "pattern": f"^{SEQ_PART_PATTERN}$"},
        ],
        "examples": [30, "30.1"],
    },
    "seat-counts": _seat_counts,
}
"""Kinds that hold no values of other kinds."""

_ITEM_KINDS: Final = {
    "names": field_kind(Name), "integers": field_kind(Chips), "seqs": FieldKind("seq"),
    "cards": FieldKind("card"), "seats": FieldKind("seat"),
}  # fmt: skip
"""Kinds that are lists, and what they are lists of."""


def _component_names() -> dict[FieldKind, str]:
    """What each kind is called in the vocabulary: the names of the published components."""
    found = {kind: getattr(word, "__name__", "") for word, kind in KIND_BY_TYPE.items()}
    found[FieldKind("seq")] = "Seq"
    for alias, hint in vars(field_types).items():
        for note in getattr(hint, "__metadata__", ()):
            if isinstance(note, FieldKind):
                found.setdefault(note, alias)
    return found


_COMPONENT_NAMES: Final = _component_names()


NULL_DESCRIPTION: Final = "Null or left out if not recorded."
"""What null means in a field of an event."""


def nullable_schema(schema: Json) -> Json:
    """The same schema, and null besides."""
    return {"anyOf": [schema, {"type": "null"}]}


class ContractConverter(OpenAPIConverter):
    """apispec's converter, which also knows events, kinds, and fields that hold words of the game."""

    def field2property(self, field: Field[Any]) -> Json:
        """The JSON Schema of one field; a reference where its metadata name a ``component``."""
        name = field.metadata.get("component")
        if name is None:
            return self._build_property(field)
        return self._reference_component(name, lambda: self._build_property(field))

    def _build_property(self, field: Field[Any]) -> Json:
        if not isinstance(field, VocabularyField | QueryParameter):
            return super().field2property(field)
        schema = dict(self._build_kind_schema(field.kind))
        if isinstance(field, VocabularyField) and field.allow_none:
            schema = nullable_schema(schema)
        metadata = {name: value for name, value in field.metadata.items() if name not in WRITING_OPTIONS}
        return {**schema, **deepcopy(metadata)}

    def schema2jsonschema(self, schema: Any) -> Json:
        """The JSON Schema of a schema, described by the docstring of its class."""
        instance = resolve_schema_instance(schema)
        description = _markdown((type(instance).__doc__ or "").partition("\n\n")[0])
        if isinstance(instance, EventSchema | BareEventSchema):
            return {"description": description, **self._build_union(instance)}
        if isinstance(instance, DeclaredObjectSchema):
            optional = instance.partial if isinstance(instance.partial, tuple) else ()
            required = {spec.name for spec in instance.specs if spec.required}.difference(optional)
            properties = {spec.name: self._describe_field(spec) for spec in instance.specs}
            return _object_schema(properties, required, description)
        published: Json = super().schema2jsonschema(instance)  # type: ignore[no-untyped-call]
        return {"description": description, **published} if description else published

    def _build_union(self, schema: EventSchema | BareEventSchema) -> Json:
        members = {
            name: self._reference_schema(event_schema(name, has_metadata=schema.has_metadata))
            for name in EVENT_TYPES
        }
        mapping = {name: member["$ref"] for name, member in members.items()}
        return {
            "oneOf": list(members.values()),
            "discriminator": {"propertyName": "type", "mapping": mapping},
        }

    def _describe_field(self, spec: FieldSpec, description: str | None = None) -> Json:
        """The JSON Schema of a field of an event, of its bookkeeping or of an object inside an event."""
        if spec.name == "type":
            return {"type": "string", "const": spec.kind.choices[0]}
        if spec in METADATA_FIELDS:
            return self._reference_metadata_field(spec)
        schema = self._build_value_schema(spec)
        if not spec.required and description is None and "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return self._reference_component(
                f"Optional{name}", lambda: {"description": NULL_DESCRIPTION, **nullable_schema(schema)}
            )
        if not spec.required:
            return {"description": description or NULL_DESCRIPTION, **nullable_schema(schema)}
        return {**schema, "description": description} if description else schema

    def _build_value_schema(self, spec: FieldSpec) -> Json:
        object_class = spec.object_class
        if object_class is not None:
            return self._reference_component(
                object_class.__name__, lambda: self._build_object_schema(object_class)
            )
        if spec.kind.name == "events":
            means = (
                f"Events without bookkeeping; corrections nest at most {MAX_CORRECTION_DEPTH} levels deep."
            )
            events = _array_schema(self._reference_schema(BareEventSchema), spec.kind)
            return {"description": means, **events}
        return self._build_kind_schema(spec.kind)

    def _build_object_schema(self, object_class: type) -> Json:
        specs = build_field_specs(object_class)
        properties = {
            spec.name: self._describe_field(spec, FIELD_DESCRIPTIONS.get((object_class, spec.name)))
            for spec in specs
        }
        required = {spec.name for spec in specs if spec.required}
        return _object_schema(properties, required, _markdown(docstring_summary(object_class)))

    def _build_kind_schema(self, kind: FieldKind) -> Json:
        """A reference to a kind under its name in the vocabulary, or the kind spelled out."""
        name = _COMPONENT_NAMES.get(kind)
        if name is None:
            return self._build_inline_schema(kind)
        means = COMPONENT_DESCRIPTIONS.get(name) or _as_sentence(describe_expected_value(kind))
        return self._reference_component(
            name, lambda: {"description": means, **self._build_inline_schema(kind)}
        )

    def _build_inline_schema(self, kind: FieldKind) -> Json:
        if kind.name in _ITEM_KINDS:
            return _array_schema(self._build_kind_schema(_ITEM_KINDS[kind.name]), kind)
        if kind.name == "groups":
            return _array_schema(_array_schema(self._build_kind_schema(field_kind(Name)), kind), kind)
        if kind.name == "chips-by-name":
            return _map_schema(self._build_kind_schema(field_kind(Chips)), kind)
        if kind.name == "switches":
            words = _text(FieldKind("text", maximum=MAX_SWITCH_TEXT_LENGTH))
            return _map_schema(
                {"anyOf": [{"type": "boolean"}, self._build_kind_schema(field_kind(Chips)), words]}, kind
            )
        return _SCALAR_SCHEMAS[kind.name](kind)

    def _reference_metadata_field(self, spec: FieldSpec) -> Json:
        """A reference to a piece of bookkeeping, which may always be null."""
        name = "Entry" + "".join(part.title() for part in spec.name.split("_"))
        means = METADATA_DESCRIPTIONS[spec.name]
        return self._reference_component(
            name, lambda: {"description": means, **nullable_schema(self._build_kind_schema(spec.kind))}
        )

    def _reference_component(self, name: str, describe: Callable[[], Json]) -> Json:
        """A reference to what is published by name, after publishing it."""
        if name not in self.spec.components.schemas:
            self.spec.components.schema(name, describe())
        return {"$ref": f"#/components/schemas/{name}"}

    def _reference_schema(self, schema: Any) -> Json:
        reference: Json = self.resolve_nested_schema(schema)  # type: ignore[no-untyped-call]
        return reference


def _object_schema(properties: Json, required: Collection[str], description: str) -> Json:
    return {
        "type": "object",
        "properties": properties,
        **({"required": sorted(required)} if required else {}),
        "description": description,
        "additionalProperties": False,
    }


def _array_schema(items: Json, kind: FieldKind) -> Json:
    return {"type": "array", "items": items, "maxItems": kind.maximum}


def _map_schema(value: Json, kind: FieldKind) -> Json:
    names = {key: limit for key, limit in _text(field_kind(Name)).items() if key != "type"}
    return {
        "type": "object",
        "propertyNames": names,
        "additionalProperties": value,
        "maxProperties": kind.maximum,
    }


def _as_sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _markdown(docstring: str) -> str:
    return " ".join(docstring.replace("``", "`").split())


class ContractPlugin(MarshmallowPlugin):
    """apispec's marshmallow plugin with that converter."""

    Converter = ContractConverter
