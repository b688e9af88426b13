"""The shape of two accounts of one deal side by side."""

from marshmallow import fields, validate

from engine.reconcile import MORE, ONLY, OTHERWISE
from schemas.wire.events import EventSchema
from service.http.api.schemas.fields import Answer, Whole, flag, list_of, nested_in, said
from service.http.api.schemas.points import finding_list


class AccountSchema(Answer):
    """An account of the deal."""

    name = said("What it is called.")
    entries = Whole("How many entries it has, corrections taken in.")
    contradicting = finding_list()


class PairSchema(Answer):
    """Entries that tell of the same act, or an entry of one account alone."""

    first = nested_in(EventSchema, "Null where the second alone tells it.", null=True)
    second = nested_in(EventSchema, "Null where the first alone tells it.", null=True)


class DifferenceSchema(Answer):
    """A point in which the accounts differ."""

    seq = Whole("Its entry in the merged record; null where that leaves it out.", least=1, null=True)
    kind = fields.String(
        required=True,
        validate=validate.OneOf((ONLY, OTHERWISE, MORE)),
        metadata={
            "description": "`only` one tells it; they tell it `otherwise`; one tells `more` than the other."
        },
    )
    first = nested_in(EventSchema, "Null where the second alone tells it.", null=True)
    second = nested_in(EventSchema, "Null where the first alone tells it.", null=True)
    differs_in = list_of(said(), "The fields in which they differ.")
    taken = Whole("The account that the merged record follows, 1 or 2; null: both, or neither.", null=True)


class ComparedSchema(Answer):
    """Two accounts of one deal side by side, and one record of both."""

    accounts = list_of(AccountSchema, "The first and the second.")
    agree = flag("Whether they can both be right.")
    pairs = list_of(PairSchema, "Side by side, in an order that keeps that of either.")
    differences = list_of(DifferenceSchema)
    merged = list_of(EventSchema, "What both tell, each entry with its `accounts`.")
