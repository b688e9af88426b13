"""What commands and routes answer about a whole deal: a report, and its replay entry by entry."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from marshmallow.fields import Nested

from engine import (
    Audit,
    History,
    LegalActions,
    Log,
    Score,
    State,
    evolve,
    initial_state,
    legal,
    score,
)
from engine.core.cards import BASTA, CARD_CODES, NO_TRUMP, SPADILLE, SUIT_BY_LETTER, Suit
from engine.core.events import NoteAdded
from engine.core.field_types import Branch
from engine.core.log import Entry
from engine.core.ranking import suit_ladders
from engine.diagnosis.finding_caveats import add_caveats
from engine.play.amendments import list_amendments
from engine.play.auction import PASS, SELF
from engine.play.phases import FIXED_TRUMPS
from engine.rulesets import PUBLISHED_RULESETS, CompiledRuleset, RulesetBook
from schemas.answers import fields
from schemas.answers.response_schema import Json, ResponseSchema
from schemas.answers.states import (
    FindingSchema,
    LegalSchema,
    ScoreSchema,
    SeatedPlayersSchema,
    StateSchema,
    nullable_ruleset,
    nullable_title,
    opening_member,
    optional,
    seated_players,
)
from schemas.i18n.catalogs import SOURCE_LANGUAGE, gettext
from schemas.i18n.translate import chip_name
from schemas.logs.deal_size import FragmentEncoder, require_displayable
from schemas.wire.event_schemas import EventSchema

SUIT_ORDER: Final = "SHCD"
OPENING: Final = "state.opening.event"
"""The path to the opening of an audited deal."""
BLACK_ACES: Final = {int(SPADILLE): "S", int(BASTA): "B"}
"""How the black aces are written among the ranks of the trumps."""


def _game_names(rules: CompiledRuleset) -> dict[str, str]:
    """The English names of calls and contracts, by id."""
    words = {PASS: "pass", SELF: "self"}
    words |= {bid.id: bid.words for bid in rules.bids.values()}
    return words | {contract.id: contract.words for contract in rules.contracts.values()}


def _ranks_by_trump(rules: CompiledRuleset) -> dict[str, dict[str, str]]:
    trumps = {"unknown": None, "none": NO_TRUMP, **{suit: SUIT_BY_LETTER[suit] for suit in SUIT_ORDER}}
    return {name: _ranks_by_suit(trump, rules) for name, trump in trumps.items()}


def _ranks_by_suit(trump: Suit | None, rules: CompiledRuleset) -> dict[str, str]:
    """Each suit with its ranks, the highest first, such as ``S7BKQJA23456`` for trump hearts."""
    ladders = suit_ladders(trump, rules.ruleset.red_trumps, SUIT_ORDER)
    aces = {} if trump is None or trump == NO_TRUMP else BLACK_ACES
    # The lowest card of the trumps too is of their suit.
    return {
        CARD_CODES[ladder[-1]][0]: "".join(aces.get(card, CARD_CODES[card][1]) for card in ladder)
        for ladder in ladders
    }


def _chip_names(chip: str, lang: str) -> list[str]:
    return [chip_name(chip, count, lang) for count in (1, 2)]


class CardOrderSchema(ResponseSchema):
    """The order of the cards in a hand, by the rules of a deal."""

    nolos = fields.list_of(
        fields.name(),
        "The contracts without trumps.",
        get=lambda rules: [one.id for one in rules.contracts.values() if one.aim == "nolo"],
    )
    suits = fields.dict_of(
        fields.dict_of(fields.string(), required=False),
        "By trump suit (`none` in a nolo, `unknown` before it is known): each suit with "
        "its ranks, the highest first; among the trumps `S` is spadille and `B` basta.",
        get=_ranks_by_trump,
    )


card_order_object: Final = CardOrderSchema.write


class GamesSchema(ResponseSchema):
    """The names of the games by the rules of a deal."""

    names = fields.dict_of(
        fields.string(required=False, translate=gettext),
        "Each call and contract by id, in the requested language.",
        get=_game_names,
    )
    implied_suits = fields.list_of(
        fields.name(),
        "The contracts with one suit of trumps.",
        get=lambda rules: [one.id for one in rules.contracts.values() if one.trump in FIXED_TRUMPS],
    )


games_object: Final = GamesSchema.write


class BranchPointSchema(ResponseSchema):
    """Where a variation branches from another deal."""

    deal = fields.string("The id of the other deal, or its name in the library.")
    at = fields.seq("The last common entry.")
    known = fields.integer(
        "The number of entries of the other deal's log that count; null for all.", allow_none=True
    )


def nullable_branch_field(**options: Any) -> Nested:
    """Where a variation branches from another deal, or null."""
    return fields.nested(
        BranchPointSchema,
        "For a variation: where it branches from another deal; else null.",
        allow_none=True,
        **options,
    )


def branch_object(branch: Branch | None) -> Json | None:
    """Where a variation leaves another deal, as its opening says it; None where it does not."""
    return optional(BranchPointSchema.write, branch)


class LogDealSchema(ResponseSchema):
    """A deal of a log."""

    file = fields.string("The name of the log: `?name=`, or `-`.")
    deal = fields.integer("The number of the deal in the log, from 1.", min_value=1)


class DealReportSchema(LogDealSchema):
    """The report of one deal, as `spadille validate` prints it."""

    title = nullable_title(OPENING)
    ruleset = nullable_ruleset(OPENING)
    ok = fields.boolean("Whether there is no impossible entry and no error.")
    findings = fields.list_of(FindingSchema, get=add_caveats)
    score = fields.nested(ScoreSchema)


def report_object(audit: Audit, file: str, number: int, lang: str = SOURCE_LANGUAGE) -> Json:
    """The report of one deal of a file: what it breaks, in the language ``lang``, and what it pays
    (DESIGN 6)."""
    return DealReportSchema.write(audit, lang, file=file, deal=number)


class ReplayFrame(NamedTuple):
    """An entry of the effective history, and the deal after it."""

    entry: Entry
    state: State
    legal: LegalActions | None
    score: Score


class ReplayFrameSchema(ResponseSchema):
    """An entry of the effective history, and the deal after it."""

    seq = fields.seq(get="entry.seq")
    event = fields.nested(EventSchema, get="entry")
    state = fields.nested(StateSchema)
    legal = fields.nested(LegalSchema, "Null when the deal is over.", allow_none=True)
    score = fields.nested(ScoreSchema)


def replay_frames(
    history: History, book: RulesetBook = PUBLISHED_RULESETS, lang: str = SOURCE_LANGUAGE
) -> Iterator[Json]:
    """The deal entry by entry: each event with the state, legal actions and score after it."""
    state: State = initial_state(book)
    for entry in history.entries:
        state = evolve(state, entry)
        yield ReplayFrameSchema.write(ReplayFrame(entry, state, legal(state), score(state)), lang)


class CorrectionSchema(ResponseSchema):
    """A correction or a withdrawal: the old entries, and the reason."""

    at = fields.seq(
        "Its frame: the replacement, or the frame before it; null if there is none.",
        get="position_seq",
        allow_none=True,
    )
    event = fields.nested(EventSchema, "The correction or the withdrawal, with its reason.", get="entry")
    before = fields.list_of(
        EventSchema, "The old entries as recorded, as far as you may know them.", get="replaced_entries"
    )


def _visible_notes(audit: Audit) -> Log:
    """The notes, without the places of those whose words are hidden from who looks."""
    entries = audit.history.entries
    return tuple(
        one for one in entries if isinstance(one.event, NoteAdded) and (one.event.text or one.event.mark)
    )


class BaseReplaySchema(ResponseSchema):
    """A whole deal, for a replayer."""

    title = nullable_title(OPENING)
    source = fields.string(
        "The source; null without one, or if you may not know it.",
        get=opening_member("source", OPENING),
        allow_none=True,
    )
    ruleset = nullable_ruleset(OPENING)
    branch = nullable_branch_field(get=opening_member("branch", OPENING))
    direction = fields.string("The direction of play.", get="state.opening.rules.ruleset.direction")
    card_order = fields.nested(CardOrderSchema, get="state.opening.rules")
    games = fields.nested(GamesSchema, get="state.opening.rules")
    chips = fields.list_of(
        fields.string(required=False),
        "What one chip is called, and several, in the requested language.",
        get="state.opening.rules.ruleset.chip",
        translate=_chip_names,
    )
    players = fields.nested(SeatedPlayersSchema, get=lambda audit: seated_players(audit.state))
    frames = fields.list_of(ReplayFrameSchema)
    mendings = fields.list_of(CorrectionSchema, "The corrections and withdrawals, in order.")
    findings = fields.list_of(FindingSchema, get=add_caveats)
    notes = fields.list_of(EventSchema, get=_visible_notes)
    score = fields.nested(ScoreSchema)


def replay_object(audit: Audit, lang: str = SOURCE_LANGUAGE) -> Json:
    """Build one answer with a whole deal, for a replayer; ``lang`` is the language of its findings.

    The frames and the amendments are JSON already (`orjson.Fragment`). Raises `DealTooLarge`.
    """
    require_displayable(audit.history)
    pieces = FragmentEncoder()
    seqs = {entry.seq for entry in audit.history.entries}
    amendments = (
        one for one in list_amendments(audit.history) if one.position_seq is None or one.position_seq in seqs
    )
    frames = replay_frames(audit.history, audit.state.opening.book, lang)
    return BaseReplaySchema.write(
        audit,
        lang,
        frames=[pieces.encode(frame) for frame in frames],
        mendings=[pieces.encode(CorrectionSchema.write(one)) for one in amendments],
    )
