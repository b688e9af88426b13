"""What is asked and answered of the evidence that records are as they were recorded."""

from marshmallow import Schema, fields

from engine.core.field_types import MAX_INTEGER, FieldKind
from service.http.api.schemas.fields import (
    IntegerField,
    QueryParameter,
    ResponseSchema,
    VocabularyField,
    list_field,
    nested_field,
    string_field,
)
from service.http.api.schemas.records import UUID_KIND, QuerySchema, viewer_parameter

MAX_LEAVES_PER_PAGE = 100_000
"""So many leaf hashes are given at once."""

_SIZE_DESCRIPTION = "as it was when it had so many events; as it is now, unless told otherwise."


class CheckpointQuery(QuerySchema):
    """Which checkpoint."""

    size = QueryParameter(FieldKind("integer", maximum=MAX_INTEGER), f"The log {_SIZE_DESCRIPTION}")


class LeavesQuery(QuerySchema):
    """Which leaf hashes."""

    after = QueryParameter(
        FieldKind("integer", maximum=MAX_INTEGER), "Those of events behind this position.", default=0
    )
    limit = QueryParameter(
        FieldKind("integer", minimum=1, maximum=MAX_LEAVES_PER_PAGE),
        "How many at most.",
        default=MAX_LEAVES_PER_PAGE,
    )


ConsistencyQuery: type[Schema] = QuerySchema.from_dict(
    {
        "from": QueryParameter(
            FieldKind("integer", maximum=MAX_INTEGER), "The size of the earlier checkpoint.", default=0
        ),
        "to": QueryParameter(
            FieldKind("integer", maximum=MAX_INTEGER), f"The later one: the log {_SIZE_DESCRIPTION}"
        ),
    },
    name="ConsistencyQuery",
)


class ProofQuery(CheckpointQuery):
    """By which checkpoint a record is proved, and to whom: what he may not know, by its commitment alone."""

    viewer = viewer_parameter()


class TableProofQuery(ProofQuery):
    """The same, and what of a table is proved."""

    records = QueryParameter(
        FieldKind("choice", choices=("table", "all")),
        "The table's own log, or `all` with those of its deals.",
        default="table",
    )


def hash_list_field(description: str) -> "fields.List[str]":
    """Hashes, in base64."""
    return list_field(string_field(), description)


class ConsistencySchema(ResponseSchema):
    """What shows that a later log begins with an earlier one (RFC 6962, 2.1.2)."""

    format = string_field("`spadille-consistency/1`.")
    first = IntegerField("The earlier size.", data_key="from")
    to = IntegerField("The later size.")
    hashes = hash_list_field("The proof, in base64.")
    checkpoint = string_field("The later checkpoint, as a signed note.")


class ProvenEventSchema(ResponseSchema):
    """An event of a proof. It has either `salt` and `body`, or `commitment`."""

    position = IntegerField("Its place in the log of all events, from 1.", min_value=1)
    seq = IntegerField("Its number in its record.", min_value=1)
    id = VocabularyField(UUID_KIND)
    stored_at = string_field("When it was stored, by the server's clock.")
    salt = fields.String(metadata={"description": "16 random bytes in base64, that nobody else is shown."})
    body = fields.String(metadata={"description": "The event as it is stored: JSON, as a text."})
    commitment = fields.String(
        metadata={"description": "SHA-256 of salt and body, in base64, where these are not to be shown."}
    )
    erased = fields.Boolean(
        metadata={
            "description": "True where what it said was erased, for whom may know it; else it is left out. "
            "What stands in its place is proved by nothing."
        }
    )
    path = list_field(IntegerField(), "Its audit path, lowest first: places in `hashes`.")


class ProvenStreamSchema(ResponseSchema):
    """A record of a proof."""

    root = VocabularyField(UUID_KIND, "The table, or the deal itself if it is at none.")
    stream = VocabularyField(UUID_KIND)
    kind = string_field("`deal` or `table`.")
    events = list_field(ProvenEventSchema)


class ProofSchema(ResponseSchema):
    """A proof of records, to be kept as a file and checked offline with `spadille verify`."""

    format = string_field("`spadille-proof/1`.")
    checkpoint = string_field("The checkpoint that it leads to, as a signed note.")
    streams = list_field(nested_field(ProvenStreamSchema), "The records.")
    hashes = hash_list_field("Hashes of the audit paths, in base64.")
