"""What is asked and answered of the evidence that records are as they were recorded."""

from marshmallow import Schema, fields

from engine.core.vocabulary import MOST, Kind
from service.http.api.schemas.fields import Answer, Parameter, Vocabulary, Whole, list_of, nested_in, said
from service.http.api.schemas.streams import ID, Asked, viewer_parameter

MOST_LEAVES = 100_000
"""So many leaf hashes are given at once."""

_SIZE = "as it was when it had so many events; as it is now, unless told otherwise."


class CheckpointQuery(Asked):
    """Which checkpoint."""

    size = Parameter(Kind("integer", most=MOST), f"The log {_SIZE}")


class LeavesQuery(Asked):
    """Which leaf hashes."""

    after = Parameter(Kind("integer", most=MOST), "Those of events behind this position.", default=0)
    limit = Parameter(Kind("integer", least=1, most=MOST_LEAVES), "How many at most.", default=MOST_LEAVES)


ConsistencyQuery: type[Schema] = Asked.from_dict(
    {
        "from": Parameter(Kind("integer", most=MOST), "The size of the earlier checkpoint.", default=0),
        "to": Parameter(Kind("integer", most=MOST), f"The later one: the log {_SIZE}"),
    },
    name="ConsistencyQuery",
)


class ProofQuery(CheckpointQuery):
    """By which checkpoint a record is proved, and to whom: what he may not know, by its commitment alone."""

    viewer = viewer_parameter()


class TableProofQuery(ProofQuery):
    """The same, and what of a table is proved."""

    records = Parameter(
        Kind("choice", choices=("table", "all")),
        "The table's own log, or `all` with those of its deals.",
        default="table",
    )


def hashes(means: str) -> "fields.List[str]":
    """Hashes, in base64."""
    return list_of(said(), means)


class ConsistencySchema(Answer):
    """What shows that a later log begins with an earlier one (RFC 6962, 2.1.2)."""

    format = said("`spadille-consistency/1`.")
    first = Whole("The earlier size.", data_key="from")
    to = Whole("The later size.")
    hashes = hashes("The proof, in base64.")
    checkpoint = said("The later checkpoint, as a signed note.")


class ProvenEventSchema(Answer):
    """An event of a proof. It has either `salt` and `body`, or `commitment`."""

    position = Whole("Its place in the log of all events, from 1.", least=1)
    seq = Whole("Its number in its record.", least=1)
    id = Vocabulary(ID)
    stored_at = said("When it was stored, by the server's clock.")
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
    path = list_of(Whole(), "Its audit path, lowest first: places in `hashes`.")


class ProvenStreamSchema(Answer):
    """A record of a proof."""

    root = Vocabulary(ID, "The table, or the deal itself if it is at none.")
    stream = Vocabulary(ID)
    kind = said("`deal` or `table`.")
    events = list_of(ProvenEventSchema)


class ProofSchema(Answer):
    """A proof of records, to be kept as a file and checked offline with `spadille verify`."""

    format = said("`spadille-proof/1`.")
    checkpoint = said("The checkpoint that it leads to, as a signed note.")
    streams = list_of(nested_in(ProvenStreamSchema), "The records.")
    hashes = hashes("Hashes of the audit paths, in base64.")
