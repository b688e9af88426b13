"""What is answered of a deal at one point: state, legal actions, score, findings, replay (DESIGN 5)."""

from typing import Any, Final

from marshmallow import fields, validate

from engine.core.vocabulary import ALL_OUTCOMES, Chips, ChipsByName, Name
from engine.play.findings import CODES, SEVERITIES
from engine.play.state import PHASES
from schemas.wire.declaration import kind_of
from schemas.wire.events import BareEventSchema, EventSchema
from service.http.api.schemas.fields import (
    CARD,
    SEAT,
    SEQ,
    SUIT,
    Answer,
    Vocabulary,
    Whole,
    by_seat,
    flag,
    link_map,
    list_of,
    nested_in,
    said,
)

NAME = kind_of(Name)


def card_list(means: str = "", *, required: bool = True) -> fields.List[Any]:
    """A list of cards."""
    return list_of(Vocabulary(CARD), means, required=required)


def names_of_members(*, required: bool = True) -> fields.Dict:
    """How the members of the club are called that a record names by their ids."""
    return fields.Dict(
        required=required,
        keys=fields.String(),
        values=fields.String(allow_none=True),
        metadata={
            "description": "How the players are called whom the record names by a member's id; null for a "
            "member who was forgotten."
        },
    )


SEATED: Final = "The player's name or member id; empty before the deal is opened."


class SeatedSchema(Answer):
    """Who sits where now."""

    forehand = said(SEATED)
    middlehand = said(SEATED)
    backhand = said(SEATED)
    sitting_out = list_of(Vocabulary(NAME), "Players at the table who do not play this deal.")


class CallSchema(Answer):
    """A call in the auction."""

    seq = Vocabulary(SEQ)
    seat = Vocabulary(SEAT)
    bid = said("`pass`, `self` or a bid's id.")
    said = fields.String(metadata={"description": "The literal words, where they were recorded."})


class HandSchema(Answer):
    """What is known of a hand."""

    cards = card_list("Cards certainly in it.")
    others = Whole("How many others it holds.", data_key="unknown")
    maybe = card_list("What is known of each of these: `S?` a spade, `??` nothing.", required=False)


class LaidSchema(Answer):
    """Cards discarded or drawn."""

    cards = card_list()
    count = Whole("How many cards, known or not.")


class TalonSchema(Answer):
    """What is known of the talon."""

    cards = card_list("Top first.")
    count = Whole("How many cards lie there.")
    turned = Vocabulary(CARD, "The card turned up for trumps; null where none was.", null=True)


class TrickSchema(Answer):
    """A trick; the last may have fewer than three cards."""

    number = Whole("Which trick it is, from 1.", least=1)
    leader = Vocabulary(SEAT, "Who led; null where that is not known.", null=True)
    seats = list_of(Vocabulary(SEAT), "Who played, in order.")
    cards = card_list("What they played.")
    seqs = list_of(Vocabulary(SEQ), "The entries that say so.")
    winner = Vocabulary(SEAT, "Null while it is open, and where hidden cards leave it unknown.", null=True)


class PlayedOnSchema(Answer):
    """A card played after the deal was over."""

    seq = Vocabulary(SEQ)
    seat = Vocabulary(SEAT)
    card = Vocabulary(CARD)


TricksBySeat = by_seat("Tricks", Whole)
HandsBySeat = by_seat("Hands", lambda: nested_in(HandSchema))
LaidBySeat = by_seat("Laid", lambda: nested_in(LaidSchema, required=False))


class ClaimSchema(Answer):
    """A claim that lies on the table."""

    seat = Vocabulary(SEAT)
    tricks = nested_in(TricksBySeat, "What each seat would have in the end.")
    accepted = list_of(Vocabulary(SEAT), "Who has accepted it.")


class SurrenderSchema(Answer):
    """A surrender that was offered."""

    seat = Vocabulary(SEAT)
    accepted = list_of(Vocabulary(SEAT), "Who has accepted it.")
    forbidden_by = Vocabulary(
        SEAT, "Who has forbidden it, and plays on as declarer; null while nobody has.", null=True
    )


class StateSchema(Answer):
    """A deal at one point, as far as the record says."""

    phase = fields.String(
        required=True,
        validate=validate.OneOf(PHASES),
        metadata={"description": "How far the deal is; `finished` also where only its result is known."},
    )
    to_act = Vocabulary(SEAT, "Whose turn it is; null where nobody's, or nobody knows.", null=True)
    ruleset = Vocabulary(NAME, "Null where its opening is missing.", null=True)
    revision = Whole("Null where the ruleset is not published here.", null=True)
    players = nested_in(SeatedSchema)
    calls = list_of(CallSchema)
    declarer = Vocabulary(SEAT, "Null while there is none, or where it is not known who.", null=True)
    contract = Vocabulary(NAME, "Null while there is none, or where it is not known.", null=True)
    trump = Vocabulary(SUIT, "Null in nolo, and while it is not known.", null=True)
    hands = nested_in(HandsBySeat, "What is known of each hand.")
    talon = nested_in(TalonSchema)
    discards = nested_in(LaidBySeat, "What each seat discarded, once it has.")
    draws = nested_in(LaidBySeat, "What each seat drew, once it has.")
    tricks = list_of(TrickSchema)
    tricks_won = nested_in(TricksBySeat, "How many tricks each seat has won.")
    played_on = list_of(PlayedOnSchema, "Cards played after the end; they do not count.")
    claim = nested_in(ClaimSchema, "Null where no claim lies on the table.", null=True)
    result = fields.Nested(
        BareEventSchema().type_schemas["result_recorded"],
        required=True,
        allow_none=True,
        metadata={"description": "What a slip says; null where there is none."},
    )
    slam = said("`announced`, or `challenged` in the auction; null otherwise.", null=True)
    surrender = nested_in(SurrenderSchema, "Null where none was offered.", null=True)
    pool = Whole("What lay in the pool when the deal was opened; null where that is not said.", null=True)
    incomplete = flag("Whether the record says that entries are missing.")


class NamingSchema(Answer):
    """A contract that may be named, with the trumps to choose from."""

    contract = said("The contract's id.")
    trumps = list_of(Vocabulary(SUIT))


class OpenSchema(Answer):
    """Something else that a seat may do now."""

    action = said("`abandon`, `surrender`, `slam` or `claim`.")
    seat = Vocabulary(SEAT)
    pays = fields.String(metadata={"description": "What giving up would be paid as."})


class LegalSchema(Answer):
    """What may happen next. Which lists there are depends on the action; all of them are sorted."""

    seat = Vocabulary(SEAT, "Who acts; null where nobody in particular, or nobody known.", null=True)
    action = fields.String(
        required=True,
        validate=validate.OneOf(("bid", "name", "turn", "exchange", "draw", "play")),
        metadata={"description": "What is to be done."},
    )
    calls = list_of(fields.String(), "`pass`, `self` or bids' ids.", required=False)
    contracts = list_of(NamingSchema, required=False)
    min = fields.Integer(metadata={"description": "Fewest cards to exchange."})
    max = fields.Integer(metadata={"description": "Most cards to exchange."})
    count = fields.Integer(metadata={"description": "Cards to draw."})
    cards = card_list(required=False)
    hidden = flag("Hidden cards may be legal too.", required=False)
    optional = flag("He may stop instead.", required=False)
    also = list_of(OpenSchema, "What else is open.", required=False)


class PoolSchema(Answer):
    """The pool before and after the deal, and what is set aside."""

    before = Whole("What lay there when the deal was opened.", least=-1_000_000_000)
    after = Whole("What lies there after it.", least=-1_000_000_000)
    reserved = list_of(Vocabulary(kind_of(Chips)))


class ItemSchema(Answer):
    """A reason for chips: from (+) or to (−) each opponent."""

    label = said("What it is for, in English.")
    each = Vocabulary(kind_of(Chips))
    rule = said("The clause that pays it.")
    pool = flag("Where true, it is paid from or to the pool, in all.", required=False)


def chips_by_name(*, null: bool = False) -> Vocabulary:
    """Chips by seat, and by name for those who sit out."""
    means = "By seat, and by name for who sits out" + ("; null while it is undecided." if null else ".")
    return Vocabulary(kind_of(ChipsByName), means, null=null)


def outcome_or_null(means: str) -> fields.String:
    """How a deal ended, or null."""
    return fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(ALL_OUTCOMES),
        metadata={"description": means},
    )


class PartSchema(Answer):
    """What the deal pays, or what one of two declarers pays, and why."""

    decided = flag("Whether nothing that may follow can change it.")
    outcome = outcome_or_null("How it ended; null while it is undecided.")
    contract = Vocabulary(NAME, "Null where there is none, or it is not known.", null=True)
    declarer = Vocabulary(SEAT, "Null where nobody plays alone, or it is not known who.", null=True)
    tricks = nested_in(TricksBySeat, "How many tricks each seat has.")
    slam = said("`made` or `failed` where all nine tricks were tried for; else null.", null=True)
    payments = chips_by_name(null=True)
    pool = nested_in(PoolSchema, "Null where the rules have no pool, or it is undecided.", null=True)
    items = list_of(ItemSchema)


class ScoreSchema(PartSchema):
    """What the deal pays, and why."""

    reachable = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=Vocabulary(kind_of(Chips), null=True)),
        metadata={
            "description": "While undecided: what each outcome still possible would pay, by seat or name; "
            "null where that is still open."
        },
    )
    parts = list_of(
        PartSchema,
        "Where a surrender was forbidden: what the first declarer pays, and the new one.",
        required=False,
    )


class FindingSchema(Answer):
    """A way in which the record breaks the rules or contradicts itself."""

    seq = Vocabulary(SEQ, "The entry that broke the rule.")
    code = fields.String(
        required=True,
        validate=validate.OneOf(sorted(CODES)),
        metadata={"description": "What kind of fault it is."},
    )
    severity = fields.String(
        required=True,
        validate=validate.OneOf(SEVERITIES),
        metadata={
            "description": "`impossible`: it cannot have happened; `error`: against the rules; `warning`: "
            "unusual, but allowed; `info`: worth knowing."
        },
    )
    seat = Vocabulary(SEAT, "Whose it is; null where it is nobody's in particular.", null=True)
    message = said("What was found, as a sentence in English or in Danish, as `Accept-Language` asks.")
    rule = said("The section of the rules.")
    evidence = list_of(Vocabulary(SEQ), "The entries that show it.")


def finding_list() -> fields.List[Any]:
    """Findings in the order of the entries."""
    return list_of(FindingSchema)


class FindingsSchema(Answer):
    """All that the record breaks."""

    ok = flag("Whether nothing is impossible or against the rules.")
    findings = finding_list()


class FrameSchema(Answer):
    """An entry of the effective history, and how the deal stands after it."""

    seq = Vocabulary(SEQ)
    event = nested_in(EventSchema)
    state = nested_in(StateSchema)
    legal = nested_in(LegalSchema, "Null when the deal is over.", null=True)
    score = nested_in(ScoreSchema)


class MendingSchema(Answer):
    """A correction, or something taken back at the table: what is no longer there, and why."""

    at = Vocabulary(
        SEQ,
        "The frame at which it belongs: what stands in that place now, or the last before it; null where "
        "nothing stands before it.",
        null=True,
    )
    event = nested_in(EventSchema, "The correction or the withdrawal, with its reason.")
    before = list_of(EventSchema, "What it took away, as it was recorded and as far as you may know it.")


class BranchPointSchema(Answer):
    """Where a variation leaves another deal."""

    deal = said("The id of the deal that it leaves, or its name in the library.")
    at = Vocabulary(SEQ, "The entry of that deal after which it goes its own way.")
    known = Whole("How many entries of that deal's log are taken into account; null for all.", null=True)


def branch_or_null() -> fields.Nested:
    """Where a deal leaves another, or null."""
    return nested_in(
        BranchPointSchema, "For a variation: where it leaves another deal; null for any other.", null=True
    )


class ReplayedSchema(Answer):
    """A whole deal, for a replayer."""

    title = said("What the deal is called; null where it has no name, or you may not know it.", null=True)
    source = said("Where it comes from; null where that is not said, or you may not know it.", null=True)
    ruleset = Vocabulary(NAME, "Null where its opening is missing.", null=True)
    branch = branch_or_null()
    direction = said("Which way round the play goes.")
    players = nested_in(SeatedSchema)
    frames = list_of(FrameSchema)
    mendings = list_of(MendingSchema, "What corrections and withdrawals took away, in their order.")
    findings = finding_list()
    notes = list_of(EventSchema)
    score = nested_in(ScoreSchema)


class ReplaySchema(ReplayedSchema):
    """A whole deal in one answer, for a replayer."""

    names = names_of_members(required=False)
    links = link_map()


class ReportSchema(Answer):
    """The report of one deal, as `spadille validate` prints it."""

    file = said("What the log was called: `?name=`, or `-`.")
    deal = Whole("Which deal of the log, from 1.", least=1)
    title = said("What the deal is called; null where it has no name, or you may not know it.", null=True)
    ruleset = Vocabulary(NAME, "Null where its opening is missing.", null=True)
    ok = flag("Whether nothing is impossible or against the rules.")
    findings = finding_list()
    score = nested_in(ScoreSchema)


class ScoredSchema(ScoreSchema):
    """The score of one deal, as `spadille score` prints it."""

    file = said("What the log was called: `?name=`, or `-`.")
    deal = Whole("Which deal of the log, from 1.", least=1)


class UnreadSchema(Answer):
    """Why a line could not be read."""

    line = Whole("Null where the body is a JSON list.", least=1, null=True)
    column = Whole("Null where the whole line is meant.", least=1, null=True)
    pointer = said("Where in the line's object, or in the JSON list: a JSON Pointer.")
    read = said("What was read there.")
    expected = said("What was expected in its place.")
    message = said("Both, as a sentence.")


class ReportsSchema(Answer):
    """The reports of all deals that could be read, and what could not be read."""

    reports = list_of(ReportSchema)
    problems = list_of(UnreadSchema)
    unlisted = Whole("Problems beyond those told in full.")


class ScoresSchema(Answer):
    """The scores of all deals that could be read, and what could not be read."""

    scores = list_of(ScoredSchema)
    problems = list_of(UnreadSchema)
    unlisted = Whole("Problems beyond those told in full.")


class ReplayOfLogSchema(ReplayedSchema):
    """One deal of a log for a replayer, and what could not be read."""

    text = said(
        "What was posted of it, in the notation; empty where what could be read lacks its opening or a seq."
    )
    problems = list_of(UnreadSchema)
    unlisted = Whole("Problems beyond those told in full.")
