"""The state of a deal at one point, grouped so that an event touches a small part of it.

Everything here is what the record says so far; nothing is a judgement. All groups are
tuples: a state can be kept, compared and shared.
"""

from typing import Final, NamedTuple

from engine.core.cards import HAND_SIZE, HIDDEN, PACK, TALON_SIZE, Card, Seat, Suit
from engine.core.events import (
    DealAbandoned,
    DealClosed,
    DealOpened,
    DealSettled,
    ResultRecorded,
    RulingMade,
)
from engine.core.ranking import UNKNOWN_TRUMP, Following
from engine.core.vocabulary import Players, Seq
from engine.rulesets import NO_RULES, PUBLISHED, Book, Rules
from engine.rulesets.model import Contract

DEALING: Final = 0
AUCTION: Final = 1
CONTRACT: Final = 2
TURN: Final = 3
EXCHANGE: Final = 4
PLAY: Final = 5
FINISHED: Final = 6
PHASES: Final = ("dealing", "auction", "contract", "turn", "exchange", "play", "finished")
"""The phases of a deal by number, in their order."""

Slots = tuple[int, ...]
"""The cards of a hand that are not known: for each the mask of what it can be."""

UNSEEN: Final[Slots] = (PACK,) * HAND_SIZE
"""A hand of nine of which nothing is known."""


class Opening(NamedTuple):
    """What the deal was opened with, and the rules in force."""

    opened: DealOpened | None
    seq: Seq
    rules: Rules
    players: Players
    book: Book


class Call(NamedTuple):
    """A call in the auction."""

    seq: Seq
    seat: Seat
    bid: str
    said: str | None


class Auction(NamedTuple):
    """The auction so far.

    ``standing``, ``rank`` and ``holder``: the bid that stands and whose it is; ``spoken`` and
    ``passed``: masks of seats; ``turn``: who speaks next, None when the auction is over;
    ``outbid``: the seat that was outbid by the last call and may say self, if it is the elder;
    ``declined``: None, or after all have passed where an extra may be undertaken the mask of seats
    that have declined it.
    """

    calls: tuple[Call, ...]
    standing: str | None
    rank: int
    holder: Seat | None
    spoken: int
    passed: int
    turn: Seat | None
    outbid: Seat | None
    declined: int | None


class Bargain(NamedTuple):
    """What is played, and by whom; None where the record does not say so yet.

    ``all_nine``: the declarer has challenged for the vole in the auction.
    """

    declarer: Seat | None
    contract_id: str | None
    contract: Contract | None
    trump: Suit | None
    named: bool
    all_nine: bool


class Exchange(NamedTuple):
    """The exchange with the talon.

    ``queue``: the seats that may still exchange, the first to act first; ``owed``: how many
    cards ``queue[0]`` has discarded and not drawn; ``talon``: what is left of it, top first;
    ``lying``: the mask of its known cards; ``discards`` and ``draws``: by seat, None where the
    seat has not exchanged; ``exchanged``: mask of seats that have; ``yielded``: how often.
    """

    queue: tuple[Seat, ...]
    owed: int
    owed_seq: Seq
    talon: tuple[Card, ...]
    lying: int
    turned: Card | None
    discards: tuple[tuple[Card, ...] | None, ...]
    draws: tuple[tuple[Card, ...] | None, ...]
    exchanged: int
    yielded: int


class Statement(NamedTuple):
    """Cards that a source states for a hand (``hand_held``)."""

    seq: Seq
    seat: Seat
    mask: int


class Knowledge(NamedTuple):
    """Where the knowledge of the hands comes from.

    ``sources``: by seat, the entries that told of its cards; ``dealt``: by seat, the known
    cards dealt to it; ``dealt_whole``: mask of seats whose nine dealt cards are all known;
    ``watch``: cards whose play needs a closer look; ``stated``: hands as sources state them;
    ``laid_open``: mask of seats that have shown cards in the play; ``dealt_told``: of those whose
    dealt hand has been recorded.
    """

    sources: tuple[tuple[Seq, ...], ...]
    dealt: tuple[int, ...]
    dealt_whole: int
    watch: int
    stated: tuple[Statement, ...]
    laid_open: int
    dealt_told: int


class Trick(NamedTuple):
    """A trick: who played what, in the order of play; ``winner`` None where it is not known."""

    number: int
    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    seqs: tuple[Seq, ...]
    winner: Seat | None


class Doubt(NamedTuple):
    """A play that did not follow, from a hand not wholly known: a revoke if the hand proves so.

    ``had``: cards the seat is known to have held then, learnt since; ``shown_by``: by which entries.
    """

    seq: Seq
    seat: Seat
    lead: Card
    trick: int
    had: int
    shown_by: tuple[Seq, ...]


class Play(NamedTuple):
    """The play of the cards, and the hands as they stand.

    ``held``: by seat the mask of cards certainly there; ``slots``: by seat what the others
    can be; ``gone``: the known cards that have left the hands. ``seats``, ``cards``, ``seqs``:
    the trick being played; ``veiled``: what its hidden cards can be, by their place in it.
    ``turn`` is None where nobody knows who leads.
    """

    turn: Seat | None
    held: tuple[int, int, int]
    slots: tuple[Slots, Slots, Slots]
    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    seqs: tuple[Seq, ...]
    veiled: tuple[tuple[int, int], ...]
    gone: int
    tricks: tuple[Trick, ...]
    won: tuple[int, int, int]
    doubts: tuple[Doubt, ...]
    table: Following


class Claim(NamedTuple):
    """A claim on the table: who, how the tricks would stand, which seats have accepted (a mask)."""

    seq: Seq
    seat: Seat
    tricks: tuple[int, int, int]
    accepted: int


class Surrender(NamedTuple):
    """A surrender on the table (RULES 8): which seats have accepted (a mask), who has forbidden it."""

    seq: Seq
    seat: Seat
    accepted: int
    forbidden_by: Seat | None


class Ending(NamedTuple):
    """Everything that ends a deal otherwise than by its last trick, and what was paid.

    ``beyond``: the cards that do not count, played after the end or second to a trick.
    """

    result: ResultRecorded | None
    result_seq: Seq
    slip: bool
    claim: Claim | None
    abandoned: tuple[DealAbandoned, Seq] | None
    ruling: RulingMade | None
    ruling_seq: Seq
    voided: bool
    slam: str | None
    settled: DealSettled | DealClosed | None
    settled_seq: Seq
    closed: bool
    beyond: tuple[tuple[Seq, Seat, Card], ...]
    taken_over: tuple[str | None, str | None, str | None]
    set_aside: bool
    surrender: Surrender | None


class State(NamedTuple):
    """A deal at one point: the fold of the entries up to there."""

    opening: Opening
    phase: int
    auction: Auction
    bargain: Bargain
    exchange: Exchange
    knowledge: Knowledge
    play: Play
    ending: Ending
    gap: bool
    incomplete: bool


NOBODY: Final = Players("", "", "")
OPEN: Final = Ending(
    None, 0, False, None, None, None, 0, False, None, None, 0, False, (), (None, None, None), False, None
)
"""No ending in sight; compared by identity."""

NO_CALLS: Final = Auction((), None, 0, None, 0, 0, Seat(0), None, None)
NO_BARGAIN: Final = Bargain(None, None, None, None, False, False)
NO_EXCHANGE: Final = Exchange(
    (), 0, 0, (HIDDEN,) * TALON_SIZE, 0, None, (None, None, None), (None, None, None), 0, 0
)
NO_KNOWLEDGE: Final = Knowledge(((), (), ()), (0, 0, 0), 0, 0, (), 0, 0)
NO_PLAY: Final = Play(
    Seat(0), (0, 0, 0), (UNSEEN, UNSEEN, UNSEEN), (), (), (), (), 0, (), (0, 0, 0), (), UNKNOWN_TRUMP
)


def start(book: Book = PUBLISHED) -> State:
    """The state before the first event; ``book`` holds the rulesets that the deal may name."""
    opening = Opening(None, 0, NO_RULES, NOBODY, book)
    return State(
        opening, DEALING, NO_CALLS, NO_BARGAIN, NO_EXCHANGE, NO_KNOWLEDGE, NO_PLAY, OPEN, False, False
    )


START: Final = start()
"""The state before the first event of a deal under a published ruleset."""


new: Final = tuple.__new__
"""Makes a named tuple from a plain one in half the time; used where every event passes."""


def with_play(s: State, play: Play) -> State:
    """The state with another play; several times faster than ``_replace``, as its kin below."""
    return new(State, (s[0], s[1], s[2], s[3], s[4], s[5], play, s[7], s[8], s[9]))


def with_exchange(s: State, exchange: Exchange) -> State:
    """The state with another exchange."""
    return new(State, (s[0], s[1], s[2], s[3], exchange, s[5], s[6], s[7], s[8], s[9]))


def with_knowledge(s: State, knowledge: Knowledge, play: Play) -> State:
    """The state with other knowledge of the hands, and the play that goes with it."""
    return new(State, (s[0], s[1], s[2], s[3], s[4], knowledge, play, s[7], s[8], s[9]))


def in_phase(s: State, phase: int) -> State:
    """The state in another phase."""
    return new(State, (s[0], phase, s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9]))


MOST_SOURCES: Final = 8


def told_by(groups: tuple[tuple[Seq, ...], ...], seat: Seat, seq: Seq) -> tuple[tuple[Seq, ...], ...]:
    """The sources of what is known of the hands, with ``seq`` added for ``seat``.

    Of very many the first and the last are kept: as evidence these are enough.
    """
    first, second, third = groups
    sources = groups[seat]
    told = (*sources, seq) if len(sources) < MOST_SOURCES else (*sources[:2], *sources[3:], seq)
    if seat == 0:
        return told, second, third
    return (first, told, third) if seat == 1 else (first, second, told)


def hand_count(state: State, seat: Seat) -> int:
    """How many cards ``seat`` holds."""
    return state.play.held[seat].bit_count() + len(state.play.slots[seat])


def to_act(state: State) -> Seat | None:
    """Whose turn it is; None when it is nobody's, or nobody knows."""
    phase = state.phase
    if phase <= AUCTION:
        return state.auction.turn
    if phase == CONTRACT:
        return state.bargain.declarer
    if phase == EXCHANGE:
        if trumps_due(state):
            return state.bargain.declarer
        return state.exchange.queue[0] if state.exchange.queue else None
    if phase == PLAY:
        return state.play.turn
    return None


def trumps_due(state: State) -> bool:
    """Whether the declarer has drawn and now has to name trumps (RULES 8, gascarille)."""
    contract, trump = state.bargain.contract, state.bargain.trump
    if trump is not None or contract is None or contract.trump != "chosen-after-draw":
        return False
    return state.phase == EXCHANGE and state.bargain.declarer not in state.exchange.queue


def known_trump(state: State) -> Suit | None:
    """The trumps of the deal, from its bidding or else from its slip.

    ``NO_TRUMP`` where they are no suit of the pack's (nolo), None where nobody has said them.
    """
    trump, result = state.bargain.trump, state.ending.result
    return result.trump if trump is None and result is not None else trump


def is_over(state: State) -> bool:
    """Whether nothing more is to happen in this deal, as far as the record goes."""
    ending = state.ending
    return state.phase == FINISHED or ending.slip or ending.closed
