"""What a ruleset is: data, and the names of policies that the engine knows.

A published revision never changes. A ruleset names, for each clause, where it was read;
what the sources leave open and we decided is marked as ours. Source: RULES, all sections.
"""

from dataclasses import dataclass
from typing import Final

from engine.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Suit
from engine.ranking import MATADOR_POLICIES, RED_TRUMPS

POLICIES: Final[dict[str, tuple[str, ...]]] = {
    "direction": ("anticlockwise", "clockwise"),
    "next_dealer": ("forehand", "left"),
    "all_pass": ("next-dealer", "same-dealer"),
    "auction": ("duels", "rounds"),
    "self_right": ("elder-outbid", "outbid", "elder"),
    "red_trumps": tuple(RED_TRUMPS),
    "matadors": MATADOR_POLICIES,
    "defender_order": ("in-order-of-play", "against-order-of-play"),
    "first_without_declarer": ("sits-first", "after-declarer"),
}
"""For each point of a ruleset that is a policy, the policies that the engine knows by name."""

CONTRACT_POLICIES: Final[dict[str, tuple[str, ...]]] = {
    "aim": ("game", "nolo"),
    "trump": ("chosen", "spades", "diamonds", "turned", "none"),
    "laid_open": ("never", "after-lead", "after-own-card"),
}
"""The same for each contract."""
BETE_DEADLINES: Final = ("second-card", "declarers-first-card")

PLAIN_SUITS: Final = (CLUBS, DIAMONDS, HEARTS)
ALL_SUITS: Final = (CLUBS, DIAMONDS, HEARTS, SPADES)


@dataclass(frozen=True, slots=True)
class Words:
    """The same words in English and in Danish."""

    en: str
    da: str

    def __getitem__(self, lang: str) -> str:
        return self.da if lang == "da" else self.en


@dataclass(frozen=True, slots=True)
class Bid:
    """What may be said in the auction; a higher ``rank`` outbids, an equal one does not."""

    id: str
    rank: int
    words: Words
    needs_black_aces: bool = False
    only_over: tuple[str, ...] = ()
    """Where not empty, the bid is allowed only over one of these standing bids."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What is played: its aim, its trumps, who may exchange, when it ends (RULES 3–6).

    ``trump`` is how its trumps are made: chosen, spades, diamonds, turned or none.
    ``declarer_exchange`` is (least, most), None where he plays his hand as dealt.
    ``ends_at``: the declarer's trick that ends a nolo early; ``codille_from``: the number of
    tricks at which a nolo is kodille. ``bete_on_giving_up``: whether abandoning pays only bête.
    """

    id: str
    words: Words
    aim: str
    trump: str
    declarer_exchange: tuple[int, int] | None
    defenders_exchange: bool
    first_defender_most: int = 9
    needs_black_aces: bool = False
    ends_at: int | None = None
    codille_from: int = 2
    laid_open: str = "never"
    bete_on_giving_up: bool = False


@dataclass(frozen=True, slots=True)
class Naming:
    """A contract that a winning bid allows, and the trumps to choose from (none to choose: empty)."""

    contract: str
    trumps: tuple[Suit, ...] = ()


@dataclass(frozen=True, slots=True)
class Tariff:
    """Chips from (won) or to each opponent. ``codille`` by the tricks beyond the first that
    makes it one; its last entry serves for all further ones. ``bete`` None: cannot occur."""

    won: int
    bete: int | None
    codille: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pool:
    """Stakes in fish round a pool (RULES 8)."""

    stake: int
    bases: tuple[tuple[str, int], ...]
    primeras: int
    estuches_most: int
    vole: int


@dataclass(frozen=True, slots=True)
class Slam:
    """All nine tricks: what it is worth from each, and whether it must be announced (RULES 6)."""

    worth: int
    announced: bool


@dataclass(frozen=True, slots=True)
class GivingUp:
    """Giving up before the end (RULES 6): until when it pays bête, and whether it may pay kodille later."""

    bete_until: str
    codille_any_time: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """One point of the rules in our words; ``ours`` where the source is silent and we decided."""

    point: str
    text: str
    source: str
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of one way to play, as data."""

    id: str
    revision: int
    words: Words
    source: str
    bids: tuple[Bid, ...]
    contracts: tuple[Contract, ...]
    naming: tuple[tuple[str, tuple[Naming, ...]], ...]
    """For each winning bid the contracts that its winner may name."""
    tariff: tuple[tuple[str, Tariff], ...] = ()
    pool: Pool | None = None
    direction: str = "anticlockwise"
    next_dealer: str = "forehand"
    all_pass: str = "next-dealer"
    auction: str = "duels"
    self_right: str = "elder-outbid"
    red_trumps: str = "ponto-fourth"
    matadors: str = "forced-by-higher"
    defender_order: str = "in-order-of-play"
    first_without_declarer: str = "after-declarer"
    may_yield: bool = False
    talon_may_be_seen: bool = False
    remis_en_quatre: bool = True
    slam: Slam | None = None
    giving_up: GivingUp | None = None
    chip: Words = Words("chip", "jeton")
    clauses: tuple[Clause, ...] = ()

    def __post_init__(self) -> None:
        """Refuses a policy nobody knows.

        Raises:
            ValueError: a point names a policy that the engine does not have.
        """
        for point, known in POLICIES.items():
            if getattr(self, point) not in known:
                raise ValueError(
                    f"{self.id}: {point} is {getattr(self, point)!r}; there are {', '.join(known)}"
                )
        for contract in self.contracts:
            for point, known in CONTRACT_POLICIES.items():
                if getattr(contract, point) not in known:
                    raise ValueError(f"{self.id}, {contract.id}: {point} is one of {', '.join(known)}")
        if self.giving_up is not None and self.giving_up.bete_until not in BETE_DEADLINES:
            raise ValueError(f"{self.id}: giving up pays bête until one of {', '.join(BETE_DEADLINES)}")
