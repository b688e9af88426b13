"""The shapes of a table's ledger, of seasons, and of a member's evenings."""

from engine.core.cards import SEAT_NAMES
from service.http.api.schemas import fields
from service.http.api.schemas.fields import ResponseSchema
from service.http.api.schemas.points import FindingSchema


class SeatingSchema(ResponseSchema):
    """The players by seat."""

    dealer = fields.name()
    forehand = fields.name()
    middlehand = fields.name()
    backhand = fields.name()
    sitting_out = fields.list_of(fields.name())


class PotSchema(ResponseSchema):
    """The pool, and the puestas set aside."""

    pool = fields.chips()
    reserved = fields.list_of(fields.chips())


class LedgerLineSchema(ResponseSchema):
    """A deal, or a payment by hand."""

    seq = fields.seq("The entry of the table's log.")
    deal = fields.name("The deal; null for a payment by hand.", allow_none=True)
    number = fields.integer("The deal's number; null for a payment by hand.", allow_none=True)
    game = fields.integer(
        "The game at the table: 1, or 1 or 2 with six players; null for a payment.",
        min_value=1,
        allow_none=True,
    )
    seating = fields.nested(SeatingSchema, "Null for a payment by hand.", allow_none=True)
    taken_over = fields.dict_of(
        fields.name(), "By seat, the player who took over the hand.", keys=fields.string(choices=SEAT_NAMES)
    )
    declarer = fields.name(
        "The player; null if nobody plays alone, or the player is unknown.", allow_none=True
    )
    contract = fields.name("Null if there is none, or it is unknown.", allow_none=True)
    trump = fields.suit("Null in nolo, while unknown, and for a payment by hand.", allow_none=True)
    outcome = fields.outcome(
        "The outcome; null while it is open, and for a payment by hand.", allow_none=True
    )
    decided = fields.boolean("Whether the payment is known; an open deal counts nothing.")
    chips = fields.chips_by_player()
    stake = fields.chips_by_player()
    before = fields.nested(
        PotSchema,
        "The pool before, with the stake; null without a pool, and for a payment.",
        allow_none=True,
    )
    after = fields.nested(
        PotSchema,
        "The pool after; null without a pool, and for a payment.",
        allow_none=True,
    )
    totals = fields.chips_by_player()
    text = fields.string("The note on a payment; null without one, and for a deal.", allow_none=True)


class LedgerStandingSchema(ResponseSchema):
    """A player's place."""

    place = fields.integer("The place; players with equal chips share one.", min_value=1)
    player = fields.name()
    chips = fields.chips()
    money = fields.string(
        "The chips in money, as a decimal number; null without a chip value.", allow_none=True
    )


class ContractFiguresSchema(ResponseSchema):
    """The games of one contract that a player declared."""

    contract = fields.name()
    played = fields.integer(
        "The number of games; those that did not end as below were given up, forfeited, or are not finished."
    )
    won = fields.integer("The number won.")
    bete = fields.integer("The number of bêtes.")
    codille = fields.integer("The number of codilles lost.")
    chips = fields.chips("The player's chips from them in total.")


class PlayerFiguresSchema(ResponseSchema):
    """The results of a player."""

    player = fields.name()
    chips = fields.chips("The player's chips won (+) or lost (−) in total.")
    played = fields.integer("Deals played, without void ones.")
    sat_out = fields.integer("Deals sat out.")
    declared = fields.integer("Games declared.")
    won = fields.integer("Games won, of those.")
    bete = fields.integer("Games bête.")
    codille = fields.integer("Games lost by codille.")
    contracts = fields.list_of(ContractFiguresSchema, "By contract, the most frequent first.")


class DebtSchema(ResponseSchema):
    """A payment due."""

    debtor = fields.name()
    creditor = fields.name()
    chips = fields.integer("The number of chips owed.")
    money = fields.string(
        "The chips in money, as a decimal number; null without a chip value.", allow_none=True
    )


class NextDealSchema(ResponseSchema):
    """The opening of the next deal of a game."""

    game = fields.integer("The game at the table, from 1.", min_value=1)
    number = fields.integer("The deal's number.", min_value=1)
    seating = fields.nested(SeatingSchema)
    pool = fields.chips("With the stake; null without a pool.", allow_none=True)
    reserved = fields.list_of(fields.chips())
    then = fields.list_of(
        SeatingSchema,
        "The seats of the deals after it while the same people play, until they repeat.",
    )
    dealt_again = fields.list_of(fields.outcome(), "The outcomes after which the same dealer deals again.")


class TableFindingSchema(FindingSchema):
    """A problem at an entry of the table's log or of a deal's log."""

    deal = fields.name("The deal; null for the table's own log.", allow_none=True)


class LedgerSchema(ResponseSchema):
    """A table's ledger."""

    players = fields.list_of(fields.name(), "The players at the table, in the order of play.")
    lines = fields.list_of(LedgerLineSchema)
    totals = fields.chips_by_player()
    standings = fields.list_of(LedgerStandingSchema, "The highest first.")
    figures = fields.list_of(
        PlayerFiguresSchema, "The results of each player, including those who have left."
    )
    penalties = fields.chips_by_player()
    pots = fields.list_of(PotSchema, "The pool of each game.")
    shares = fields.chips_by_player()
    owes = fields.list_of(DebtSchema, "The fewest payments that settle all debts, with the pool divided.")
    following = fields.list_of(NextDealSchema)
    deals_left = fields.integer("The deals left of the agreed plan; null without a plan.", allow_none=True)
    chip_value = fields.string(
        "The value of a chip, as a decimal number; null if none is agreed.", allow_none=True
    )
    currency = fields.string("The currency, such as `DKK`; null if none is agreed.", allow_none=True)
    closed = fields.boolean("Whether the evening is over.")
    voided = fields.set_aside()
    findings = fields.list_of(TableFindingSchema)
    names = fields.member_names()


class SeasonSummarySchema(ResponseSchema):
    """A season in short."""

    id = fields.string("Its name in addresses: `2026-27` is August 2026 to July 2027.")
    first = fields.string("Its first day; null without a beginning.", format="date", allow_none=True)
    last = fields.string("Its last day; null without an end.", format="date", allow_none=True)
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
    day = fields.string("Its day: the stated one, or the day on which it was opened.", format="date")
    date = fields.stated_date()
    ruleset = fields.name()
    revision = fields.ordinal("Null if its opening names none: then the newest applies.", allow_none=True)
    deals = fields.integer("The number of deals in its ledger.")
    closed = fields.boolean("Whether it is over.")
    totals = fields.chips_by_name("The chips each has won (+) or lost (−), as in its ledger.")
    shares = fields.chips_by_name("Each player's share of the pool.")
    chip_value = fields.string(
        "The value of a chip, as a decimal number; null if none is agreed.", allow_none=True
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
    first = fields.string("Its first day; null without a beginning.", format="date", allow_none=True)
    last = fields.string("Its last day; null without an end.", format="date", allow_none=True)
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
