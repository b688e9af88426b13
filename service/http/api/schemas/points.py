"""What is answered of a deal at one point: state, legal actions, score, findings, replay (DESIGN 5)."""

from typing import Any, Final

from marshmallow import fields, validate

from engine.core.field_types import ALL_OUTCOMES, Chips, ChipsByName, Name
from engine.play.findings import FINDING_CODES, SEVERITIES
from engine.play.state import PHASES
from schemas.wire.event_schemas import BARE_EVENT_SCHEMAS, EventSchema
from schemas.wire.field_specs import field_kind
from service.http.api.schemas.fields import (
    CARD_KIND,
    SEAT_KIND,
    SEQ_KIND,
    SUIT_KIND,
    IntegerField,
    ResponseSchema,
    VocabularyField,
    boolean_field,
    build_by_seat_schema,
    links_field,
    list_field,
    nested_field,
    string_field,
)

NAME_KIND = field_kind(Name)


def card_list_field(description: str = "", *, required: bool = True) -> fields.List[Any]:
    """A list of cards."""
    return list_field(VocabularyField(CARD_KIND), description, required=required)


def member_names_field(*, required: bool = True) -> fields.Dict:
    """How the members of the club are called that a record names by their ids."""
    return fields.Dict(
        required=required,
        keys=fields.String(),
        values=fields.String(allow_none=True),
        metadata={
            "component": "MemberNames",
            "description": "How the players are called whom the record names by a member's id; null for a "
            "member who was forgotten.",
        },
    )


SEATED_DESCRIPTION: Final = "The player's name or member id; empty before the deal is opened."


class SeatedPlayersSchema(ResponseSchema):
    """Who sits where now."""

    forehand = string_field(SEATED_DESCRIPTION)
    middlehand = string_field(SEATED_DESCRIPTION)
    backhand = string_field(SEATED_DESCRIPTION)
    sitting_out = list_field(VocabularyField(NAME_KIND), "Players at the table who do not play this deal.")


class CallSchema(ResponseSchema):
    """A call in the auction."""

    seq = VocabularyField(SEQ_KIND)
    seat = VocabularyField(SEAT_KIND)
    bid = string_field("`pass`, `self` or a bid's id.")
    said = fields.String(metadata={"description": "The literal words, where they were recorded."})


class HandSchema(ResponseSchema):
    """What is known of a hand."""

    cards = card_list_field("Cards certainly in it.")
    others = IntegerField("How many others it holds.", data_key="unknown")
    maybe = card_list_field("What is known of each of these: `S?` a spade, `??` nothing.", required=False)


class ExchangedCardsSchema(ResponseSchema):
    """Cards discarded or drawn."""

    cards = card_list_field()
    count = IntegerField("How many cards, known or not.")


class TalonSchema(ResponseSchema):
    """What is known of the talon."""

    cards = card_list_field("Top first.")
    count = IntegerField("How many cards lie there.")
    turned = VocabularyField(
        CARD_KIND, "The card turned up for trumps; null where none was.", allow_none=True
    )


class TrickSchema(ResponseSchema):
    """A trick; the last may have fewer than three cards."""

    number = IntegerField("Which trick it is, from 1.", min_value=1)
    leader = VocabularyField(SEAT_KIND, "Who led; null where that is not known.", allow_none=True)
    seats = list_field(VocabularyField(SEAT_KIND), "Who played, in order.")
    cards = card_list_field("What they played.")
    seqs = list_field(VocabularyField(SEQ_KIND), "The entries that say so.")
    winner = VocabularyField(
        SEAT_KIND, "Null while it is open, and where hidden cards leave it unknown.", allow_none=True
    )


class PlayAfterEndSchema(ResponseSchema):
    """A card played after the deal was over."""

    seq = VocabularyField(SEQ_KIND)
    seat = VocabularyField(SEAT_KIND)
    card = VocabularyField(CARD_KIND)


TricksBySeat = build_by_seat_schema("Tricks", IntegerField)
HandsBySeat = build_by_seat_schema("Hands", lambda: nested_field(HandSchema))
ExchangedCardsBySeat = build_by_seat_schema(
    "Laid", lambda: nested_field(ExchangedCardsSchema, required=False)
)


class ClaimSchema(ResponseSchema):
    """A claim that lies on the table."""

    seat = VocabularyField(SEAT_KIND)
    tricks = nested_field(TricksBySeat, "What each seat would have in the end.")
    accepted = list_field(VocabularyField(SEAT_KIND), "Who has accepted it.")


class SurrenderSchema(ResponseSchema):
    """A surrender that was offered."""

    seat = VocabularyField(SEAT_KIND)
    accepted = list_field(VocabularyField(SEAT_KIND), "Who has accepted it.")
    forbidden_by = VocabularyField(
        SEAT_KIND, "Who has forbidden it, and plays on as declarer; null while nobody has.", allow_none=True
    )


class StateSchema(ResponseSchema):
    """A deal at one point, as far as the record says."""

    phase = fields.String(
        required=True,
        validate=validate.OneOf(PHASES),
        metadata={"description": "How far the deal is; `finished` also where only its result is known."},
    )
    to_act = VocabularyField(
        SEAT_KIND, "Whose turn it is; null where nobody's, or nobody knows.", allow_none=True
    )
    ruleset = VocabularyField(NAME_KIND, "Null where its opening is missing.", allow_none=True)
    revision = IntegerField("Null where the ruleset is not published here.", allow_none=True)
    players = nested_field(SeatedPlayersSchema)
    calls = list_field(CallSchema)
    declarer = VocabularyField(
        SEAT_KIND, "Null while there is none, or where it is not known who.", allow_none=True
    )
    contract = VocabularyField(
        NAME_KIND, "Null while there is none, or where it is not known.", allow_none=True
    )
    trump = VocabularyField(SUIT_KIND, "Null in nolo, and while it is not known.", allow_none=True)
    hands = nested_field(HandsBySeat, "What is known of each hand.")
    talon = nested_field(TalonSchema)
    discards = nested_field(ExchangedCardsBySeat, "What each seat discarded, once it has.")
    draws = nested_field(ExchangedCardsBySeat, "What each seat drew, once it has.")
    tricks = list_field(TrickSchema)
    tricks_won = nested_field(TricksBySeat, "How many tricks each seat has won.")
    played_on = list_field(PlayAfterEndSchema, "Cards played after the end; they do not count.")
    claim = nested_field(ClaimSchema, "Null where no claim lies on the table.", allow_none=True)
    result = fields.Nested(
        BARE_EVENT_SCHEMAS["result_recorded"],
        required=True,
        allow_none=True,
        metadata={"description": "What a slip says; null where there is none."},
    )
    slam = string_field("`announced`, or `challenged` in the auction; null otherwise.", allow_none=True)
    surrender = nested_field(SurrenderSchema, "Null where none was offered.", allow_none=True)
    pool = IntegerField(
        "What lay in the pool when the deal was opened; null where that is not said.", allow_none=True
    )
    incomplete = boolean_field("Whether the record says that entries are missing.")


class ContractNamingSchema(ResponseSchema):
    """A contract that may be named, with the trumps to choose from."""

    contract = string_field("The contract's id.")
    trumps = list_field(VocabularyField(SUIT_KIND))


class OpenActionSchema(ResponseSchema):
    """Something else that a seat may do now."""

    action = string_field("`abandon`, `surrender`, `slam` or `claim`.")
    seat = VocabularyField(SEAT_KIND)
    pays = fields.String(metadata={"description": "What giving up would be paid as."})


class LegalSchema(ResponseSchema):
    """What may happen next. Which lists there are depends on the action; all of them are sorted."""

    seat = VocabularyField(
        SEAT_KIND, "Who acts; null where nobody in particular, or nobody known.", allow_none=True
    )
    action = fields.String(
        required=True,
        validate=validate.OneOf(("bid", "name", "turn", "exchange", "draw", "play")),
        metadata={"description": "What is to be done."},
    )
    calls = list_field(fields.String(), "`pass`, `self` or bids' ids.", required=False)
    contracts = list_field(ContractNamingSchema, required=False)
    min = fields.Integer(metadata={"description": "Fewest cards to exchange."})
    max = fields.Integer(metadata={"description": "Most cards to exchange."})
    count = fields.Integer(metadata={"description": "Cards to draw."})
    cards = card_list_field(required=False)
    hidden = boolean_field("Hidden cards may be legal too.", required=False)
    optional = boolean_field("He may stop instead.", required=False)
    also = list_field(OpenActionSchema, "What else is open.", required=False)


class PoolSchema(ResponseSchema):
    """The pool before and after the deal, and what is set aside."""

    before = IntegerField("What lay there when the deal was opened.", min_value=-1_000_000_000)
    after = IntegerField("What lies there after it.", min_value=-1_000_000_000)
    reserved = list_field(VocabularyField(field_kind(Chips)))


class ScoreItemSchema(ResponseSchema):
    """A reason for chips: from (+) or to (−) each opponent."""

    label = string_field("What it is for, in English.")
    each = VocabularyField(field_kind(Chips))
    rule = string_field("The clause that pays it.")
    pool = boolean_field("Where true, it is paid from or to the pool, in all.", required=False)


def chips_by_name_field(*, allow_none: bool = False) -> VocabularyField:
    """Chips by seat, and by name for those who sit out."""
    means = "By seat, and by name for who sits out" + ("; null while it is undecided." if allow_none else ".")
    return VocabularyField(field_kind(ChipsByName), means, allow_none=allow_none)


def nullable_outcome_field(description: str) -> fields.String:
    """How a deal ended, or null."""
    return fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(ALL_OUTCOMES),
        metadata={"description": description},
    )


class PartialScoreSchema(ResponseSchema):
    """What the deal pays, or what one of two declarers pays, and why."""

    decided = boolean_field("Whether nothing that may follow can change it.")
    outcome = nullable_outcome_field("How it ended; null while it is undecided.")
    contract = VocabularyField(NAME_KIND, "Null where there is none, or it is not known.", allow_none=True)
    declarer = VocabularyField(
        SEAT_KIND, "Null where nobody plays alone, or it is not known who.", allow_none=True
    )
    tricks = nested_field(TricksBySeat, "How many tricks each seat has.")
    slam = string_field(
        "`made` or `failed` where all nine tricks were tried for; else null.", allow_none=True
    )
    payments = chips_by_name_field(allow_none=True)
    pool = nested_field(PoolSchema, "Null where the rules have no pool, or it is undecided.", allow_none=True)
    items = list_field(ScoreItemSchema)


class ScoreSchema(PartialScoreSchema):
    """What the deal pays, and why."""

    reachable = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=VocabularyField(field_kind(Chips), allow_none=True)),
        metadata={
            "description": "While undecided: what each outcome still possible would pay, by seat or name; "
            "null where that is still open."
        },
    )
    parts = list_field(
        PartialScoreSchema,
        "Where a surrender was forbidden: what the first declarer pays, and the new one.",
        required=False,
    )


class FindingSchema(ResponseSchema):
    """A way in which the record breaks the rules or contradicts itself."""

    seq = VocabularyField(SEQ_KIND, "The entry that broke the rule.")
    code = fields.String(
        required=True,
        validate=validate.OneOf(sorted(FINDING_CODES)),
        metadata={"component": "FindingCode", "description": "What kind of fault it is."},
    )
    severity = fields.String(
        required=True,
        validate=validate.OneOf(SEVERITIES),
        metadata={
            "component": "Severity",
            "description": "`impossible`: it cannot have happened; `error`: against the rules; `warning`: "
            "unusual, but allowed; `info`: worth knowing.",
        },
    )
    seat = VocabularyField(
        SEAT_KIND, "Whose it is; null where it is nobody's in particular.", allow_none=True
    )
    message = string_field(
        "What was found, as a sentence in English or in Danish, as `Accept-Language` asks."
    )
    rule = string_field("The section of the rules.")
    evidence = list_field(VocabularyField(SEQ_KIND), "The entries that show it.")


def finding_list_field() -> fields.List[Any]:
    """Findings in the order of the entries."""
    return list_field(FindingSchema)


class FindingsSchema(ResponseSchema):
    """All that the record breaks."""

    ok = boolean_field("Whether nothing is impossible or against the rules.")
    findings = finding_list_field()


class ReplayFrameSchema(ResponseSchema):
    """An entry of the effective history, and how the deal stands after it."""

    seq = VocabularyField(SEQ_KIND)
    event = nested_field(EventSchema)
    state = nested_field(StateSchema)
    legal = nested_field(LegalSchema, "Null when the deal is over.", allow_none=True)
    score = nested_field(ScoreSchema)


class CorrectionSchema(ResponseSchema):
    """A correction, or something taken back at the table: what is no longer there, and why."""

    at = VocabularyField(
        SEQ_KIND,
        "The frame at which it belongs: what stands in that place now, or the last before it; null where "
        "nothing stands before it.",
        allow_none=True,
    )
    event = nested_field(EventSchema, "The correction or the withdrawal, with its reason.")
    before = list_field(EventSchema, "What it took away, as it was recorded and as far as you may know it.")


class BranchPointSchema(ResponseSchema):
    """Where a variation leaves another deal."""

    deal = string_field("The id of the deal that it leaves, or its name in the library.")
    at = VocabularyField(SEQ_KIND, "The entry of that deal after which it goes its own way.")
    known = IntegerField(
        "How many entries of that deal's log are taken into account; null for all.", allow_none=True
    )


def nullable_branch_field() -> fields.Nested:
    """Where a deal leaves another, or null."""
    return nested_field(
        BranchPointSchema,
        "For a variation: where it leaves another deal; null for any other.",
        allow_none=True,
    )


class CardOrderSchema(ResponseSchema):
    """How the cards of a hand are sorted by the rules of a deal."""

    nolos = list_field(VocabularyField(NAME_KIND), "The contracts without trumps.")
    suits = fields.Dict(
        required=True,
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.String()),
        metadata={
            "description": "By trump suit (`none` in a nolo, `unknown` before it is known): each suit with "
            "its ranks, the highest first; among the trumps `S` is spadille and `B` basta."
        },
    )


class BaseReplaySchema(ResponseSchema):
    """A whole deal, for a replayer."""

    title = string_field(
        "What the deal is called; null where it has no name, or you may not know it.", allow_none=True
    )
    source = string_field(
        "Where it comes from; null where that is not said, or you may not know it.", allow_none=True
    )
    ruleset = VocabularyField(NAME_KIND, "Null where its opening is missing.", allow_none=True)
    branch = nullable_branch_field()
    direction = string_field("Which way round the play goes.")
    card_order = nested_field(CardOrderSchema)
    players = nested_field(SeatedPlayersSchema)
    frames = list_field(ReplayFrameSchema)
    mendings = list_field(CorrectionSchema, "What corrections and withdrawals took away, in their order.")
    findings = finding_list_field()
    notes = list_field(EventSchema)
    score = nested_field(ScoreSchema)


class ReplaySchema(BaseReplaySchema):
    """A whole deal in one answer, for a replayer."""

    names = member_names_field(required=False)
    links = links_field()


class DealReportSchema(ResponseSchema):
    """The report of one deal, as `spadille validate` prints it."""

    file = string_field("What the log was called: `?name=`, or `-`.")
    deal = IntegerField("Which deal of the log, from 1.", min_value=1)
    title = string_field(
        "What the deal is called; null where it has no name, or you may not know it.", allow_none=True
    )
    ruleset = VocabularyField(NAME_KIND, "Null where its opening is missing.", allow_none=True)
    ok = boolean_field("Whether nothing is impossible or against the rules.")
    findings = finding_list_field()
    score = nested_field(ScoreSchema)


class LogScoreSchema(ScoreSchema):
    """The score of one deal, as `spadille score` prints it."""

    file = string_field("What the log was called: `?name=`, or `-`.")
    deal = IntegerField("Which deal of the log, from 1.", min_value=1)


class UnreadableLineSchema(ResponseSchema):
    """Why a line could not be read."""

    line = IntegerField("Null where the body is a JSON list.", min_value=1, allow_none=True)
    column = IntegerField("Null where the whole line is meant.", min_value=1, allow_none=True)
    pointer = string_field("Where in the line's object, or in the JSON list: a JSON Pointer.")
    read = string_field("What was read there.")
    expected = string_field("What was expected in its place.")
    message = string_field("Both, as a sentence.")


class ReportsSchema(ResponseSchema):
    """The reports of all deals that could be read, and what could not be read."""

    reports = list_field(DealReportSchema)
    problems = list_field(UnreadableLineSchema)
    unlisted = IntegerField("Problems beyond those told in full.")


class ScoresSchema(ResponseSchema):
    """The scores of all deals that could be read, and what could not be read."""

    scores = list_field(LogScoreSchema)
    problems = list_field(UnreadableLineSchema)
    unlisted = IntegerField("Problems beyond those told in full.")


class LogReplaySchema(BaseReplaySchema):
    """One deal of a log for a replayer, and what could not be read."""

    text = string_field(
        "What was posted of it, in the notation; empty where what could be read lacks its opening or a seq."
    )
    problems = list_field(UnreadableLineSchema)
    unlisted = IntegerField("Problems beyond those told in full.")
