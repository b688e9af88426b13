"""What a ruleset is: data, and the names of policies that the engine knows (RULES, all sections).

A published revision never changes. What the sources leave open and we decided is marked as ours.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.core.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Suit
from engine.rulesets.policies import CONTRACT_POLICIES, POLICIES

BETE_STARTS: Final = ("naming", "play")
BETE_DEADLINES: Final = ("second-card", "declarers-first-card")
SLAM_ANNOUNCEMENTS: Final = ("never", "until-sixth-lead", "after-fifth-trick")

PLAIN_SUITS: Final = (CLUBS, DIAMONDS, HEARTS)
ALL_SUITS: Final = (CLUBS, DIAMONDS, HEARTS, SPADES)


@dataclass(frozen=True, slots=True)
class Bid:
    """What may be said in the auction; a higher ``rank`` outbids, an equal one does not.

    ``only_over``: where not empty, the bid is allowed only over one of these standing bids.
    ``as_self_over``: over these the elder may say it in place of self. ``extra``: said only where
    the table has agreed on this extra. ``after_all_pass``: an undertaking after all have passed.
    ``challenges_slam``: its declarer has to win all nine tricks.
    """

    id: str
    rank: int
    words: str
    needs_black_aces: bool = False
    only_over: tuple[str, ...] = ()
    as_self_over: tuple[str, ...] = ()
    extra: str = ""
    after_all_pass: bool = False
    challenges_slam: bool = False


@dataclass(frozen=True, slots=True)
class Contract:
    """What is played: its aim, its trumps, who may exchange, when it ends (RULES 3–6, 8).

    ``trump`` is how its trumps are made: chosen (before or after the draw), a suit that is fixed,
    the suit that the table favours, turned, the two black aces alone, or none.
    ``declarer_exchange`` is (least, most), None where declarer plays the hand as dealt.
    ``ends_at``: the declarer's trick that ends a nolo early; ``codille_from``: the number of
    tricks at which a nolo is codille, None where it never is. ``bete_on_giving_up``: whether
    abandoning pays only bête. ``extra``: played only where the table has agreed on this extra.
    ``must_hold_trump``: declarer may name only a suit of which they hold a trump. ``favoured_form``: the
    contract that this one becomes in the favoured suit.
    """

    id: str
    words: str
    aim: str
    trump: str
    declarer_exchange: tuple[int, int] | None
    defenders_exchange: bool
    first_defender_most: int = 9
    needs_black_aces: bool = False
    ends_at: int | None = None
    codille_from: int | None = 2
    laid_open: str = "never"
    bete_on_giving_up: bool = False
    extra: str = ""
    must_hold_trump: bool = False
    favoured_form: str = ""


@dataclass(frozen=True, slots=True)
class Naming:
    """A contract that a winning bid allows, and the trumps to choose from (none to choose: empty)."""

    contract: str
    trumps: tuple[Suit, ...] = ()


@dataclass(frozen=True, slots=True)
class Tariff:
    """Chips from (won) or to each opponent; None, or no codille at all: the source does not say.

    ``codille`` by the tricks beyond those that make it one; its last entry serves for all
    further ones. ``most``: what a codille pays at most, where the table has agreed on a limit.
    """

    won: int | None
    bete: int | None
    codille: tuple[int, ...]
    most: int = 0


@dataclass(frozen=True, slots=True)
class PoolTerms:
    """Stakes in fish round a pool (RULES 8).

    ``reserve_at``: from this size of the pool on puestas are set aside; 0: the loser chooses.
    """

    stake: int
    bases: tuple[tuple[str, int], ...]
    primeras: int
    estuches_most: int
    vole: int
    reserve_at: int = 0


@dataclass(frozen=True, slots=True)
class SlamTerms:
    """All nine tricks: what it is worth from each, and when it may be announced (RULES 6)."""

    worth: int
    announced: str


@dataclass(frozen=True, slots=True)
class GivingUpTerms:
    """Giving up before the end (RULES 6): from when until when it pays bête; codille at any time or not."""

    bete_from: str
    bete_until: str
    codille_any_time: bool


@dataclass(frozen=True, slots=True)
class SurrenderTerms:
    """Surrender to the opponents, who may forbid it (RULES 8): until this trick has been begun."""

    before_trick: int


@dataclass(frozen=True, slots=True)
class PenaltyTerms:
    """Calls for which the director may give penalty points (RULES 9).

    ``needless``: pairs of a bid and a lower one; the first is needless where the second would have
    been enough. ``suit_named``: whether naming a suit with a bid is one.
    """

    points: int
    needless: tuple[tuple[str, str], ...]
    suit_named: bool


SwitchValue = bool | int | str


@dataclass(frozen=True, slots=True)
class HouseSwitch:
    """A single point that a table may agree on otherwise (a house rule).

    ``sets`` is the point's place in the ruleset: names of fields joined by dots, a member of a list
    by its id; ``extras.x`` is whether the extra x is agreed. ``values``: what it may be; where it
    ``spans``, any whole number from the first of them to the last.
    """

    id: str
    words: str
    sets: str
    values: tuple[SwitchValue, ...]
    spans: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """One point of the rules in our words; ``ours`` where the source is silent and we decided.

    ``silent``: the source does not say, and nothing is judged or paid by it.
    ``on``: what it is the clause of, so that it is named alone and not with its whole
    section: codes of findings, what a finding is about, or contracts whose payment it states.
    """

    point: str
    text: str
    source: str
    ours: bool = False
    silent: bool = False
    on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of one way to play, as data."""

    id: str
    revision: int
    words: str
    source: str
    bids: tuple[Bid, ...]
    contracts: tuple[Contract, ...]
    naming: tuple[tuple[str, tuple[Naming, ...]], ...]
    """For each winning bid the contracts that its winner may name."""
    tariff: tuple[tuple[str, Tariff], ...] = ()
    pool: PoolTerms | None = None
    direction: str = "anticlockwise"
    next_dealer: str = "in-order-of-play"
    sits_out: str = "opposite-dealer"
    all_pass: str = "next-dealer"
    auction: str = "duels"
    self_right: str = "elder-outbid"
    red_trumps: str = "ponto-fourth"
    matadors: str = "forced-by-higher"
    defender_order: str = "in-order-of-play"
    first_without_declarer: str = "after-declarer"
    foul: str = "not-stated"
    revoke: str = "not-stated"
    favoured: str = "none"
    """The suit that outranks the others and pays more, where a table has one."""
    sitter_pays: bool = False
    may_yield: bool = False
    talon_may_be_seen: bool = False
    remis_en_quatre: bool = True
    slam: SlamTerms | None = None
    giving_up: GivingUpTerms | None = None
    surrender: SurrenderTerms | None = None
    penalties: PenaltyTerms | None = None
    extras: tuple[str, ...] = ()
    """The optional extras that are agreed on."""
    forced_bid: str = ""
    """The bid by which the holder of spadille is forced to play."""
    switches: tuple[HouseSwitch, ...] = ()
    chip: str = "chip"
    clauses: tuple[Clause, ...] = ()

    def __post_init__(self) -> None:
        """Raises `ValueError` where a point names a policy, bid or contract that does not exist."""
        for point, known in POLICIES.items():
            self._require(point, getattr(self, point), known)
        for contract in self.contracts:
            for point, known in CONTRACT_POLICIES.items():
                self._require(f"{contract.id}: {point}", getattr(contract, point), known)
        if self.giving_up is not None:
            self._require("giving_up: bete_from", self.giving_up.bete_from, BETE_STARTS)
            self._require("giving_up: bete_until", self.giving_up.bete_until, BETE_DEADLINES)
        if self.slam is not None:
            self._require("slam: announced", self.slam.announced, SLAM_ANNOUNCEMENTS)
        self._require_ids()

    def _require_ids(self) -> None:
        bids, contracts = [bid.id for bid in self.bids], [contract.id for contract in self.contracts]
        for bid, namings in self.naming:
            self._require("naming", bid, bids)
            for naming in namings:
                self._require(f"naming after {bid}", naming.contract, contracts)
        for contract_id, _ in (*self.tariff, *(self.pool.bases if self.pool else ())):
            self._require("payments", contract_id, contracts)

    def _require(self, point: str, value: str, known: Collection[str]) -> None:
        if value not in known:
            raise ValueError(f"{self.id}: {point} is {value!r}; there are {', '.join(known)}")


ClausesByPoint = Mapping[str, tuple[Clause, ...]]


def stated(text: str, *on: str, source: str = "") -> Clause:
    """What the source says, and what it is the clause of (`Clause.on`)."""
    return Clause("", text, source, on=on)


def ours(text: str, *on: str, source: str = "") -> Clause:
    """What the source leaves open and we decided."""
    return Clause("", text, source, ours=True, on=on)


def silent(text: str) -> Clause:
    """What the source does not say, and nothing is judged or paid by."""
    return Clause("", text, "", silent=True)


def cite_clauses(source: str, by_point: ClausesByPoint) -> tuple[Clause, ...]:
    """The clauses with their points, read in ``source`` where they name no other."""
    return tuple(
        replace(clause, point=point, source=clause.source or source)
        for point, clauses in by_point.items()
        for clause in clauses
    )


def sort_clauses(unsorted: Iterable[Clause]) -> tuple[Clause, ...]:
    """The clauses by sections of RULES; within one, those on the same point together."""
    listed = tuple(unsorted)
    points = list(dict.fromkeys(clause.point for clause in listed))
    return tuple(sorted(listed, key=lambda one: (int(one.point.partition(".")[0]), points.index(one.point))))
