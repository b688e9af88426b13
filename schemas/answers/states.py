"""States, legal actions, scores and findings as JSON objects (DESIGN 5)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any, Final, TypeVar

from marshmallow.fields import String

from engine import LegalActions, State
from engine.core.cards import (
    PACK_MASK,
    SEAT_NAMES,
    SEATS,
    Seat,
    slot_code,
    trump_letter,
)
from engine.core.field_types import Players
from engine.play.findings import FINDING_CODES, SEVERITIES, Findings
from engine.play.state import PHASES, HiddenSlots, is_deal_over, known_trump, seat_to_act
from engine.play.tricks import tricks_on_record
from engine.scoring.score import deal_standing
from schemas.answers import fields
from schemas.answers.fields import VocabularyField
from schemas.answers.response_schema import Json, ResponseSchema, by_seat_schema
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.i18n.translate import translate_phrase
from schemas.wire.event_schemas import event_schema

SEATED_DESCRIPTION: Final = "The player's name or member id; empty before the deal is opened."


Value = TypeVar("Value")
Converted = TypeVar("Converted")


def optional(convert: Callable[[Value], Converted], value: Value | None) -> Converted | None:
    """What ``convert`` makes of a value; None of None."""
    return None if value is None else convert(value)


def opening_member(name: str, path: str) -> Callable[[Any], Any]:
    """What reads a member of a deal's opening, which is at ``path``; None where the deal is not opened."""
    read_opening = attrgetter(path)
    return lambda value: getattr(read_opening(value), name, None)


def nullable_title(opening_path: str) -> String:
    """The title of a deal, or null."""
    return fields.string(
        "The title of the deal; null without one, or if you may not know it.",
        get=opening_member("title", opening_path),
        allow_none=True,
    )


def nullable_ruleset(opening_path: str) -> VocabularyField:
    """The ruleset of a deal, or null."""
    return fields.name(
        "Null if its opening is missing.", get=opening_member("ruleset", opening_path), allow_none=True
    )


nullable_trump: Final = partial(fields.suit, write=trump_letter, allow_none=True)


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


def _slot_codes(hand: tuple[int, HiddenSlots]) -> list[str] | None:
    """What is known of the unknown cards of a hand; None where nothing is."""
    slots = hand[1]
    return sorted(map(slot_code, slots)) if any(slot != PACK_MASK for slot in slots) else None


class HandSchema(ResponseSchema):
    """The known part of a hand."""

    cards = fields.cards_in_mask("Cards certainly in it.", get=0)
    others = fields.integer("The number of other cards.", data_key="unknown", get=lambda hand: len(hand[1]))
    maybe = fields.cards(
        "What is known of each of these: `S?` is a spade, `??` nothing.",
        required=False,
        get=_slot_codes,
        write=None,
    )


class ExchangedCardsSchema(ResponseSchema):
    """Cards discarded or drawn."""

    cards = fields.cards(get=tuple)
    count = fields.integer("The number of cards, known or not.", get=len)


class TalonSchema(ResponseSchema):
    """The known part of the talon."""

    cards = fields.cards("Top first.", get="talon")
    count = fields.integer("The number of cards left.", get=lambda exchange: len(exchange.talon))
    turned = fields.card(
        "The card turned up for trumps; null without one.", get="turned_card", allow_none=True
    )


class TrickSchema(ResponseSchema):
    """A trick; the last may have fewer than three cards."""

    number = fields.integer("The number of the trick, from 1.", min_value=1)
    leader = fields.seat(
        "The leader; null if unknown.", get=lambda trick: next(iter(trick.seats), None), allow_none=True
    )
    seats = fields.list_of(fields.seat(), "The players, in order.")
    cards = fields.cards("Their cards.")
    seqs = fields.list_of(fields.seq(), "Their entries.")
    winner = fields.seat("Null while it is open, and if hidden cards leave it unknown.", allow_none=True)
    played_on = fields.boolean("Whether it was played after the end and does not count.", required=False)


class PlayAfterEndSchema(ResponseSchema):
    """A card played after the deal was over."""

    seq = fields.seq(get=0)
    seat = fields.seat(get=1)
    card = fields.card(get=2)


TricksBySeat = by_seat_schema("Tricks", fields.integer)
HandsBySeat = by_seat_schema("Hands", partial(fields.nested, HandSchema))
ExchangedCardsBySeat = by_seat_schema("Laid", partial(fields.nested, ExchangedCardsSchema, required=False))


def _accepting_seats(offer: Any) -> list[Seat]:
    return [seat for seat in SEATS if offer.accepted_seats >> seat & 1]


class ClaimSchema(ResponseSchema):
    """An open claim."""

    seat = fields.seat()
    tricks = fields.nested(TricksBySeat, "The final number of tricks of each seat.")
    accepted = fields.list_of(
        fields.seat(),
        "The seats that have accepted it.",
        get=lambda claim: [seat for seat in _accepting_seats(claim) if seat != claim.seat],
    )


class SurrenderSchema(ResponseSchema):
    """A surrender that was offered."""

    seat = fields.seat()
    accepted = fields.list_of(fields.seat(), "The seats that have accepted it.", get=_accepting_seats)
    forbidden_by = fields.seat(
        "The seat that has refused it and plays on as declarer; null if none.", allow_none=True
    )


def seated_players(state: State) -> Players:
    """The players, those who took over a hand in their seats."""
    players, taken_over = state.opening.players, state.ending.substitutes
    if not any(taken_over):
        return players
    by_seat = zip(SEAT_NAMES, taken_over, strict=True)
    changes: Json = {seat: player for seat, player in by_seat if player}
    return replace(players, **changes)


def _trick_objects(state: State) -> list[Json]:
    first_played_on = len(state.play.tricks) + bool(state.play.cards)
    return [
        TrickSchema.write(trick, played_on=index >= first_played_on)
        for index, trick in enumerate(tricks_on_record(state))
    ]


class StateSchema(ResponseSchema):
    """A deal at one point, as recorded."""

    phase = fields.string(
        "The phase; `finished` also if only the result is known.",
        get=lambda state: PHASES[-1 if is_deal_over(state) else state.phase],
        choices=PHASES,
    )
    to_act = fields.seat(
        "The seat to act; null if there is none, or it is unknown.",
        get=lambda state: None if is_deal_over(state) else seat_to_act(state),
        allow_none=True,
    )
    ruleset = nullable_ruleset("opening.event")
    revision = fields.integer(
        "Null if the ruleset is not published here.",
        get=lambda state: state.opening.rules.ruleset.revision if state.opening.rules.is_known else None,
        allow_none=True,
    )
    players = fields.nested(SeatedPlayersSchema, get=seated_players)
    calls = fields.list_of(CallSchema, get="auction.calls")
    declarer = fields.seat(
        "Null while there is none, or if unknown.",
        get=lambda state: deal_standing(state).declarer,
        allow_none=True,
    )
    contract = fields.name(
        "Null while there is none, or if unknown.",
        get=lambda state: deal_standing(state).contract_id,
        allow_none=True,
    )
    trump = nullable_trump("Null in nolo, and while unknown.", get=known_trump)
    hands = fields.nested(
        HandsBySeat,
        "The known part of each hand.",
        get=lambda state: tuple(zip(state.play.known_cards, state.play.hidden_slots, strict=True)),
    )
    talon = fields.nested(TalonSchema, get="exchange")
    discards = fields.nested(
        ExchangedCardsBySeat, "What each seat discarded, once it has.", get="exchange.discards"
    )
    draws = fields.nested(ExchangedCardsBySeat, "What each seat drew, once it has.", get="exchange.draws")
    tricks = fields.list_of(TrickSchema, get=_trick_objects, write=None)
    tricks_won = fields.nested(TricksBySeat, "The tricks won by each seat.", get="play.tricks_won")
    played_on = fields.list_of(
        PlayAfterEndSchema, "Cards played after the end; they do not count.", get="ending.uncounted_plays"
    )
    claim = fields.nested(ClaimSchema, "Null without an open claim.", get="ending.claim", allow_none=True)
    result = fields.nested(
        event_schema("result_recorded", has_metadata=False),
        "The result of a slip; null without one.",
        get="ending.result",
        allow_none=True,
    )
    slam = fields.string(
        "`announced`, or `challenged` in the auction; null otherwise.",
        get=lambda state: "challenged" if state.contract_state.is_vole_challenged else state.ending.slam,
        allow_none=True,
    )
    surrender = fields.nested(
        SurrenderSchema, "Null if none was offered.", get="ending.surrender", allow_none=True
    )
    pool = fields.integer(
        "The pool at the opening; null if not recorded.",
        get=opening_member("pool", "opening.event"),
        allow_none=True,
    )
    incomplete = fields.boolean("Whether the record notes missing entries.", get="is_incomplete")


state_object: Final = StateSchema.write


class ContractNamingSchema(ResponseSchema):
    """A contract that may be named, with its possible trumps."""

    contract = fields.string("The contract's id.", get=0)
    trumps = fields.list_of(fields.suit(), get=1, write=list)


class OpenActionSchema(ResponseSchema):
    """Another possible action of a seat."""

    action = fields.string("`abandon`, `answer`, `claim`, `show`, `slam`, `surrender` or `yield`.")
    seat = fields.seat()
    pays = fields.string("What giving up would be paid as.", required=False)


def _member_of(action: str, name: str) -> Callable[[LegalActions], Any]:
    """What reads a member that only one action has; None where another is due."""
    read = attrgetter(name)
    return lambda legal: read(legal) if legal.action == action else None


class LegalSchema(ResponseSchema):
    """The legal next events. The lists depend on the action; all are sorted."""

    seat = fields.seat("The seat to act; null if any, or if unknown.", allow_none=True)
    action = fields.string("The action.", choices=("bid", "name", "turn", "exchange", "draw", "play"))
    calls = fields.list_of(
        fields.string(), "`pass`, `self` or ids of bids.", get=_member_of("bid", "calls"), required=False
    )
    contracts = fields.list_of(ContractNamingSchema, get=_member_of("name", "contracts"), required=False)
    min = fields.integer(
        "Fewest cards to exchange.", get=_member_of("exchange", "min_count"), min_value=None, required=False
    )
    max = fields.integer(
        "Most cards to exchange.", get=_member_of("exchange", "max_count"), min_value=None, required=False
    )
    count = fields.integer(
        "Cards to draw.", get=_member_of("draw", "min_count"), min_value=None, required=False
    )
    cards = fields.cards(get=_member_of("play", "cards"), write=list, required=False)
    hidden = fields.boolean("Whether hidden cards may be legal too.", required=False)
    optional = fields.boolean("Whether the player may stop instead.", required=False)
    also = fields.list_of(
        OpenActionSchema,
        "Other possible actions.",
        get=lambda legal: legal.other_actions or None,
        required=False,
    )


def legal_object(legal: LegalActions | None) -> Json | None:
    """What may happen next; null when the deal is over."""
    return optional(LegalSchema.write, legal)


class PoolSchema(ResponseSchema):
    """The pool before and after the deal, and the puestas set aside."""

    before = fields.integer("The pool at the opening of the deal.", min_value=-1_000_000_000)
    after = fields.integer("The pool after it.", min_value=-1_000_000_000)
    reserved = fields.list_of(fields.chips())


class ScoreItemSchema(ResponseSchema):
    """A reason for chips: from (+) or to (−) each opponent."""

    label = fields.string("The reason, in English.", translate=translate_phrase)
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
        get=lambda score: None if score.decided else score.reachable,
        required=False,
    )
    parts = fields.list_of(
        PartialScoreSchema,
        "If a surrender was refused: what the first declarer pays, and the new one.",
        get=lambda score: score.parts or None,
        required=False,
    )


score_object: Final = ScoreSchema.write


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
    message = fields.sentence("The finding as a sentence, in English or Danish as in `Accept-Language`.")
    rule = fields.string("The section of the rules.")
    evidence = fields.list_of(fields.seq(), "The entries that prove it.")


def finding_objects(findings: Findings, lang: str = SOURCE_LANGUAGE) -> list[Json]:
    """Findings in their order."""
    return [FindingSchema.write(one, lang) for one in findings]
