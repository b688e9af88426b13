"""The shape of two accounts of one deal side by side."""

from engine.reconcile import CONFLICTING, MORE_DETAIL, ONLY_ONE
from schemas.wire.event_schemas import EventSchema
from service.http.api.schemas import fields
from service.http.api.schemas.fields import ResponseSchema
from service.http.api.schemas.points import FindingSchema


class AccountSchema(ResponseSchema):
    """An account of the deal."""

    name = fields.string("What it is called.")
    entries = fields.integer("How many entries it has, corrections taken in.")
    contradicting = fields.list_of(FindingSchema)


class EntryPairSchema(ResponseSchema):
    """Entries that tell of the same act, or an entry of one account alone."""

    first = fields.nested(EventSchema, "Null where the second alone tells it.", allow_none=True)
    second = fields.nested(EventSchema, "Null where the first alone tells it.", allow_none=True)


class AccountDifferenceSchema(ResponseSchema):
    """A point in which the accounts differ."""

    seq = fields.integer(
        "Its entry in the merged record; null where that leaves it out.", min_value=1, allow_none=True
    )
    kind = fields.string(
        "`only` one tells it; they tell it `otherwise`; one tells `more` than the other.",
        choices=(ONLY_ONE, CONFLICTING, MORE_DETAIL),
    )
    first = fields.nested(EventSchema, "Null where the second alone tells it.", allow_none=True)
    second = fields.nested(EventSchema, "Null where the first alone tells it.", allow_none=True)
    differs_in = fields.list_of(fields.string(), "The fields in which they differ.")
    taken = fields.integer(
        "The account that the merged record follows, 1 or 2; null: both, or neither.", allow_none=True
    )


class ComparisonSchema(ResponseSchema):
    """Two accounts of one deal side by side, and one record of both."""

    accounts = fields.list_of(AccountSchema, "The first and the second.")
    agree = fields.boolean("Whether they can both be right.")
    pairs = fields.list_of(EntryPairSchema, "Side by side, in an order that keeps that of either.")
    differences = fields.list_of(AccountDifferenceSchema)
    merged = fields.list_of(EventSchema, "What both tell, each entry with its `accounts`.")
