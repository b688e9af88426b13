"""The queries and answers about checkpoints and proofs."""

from marshmallow import Schema

from schemas.answers import fields
from schemas.answers.fields import QuerySchema
from schemas.answers.response_schema import ResponseSchema
from service.http.api.schemas.records import viewer_parameter

MAX_LEAVES_PER_PAGE = 100_000
"""The most leaf hashes in one answer."""

_SIZE_DESCRIPTION = "at this number of events; by default as it is now."


class CheckpointQuery(QuerySchema):
    """A checkpoint."""

    size = fields.query_integer(f"The log {_SIZE_DESCRIPTION}")


class LeavesQuery(QuerySchema):
    """A range of leaf hashes."""

    after = fields.query_integer("Leaf hashes after this position.", default=0)
    limit = fields.query_integer(
        "The most leaf hashes.", min_value=1, max_value=MAX_LEAVES_PER_PAGE, default=MAX_LEAVES_PER_PAGE
    )


ConsistencyQuery: type[Schema] = QuerySchema.from_dict(
    {
        "from": fields.query_integer("The size of the earlier checkpoint.", default=0),
        "to": fields.query_integer(f"The later one: the log {_SIZE_DESCRIPTION}"),
    },
    name="ConsistencyQuery",
)


class ProofQuery(CheckpointQuery):
    """Query of a proof: the checkpoint and the viewer. What the viewer may not know is proved by its
    commitment.
    """

    viewer = viewer_parameter()


class TableProofQuery(ProofQuery):
    """The same, and the part of a table to prove."""

    records = fields.query_choice(
        ("table", "all"), "The table's own log, or `all` with those of its deals.", default="table"
    )


class ConsistencySchema(ResponseSchema):
    """Proof that a later log begins with an earlier one (RFC 6962, 2.1.2)."""

    format = fields.string("`spadille-consistency/1`.")
    first = fields.integer("The earlier size.", data_key="from")
    to = fields.integer("The later size.")
    hashes = fields.list_of(fields.string(), "The proof, in base64.")
    checkpoint = fields.string("The later checkpoint, as a signed note.")


class ProvenEventSchema(ResponseSchema):
    """An event of a proof. It has either `salt` and `body`, or `commitment`."""

    position = fields.integer("Its place in the log of all events, from 1.", min_value=1)
    seq = fields.integer("Its number in its record.", min_value=1)
    id = fields.uuid()
    stored_at = fields.string("When it was stored, by the server's clock.")
    salt = fields.string("16 random bytes in base64, secret from others.", required=False)
    body = fields.string("The event as it is stored: JSON, as a text.", required=False)
    commitment = fields.string("SHA-256 of salt and body, in base64, if these are hidden.", required=False)
    erased = fields.boolean(
        "True if the contents were erased, for viewers who may know it; else left out. Nothing proves the "
        "replacement.",
        required=False,
    )
    path = fields.list_of(fields.integer(), "Its audit path, lowest first: places in `hashes`.")


class ProvenStreamSchema(ResponseSchema):
    """A record of a proof."""

    root = fields.uuid("The table, or the deal itself without a table.")
    stream = fields.uuid()
    kind = fields.string("`deal` or `table`.")
    events = fields.list_of(ProvenEventSchema)


class ProofSchema(ResponseSchema):
    """A proof of records: a file that `spadille verify` checks offline."""

    format = fields.string("`spadille-proof/1`.")
    checkpoint = fields.string("The checkpoint that it leads to, as a signed note.")
    streams = fields.list_of(fields.nested(ProvenStreamSchema), "The records.")
    hashes = fields.list_of(fields.string(), "Hashes of the audit paths, in base64.")
