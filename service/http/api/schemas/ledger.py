"""What is answered of a table's ledger."""

from marshmallow import fields, validate

from engine.core.cards import SEAT_NAMES
from engine.core.vocabulary import ALL_OUTCOMES, Chips
from schemas.wire.declaration import kind_of
from service.http.api.schemas.fields import (
    SEQ,
    SUIT,
    Answer,
    Vocabulary,
    Whole,
    flag,
    list_of,
    nested_in,
    said,
)
from service.http.api.schemas.points import (
    NAME,
    FindingSchema,
    chips_by_name,
    names_of_members,
    outcome_or_null,
)

CHIPS = kind_of(Chips)


class SeatingSchema(Answer):
    """Who sits where in a deal."""

    dealer = Vocabulary(NAME)
    forehand = Vocabulary(NAME)
    middlehand = Vocabulary(NAME)
    backhand = Vocabulary(NAME)
    sitting_out = list_of(Vocabulary(NAME))


class PotSchema(Answer):
    """What lies in the pool, and the puestas set aside."""

    pool = Vocabulary(CHIPS)
    reserved = list_of(Vocabulary(CHIPS))


class LineSchema(Answer):
    """A deal, or a payment by hand."""

    seq = Vocabulary(SEQ, "The entry of the table's log.")
    deal = Vocabulary(NAME, "The deal; null for a payment by hand.", null=True)
    number = Whole("The deal's number; null for a payment by hand.", null=True)
    game = Whole(
        "The game at the table: 1, or with six players 1 or 2; null for a payment.", least=1, null=True
    )
    seating = nested_in(SeatingSchema, "Null for a payment by hand.", null=True)
    taken_over = fields.Dict(
        keys=fields.String(validate=validate.OneOf(SEAT_NAMES)),
        values=Vocabulary(NAME),
        required=True,
        metadata={"description": "By seat who took the hand over."},
    )
    declarer = Vocabulary(
        NAME, "The player; null where nobody plays alone, or it is not known who.", null=True
    )
    contract = Vocabulary(NAME, "Null where there is none, or it is not known.", null=True)
    trump = Vocabulary(SUIT, "Null in nolo, while it is not known, and for a payment by hand.", null=True)
    outcome = outcome_or_null("How the deal ended; null while it is open, and for a payment by hand.")
    decided = flag("Whether it is known what the deal pays; an open one counts nothing.")
    chips = chips_by_name()
    stake = chips_by_name()
    before = nested_in(
        PotSchema,
        "The pool with the stake in it; null where the rules have no pool, and for a payment.",
        null=True,
    )
    after = nested_in(
        PotSchema, "The pool behind it; null where the rules have no pool, and for a payment.", null=True
    )
    totals = chips_by_name()
    text = said("What was said of a payment; null where nothing was, and for a deal.", null=True)


class StandingSchema(Answer):
    """A player's place."""

    place = Whole("The place; equal chips share one.", least=1)
    player = Vocabulary(NAME)
    chips = Vocabulary(CHIPS)
    money = said(
        "What the chips are worth, as a decimal number; null where no chip value is agreed.", null=True
    )


class GamesSchema(Answer):
    """The games of one contract that a player declared."""

    contract = Vocabulary(NAME)
    played = Whole("So many; what did not end as follows was given up, forfeited, or is not finished.")
    won = Whole("So many were won.")
    bete = Whole("So many were bête.")
    codille = Whole("So many were lost by codille.")
    chips = Vocabulary(CHIPS, "What they brought the player in all.")


class FiguresSchema(Answer):
    """What a player did."""

    player = Vocabulary(NAME)
    chips = Vocabulary(CHIPS, "What the player has won (+) or lost (−) in all.")
    played = Whole("Deals played, void ones left out.")
    sat_out = Whole("Deals sat out.")
    declared = Whole("Games declared.")
    won = Whole("Games won, of those.")
    bete = Whole("Games bête.")
    codille = Whole("Games lost by codille.")
    contracts = list_of(GamesSchema, "By contract, the most frequent first.")


class DebtSchema(Answer):
    """A payment that is due."""

    debtor = Vocabulary(NAME)
    creditor = Vocabulary(NAME)
    chips = Whole("How many chips are owed.")
    money = said(
        "What the chips are worth, as a decimal number; null where no chip value is agreed.", null=True
    )


class NextDealSchema(Answer):
    """What the next deal of a game is opened with."""

    game = Whole("The game at the table, from 1.", least=1)
    number = Whole("The deal's number.", least=1)
    seating = nested_in(SeatingSchema)
    pool = Vocabulary(CHIPS, "With the stake in it; null where the rules have no pool.", null=True)
    reserved = list_of(Vocabulary(CHIPS))
    then = list_of(
        SeatingSchema,
        "Who sits where in the deals after it, as long as the same people play: until it comes round.",
    )
    dealt_again = list_of(
        fields.String(validate=validate.OneOf(ALL_OUTCOMES)),
        "The outcomes after which the same dealer deals once more.",
    )


class TableFindingSchema(FindingSchema):
    """What does not fit, at an entry of the table's log, or of a deal's."""

    deal = Vocabulary(NAME, "The deal; null for the table's own log.", null=True)


class LedgerSchema(Answer):
    """A table's ledger."""

    players = list_of(Vocabulary(NAME), "Who sits there, in the order of play.")
    lines = list_of(LineSchema)
    totals = chips_by_name()
    standings = list_of(StandingSchema, "The highest first.")
    figures = list_of(FiguresSchema, "What each did, also who has left.")
    penalties = chips_by_name()
    pots = list_of(PotSchema, "What lies in the pool of each game.")
    shares = chips_by_name()
    owes = list_of(DebtSchema, "The fewest payments that make everybody even, the pool being divided.")
    following = list_of(NextDealSchema)
    deals_left = Whole("How many are left of the agreed plan; null where none is agreed.", null=True)
    chip_value = said("What a chip is worth, as a decimal number; null where it is not agreed.", null=True)
    currency = said("What chips are worth it in, such as `DKK`; null where it is not agreed.", null=True)
    closed = flag("Whether the evening is over.")
    findings = list_of(TableFindingSchema)
    names = names_of_members()
