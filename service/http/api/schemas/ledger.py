"""What is answered of a table's ledger."""

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
    findings = fields.list_of(TableFindingSchema)
    names = fields.member_names()
