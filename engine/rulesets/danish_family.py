"""What the rulesets of the Danish family share: their nine bids and contracts, clauses, house switches.

Each ruleset says for itself what differs: ranks, least exchanges, nolo ouvert, namings, payments.
"""

from collections.abc import Iterable
from typing import Final

from engine.core.cards import SPADES
from engine.core.ranking import MATADOR_POLICIES
from engine.rulesets.model import (
    PLAIN_SUITS,
    POLICIES,
    Bid,
    Clause,
    Contract,
    HouseSwitch,
    Naming,
)

BID_WORDS: Final = {
    "simple": "simple game",
    "spade-game": "spade game",
    "simple-nolo": "simple nolo",
    "tourne": "tourné",
    "grand-tourne": "grand tourné",
    "solo": "solo",
    "spade-solo": "spade solo",
    "pure-nolo": "pure nolo",
    "nolo-ouvert": "nolo ouvert",
}
SIMPLE: Final = Naming("simple", PLAIN_SUITS)
SPADE_GAME: Final = Naming("spade-game", (SPADES,))
TOURNE: Final = Naming("tourne")
SIMPLE_NOLO: Final = Naming("simple-nolo")
GRAND_TOURNE: Final = Naming("grand-tourne")
SOLO: Final = Naming("solo", PLAIN_SUITS)
SPADE_SOLO: Final = Naming("spade-solo", (SPADES,))
PURE_NOLO: Final = Naming("pure-nolo")
NOLO_OUVERT: Final = Naming("nolo-ouvert")

NamingsByBid = tuple[tuple[str, tuple[Naming, ...]], ...]

SELF_NAMINGS: Final[NamingsByBid] = (
    ("simple", (SIMPLE,)),
    ("spade-game", (SPADE_GAME,)),
    ("simple-nolo", (SIMPLE_NOLO,)),
    ("tourne", (TOURNE,)),
    ("grand-tourne", (GRAND_TOURNE,)),
    ("solo", (SOLO,)),
    ("spade-solo", (SPADE_SOLO,)),
    ("pure-nolo", (PURE_NOLO,)),
    ("nolo-ouvert", (NOLO_OUVERT,)),
)
"""The contract after each bid where its winner names the bid itself."""
NAMINGS_AFTER_SIMPLE: Final = (SIMPLE, SPADE_GAME, TOURNE, SIMPLE_NOLO)
"""What the winner of spil may name (RULES 3)."""


def build_namings(**others: tuple[Naming, ...]) -> NamingsByBid:
    """Each bid names itself, but ``others``."""
    return tuple((bid, others.get(bid.replace("-", "_"), names)) for bid, names in SELF_NAMINGS)


def build_bids(*order: tuple[str, ...]) -> tuple[Bid, ...]:
    """The bids from the lowest rank to the highest; those in one group are of equal rank."""
    return tuple(
        Bid(bid, rank, BID_WORDS[bid], needs_black_aces=bid == "grand-tourne")
        for rank, group in enumerate(order, 1)
        for bid in group
    )


def build_contracts(
    *,
    game_min_exchange: int = 0,
    tourne_min_exchange: int = 0,
    nolo_min_exchange: int = 0,
    ouvert_ends_at: int = 2,
    laid_open: str = "after-own-card",
    bete_on_giving_up: bool = True,
) -> tuple[Contract, ...]:
    """The nine contracts, with what differs among the rulesets (RULES 4–6).

    The least that a declarer has to exchange; nolo ouvert's last trick, which is also its kodille,
    and when it is laid open; whether the four smaller games may be given up for bête.
    """
    words = BID_WORDS
    return (
        Contract(
            "simple",
            BID_WORDS["simple"],
            "game",
            "chosen",
            (game_min_exchange, 9),
            True,
            bete_on_giving_up=bete_on_giving_up,
        ),
        Contract(
            "spade-game",
            words["spade-game"],
            "game",
            "spades",
            (game_min_exchange, 9),
            True,
            bete_on_giving_up=bete_on_giving_up,
        ),
        Contract(
            "tourne",
            words["tourne"],
            "game",
            "turned",
            (tourne_min_exchange, 9),
            True,
            bete_on_giving_up=bete_on_giving_up,
        ),
        Contract("simple-nolo", words["simple-nolo"], "nolo", "none", (nolo_min_exchange, 9), False),
        Contract(
            "grand-tourne",
            words["grand-tourne"],
            "game",
            "turned",
            (tourne_min_exchange, 9),
            True,
            needs_black_aces=True,
            bete_on_giving_up=bete_on_giving_up,
        ),
        Contract("solo", words["solo"], "game", "chosen", None, True),
        Contract("spade-solo", words["spade-solo"], "game", "spades", None, True),
        Contract("pure-nolo", words["pure-nolo"], "nolo", "none", None, False, ends_at=2),
        Contract(
            "nolo-ouvert",
            words["nolo-ouvert"],
            "nolo",
            "none",
            None,
            False,
            ends_at=ouvert_ends_at,
            codille_from=ouvert_ends_at,
            laid_open=laid_open,
        ),
    )


SHARED_CLAUSES: Final[tuple[tuple[str, ...], ...]] = (
    ("1. Ranking", "Nolo, with no trump: black K, Q, J, 7 to 2, A; red K, Q, J, A, 2 to 7."),
    ("1. Ranking", "Black trumps: SA (spadille), 2 (manille), CA (basta), K, Q, J, 7 to 3."),
    ("1. Ranking", "Plain suits rank as in nolo, but for the black aces, which are trumps."),
    ("2. Deal", "Nine cards to each in packets of three; the other thirteen are the talon."),
    (
        "3. Auction",
        "Two duels: forehand against middlehand, forehand first; the survivor against backhand.",
        "wrong_seat",
    ),
    ("3. Auction", "Who has passed is out of the auction.", "passed"),
    (
        "4. Exchange",
        "Declarer exchanges in simple, spade game, tourné, simple nolo and grand tourné, in no other.",
        "exchange_not_allowed",
    ),
    (
        "4. Exchange",
        "First the discard, face down, then as many cards from the top of the talon.",
        "exchange_mismatch",
        "talon_mismatch",
    ),
    ("4. Exchange", "The turned card is the first that declarer draws.", "talon_mismatch"),
    (
        "5. Play",
        "Forehand leads; suit is followed; the highest trump wins, else the highest of the suit led.",
        "revoke",
        "wrong_seat",
    ),
    ("6. Outcome", "Won: five tricks, or 4-3-2; bête: 4-4-1 or 3-3-3."),
    ("6. Outcome", "Nolo: no trick wins, one is bête, two or more are kodille."),
)
"""What each text of the family says, in its own words: the point, the clause, and what it is on."""
SHARED_DECISIONS: Final[tuple[tuple[str, ...], ...]] = (
    ("3. Auction", "An elder who repeats the standing bid by name has said self.", "self"),
    ("3. Naming", "Simple and solo in spades are recorded as spade game and spade solo."),
    ("7. Payments", "Who sits out neither pays nor receives, unless the table agrees so (a switch)."),
)
"""What none of them says, and we decided for all."""
UNREAD_REVOKE_CLAUSE: Final = "What a revoke costs could not be read; the table's ruling is recorded."


def sort_clauses(unsorted: Iterable[Clause]) -> tuple[Clause, ...]:
    """The clauses by sections of RULES; within one, those on the same point together."""
    listed = tuple(unsorted)
    points = list(dict.fromkeys(clause.point for clause in listed))
    return tuple(sorted(listed, key=lambda one: (int(one.point.partition(".")[0]), points.index(one.point))))


def build_clauses(source: str, *own_clauses: Clause) -> tuple[Clause, ...]:
    """What the family has in common, as read in ``source``, and what is this ruleset's own, in order."""
    shared = (
        *(Clause(point, text, source, on=tuple(on)) for point, text, *on in SHARED_CLAUSES),
        *(Clause(point, text, source, ours=True, on=tuple(on)) for point, text, *on in SHARED_DECISIONS),
        Clause("9. Revoke", UNREAD_REVOKE_CLAUSE, source, silent=True),
    )
    return sort_clauses((*shared, *own_clauses))


FLAG_VALUES: Final = (False, True)
HOUSE_SWITCHES: Final = (
    HouseSwitch(
        "matadors",
        "when matadors are compelled",
        "matadors",
        MATADOR_POLICIES,
    ),
    HouseSwitch(
        "remis-en-quatre",
        "one trick against four and four is bête",
        "remis_en_quatre",
        FLAG_VALUES,
    ),
    HouseSwitch(
        "all-pass",
        "who deals after all have passed",
        "all_pass",
        POLICIES["all_pass"],
    ),
    HouseSwitch(
        "sits-out",
        "who sits out of four",
        "sits_out",
        POLICIES["sits_out"],
    ),
    HouseSwitch(
        "sitter-pays",
        "who sits out pays and receives",
        "sitter_pays",
        FLAG_VALUES,
    ),
    HouseSwitch(
        "talon-may-be-seen",
        "the leftover talon may be looked at",
        "talon_may_be_seen",
        FLAG_VALUES,
    ),
)
"""Single points that any table may agree on otherwise."""
