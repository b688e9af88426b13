"""The answers about a deal at one point: state, legal actions, score, findings, replay (DESIGN 5)."""

from typing import Final

from marshmallow.fields import Nested

from engine.play.findings import FINDING_CODES, SEVERITIES
from engine.play.state import PHASES
from schemas.wire.event_schemas import BARE_EVENT_SCHEMAS, EventSchema
from service.http.api.schemas import fields
from service.http.api.schemas.fields import ResponseSchema

SEATED_DESCRIPTION: Final = "The player's name or member id; empty before the deal is opened."


class SeatedPlayersSchema(ResponseSchema):
    """Who sits where now."""

    forehand = fields.string(SEATED_DESCRIPTION)
    middlehand = fields.string(SEATED_DESCRIPTION)
    backhand = fields.string(SEATED_DESCRIPTION)
    sitting_out = fields.list_of(fields.name(), "Players at the table who do not play this deal.")


class CallSchema(ResponseSchema):
    """A call in the auction."""

    seq = fields.seq()
    seat = fields.seat()
    bid = fields.string("`pass`, `self` or a bid's id.")
    said = fields.string("The literal words, where they were recorded.", required=False)


class HandSchema(ResponseSchema):
    """What is known of a hand."""

    cards = fields.cards("Cards certainly in it.")
    others = fields.integer("How many others it holds.", data_key="unknown")
    maybe = fields.cards("What is known of each of these: `S?` a spade, `??` nothing.", required=False)


class ExchangedCardsSchema(ResponseSchema):
    """Cards discarded or drawn."""

    cards = fields.cards()
    count = fields.integer("How many cards, known or not.")


class TalonSchema(ResponseSchema):
    """What is known of the talon."""

    cards = fields.cards("Top first.")
    count = fields.integer("How many cards lie there.")
    turned = fields.card("The card turned up for trumps; null where none was.", allow_none=True)


class TrickSchema(ResponseSchema):
    """A trick; the last may have fewer than three cards."""

    number = fields.integer("Which trick it is, from 1.", min_value=1)
    leader = fields.seat("Who led; null where that is not known.", allow_none=True)
    seats = fields.list_of(fields.seat(), "Who played, in order.")
    cards = fields.cards("What they played.")
    seqs = fields.list_of(fields.seq(), "The entries that say so.")
    winner = fields.seat("Null while it is open, and where hidden cards leave it unknown.", allow_none=True)
    played_on = fields.boolean("Played after the end: it does not count.", required=False)


class PlayAfterEndSchema(ResponseSchema):
    """A card played after the deal was over."""

    seq = fields.seq()
    seat = fields.seat()
    card = fields.card()


TricksBySeat = fields.by_seat_schema("Tricks", fields.integer)
HandsBySeat = fields.by_seat_schema("Hands", lambda: fields.nested(HandSchema))
ExchangedCardsBySeat = fields.by_seat_schema(
    "Laid", lambda: fields.nested(ExchangedCardsSchema, required=False)
)


class ClaimSchema(ResponseSchema):
    """A claim that lies on the table."""

    seat = fields.seat()
    tricks = fields.nested(TricksBySeat, "What each seat would have in the end.")
    accepted = fields.list_of(fields.seat(), "Who has accepted it.")


class SurrenderSchema(ResponseSchema):
    """A surrender that was offered."""

    seat = fields.seat()
    accepted = fields.list_of(fields.seat(), "Who has accepted it.")
    forbidden_by = fields.seat(
        "Who has forbidden it, and plays on as declarer; null while nobody has.", allow_none=True
    )


class StateSchema(ResponseSchema):
    """A deal at one point, as far as the record says."""

    phase = fields.string(
        "How far the deal is; `finished` also where only its result is known.", choices=PHASES
    )
    to_act = fields.seat("Whose turn it is; null where nobody's, or nobody knows.", allow_none=True)
    ruleset = fields.name("Null where its opening is missing.", allow_none=True)
    revision = fields.integer("Null where the ruleset is not published here.", allow_none=True)
    players = fields.nested(SeatedPlayersSchema)
    calls = fields.list_of(CallSchema)
    declarer = fields.seat("Null while there is none, or where it is not known who.", allow_none=True)
    contract = fields.name("Null while there is none, or where it is not known.", allow_none=True)
    trump = fields.suit("Null in nolo, and while it is not known.", allow_none=True)
    hands = fields.nested(HandsBySeat, "What is known of each hand.")
    talon = fields.nested(TalonSchema)
    discards = fields.nested(ExchangedCardsBySeat, "What each seat discarded, once it has.")
    draws = fields.nested(ExchangedCardsBySeat, "What each seat drew, once it has.")
    tricks = fields.list_of(TrickSchema)
    tricks_won = fields.nested(TricksBySeat, "How many tricks each seat has won.")
    played_on = fields.list_of(PlayAfterEndSchema, "Cards played after the end; they do not count.")
    claim = fields.nested(ClaimSchema, "Null where no claim lies on the table.", allow_none=True)
    result = fields.nested(
        BARE_EVENT_SCHEMAS["result_recorded"], "What a slip says; null where there is none.", allow_none=True
    )
    slam = fields.string("`announced`, or `challenged` in the auction; null otherwise.", allow_none=True)
    surrender = fields.nested(SurrenderSchema, "Null where none was offered.", allow_none=True)
    pool = fields.integer(
        "What lay in the pool when the deal was opened; null where that is not said.", allow_none=True
    )
    incomplete = fields.boolean("Whether the record says that entries are missing.")


class ContractNamingSchema(ResponseSchema):
    """A contract that may be named, with the trumps to choose from."""

    contract = fields.string("The contract's id.")
    trumps = fields.list_of(fields.suit())


class OpenActionSchema(ResponseSchema):
    """Something else that a seat may do now."""

    action = fields.string("`abandon`, `surrender`, `slam` or `claim`.")
    seat = fields.seat()
    pays = fields.string("What giving up would be paid as.", required=False)


class LegalSchema(ResponseSchema):
    """What may happen next. Which lists there are depends on the action; all of them are sorted."""

    seat = fields.seat("Who acts; null where nobody in particular, or nobody known.", allow_none=True)
    action = fields.string("What is to be done.", choices=("bid", "name", "turn", "exchange", "draw", "play"))
    calls = fields.list_of(fields.string(), "`pass`, `self` or bids' ids.", required=False)
    contracts = fields.list_of(ContractNamingSchema, required=False)
    min = fields.integer("Fewest cards to exchange.", min_value=None, required=False)
    max = fields.integer("Most cards to exchange.", min_value=None, required=False)
    count = fields.integer("Cards to draw.", min_value=None, required=False)
    cards = fields.cards(required=False)
    hidden = fields.boolean("Hidden cards may be legal too.", required=False)
    optional = fields.boolean("He may stop instead.", required=False)
    also = fields.list_of(OpenActionSchema, "What else is open.", required=False)


class PoolSchema(ResponseSchema):
    """The pool before and after the deal, and what is set aside."""

    before = fields.integer("What lay there when the deal was opened.", min_value=-1_000_000_000)
    after = fields.integer("What lies there after it.", min_value=-1_000_000_000)
    reserved = fields.list_of(fields.chips())


class ScoreItemSchema(ResponseSchema):
    """A reason for chips: from (+) or to (−) each opponent."""

    label = fields.string("What it is for, in English.")
    each = fields.chips()
    rule = fields.string("The clause that pays it.")
    pool = fields.boolean("Where true, it is paid from or to the pool, in all.", required=False)


class PartialScoreSchema(ResponseSchema):
    """What the deal pays, or what one of two declarers pays, and why."""

    decided = fields.boolean("Whether nothing that may follow can change it.")
    outcome = fields.nullable_outcome("How it ended; null while it is undecided.")
    contract = fields.name("Null where there is none, or it is not known.", allow_none=True)
    declarer = fields.seat("Null where nobody plays alone, or it is not known who.", allow_none=True)
    tricks = fields.nested(TricksBySeat, "How many tricks each seat has.")
    slam = fields.string(
        "`made` or `failed` where all nine tricks were tried for; else null.", allow_none=True
    )
    payments = fields.chips_by_player(allow_none=True)
    pool = fields.nested(
        PoolSchema, "Null where the rules have no pool, or it is undecided.", allow_none=True
    )
    items = fields.list_of(ScoreItemSchema)


class ScoreSchema(PartialScoreSchema):
    """What the deal pays, and why."""

    reachable = fields.dict_of(
        fields.dict_of(fields.chips(allow_none=True), required=False),
        "While undecided: what each outcome still possible would pay, by seat or name; "
        "null where that is still open.",
        required=False,
    )
    parts = fields.list_of(
        PartialScoreSchema,
        "Where a surrender was forbidden: what the first declarer pays, and the new one.",
        required=False,
    )


class FindingSchema(ResponseSchema):
    """A way in which the record breaks the rules or contradicts itself."""

    seq = fields.seq("The entry that broke the rule.")
    code = fields.string("What kind of fault it is.", choices=sorted(FINDING_CODES), component="FindingCode")
    severity = fields.string(
        "`impossible`: it cannot have happened; `error`: against the rules; `warning`: "
        "unusual, but allowed; `info`: worth knowing.",
        choices=SEVERITIES,
        component="Severity",
    )
    seat = fields.seat("Whose it is; null where it is nobody's in particular.", allow_none=True)
    message = fields.string(
        "What was found, as a sentence in English or in Danish, as `Accept-Language` asks."
    )
    rule = fields.string("The section of the rules.")
    evidence = fields.list_of(fields.seq(), "The entries that show it.")


class FindingsSchema(ResponseSchema):
    """All that the record breaks."""

    ok = fields.boolean("Whether nothing is impossible or against the rules.")
    findings = fields.list_of(FindingSchema)


class ReplayFrameSchema(ResponseSchema):
    """An entry of the effective history, and how the deal stands after it."""

    seq = fields.seq()
    event = fields.nested(EventSchema)
    state = fields.nested(StateSchema)
    legal = fields.nested(LegalSchema, "Null when the deal is over.", allow_none=True)
    score = fields.nested(ScoreSchema)


class CorrectionSchema(ResponseSchema):
    """A correction, or something taken back at the table: what is no longer there, and why."""

    at = fields.seq(
        "The frame at which it belongs: what stands in that place now, or the last before it; null where "
        "nothing stands before it.",
        allow_none=True,
    )
    event = fields.nested(EventSchema, "The correction or the withdrawal, with its reason.")
    before = fields.list_of(
        EventSchema, "What it took away, as it was recorded and as far as you may know it."
    )


class BranchPointSchema(ResponseSchema):
    """Where a variation leaves another deal."""

    deal = fields.string("The id of the deal that it leaves, or its name in the library.")
    at = fields.seq("The entry of that deal after which it goes its own way.")
    known = fields.integer(
        "How many entries of that deal's log are taken into account; null for all.", allow_none=True
    )


def nullable_branch_field() -> Nested:
    """Where a variation leaves another deal, or null."""
    return fields.nested(
        BranchPointSchema,
        "For a variation: where it leaves another deal; null for any other.",
        allow_none=True,
    )


class CardOrderSchema(ResponseSchema):
    """How the cards of a hand are sorted by the rules of a deal."""

    nolos = fields.list_of(fields.name(), "The contracts without trumps.")
    suits = fields.dict_of(
        fields.dict_of(fields.string(), required=False),
        "By trump suit (`none` in a nolo, `unknown` before it is known): each suit with "
        "its ranks, the highest first; among the trumps `S` is spadille and `B` basta.",
    )


class GamesSchema(ResponseSchema):
    """What the rules of a deal call its games."""

    names = fields.dict_of(
        fields.string(required=False), "By id each call and contract, in the language that is asked for."
    )
    implied_suits = fields.list_of(fields.name(), "The contracts with one suit of trumps.")


class BaseReplaySchema(ResponseSchema):
    """A whole deal, for a replayer."""

    title = fields.string(
        "What the deal is called; null where it has no name, or you may not know it.", allow_none=True
    )
    source = fields.string(
        "Where it comes from; null where that is not said, or you may not know it.", allow_none=True
    )
    ruleset = fields.name("Null where its opening is missing.", allow_none=True)
    branch = nullable_branch_field()
    direction = fields.string("Which way round the play goes.")
    card_order = fields.nested(CardOrderSchema)
    games = fields.nested(GamesSchema)
    players = fields.nested(SeatedPlayersSchema)
    frames = fields.list_of(ReplayFrameSchema)
    mendings = fields.list_of(CorrectionSchema, "What corrections and withdrawals took away, in their order.")
    findings = fields.list_of(FindingSchema)
    notes = fields.list_of(EventSchema)
    score = fields.nested(ScoreSchema)


class ReplaySchema(BaseReplaySchema):
    """A whole deal in one answer, for a replayer."""

    names = fields.member_names(required=False)
    links = fields.links()


class JudgedDealSchema(ResponseSchema):
    """What a deal breaks and pays."""

    title = fields.string(
        "What the deal is called; null where it has no name, or you may not know it.", allow_none=True
    )
    ruleset = fields.name("Null where its opening is missing.", allow_none=True)
    ok = fields.boolean("Whether nothing is impossible or against the rules.")
    findings = fields.list_of(FindingSchema)
    score = fields.nested(ScoreSchema)


class LogDealSchema(ResponseSchema):
    """Which deal of a log."""

    file = fields.string("What the log was called: `?name=`, or `-`.")
    deal = fields.integer("Which deal of the log, from 1.", min_value=1)


class DealReportSchema(JudgedDealSchema, LogDealSchema):
    """The report of one deal, as `spadille validate` prints it."""


class LogScoreSchema(LogDealSchema, ScoreSchema):
    """The score of one deal, as `spadille score` prints it."""


class UnreadableLineSchema(ResponseSchema):
    """Why a line could not be read."""

    line = fields.integer("Null where the body is a JSON list.", min_value=1, allow_none=True)
    column = fields.integer("Null where the whole line is meant.", min_value=1, allow_none=True)
    pointer = fields.string("Where in the line's object, or in the JSON list: a JSON Pointer.")
    read = fields.string("What was read there.")
    expected = fields.string("What was expected in its place.")
    message = fields.string("Both, as a sentence.")


class ReportsSchema(ResponseSchema):
    """The reports of all deals that could be read, and what could not be read."""

    reports = fields.list_of(DealReportSchema)
    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("Problems beyond those told in full.")


class ScoresSchema(ResponseSchema):
    """The scores of all deals that could be read, and what could not be read."""

    scores = fields.list_of(LogScoreSchema)
    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("Problems beyond those told in full.")


class LogReplaySchema(BaseReplaySchema):
    """One deal of a log for a replayer, and what could not be read."""

    text = fields.string(
        "What was posted of it, in the notation; empty where what could be read lacks its opening or a seq."
    )
    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("Problems beyond those told in full.")
