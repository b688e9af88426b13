"""The shapes of a table's ledger, of seasons, and of a member's evenings."""

from schemas.answers import fields
from schemas.answers.ledgers import BaseLedgerSchema, PlayerFiguresSchema
from schemas.answers.response_schema import ResponseSchema


class LedgerSchema(BaseLedgerSchema):
    """A table's ledger."""

    names = fields.member_names()


class SeasonSummarySchema(ResponseSchema):
    """A season in short."""

    id = fields.string("Its name in addresses: `2026-27` is August 2026 to July 2027.")
    first = fields.day("Its first day; null without a beginning.", allow_none=True)
    last = fields.day("Its last day; null without an end.", allow_none=True)
    evenings = fields.integer("The number of its tables that the caller may read.")
    links = fields.links()


class SeasonsSchema(ResponseSchema):
    """The seasons that have tables, the latest first."""

    seasons = fields.list_of(SeasonSummarySchema)
    damaged = fields.damaged_records()


class MoneyAmountSchema(ResponseSchema):
    """An amount of money."""

    currency = fields.string("The currency; null if the tables name none.", allow_none=True)
    amount = fields.string("A decimal number, exact.")


class EveningSchema(ResponseSchema):
    """The results of one table."""

    table = fields.uuid()
    title = fields.string("The title; null without one, or if you may not know it.", allow_none=True)
    day = fields.day("Its day: the stated one, or the day on which it was opened.")
    date = fields.stated_date()
    ruleset = fields.name()
    revision = fields.ordinal("Null if its opening names none: then the newest applies.", allow_none=True)
    deals = fields.integer("The number of deals in its ledger.")
    closed = fields.boolean("Whether it is over.")
    totals = fields.chips_by_name(
        "The chips each has won (+) or lost (−), as in its ledger.",
        get=lambda evening: {figures.player: figures.chips for figures in evening.figures},
    )
    shares = fields.chips_by_name("Each player's share of the pool.")
    chip_value = fields.string(
        "The value of a chip, as a decimal number; null if none is agreed.", write=str, allow_none=True
    )
    currency = fields.string("The currency; null if none is agreed.", allow_none=True)
    links = fields.links()


class PlayerTotalsSchema(PlayerFiguresSchema):
    """A player over several evenings. `chips` is the sum of the ledgers' totals."""

    evenings = fields.integer("The number of tables of the player.")
    share = fields.chips("The player's shares of the pools.")
    settled = fields.chips("The sum of both; over all players it is zero.")
    money = fields.list_of(MoneyAmountSchema, "Its value in each currency; empty without chip values.")


class SeasonStandingSchema(PlayerTotalsSchema):
    """A player over the evenings of a season."""

    place = fields.integer("The place by `settled`; equal players share one.", min_value=1)


class SeasonSchema(ResponseSchema):
    """The evenings of a season, and their totals."""

    id = fields.string("Its name in addresses.")
    first = fields.day("Its first day; null without a beginning.", allow_none=True)
    last = fields.day("Its last day; null without an end.", allow_none=True)
    evenings = fields.list_of(EveningSchema, "The tables that the caller may read, the earliest first.")
    standings = fields.list_of(SeasonStandingSchema, "The player with the most chips first.")
    damaged = fields.damaged_records()
    names = fields.member_names()
    links = fields.links()


class AttendedEveningSchema(EveningSchema):
    """An evening of a member, and the member's results."""

    season = fields.string("Its season.")
    figures = fields.nested(PlayerFiguresSchema)
    settled = fields.chips("The member's chips, with the share of the pool.")
    money = fields.string("Their value, as a decimal number; null without a chip value.", allow_none=True)


class MemberFiguresSchema(ResponseSchema):
    """The results of a member, over all evenings that the caller may read."""

    member = fields.string("The member's id.")
    total = fields.nested(PlayerTotalsSchema, "All evenings together; null without any.", allow_none=True)
    evenings = fields.list_of(AttendedEveningSchema, "The latest first.")
    damaged = fields.damaged_records()
    names = fields.member_names()
    links = fields.links()
