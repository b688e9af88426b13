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
    """The players by seat."""

    forehand = fields.string(SEATED_DESCRIPTION)
    middlehand = fields.string(SEATED_DESCRIPTION)
    backhand = fields.string(SEATED_DESCRIPTION)
    sitting_out = fields.list_of(fields.name(), "Players at the table who do not play this deal.")


class CallSchema(ResponseSchema):
    """A call in the auction."""

    seq = fields.seq()
    seat = fields.seat()
    bid = fields.string("`pass`, `self` or the id of a bid.")
    said = fields.string("The literal words, if recorded.", required=False)


class HandSchema(ResponseSchema):
    """The known part of a hand."""

    cards = fields.cards("Cards certainly in it.")
    others = fields.integer("The number of other cards.", data_key="unknown")
    maybe = fields.cards("What is known of each of these: `S?` is a spade, `??` nothing.", required=False)


class ExchangedCardsSchema(ResponseSchema):
    """Cards discarded or drawn."""

    cards = fields.cards()
    count = fields.integer("The number of cards, known or not.")


class TalonSchema(ResponseSchema):
    """The known part of the talon."""

    cards = fields.cards("Top first.")
    count = fields.integer("The number of cards left.")
    turned = fields.card("The card turned up for trumps; null without one.", allow_none=True)


class TrickSchema(ResponseSchema):
    """A trick; the last may have fewer than three cards."""

    number = fields.integer("The number of the trick, from 1.", min_value=1)
    leader = fields.seat("The leader; null if unknown.", allow_none=True)
    seats = fields.list_of(fields.seat(), "The players, in order.")
    cards = fields.cards("Their cards.")
    seqs = fields.list_of(fields.seq(), "Their entries.")
    winner = fields.seat("Null while it is open, and if hidden cards leave it unknown.", allow_none=True)
    played_on = fields.boolean("Whether it was played after the end and does not count.", required=False)


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
    """An open claim."""

    seat = fields.seat()
    tricks = fields.nested(TricksBySeat, "The final number of tricks of each seat.")
    accepted = fields.list_of(fields.seat(), "The seats that have accepted it.")


class SurrenderSchema(ResponseSchema):
    """A surrender that was offered."""

    seat = fields.seat()
    accepted = fields.list_of(fields.seat(), "The seats that have accepted it.")
    forbidden_by = fields.seat(
        "The seat that has refused it and plays on as declarer; null if none.", allow_none=True
    )


class StateSchema(ResponseSchema):
    """A deal at one point, as recorded."""

    phase = fields.string("The phase; `finished` also if only the result is known.", choices=PHASES)
    to_act = fields.seat("The seat to act; null if there is none, or it is unknown.", allow_none=True)
    ruleset = fields.name("Null if its opening is missing.", allow_none=True)
    revision = fields.integer("Null if the ruleset is not published here.", allow_none=True)
    players = fields.nested(SeatedPlayersSchema)
    calls = fields.list_of(CallSchema)
    declarer = fields.seat("Null while there is none, or if unknown.", allow_none=True)
    contract = fields.name("Null while there is none, or if unknown.", allow_none=True)
    trump = fields.suit("Null in nolo, and while unknown.", allow_none=True)
    hands = fields.nested(HandsBySeat, "The known part of each hand.")
    talon = fields.nested(TalonSchema)
    discards = fields.nested(ExchangedCardsBySeat, "What each seat discarded, once it has.")
    draws = fields.nested(ExchangedCardsBySeat, "What each seat drew, once it has.")
    tricks = fields.list_of(TrickSchema)
    tricks_won = fields.nested(TricksBySeat, "The tricks won by each seat.")
    played_on = fields.list_of(PlayAfterEndSchema, "Cards played after the end; they do not count.")
    claim = fields.nested(ClaimSchema, "Null without an open claim.", allow_none=True)
    result = fields.nested(
        BARE_EVENT_SCHEMAS["result_recorded"], "The result of a slip; null without one.", allow_none=True
    )
    slam = fields.string("`announced`, or `challenged` in the auction; null otherwise.", allow_none=True)
    surrender = fields.nested(SurrenderSchema, "Null if none was offered.", allow_none=True)
    pool = fields.integer("The pool at the opening; null if not recorded.", allow_none=True)
    incomplete = fields.boolean("Whether the record notes missing entries.")


class ContractNamingSchema(ResponseSchema):
    """A contract that may be named, with its possible trumps."""

    contract = fields.string("The contract's id.")
    trumps = fields.list_of(fields.suit())


class OpenActionSchema(ResponseSchema):
    """Another possible action of a seat."""

    action = fields.string("`abandon`, `answer`, `claim`, `show`, `slam`, `surrender` or `yield`.")
    seat = fields.seat()
    pays = fields.string("What giving up would be paid as.", required=False)


class LegalSchema(ResponseSchema):
    """The legal next events. The lists depend on the action; all are sorted."""

    seat = fields.seat("The seat to act; null if any, or if unknown.", allow_none=True)
    action = fields.string("The action.", choices=("bid", "name", "turn", "exchange", "draw", "play"))
    calls = fields.list_of(fields.string(), "`pass`, `self` or ids of bids.", required=False)
    contracts = fields.list_of(ContractNamingSchema, required=False)
    min = fields.integer("Fewest cards to exchange.", min_value=None, required=False)
    max = fields.integer("Most cards to exchange.", min_value=None, required=False)
    count = fields.integer("Cards to draw.", min_value=None, required=False)
    cards = fields.cards(required=False)
    hidden = fields.boolean("Whether hidden cards may be legal too.", required=False)
    optional = fields.boolean("Whether the player may stop instead.", required=False)
    also = fields.list_of(OpenActionSchema, "Other possible actions.", required=False)


class PoolSchema(ResponseSchema):
    """The pool before and after the deal, and the puestas set aside."""

    before = fields.integer("The pool at the opening of the deal.", min_value=-1_000_000_000)
    after = fields.integer("The pool after it.", min_value=-1_000_000_000)
    reserved = fields.list_of(fields.chips())


class ScoreItemSchema(ResponseSchema):
    """A reason for chips: from (+) or to (−) each opponent."""

    label = fields.string("The reason, in English.")
    each = fields.chips()
    rule = fields.string("The clause that pays it.")
    pool = fields.boolean("If true, it is paid from or to the pool, in total.", required=False)


class PartialScoreSchema(ResponseSchema):
    """What the deal, or one of two declarers, pays, and why."""

    decided = fields.boolean("Whether it is final.")
    outcome = fields.outcome("The outcome; null while it is undecided.", allow_none=True)
    contract = fields.name("Null if there is none, or it is unknown.", allow_none=True)
    declarer = fields.seat("Null if nobody plays alone, or the player is unknown.", allow_none=True)
    tricks = fields.nested(TricksBySeat, "The tricks of each seat.")
    slam = fields.string("`made` or `failed` after a try for all nine tricks; else null.", allow_none=True)
    payments = fields.chips_by_player(allow_none=True)
    pool = fields.nested(PoolSchema, "Null without a pool, or while undecided.", allow_none=True)
    items = fields.list_of(ScoreItemSchema)


class ScoreSchema(PartialScoreSchema):
    """What the deal pays, and why."""

    reachable = fields.dict_of(
        fields.dict_of(fields.chips(allow_none=True), required=False),
        "While undecided: what each possible outcome would pay, by seat or name; null if that is open.",
        required=False,
    )
    parts = fields.list_of(
        PartialScoreSchema,
        "If a surrender was refused: what the first declarer pays, and the new one.",
        required=False,
    )


class FindingSchema(ResponseSchema):
    """A breach of the rules, or a contradiction in the record."""

    seq = fields.seq("The entry that broke the rule.")
    code = fields.string("The code of the finding.", choices=sorted(FINDING_CODES), component="FindingCode")
    severity = fields.string(
        "`impossible`: it cannot have happened; `error`: against the rules; `warning`: unusual, but "
        "allowed; `info`: worth knowing.",
        choices=SEVERITIES,
        component="Severity",
    )
    seat = fields.seat("The seat concerned; null if none.", allow_none=True)
    message = fields.string("The finding as a sentence, in English or Danish as in `Accept-Language`.")
    rule = fields.string("The section of the rules.")
    evidence = fields.list_of(fields.seq(), "The entries that prove it.")


class FindingsSchema(ResponseSchema):
    """All findings of the record."""

    ok = fields.boolean("Whether there is no impossible entry and no error.")
    findings = fields.list_of(FindingSchema)


class ReplayFrameSchema(ResponseSchema):
    """An entry of the effective history, and the deal after it."""

    seq = fields.seq()
    event = fields.nested(EventSchema)
    state = fields.nested(StateSchema)
    legal = fields.nested(LegalSchema, "Null when the deal is over.", allow_none=True)
    score = fields.nested(ScoreSchema)


class CorrectionSchema(ResponseSchema):
    """A correction or a withdrawal: the old entries, and the reason."""

    at = fields.seq(
        "Its frame: the replacement, or the frame before it; null if there is none.",
        allow_none=True,
    )
    event = fields.nested(EventSchema, "The correction or the withdrawal, with its reason.")
    before = fields.list_of(EventSchema, "The old entries as recorded, as far as you may know them.")


class BranchPointSchema(ResponseSchema):
    """Where a variation branches from another deal."""

    deal = fields.string("The id of the other deal, or its name in the library.")
    at = fields.seq("The last common entry.")
    known = fields.integer(
        "The number of entries of the other deal's log that count; null for all.", allow_none=True
    )


def nullable_branch_field() -> Nested:
    """Where a variation branches from another deal, or null."""
    return fields.nested(
        BranchPointSchema,
        "For a variation: where it branches from another deal; else null.",
        allow_none=True,
    )


class CardOrderSchema(ResponseSchema):
    """The order of the cards in a hand, by the rules of a deal."""

    nolos = fields.list_of(fields.name(), "The contracts without trumps.")
    suits = fields.dict_of(
        fields.dict_of(fields.string(), required=False),
        "By trump suit (`none` in a nolo, `unknown` before it is known): each suit with "
        "its ranks, the highest first; among the trumps `S` is spadille and `B` basta.",
    )


class GamesSchema(ResponseSchema):
    """The names of the games by the rules of a deal."""

    names = fields.dict_of(
        fields.string(required=False), "Each call and contract by id, in the requested language."
    )
    implied_suits = fields.list_of(fields.name(), "The contracts with one suit of trumps.")


class BaseReplaySchema(ResponseSchema):
    """A whole deal, for a replayer."""

    title = fields.string(
        "The title of the deal; null without one, or if you may not know it.", allow_none=True
    )
    source = fields.string("The source; null without one, or if you may not know it.", allow_none=True)
    ruleset = fields.name("Null if its opening is missing.", allow_none=True)
    branch = nullable_branch_field()
    direction = fields.string("The direction of play.")
    card_order = fields.nested(CardOrderSchema)
    games = fields.nested(GamesSchema)
    players = fields.nested(SeatedPlayersSchema)
    frames = fields.list_of(ReplayFrameSchema)
    mendings = fields.list_of(CorrectionSchema, "The corrections and withdrawals, in order.")
    findings = fields.list_of(FindingSchema)
    notes = fields.list_of(EventSchema)
    score = fields.nested(ScoreSchema)


class ReplaySchema(BaseReplaySchema):
    """A whole deal in one answer, for a replayer."""

    names = fields.member_names(required=False)
    links = fields.links()


class JudgedDealSchema(ResponseSchema):
    """The findings of a deal, and what it pays."""

    title = fields.string(
        "The title of the deal; null without one, or if you may not know it.", allow_none=True
    )
    ruleset = fields.name("Null if its opening is missing.", allow_none=True)
    ok = fields.boolean("Whether there is no impossible entry and no error.")
    findings = fields.list_of(FindingSchema)
    score = fields.nested(ScoreSchema)


class LogDealSchema(ResponseSchema):
    """A deal of a log."""

    file = fields.string("The name of the log: `?name=`, or `-`.")
    deal = fields.integer("The number of the deal in the log, from 1.", min_value=1)


class DealReportSchema(JudgedDealSchema, LogDealSchema):
    """The report of one deal, as `spadille validate` prints it."""


class LogScoreSchema(LogDealSchema, ScoreSchema):
    """The score of one deal, as `spadille score` prints it."""


class UnreadableLineSchema(ResponseSchema):
    """Why a line could not be read."""

    line = fields.integer("Null if the body is a JSON list.", min_value=1, allow_none=True)
    column = fields.integer("Null if it concerns the whole line.", min_value=1, allow_none=True)
    pointer = fields.string("The place in the line's object, or in the JSON list: a JSON Pointer.")
    read = fields.string("What was read there.")
    expected = fields.string("What was expected instead.")
    message = fields.string("Both, as a sentence.")


class ReportsSchema(ResponseSchema):
    """The reports of all readable deals, and the unreadable parts."""

    reports = fields.list_of(DealReportSchema)
    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("The number of further problems.")


class ScoresSchema(ResponseSchema):
    """The scores of all readable deals, and the unreadable parts."""

    scores = fields.list_of(LogScoreSchema)
    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("The number of further problems.")


class LogReplaySchema(BaseReplaySchema):
    """One deal of a log for a replayer, and the unreadable parts."""

    text = fields.string("The deal in the notation; empty if the readable part lacks its opening or a seq.")
    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("The number of further problems.")
