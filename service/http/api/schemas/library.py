"""What is answered of the library."""

from service.http.api.schemas.fields import (
    SEAT,
    Answer,
    Vocabulary,
    Whole,
    flag,
    link_map,
    list_of,
    nested_in,
    said,
)
from service.http.api.schemas.points import NAME, SeatedSchema, outcome_or_null


class ReplayInShortSchema(Answer):
    """A deal of the library in short."""

    name = said("Its name in addresses.")
    title = said("What the deal is called.")
    source = said("Where it was read; null for one that was made up.", null=True)
    players = nested_in(SeatedSchema)
    ruleset = Vocabulary(NAME, "Null where its opening is missing.", null=True)
    revision = Whole("Null where the ruleset is not published here.", null=True)
    trump = said("The trump suit; null where there is none.", null=True)
    ok = flag("Whether nothing in it is impossible or against the rules.")
    outcome = outcome_or_null("How it ended; null where the record does not say.")
    declarer = Vocabulary(SEAT, "Null where nobody plays alone.", null=True)
    contract = Vocabulary(NAME, "Null where there is none.", null=True)
    links = link_map()


class FolderSchema(Answer):
    """A folder of made-up examples."""

    name = said("What `?folder=` calls it.")
    deals = Whole("How many it has.")
    links = link_map()


class ReplaysSchema(Answer):
    """The library."""

    replays = list_of(ReplayInShortSchema)
    folders = list_of(FolderSchema)


class DamagedSchema(Answer):
    """Where damage was noticed; both null where it is no single entry, but a file."""

    stream = said("The record; null where it is not known which.", null=True)
    seq = Whole("The entry in it; null where it is not known which.", null=True)


class ReadySchema(Answer):
    """That the service is ready."""

    status = said(
        "`ready`; or `degraded` where damage was noticed, which does not concern the other records."
    )
    damaged = Whole("At how many places damage was noticed since the service started.")
    places = list_of(DamagedSchema, "Which they are, the first hundred; only for programs of this computer.")
    detail = said("What to do about the damage; null where none was noticed.", null=True)


class HealthSchema(Answer):
    """How the service is."""

    status = said("`ok`; or `degraded` where damage was noticed since the service started.")
    store = said(
        "What the store has to say where it runs in a lesser way than it could; else null.", null=True
    )
