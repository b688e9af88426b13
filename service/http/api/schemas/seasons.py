"""What is answered of seasons, and of a member's evenings."""

from service.http.api.schemas import fields
from service.http.api.schemas.fields import ResponseSchema
from service.http.api.schemas.ledger import PlayerFiguresSchema


class SeasonSummarySchema(ResponseSchema):
    """A season in short."""

    id = fields.string("What addresses call it: `2026-27` is August 2026 to July 2027.")
    first = fields.string("Its first day; null where it has no beginning.", format="date", allow_none=True)
    last = fields.string("Its last day; null where it has no end.", format="date", allow_none=True)
    evenings = fields.integer("How many tables were opened in it that the caller may read.")
    links = fields.links()


class SeasonsSchema(ResponseSchema):
    """The seasons that have tables, the latest first."""

    seasons = fields.list_of(SeasonSummarySchema)
    damaged = fields.damaged_records()


class MoneyAmountSchema(ResponseSchema):
    """An amount of money."""

    currency = fields.string("The currency; null where the tables name none.", allow_none=True)
    amount = fields.string("A decimal number, exact.")


class EveningSchema(ResponseSchema):
    """What one table came to."""

    table = fields.uuid()
    title = fields.string(
        "What it is called; null where it has no name, or you may not know it.", allow_none=True
    )
    day = fields.string("The day on which it was opened.", format="date")
    ruleset = fields.name()
    revision = fields.ordinal("Null where its opening names none: then it is the newest.", allow_none=True)
    deals = fields.integer("How many deals stand in its ledger.")
    closed = fields.boolean("Whether it is over.")
    totals = fields.chips_by_name("What each has won (+) or lost (−): as in its ledger.")
    shares = fields.chips_by_name("What each gets of what lies in the pool.")
    chip_value = fields.string(
        "What a chip is worth, as a decimal number; null where it is not agreed.", allow_none=True
    )
    currency = fields.string("What chips are worth it in; null where it is not agreed.", allow_none=True)
    links = fields.links()


class PlayerTotalsSchema(PlayerFiguresSchema):
    """A player over several evenings. `chips` is the sum of the totals in their ledgers."""

    evenings = fields.integer("At how many tables the player sat.")
    share = fields.chips("The player's shares of what lies in pools.")
    settled = fields.chips("Both together; of all players it is nothing.")
    money = fields.list_of(
        MoneyAmountSchema, "What that is worth, in each currency; empty where no chip has a value."
    )


class SeasonStandingSchema(PlayerTotalsSchema):
    """A player over the evenings of a season."""

    place = fields.integer("The place by `settled`; equal ones share it.", min_value=1)


class SeasonSchema(ResponseSchema):
    """The evenings of a season, and what they come to."""

    id = fields.string("What addresses call it.")
    first = fields.string("Its first day; null where it has no beginning.", format="date", allow_none=True)
    last = fields.string("Its last day; null where it has no end.", format="date", allow_none=True)
    evenings = fields.list_of(EveningSchema, "The tables that the caller may read, the earliest first.")
    standings = fields.list_of(SeasonStandingSchema, "Whoever came away with most first.")
    damaged = fields.damaged_records()
    names = fields.member_names()
    links = fields.links()


class AttendedEveningSchema(EveningSchema):
    """An evening that a member sat at, and what the member did there."""

    season = fields.string("The season that it belongs to.")
    figures = fields.nested(PlayerFiguresSchema)
    settled = fields.chips("The member's chips, with the share of what lies in the pool.")
    money = fields.string(
        "What that is worth, as a decimal number; null where no chip value is agreed.", allow_none=True
    )


class MemberFiguresSchema(ResponseSchema):
    """What a member did, over all evenings that the caller may read."""

    member = fields.string("The member's id.")
    total = fields.nested(
        PlayerTotalsSchema, "All evenings together; null where there are none.", allow_none=True
    )
    evenings = fields.list_of(AttendedEveningSchema, "The latest first.")
    damaged = fields.damaged_records()
    names = fields.member_names()
    links = fields.links()
