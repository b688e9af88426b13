"""The answers about the library, and about the service's health."""

from schemas.answers import fields
from schemas.answers.response_schema import ResponseSchema
from schemas.answers.states import SeatedPlayersSchema


class ReplaySummarySchema(ResponseSchema):
    """A deal of the library in short."""

    name = fields.string("Its name in addresses.")
    title = fields.string("The title of the deal.")
    source = fields.string("Its source; null for a made-up deal.", allow_none=True)
    players = fields.nested(SeatedPlayersSchema)
    ruleset = fields.name("Null if its opening is missing.", allow_none=True)
    revision = fields.integer("Null if the ruleset is not published here.", allow_none=True)
    trump = fields.string("The trump suit; null without one.", allow_none=True)
    ok = fields.boolean("Whether it has no impossible entry and no error.")
    outcome = fields.outcome("The outcome; null if the record does not say.", allow_none=True)
    declarer = fields.seat("Null if nobody plays alone.", allow_none=True)
    contract = fields.name("Null without one.", allow_none=True)
    links = fields.links()


class LibraryFolderSchema(ResponseSchema):
    """A folder of made-up examples."""

    name = fields.string("Its name in `?folder=`.")
    deals = fields.integer("Its number of deals.")
    links = fields.links()


class LibrarySchema(ResponseSchema):
    """The library."""

    replays = fields.list_of(ReplaySummarySchema)
    folders = fields.list_of(LibraryFolderSchema)


class DamagedPlaceSchema(ResponseSchema):
    """The place of damage; both null for a file."""

    stream = fields.string("The record; null if unknown.", allow_none=True)
    seq = fields.integer("The entry; null if unknown.", allow_none=True)


class ReadinessSchema(ResponseSchema):
    """The readiness of the service."""

    status = fields.string("`ready`; or `degraded` after damage, which does not concern the other records.")
    damaged = fields.integer("The number of damaged places found since the service started.")
    places = fields.list_of(
        DamagedPlaceSchema, "The first hundred of them; only for programs of this computer."
    )
    detail = fields.string("What to do about the damage; null without damage.", allow_none=True)


class HealthSchema(ResponseSchema):
    """The state of the service."""

    status = fields.string("`ok`; or `degraded` if damage was found since the service started.")
    store = fields.string("The store's warning if it runs with restrictions; else null.", allow_none=True)
