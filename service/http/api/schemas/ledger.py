"""What is answered of a table's ledger."""

from marshmallow import fields, validate

from engine.core.cards import SEAT_NAMES
from engine.core.field_types import ALL_OUTCOMES, Chips
from schemas.wire.field_specs import field_kind
from service.http.api.schemas.fields import (
    SEQ_KIND,
    SUIT_KIND,
    IntegerField,
    ResponseSchema,
    VocabularyField,
    boolean_field,
    list_field,
    nested_field,
    string_field,
)
from service.http.api.schemas.points import (
    NAME_KIND,
    FindingSchema,
    chips_by_name_field,
    member_names_field,
    nullable_outcome_field,
)

CHIPS_KIND = field_kind(Chips)


class SeatingSchema(ResponseSchema):
    """Who sits where in a deal."""

    dealer = VocabularyField(NAME_KIND)
    forehand = VocabularyField(NAME_KIND)
    middlehand = VocabularyField(NAME_KIND)
    backhand = VocabularyField(NAME_KIND)
    sitting_out = list_field(VocabularyField(NAME_KIND))


class PotSchema(ResponseSchema):
    """What lies in the pool, and the puestas set aside."""

    pool = VocabularyField(CHIPS_KIND)
    reserved = list_field(VocabularyField(CHIPS_KIND))


class LedgerLineSchema(ResponseSchema):
    """A deal, or a payment by hand."""

    seq = VocabularyField(SEQ_KIND, "The entry of the table's log.")
    deal = VocabularyField(NAME_KIND, "The deal; null for a payment by hand.", allow_none=True)
    number = IntegerField("The deal's number; null for a payment by hand.", allow_none=True)
    game = IntegerField(
        "The game at the table: 1, or with six players 1 or 2; null for a payment.",
        min_value=1,
        allow_none=True,
    )
    seating = nested_field(SeatingSchema, "Null for a payment by hand.", allow_none=True)
    taken_over = fields.Dict(
        keys=fields.String(validate=validate.OneOf(SEAT_NAMES)),
        values=VocabularyField(NAME_KIND),
        required=True,
        metadata={"description": "By seat who took the hand over."},
    )
    declarer = VocabularyField(
        NAME_KIND, "The player; null where nobody plays alone, or it is not known who.", allow_none=True
    )
    contract = VocabularyField(NAME_KIND, "Null where there is none, or it is not known.", allow_none=True)
    trump = VocabularyField(
        SUIT_KIND, "Null in nolo, while it is not known, and for a payment by hand.", allow_none=True
    )
    outcome = nullable_outcome_field("How the deal ended; null while it is open, and for a payment by hand.")
    decided = boolean_field("Whether it is known what the deal pays; an open one counts nothing.")
    chips = chips_by_name_field()
    stake = chips_by_name_field()
    before = nested_field(
        PotSchema,
        "The pool with the stake in it; null where the rules have no pool, and for a payment.",
        allow_none=True,
    )
    after = nested_field(
        PotSchema,
        "The pool behind it; null where the rules have no pool, and for a payment.",
        allow_none=True,
    )
    totals = chips_by_name_field()
    text = string_field(
        "What was said of a payment; null where nothing was, and for a deal.", allow_none=True
    )


class LedgerStandingSchema(ResponseSchema):
    """A player's place."""

    place = IntegerField("The place; equal chips share one.", min_value=1)
    player = VocabularyField(NAME_KIND)
    chips = VocabularyField(CHIPS_KIND)
    money = string_field(
        "What the chips are worth, as a decimal number; null where no chip value is agreed.", allow_none=True
    )


class ContractFiguresSchema(ResponseSchema):
    """The games of one contract that a player declared."""

    contract = VocabularyField(NAME_KIND)
    played = IntegerField("So many; what did not end as follows was given up, forfeited, or is not finished.")
    won = IntegerField("So many were won.")
    bete = IntegerField("So many were bête.")
    codille = IntegerField("So many were lost by codille.")
    chips = VocabularyField(CHIPS_KIND, "What they brought the player in all.")


class PlayerFiguresSchema(ResponseSchema):
    """What a player did."""

    player = VocabularyField(NAME_KIND)
    chips = VocabularyField(CHIPS_KIND, "What the player has won (+) or lost (−) in all.")
    played = IntegerField("Deals played, void ones left out.")
    sat_out = IntegerField("Deals sat out.")
    declared = IntegerField("Games declared.")
    won = IntegerField("Games won, of those.")
    bete = IntegerField("Games bête.")
    codille = IntegerField("Games lost by codille.")
    contracts = list_field(ContractFiguresSchema, "By contract, the most frequent first.")


class DebtSchema(ResponseSchema):
    """A payment that is due."""

    debtor = VocabularyField(NAME_KIND)
    creditor = VocabularyField(NAME_KIND)
    chips = IntegerField("How many chips are owed.")
    money = string_field(
        "What the chips are worth, as a decimal number; null where no chip value is agreed.", allow_none=True
    )


class NextDealSchema(ResponseSchema):
    """What the next deal of a game is opened with."""

    game = IntegerField("The game at the table, from 1.", min_value=1)
    number = IntegerField("The deal's number.", min_value=1)
    seating = nested_field(SeatingSchema)
    pool = VocabularyField(
        CHIPS_KIND, "With the stake in it; null where the rules have no pool.", allow_none=True
    )
    reserved = list_field(VocabularyField(CHIPS_KIND))
    then = list_field(
        SeatingSchema,
        "Who sits where in the deals after it, as long as the same people play: until it comes round.",
    )
    dealt_again = list_field(
        fields.String(validate=validate.OneOf(ALL_OUTCOMES)),
        "The outcomes after which the same dealer deals once more.",
    )


class TableFindingSchema(FindingSchema):
    """What does not fit, at an entry of the table's log, or of a deal's."""

    deal = VocabularyField(NAME_KIND, "The deal; null for the table's own log.", allow_none=True)


class LedgerSchema(ResponseSchema):
    """A table's ledger."""

    players = list_field(VocabularyField(NAME_KIND), "Who sits there, in the order of play.")
    lines = list_field(LedgerLineSchema)
    totals = chips_by_name_field()
    standings = list_field(LedgerStandingSchema, "The highest first.")
    figures = list_field(PlayerFiguresSchema, "What each did, also who has left.")
    penalties = chips_by_name_field()
    pots = list_field(PotSchema, "What lies in the pool of each game.")
    shares = chips_by_name_field()
    owes = list_field(DebtSchema, "The fewest payments that make everybody even, the pool being divided.")
    following = list_field(NextDealSchema)
    deals_left = IntegerField(
        "How many are left of the agreed plan; null where none is agreed.", allow_none=True
    )
    chip_value = string_field(
        "What a chip is worth, as a decimal number; null where it is not agreed.", allow_none=True
    )
    currency = string_field(
        "What chips are worth it in, such as `DKK`; null where it is not agreed.", allow_none=True
    )
    closed = boolean_field("Whether the evening is over.")
    findings = list_field(TableFindingSchema)
    names = member_names_field()
