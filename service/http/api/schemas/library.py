"""What is answered of the library."""

from service.http.api.schemas.fields import (
    SEAT_KIND,
    IntegerField,
    ResponseSchema,
    VocabularyField,
    boolean_field,
    links_field,
    list_field,
    nested_field,
    string_field,
)
from service.http.api.schemas.points import NAME_KIND, SeatedPlayersSchema, nullable_outcome_field


class ReplaySummarySchema(ResponseSchema):
    """A deal of the library in short."""

    name = string_field("Its name in addresses.")
    title = string_field("What the deal is called.")
    source = string_field("Where it was read; null for one that was made up.", allow_none=True)
    players = nested_field(SeatedPlayersSchema)
    ruleset = VocabularyField(NAME_KIND, "Null where its opening is missing.", allow_none=True)
    revision = IntegerField("Null where the ruleset is not published here.", allow_none=True)
    trump = string_field("The trump suit; null where there is none.", allow_none=True)
    ok = boolean_field("Whether nothing in it is impossible or against the rules.")
    outcome = nullable_outcome_field("How it ended; null where the record does not say.")
    declarer = VocabularyField(SEAT_KIND, "Null where nobody plays alone.", allow_none=True)
    contract = VocabularyField(NAME_KIND, "Null where there is none.", allow_none=True)
    links = links_field()


class LibraryFolderSchema(ResponseSchema):
    """A folder of made-up examples."""

    name = string_field("What `?folder=` calls it.")
    deals = IntegerField("How many it has.")
    links = links_field()


class LibrarySchema(ResponseSchema):
    """The library."""

    replays = list_field(ReplaySummarySchema)
    folders = list_field(LibraryFolderSchema)


class DamagedPlaceSchema(ResponseSchema):
    """Where damage was noticed; both null where it is no single entry, but a file."""

    stream = string_field("The record; null where it is not known which.", allow_none=True)
    seq = IntegerField("The entry in it; null where it is not known which.", allow_none=True)


class ReadinessSchema(ResponseSchema):
    """That the service is ready."""

    status = string_field(
        "`ready`; or `degraded` where damage was noticed, which does not concern the other records."
    )
    damaged = IntegerField("At how many places damage was noticed since the service started.")
    places = list_field(
        DamagedPlaceSchema, "Which they are, the first hundred; only for programs of this computer."
    )
    detail = string_field("What to do about the damage; null where none was noticed.", allow_none=True)


class HealthSchema(ResponseSchema):
    """How the service is."""

    status = string_field("`ok`; or `degraded` where damage was noticed since the service started.")
    store = string_field(
        "What the store has to say where it runs in a lesser way than it could; else null.", allow_none=True
    )
