"""The state of a deal at one point: what the record says so far.

What changes often is in classes that copy themselves quickly, the rest in named tuples. Fields are set in a
fresh copy only, never in a state that somebody else may have. The classes write out their ``__init__``: one
that a dataclass makes stays plain Python in a compiled engine, and takes ten times as long there.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple, final

from engine.core.cards import HAND_SIZE, HIDDEN_CARD, PACK_MASK, TALON_SIZE, BySeat, Card, Seat, Suit
from engine.core.events import (
    DealAbandoned,
    DealClosed,
    DealOpened,
    DealSettled,
    ResultRecorded,
    RulingMade,
)
from engine.core.field_types import Players, Seq
from engine.core.ranking import UNKNOWN_TRUMP, TrickRules
from engine.rulesets import NO_RULES, PUBLISHED_RULESETS, CompiledRuleset, RulesetBook
from engine.rulesets.model import Contract

DEALING: Final = 0
AUCTION: Final = 1
CONTRACT: Final = 2
TALON_TURN: Final = 3
EXCHANGE: Final = 4
PLAY: Final = 5
FINISHED: Final = 6
PHASES: Final = ("dealing", "auction", "contract", "turn", "exchange", "play", "finished")
"""The phases of a deal by number, in their order."""

HiddenSlots = tuple[int, ...]
"""The unknown cards of a hand: for each the mask of what it can be."""

UNKNOWN_HAND: Final[HiddenSlots] = (PACK_MASK,) * HAND_SIZE
"""A hand of nine unknown cards."""


class Opening(NamedTuple):
    """The opening of the deal, and the rules in force."""

    event: DealOpened | None
    seq: Seq
    rules: CompiledRuleset
    players: Players
    book: RulesetBook


@final
@dataclass(init=False, slots=True)
class Call:
    """A call in the auction."""

    seq: Seq
    seat: Seat
    bid: str
    said: str | None

    def __init__(
        self,
        seq: Seq,
        seat: Seat,
        bid: str,
        said: str | None,
    ) -> None:
        self.seq = seq
        self.seat = seat
        self.bid = bid
        self.said = said


@final
@dataclass(init=False, slots=True)
class Auction:
    """The auction so far.

    ``standing_bid``, ``standing_rank`` and ``holder``: the standing bid and its bidder; ``spoken_seats`` and
    ``passed_seats``: masks of seats; ``turn``: who speaks next, None when the auction is over;
    ``outbid_seat``: the seat that was outbid by the last call and may say self, if it is the elder;
    ``declined_seats``: None, or after all have passed where an extra may be undertaken the mask of seats that
    have declined it.
    """

    calls: tuple[Call, ...]
    standing_bid: str | None
    standing_rank: int
    holder: Seat | None
    spoken_seats: int
    passed_seats: int
    turn: Seat | None
    outbid_seat: Seat | None
    declined_seats: int | None

    def __init__(
        self,
        calls: tuple[Call, ...],
        standing_bid: str | None,
        standing_rank: int,
        holder: Seat | None,
        spoken_seats: int,
        passed_seats: int,
        turn: Seat | None,
        outbid_seat: Seat | None,
        declined_seats: int | None,
    ) -> None:
        self.calls = calls
        self.standing_bid = standing_bid
        self.standing_rank = standing_rank
        self.holder = holder
        self.spoken_seats = spoken_seats
        self.passed_seats = passed_seats
        self.turn = turn
        self.outbid_seat = outbid_seat
        self.declined_seats = declined_seats


class ContractState(NamedTuple):
    """The contract and the declarer; None if the record does not say so yet.

    ``is_vole_challenged``: the declarer has challenged for the vole in the auction.
    """

    declarer: Seat | None
    contract_id: str | None
    contract: Contract | None
    trump: Suit | None
    is_named: bool
    is_vole_challenged: bool


@final
@dataclass(init=False, slots=True)
class Exchange:
    """The exchange with the talon.

    ``queue``: the seats that may still exchange, the first to act first; ``cards_to_draw``: how many
    cards ``queue[0]`` has discarded and not drawn; ``talon``: what is left of it, top first;
    ``known_talon_cards``: the mask of its known cards; ``discards`` and ``draws``: by seat, None where the
    seat has not exchanged; ``exchanged_seats``: mask of seats that have; ``yield_count``: how often.
    """

    queue: tuple[Seat, ...]
    cards_to_draw: int
    discard_seq: Seq
    talon: tuple[Card, ...]
    known_talon_cards: int
    turned_card: Card | None
    discards: BySeat[tuple[Card, ...] | None]
    draws: BySeat[tuple[Card, ...] | None]
    exchanged_seats: int
    yield_count: int

    def __init__(
        self,
        queue: tuple[Seat, ...],
        cards_to_draw: int,
        discard_seq: Seq,
        talon: tuple[Card, ...],
        known_talon_cards: int,
        turned_card: Card | None,
        discards: BySeat[tuple[Card, ...] | None],
        draws: BySeat[tuple[Card, ...] | None],
        exchanged_seats: int,
        yield_count: int,
    ) -> None:
        self.queue = queue
        self.cards_to_draw = cards_to_draw
        self.discard_seq = discard_seq
        self.talon = talon
        self.known_talon_cards = known_talon_cards
        self.turned_card = turned_card
        self.discards = discards
        self.draws = draws
        self.exchanged_seats = exchanged_seats
        self.yield_count = yield_count

    def copy(self) -> "Exchange":
        """A copy, to be changed before anybody else has it."""
        return Exchange(
            self.queue,
            self.cards_to_draw,
            self.discard_seq,
            self.talon,
            self.known_talon_cards,
            self.turned_card,
            self.discards,
            self.draws,
            self.exchanged_seats,
            self.yield_count,
        )


class Statement(NamedTuple):
    """Cards that a source states for a hand (``hand_held``)."""

    seq: Seq
    seat: Seat
    mask: int


@final
@dataclass(init=False, slots=True)
class Knowledge:
    """The sources of what is known of the hands.

    ``sources``: by seat, the entries that revealed its cards; ``dealt_cards``: by seat, the known cards dealt
    to it; ``fully_known_seats``: mask of seats whose nine dealt cards are all known; ``watched_cards``: cards
    whose play needs a closer look; ``statements``: hands as sources state them; ``shown_seats``: mask of
    seats that have shown cards in the play; ``recorded_seats``: of those whose dealt hand has been recorded.
    """

    sources: BySeat[tuple[Seq, ...]]
    dealt_cards: BySeat[int]
    fully_known_seats: int
    watched_cards: int
    statements: tuple[Statement, ...]
    shown_seats: int
    recorded_seats: int

    def __init__(
        self,
        sources: BySeat[tuple[Seq, ...]],
        dealt_cards: BySeat[int],
        fully_known_seats: int,
        watched_cards: int,
        statements: tuple[Statement, ...],
        shown_seats: int,
        recorded_seats: int,
    ) -> None:
        self.sources = sources
        self.dealt_cards = dealt_cards
        self.fully_known_seats = fully_known_seats
        self.watched_cards = watched_cards
        self.statements = statements
        self.shown_seats = shown_seats
        self.recorded_seats = recorded_seats

    def copy(self) -> "Knowledge":
        """A copy, to be changed before anybody else has it."""
        return Knowledge(
            self.sources,
            self.dealt_cards,
            self.fully_known_seats,
            self.watched_cards,
            self.statements,
            self.shown_seats,
            self.recorded_seats,
        )


@final
@dataclass(init=False, slots=True)
class Trick:
    """A trick: the cards in the order of play; ``winner`` is None if unknown."""

    number: int
    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    seqs: tuple[Seq, ...]
    winner: Seat | None

    def __init__(
        self,
        number: int,
        seats: tuple[Seat, ...],
        cards: tuple[Card, ...],
        seqs: tuple[Seq, ...],
        winner: Seat | None,
    ) -> None:
        self.number = number
        self.seats = seats
        self.cards = cards
        self.seqs = seqs
        self.winner = winner


class PendingRevoke(NamedTuple):
    """A play that did not follow, from an incompletely known hand: a revoke if the hand proves it.

    ``known_cards``: cards that the seat is now known to have held then; ``evidence``: the entries that show
    it.
    """

    seq: Seq
    seat: Seat
    lead: Card
    trick: int
    known_cards: int
    evidence: tuple[Seq, ...]


@final
@dataclass(init=False, slots=True)
class Play:
    """The play of the cards, and the current hands.

    ``known_cards``: by seat the mask of cards certainly in the hand; ``hidden_slots``: by seat what the
    others can be; ``removed_cards``: the known cards that have left the hands. ``seats``, ``cards``,
    ``seqs``: the trick being played; ``hidden_trick_cards``: what its hidden cards can be, by their place in
    it. ``turn`` is None if the leader is unknown.
    """

    turn: Seat | None
    known_cards: BySeat[int]
    hidden_slots: BySeat[HiddenSlots]
    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    seqs: tuple[Seq, ...]
    hidden_trick_cards: tuple[tuple[int, int], ...]
    removed_cards: int
    tricks: tuple[Trick, ...]
    tricks_won: BySeat[int]
    pending_revokes: tuple[PendingRevoke, ...]
    trick_rules: TrickRules

    def __init__(
        self,
        turn: Seat | None,
        known_cards: BySeat[int],
        hidden_slots: BySeat[HiddenSlots],
        seats: tuple[Seat, ...],
        cards: tuple[Card, ...],
        seqs: tuple[Seq, ...],
        hidden_trick_cards: tuple[tuple[int, int], ...],
        removed_cards: int,
        tricks: tuple[Trick, ...],
        tricks_won: BySeat[int],
        pending_revokes: tuple[PendingRevoke, ...],
        trick_rules: TrickRules,
    ) -> None:
        self.turn = turn
        self.known_cards = known_cards
        self.hidden_slots = hidden_slots
        self.seats = seats
        self.cards = cards
        self.seqs = seqs
        self.hidden_trick_cards = hidden_trick_cards
        self.removed_cards = removed_cards
        self.tricks = tricks
        self.tricks_won = tricks_won
        self.pending_revokes = pending_revokes
        self.trick_rules = trick_rules

    def copy(self) -> "Play":
        """A copy, to be changed before anybody else has it."""
        return Play(
            self.turn,
            self.known_cards,
            self.hidden_slots,
            self.seats,
            self.cards,
            self.seqs,
            self.hidden_trick_cards,
            self.removed_cards,
            self.tricks,
            self.tricks_won,
            self.pending_revokes,
            self.trick_rules,
        )

    def trick_number(self, seq: Seq) -> int | None:
        """The number of the trick to which an entry played a card; None if it played none."""
        if seq in self.seqs:
            return len(self.tricks) + 1
        return next((trick.number for trick in self.tricks if seq in trick.seqs), None)


class Claim(NamedTuple):
    """A claim on the table: the claimant, the final tricks, and the seats that have accepted (a mask)."""

    seq: Seq
    seat: Seat
    tricks: BySeat[int]
    accepted_seats: int


class SurrenderOffer(NamedTuple):
    """A surrender on the table (RULES 8): which seats have accepted (a mask), who has forbidden it."""

    seq: Seq
    seat: Seat
    accepted_seats: int
    forbidden_by: Seat | None


class Ending(NamedTuple):
    """What ends a deal other than its last trick, and what was paid.

    ``uncounted_plays``: the cards that do not count, played after the end or second to a trick;
    ``tricks_played_on``: those played after the end, by tricks.
    """

    result: ResultRecorded | None
    result_seq: Seq
    ended_by_slip: bool
    claim: Claim | None
    abandonment: tuple[DealAbandoned, Seq] | None
    ruling: RulingMade | None
    ruling_seq: Seq
    is_voided: bool
    slam: str | None
    settlement: DealSettled | DealClosed | None
    settlement_seq: Seq
    is_closed: bool
    uncounted_plays: tuple[tuple[Seq, Seat, Card], ...]
    tricks_played_on: tuple[Trick, ...]
    substitutes: BySeat[str | None]
    is_puesta_set_aside: bool
    surrender: SurrenderOffer | None


@final
@dataclass(init=False, slots=True)
class State:
    """A deal at one point: the fold of the entries so far."""

    opening: Opening
    phase: int
    auction: Auction
    contract_state: ContractState
    exchange: Exchange
    knowledge: Knowledge
    play: Play
    ending: Ending
    has_gap: bool
    is_incomplete: bool

    def __init__(
        self,
        opening: Opening,
        phase: int,
        auction: Auction,
        contract_state: ContractState,
        exchange: Exchange,
        knowledge: Knowledge,
        play: Play,
        ending: Ending,
        has_gap: bool,
        is_incomplete: bool,
    ) -> None:
        self.opening = opening
        self.phase = phase
        self.auction = auction
        self.contract_state = contract_state
        self.exchange = exchange
        self.knowledge = knowledge
        self.play = play
        self.ending = ending
        self.has_gap = has_gap
        self.is_incomplete = is_incomplete

    def copy(self) -> "State":
        """A copy, to be changed before anybody else has it."""
        return State(
            self.opening,
            self.phase,
            self.auction,
            self.contract_state,
            self.exchange,
            self.knowledge,
            self.play,
            self.ending,
            self.has_gap,
            self.is_incomplete,
        )


NO_PLAYERS: Final = Players("", "", "")
NO_ENDING: Final = Ending(
    None, 0, False, None, None, None, 0, False, None, None, 0, False, (), (), (None, None, None), False, None
)
"""No ending yet; compared by identity."""

NO_CALLS: Final = Auction((), None, 0, None, 0, 0, Seat(0), None, None)
NO_CONTRACT_STATE: Final = ContractState(None, None, None, None, False, False)
NO_EXCHANGE: Final = Exchange(
    (), 0, 0, (HIDDEN_CARD,) * TALON_SIZE, 0, None, (None, None, None), (None, None, None), 0, 0
)
NO_KNOWLEDGE: Final = Knowledge(((), (), ()), (0, 0, 0), 0, 0, (), 0, 0)
UNKNOWN_HANDS: Final = (UNKNOWN_HAND, UNKNOWN_HAND, UNKNOWN_HAND)
NO_PLAY: Final = Play(Seat(0), (0, 0, 0), UNKNOWN_HANDS, (), (), (), (), 0, (), (0, 0, 0), (), UNKNOWN_TRUMP)


def initial_state(book: RulesetBook = PUBLISHED_RULESETS) -> State:
    """The state before the first event; ``book`` holds the rulesets that the deal may name."""
    opening = Opening(None, 0, NO_RULES, NO_PLAYERS, book)
    started = (NO_CALLS, NO_CONTRACT_STATE, NO_EXCHANGE, NO_KNOWLEDGE, NO_PLAY, NO_ENDING)
    return State(opening, DEALING, *started, has_gap=False, is_incomplete=False)


INITIAL_STATE: Final = initial_state()
"""The state before the first event of a deal under a published ruleset."""


def with_play(state: State, play: Play) -> State:
    """The state with another play."""
    state = state.copy()
    state.play = play
    return state


def with_exchange(state: State, exchange: Exchange) -> State:
    """The state with another exchange."""
    state = state.copy()
    state.exchange = exchange
    return state


def with_knowledge(state: State, knowledge: Knowledge, play: Play) -> State:
    """The state with other knowledge of the hands, and the play that goes with it."""
    state = state.copy()
    state.knowledge = knowledge
    state.play = play
    return state


def with_phase(state: State, phase: int) -> State:
    """The state in another phase."""
    state = state.copy()
    state.phase = phase
    return state


MAX_SOURCES: Final = 8


def add_source(all_sources: BySeat[tuple[Seq, ...]], seat: Seat, seq: Seq) -> BySeat[tuple[Seq, ...]]:
    """The sources of what is known of the hands, with ``seq`` added for ``seat``.

    If there are too many, only the first and the last are kept, which suffices as evidence.
    """
    first, second, third = all_sources
    sources = all_sources[seat]
    updated = (*sources, seq) if len(sources) < MAX_SOURCES else (*sources[:2], *sources[3:], seq)
    if seat == 0:
        return updated, second, third
    return (first, updated, third) if seat == 1 else (first, second, updated)


def hand_size(state: State, seat: Seat) -> int:
    """The number of cards in the hand of ``seat``."""
    return state.play.known_cards[seat].bit_count() + len(state.play.hidden_slots[seat])


def seat_to_act(state: State) -> Seat | None:
    """The seat whose turn it is; None if it is nobody's turn, or unknown."""
    phase = state.phase
    if phase <= AUCTION:
        return state.auction.turn
    if phase == CONTRACT:
        return state.contract_state.declarer
    if phase == EXCHANGE:
        if must_name_trump(state):
            return state.contract_state.declarer
        return state.exchange.queue[0] if state.exchange.queue else None
    if phase == PLAY:
        return state.play.turn
    return None


def must_name_trump(state: State) -> bool:
    """Whether the declarer has drawn and must now name trumps (RULES 8, gascarille)."""
    contract, trump = state.contract_state.contract, state.contract_state.trump
    if trump is not None or contract is None or contract.trump != "chosen-after-draw":
        return False
    return state.phase == EXCHANGE and state.contract_state.declarer not in state.exchange.queue


def known_trump(state: State) -> Suit | None:
    """The trumps of the deal, from its auction or else from its slip.

    ``NO_TRUMP`` if there is no trump suit (nolo), None if unknown.
    """
    trump, result = state.contract_state.trump, state.ending.result
    return result.trump if trump is None and result is not None else trump


def is_deal_over(state: State) -> bool:
    """Whether nothing more happens in this deal, as far as the record goes."""
    ending = state.ending
    return state.phase == FINISHED or ending.ended_by_slip or ending.is_closed
