"""The shape of two accounts of one deal side by side."""

from marshmallow import fields, validate

from engine.reconcile import CONFLICTING, MORE_DETAIL, ONLY_ONE
from schemas.wire.event_schemas import EventSchema
from service.http.api.schemas.fields import (
    IntegerField,
    ResponseSchema,
    boolean_field,
    list_field,
    nested_field,
    string_field,
)
from service.http.api.schemas.points import finding_list_field


class AccountSchema(ResponseSchema):
    """An account of the deal."""

    name = string_field("What it is called.")
    entries = IntegerField("How many entries it has, corrections taken in.")
    contradicting = finding_list_field()


class EntryPairSchema(ResponseSchema):
    """Entries that tell of the same act, or an entry of one account alone."""

    first = nested_field(EventSchema, "Null where the second alone tells it.", allow_none=True)
    second = nested_field(EventSchema, "Null where the first alone tells it.", allow_none=True)


class AccountDifferenceSchema(ResponseSchema):
    """A point in which the accounts differ."""

    seq = IntegerField(
        "Its entry in the merged record; null where that leaves it out.", min_value=1, allow_none=True
    )
    kind = fields.String(
        required=True,
        validate=validate.OneOf((ONLY_ONE, CONFLICTING, MORE_DETAIL)),
        metadata={
            "description": "`only` one tells it; they tell it `otherwise`; one tells `more` than the other."
        },
    )
    first = nested_field(EventSchema, "Null where the second alone tells it.", allow_none=True)
    second = nested_field(EventSchema, "Null where the first alone tells it.", allow_none=True)
    differs_in = list_field(string_field(), "The fields in which they differ.")
    taken = IntegerField(
        "The account that the merged record follows, 1 or 2; null: both, or neither.", allow_none=True
    )


class ComparisonSchema(ResponseSchema):
    """Two accounts of one deal side by side, and one record of both."""

    accounts = list_field(AccountSchema, "The first and the second.")
    agree = boolean_field("Whether they can both be right.")
    pairs = list_field(EntryPairSchema, "Side by side, in an order that keeps that of either.")
    differences = list_field(AccountDifferenceSchema)
    merged = list_field(EventSchema, "What both tell, each entry with its `accounts`.")
