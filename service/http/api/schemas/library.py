"""The answers about the library, and about the service's health."""

from service.http.api.schemas import fields
from service.http.api.schemas.fields import ResponseSchema
from service.http.api.schemas.points import SeatedPlayersSchema


class ReplaySummarySchema(ResponseSchema):
    """A deal of the library in short."""

    name = fields.string("Its name in addresses.")
    title = fields.string("What the deal is called.")
    source = fields.string("Where it was read; null for one that was made up.", allow_none=True)
    players = fields.nested(SeatedPlayersSchema)
    ruleset = fields.name("Null where its opening is missing.", allow_none=True)
    revision = fields.integer("Null where the ruleset is not published here.", allow_none=True)
    trump = fields.string("The trump suit; null where there is none.", allow_none=True)
    ok = fields.boolean("Whether nothing in it is impossible or against the rules.")
    outcome = fields.nullable_outcome("How it ended; null where the record does not say.")
    declarer = fields.seat("Null where nobody plays alone.", allow_none=True)
    contract = fields.name("Null where there is none.", allow_none=True)
    links = fields.links()


class LibraryFolderSchema(ResponseSchema):
    """A folder of made-up examples."""

    name = fields.string("What `?folder=` calls it.")
    deals = fields.integer("How many it has.")
    links = fields.links()


class LibrarySchema(ResponseSchema):
    """The library."""

    replays = fields.list_of(ReplaySummarySchema)
    folders = fields.list_of(LibraryFolderSchema)


class DamagedPlaceSchema(ResponseSchema):
    """Where damage was noticed; both null where it is no single entry, but a file."""

    stream = fields.string("The record; null where it is not known which.", allow_none=True)
    seq = fields.integer("The entry in it; null where it is not known which.", allow_none=True)


class ReadinessSchema(ResponseSchema):
    """That the service is ready."""

    status = fields.string(
        "`ready`; or `degraded` where damage was noticed, which does not concern the other records."
    )
    damaged = fields.integer("At how many places damage was noticed since the service started.")
    places = fields.list_of(
        DamagedPlaceSchema, "Which they are, the first hundred; only for programs of this computer."
    )
    detail = fields.string("What to do about the damage; null where none was noticed.", allow_none=True)


class HealthSchema(ResponseSchema):
    """How the service is."""

    status = fields.string("`ok`; or `degraded` where damage was noticed since the service started.")
    store = fields.string(
        "What the store has to say where it runs in a lesser way than it could; else null.", allow_none=True
    )
