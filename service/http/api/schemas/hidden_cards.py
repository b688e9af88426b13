"""The queries and answers about hidden cards: what they can be, and what best play comes to."""

from typing import Final

from schemas.answers import fields
from schemas.answers.fields import QuerySchema
from schemas.answers.hidden_cards import EVIDENCE_LEVELS, EvidenceSchema, OddsSchema
from service.http.api.schemas.points import UnreadableLineSchema
from service.http.api.schemas.records import AT_DESCRIPTION, PointQuery
from service.records.deal_points import VIEWERS_BY_NAME

MAX_SAMPLED_DEALS: Final = 12
"""The most deals that best play is computed for: each takes up to a tenth of a second."""


class EvidenceParameters(QuerySchema):
    """Further questions about hidden cards."""

    of = fields.query_seq("Also count the lawful deals for each card that this entry can be.")
    witness = fields.query_choice(
        EVIDENCE_LEVELS,
        "Also one complete deal that agrees with the record: by the cards alone (`physical`), or with the "
        "rules kept too (`lawful`).",
    )


class OddsParameters(QuerySchema):
    """The deals for which best play is computed."""

    deals = fields.query_integer(
        "The number of deals.", min_value=1, max_value=MAX_SAMPLED_DEALS, default=MAX_SAMPLED_DEALS
    )
    seed = fields.query_integer(
        "The seed of the sample: the same one draws the same deals. The default depends on the record as "
        "you may know it."
    )


class EvidenceQuery(EvidenceParameters, PointQuery):
    """The point and the viewer."""


class OddsQuery(OddsParameters, PointQuery):
    """The point, the viewer and the number of deals."""


class LogPointQuery(QuerySchema):
    """The deal of a log, the point and the viewer."""

    deal = fields.query_integer(
        "The number of the deal in the log, from 1; by default the last.", min_value=1
    )
    at = fields.query_seq(AT_DESCRIPTION)
    viewer = fields.query_choice(
        VIEWERS_BY_NAME,
        "The viewer: a seat, `public` for an onlooker, or `all`.",
        default="all",
    )


class LogEvidenceQuery(EvidenceParameters, LogPointQuery):
    """The deal of a log."""


class LogOddsQuery(OddsParameters, LogPointQuery):
    """The deal of a log, and the number of deals to draw."""


class LogEvidenceSchema(EvidenceSchema):
    """The hidden cards of one deal of a log, and the log's unreadable parts."""

    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("The number of further problems.")


class LogOddsSchema(OddsSchema):
    """Best play in one deal of a log, and the log's unreadable parts."""

    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("The number of further problems.")
