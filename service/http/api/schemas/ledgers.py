"""The shapes of a table's ledger, of seasons, and of a member's evenings."""

from engine.core.cards import SEAT_NAMES
from engine.core.field_types import ALL_OUTCOMES
from service.http.api.schemas import fields
from service.http.api.schemas.fields import ResponseSchema
from service.http.api.schemas.points import FindingSchema


class SeatingSchema(ResponseSchema):
    """Who sits where in a deal."""

    dealer = fields.name()
    forehand = fields.name()
    middlehand = fields.name()
    backhand = fields.name()
    sitting_out = fields.list_of(fields.name())


class PotSchema(ResponseSchema):
    """What lies in the pool, and the puestas set aside."""

    pool = fields.chips()
    reserved = fields.list_of(fields.chips())


class LedgerLineSchema(ResponseSchema):
    """A deal, or a payment by hand."""

    seq = fields.seq("The entry of the table's log.")
    deal = fields.name("The deal; null for a payment by hand.", allow_none=True)
    number = fields.integer("The deal's number; null for a payment by hand.", allow_none=True)
    game = fields.integer(
        "The game at the table: 1, or with six players 1 or 2; null for a payment.",
        min_value=1,
        allow_none=True,
    )
    seating = fields.nested(SeatingSchema, "Null for a payment by hand.", allow_none=True)
    taken_over = fields.dict_of(
        fields.name(), "By seat who took the hand over.", keys=fields.string(choices=SEAT_NAMES)
    )
    declarer = fields.name(
        "The player; null where nobody plays alone, or it is not known who.", allow_none=True
    )
    contract = fields.name("Null where there is none, or it is not known.", allow_none=True)
    trump = fields.suit("Null in nolo, while it is not known, and for a payment by hand.", allow_none=True)
    outcome = fields.nullable_outcome("How the deal ended; null while it is open, and for a payment by hand.")
    decided = fields.boolean("Whether it is known what the deal pays; an open one counts nothing.")
    chips = fields.chips_by_player()
    stake = fields.chips_by_player()
    before = fields.nested(
        PotSchema,
        "The pool with the stake in it; null where the rules have no pool, and for a payment.",
        allow_none=True,
    )
    after = fields.nested(
        PotSchema,
        "The pool behind it; null where the rules have no pool, and for a payment.",
        allow_none=True,
    )
    totals = fields.chips_by_player()
    text = fields.string(
        "What was said of a payment; null where nothing was, and for a deal.", allow_none=True
    )


class LedgerStandingSchema(ResponseSchema):
    """A player's place."""

    place = fields.integer("The place; equal chips share one.", min_value=1)
    player = fields.name()
    chips = fields.chips()
    money = fields.string(
        "What the chips are worth, as a decimal number; null where no chip value is agreed.", allow_none=True
    )


class ContractFiguresSchema(ResponseSchema):
    """The games of one contract that a player declared."""

    contract = fields.name()
    played = fields.integer(
        "So many; what did not end as follows was given up, forfeited, or is not finished."
    )
    won = fields.integer("So many were won.")
    bete = fields.integer("So many were bête.")
    codille = fields.integer("So many were lost by codille.")
    chips = fields.chips("What they brought the player in all.")


class PlayerFiguresSchema(ResponseSchema):
    """What a player did."""

    player = fields.name()
    chips = fields.chips("What the player has won (+) or lost (−) in all.")
    played = fields.integer("Deals played, void ones left out.")
    sat_out = fields.integer("Deals sat out.")
    declared = fields.integer("Games declared.")
    won = fields.integer("Games won, of those.")
    bete = fields.integer("Games bête.")
    codille = fields.integer("Games lost by codille.")
    contracts = fields.list_of(ContractFiguresSchema, "By contract, the most frequent first.")


class DebtSchema(ResponseSchema):
    """A payment that is due."""

    debtor = fields.name()
    creditor = fields.name()
    chips = fields.integer("How many chips are owed.")
    money = fields.string(
        "What the chips are worth, as a decimal number; null where no chip value is agreed.", allow_none=True
    )


class NextDealSchema(ResponseSchema):
    """What the next deal of a game is opened with."""

    game = fields.integer("The game at the table, from 1.", min_value=1)
    number = fields.integer("The deal's number.", min_value=1)
    seating = fields.nested(SeatingSchema)
    pool = fields.chips("With the stake in it; null where the rules have no pool.", allow_none=True)
    reserved = fields.list_of(fields.chips())
    then = fields.list_of(
        SeatingSchema,
        "Who sits where in the deals after it, as long as the same people play: until it comes round.",
    )
    dealt_again = fields.list_of(
        fields.string(choices=ALL_OUTCOMES), "The outcomes after which the same dealer deals once more."
    )


class TableFindingSchema(FindingSchema):
    """What does not fit, at an entry of the table's log, or of a deal's."""

    deal = fields.name("The deal; null for the table's own log.", allow_none=True)


class LedgerSchema(ResponseSchema):
    """A table's ledger."""

    players = fields.list_of(fields.name(), "Who sits there, in the order of play.")
    lines = fields.list_of(LedgerLineSchema)
    totals = fields.chips_by_player()
    standings = fields.list_of(LedgerStandingSchema, "The highest first.")
    figures = fields.list_of(PlayerFiguresSchema, "What each did, also who has left.")
    penalties = fields.chips_by_player()
    pots = fields.list_of(PotSchema, "What lies in the pool of each game.")
    shares = fields.chips_by_player()
    owes = fields.list_of(DebtSchema, "The fewest payments that make everybody even, the pool being divided.")
    following = fields.list_of(NextDealSchema)
    deals_left = fields.integer(
        "How many are left of the agreed plan; null where none is agreed.", allow_none=True
    )
    chip_value = fields.string(
        "What a chip is worth, as a decimal number; null where it is not agreed.", allow_none=True
    )
    currency = fields.string(
        "What chips are worth it in, such as `DKK`; null where it is not agreed.", allow_none=True
    )
    closed = fields.boolean("Whether the evening is over.")
    voided = fields.set_aside()
    findings = fields.list_of(TableFindingSchema)
    names = fields.member_names()


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
    day = fields.string("Its day: the stated one, or the day on which it was opened.", format="date")
    date = fields.stated_date()
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
