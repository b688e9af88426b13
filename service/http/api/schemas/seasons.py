"""What is answered of seasons, and of a member's evenings."""

from marshmallow import fields

from engine.core.field_types import Chips, ChipsByName, Ordinal
from schemas.wire.field_specs import field_kind
from service.http.api.schemas.fields import (
    IntegerField,
    ResponseSchema,
    VocabularyField,
    boolean_field,
    links_field,
    list_field,
    nested_field,
    string_field,
)
from service.http.api.schemas.ledger import PlayerFiguresSchema
from service.http.api.schemas.points import NAME_KIND, member_names_field
from service.http.api.schemas.records import UUID_KIND, damaged_records_field

CHIPS_KIND = field_kind(Chips)
DATE_FORMAT = {"format": "date"}


def date_field(description: str, *, allow_none: bool = False) -> fields.String:
    """A day, such as 2026-11-21."""
    return fields.String(
        required=True, allow_none=allow_none, metadata={"description": description, **DATE_FORMAT}
    )


class SeasonSummarySchema(ResponseSchema):
    """A season in short."""

    id = string_field("What addresses call it: `2026-27` is August 2026 to July 2027.")
    first = date_field("Its first day; null where it has no beginning.", allow_none=True)
    last = date_field("Its last day; null where it has no end.", allow_none=True)
    evenings = IntegerField("How many tables were opened in it that the caller may read.")
    links = links_field()


class SeasonsSchema(ResponseSchema):
    """The seasons that have tables, the latest first."""

    seasons = list_field(SeasonSummarySchema)
    damaged = damaged_records_field()


class MoneyAmountSchema(ResponseSchema):
    """An amount of money."""

    currency = string_field("The currency; null where the tables name none.", allow_none=True)
    amount = string_field("A decimal number, exact.")


class EveningSchema(ResponseSchema):
    """What one table came to."""

    table = VocabularyField(UUID_KIND)
    title = string_field(
        "What it is called; null where it has no name, or you may not know it.", allow_none=True
    )
    day = date_field("The day on which it was opened.")
    ruleset = VocabularyField(NAME_KIND)
    revision = VocabularyField(
        field_kind(Ordinal), "Null where its opening names none: then it is the newest.", allow_none=True
    )
    deals = IntegerField("How many deals stand in its ledger.")
    closed = boolean_field("Whether it is over.")
    totals = VocabularyField(field_kind(ChipsByName), "What each has won (+) or lost (−): as in its ledger.")
    shares = VocabularyField(field_kind(ChipsByName), "What each gets of what lies in the pool.")
    chip_value = string_field(
        "What a chip is worth, as a decimal number; null where it is not agreed.", allow_none=True
    )
    currency = string_field("What chips are worth it in; null where it is not agreed.", allow_none=True)
    links = links_field()


class PlayerTotalsSchema(PlayerFiguresSchema):
    """A player over several evenings. `chips` is the sum of the totals in their ledgers."""

    evenings = IntegerField("At how many tables the player sat.")
    share = VocabularyField(CHIPS_KIND, "The player's shares of what lies in pools.")
    settled = VocabularyField(CHIPS_KIND, "Both together; of all players it is nothing.")
    money = list_field(
        MoneyAmountSchema, "What that is worth, in each currency; empty where no chip has a value."
    )


class SeasonStandingSchema(PlayerTotalsSchema):
    """A player over the evenings of a season."""

    place = IntegerField("The place by `settled`; equal ones share it.", min_value=1)


class SeasonSchema(ResponseSchema):
    """The evenings of a season, and what they come to."""

    id = string_field("What addresses call it.")
    first = date_field("Its first day; null where it has no beginning.", allow_none=True)
    last = date_field("Its last day; null where it has no end.", allow_none=True)
    evenings = list_field(EveningSchema, "The tables that the caller may read, the earliest first.")
    standings = list_field(SeasonStandingSchema, "Whoever came away with most first.")
    damaged = damaged_records_field()
    names = member_names_field()
    links = links_field()


class AttendedEveningSchema(EveningSchema):
    """An evening that a member sat at, and what the member did there."""

    season = string_field("The season that it belongs to.")
    figures = nested_field(PlayerFiguresSchema)
    settled = VocabularyField(CHIPS_KIND, "The member's chips, with the share of what lies in the pool.")
    money = string_field(
        "What that is worth, as a decimal number; null where no chip value is agreed.", allow_none=True
    )


class MemberFiguresSchema(ResponseSchema):
    """What a member did, over all evenings that the caller may read."""

    member = string_field("The member's id.")
    total = nested_field(
        PlayerTotalsSchema, "All evenings together; null where there are none.", allow_none=True
    )
    evenings = list_field(AttendedEveningSchema, "The latest first.")
    damaged = damaged_records_field()
    names = member_names_field()
    links = links_field()
