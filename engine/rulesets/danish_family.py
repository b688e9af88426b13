"""What the rulesets of the Danish family share: bids, contracts, clauses, house switches."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.core.cards import SPADES
from engine.rulesets.model import (
    PLAIN_SUITS,
    Bid,
    Clause,
    ClausesByPoint,
    Contract,
    HouseSwitch,
    Naming,
    cite_clauses,
    ours,
    silent,
    sort_clauses,
    stated,
)
from engine.rulesets.policies import POLICIES

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
SIMPLE_NOLO: Final = Naming("simple-nolo")
TOURNE: Final = Naming("tourne")
GRAND_TOURNE: Final = Naming("grand-tourne")
SOLO: Final = Naming("solo", PLAIN_SUITS)
SPADE_SOLO: Final = Naming("spade-solo", (SPADES,))
_OTHER_NAMINGS: Final = (SPADE_SOLO, Naming("pure-nolo"), Naming("nolo-ouvert"))
NAMING_BY_BID: Final = {
    naming.contract: naming
    for naming in (SIMPLE, SPADE_GAME, SIMPLE_NOLO, TOURNE, GRAND_TOURNE, SOLO, *_OTHER_NAMINGS)
}
"""The contract after each bid where its winner names the bid itself."""
LOW_CONTRACTS: Final = ("simple", "spade-game", "tourne", "simple-nolo", "grand-tourne", "solo")
"""The contracts that the texts call low."""
NAMINGS_AFTER_SIMPLE: Final = (SIMPLE, SPADE_GAME, TOURNE, SIMPLE_NOLO)
"""What the winner of a simple game may name (RULES 3)."""


def build_namings(**others: tuple[Naming, ...]) -> tuple[tuple[str, tuple[Naming, ...]], ...]:
    """Each bid names itself, but ``others``."""
    return tuple((bid, others.get(bid, (naming,))) for bid, naming in NAMING_BY_BID.items())


def build_bids(order: str, words: Mapping[str, str] = BID_WORDS) -> tuple[Bid, ...]:
    """The bids from the lowest rank to the highest, as "simple < solo = pure-nolo < nolo-ouvert"."""
    return tuple(
        Bid(bid, rank, words[bid], needs_black_aces=bid == "grand-tourne")
        for rank, group in enumerate(order.split(" < "), 1)
        for bid in group.split(" = ")
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

    The least that a declarer has to exchange; nolo ouvert's last trick, which is also its codille,
    and when it is laid open; whether the four smaller games may be given up for bête.
    """
    words, game_exchange, tourne_exchange = BID_WORDS, (game_min_exchange, 9), (tourne_min_exchange, 9)
    simple = Contract(
        "simple", words["simple"], "game", "chosen", game_exchange, True, bete_on_giving_up=bete_on_giving_up
    )
    tourne = replace(
        simple, id="tourne", words=words["tourne"], trump="turned", declarer_exchange=tourne_exchange
    )
    solo = Contract("solo", words["solo"], "game", "chosen", None, True)
    pure_nolo = Contract("pure-nolo", words["pure-nolo"], "nolo", "none", None, False, ends_at=2)
    return (
        simple,
        replace(simple, id="spade-game", words=words["spade-game"], trump="spades"),
        tourne,
        Contract("simple-nolo", words["simple-nolo"], "nolo", "none", (nolo_min_exchange, 9), False),
        replace(tourne, id="grand-tourne", words=words["grand-tourne"], needs_black_aces=True),
        solo,
        replace(solo, id="spade-solo", words=words["spade-solo"], trump="spades"),
        pure_nolo,
        replace(
            pure_nolo,
            id="nolo-ouvert",
            words=words["nolo-ouvert"],
            ends_at=ouvert_ends_at,
            codille_from=ouvert_ends_at,
            laid_open=laid_open,
        ),
    )


PACK: Final = stated("Forty cards, each of them once: A, K, Q, J and 7 to 2 of every suit.")
NINE_TO_EACH: Final = stated(
    "Nine cards to each in packets of three; the other thirteen are the talon.", "hand_size"
)

SHARED_CLAUSES: Final = {
    "1. Ranking": (
        stated("Nolo, with no trump: black K, Q, J, 7 to 2, A; red K, Q, J, A, 2 to 7."),
        stated("Black trumps: SA (spadille), 2 (manille), CA (basta), K, Q, J, 7 to 3."),
        stated("Plain suits rank as in nolo, except the black aces, which are trumps."),
    ),
    "1. Pack": (PACK,),
    "2. Deal": (NINE_TO_EACH,),
    "3. Auction": (
        stated(
            "Two duels: forehand against middlehand, forehand first; then the winner against backhand.",
            "wrong_seat",
        ),
        stated("A player who has passed is out of the auction.", "passed"),
        ours("An elder who repeats the standing bid by name has said self.", "self"),
    ),
    "3. Naming": (ours("Simple game and solo in spades are recorded as spade game and spade solo."),),
    "4. Exchange": (
        stated(
            "Declarer exchanges in simple game, spade game, tourné, simple nolo and grand tourné, "
            "and in no other.",
            "exchange_not_allowed",
        ),
        stated(
            "First the discard, face down, then as many cards from the top of the talon.",
            "exchange_mismatch",
            "talon_mismatch",
        ),
        stated("The turned card is the first that declarer draws.", "talon_mismatch"),
    ),
    "5. Play": (
        stated(
            "Forehand leads; suit is followed; the highest trump wins, else the highest of the suit led.",
            "revoke",
            "wrong_seat",
        ),
    ),
    "6. Outcome": (
        stated("Won: five tricks, or 4-3-2; bête: 4-4-1 or 3-3-3."),
        stated("Nolo: no trick wins, one is bête, two or more are codille."),
    ),
    "7. Payments": (
        ours(
            "The player who sits out neither pays nor receives, unless the table agrees otherwise (a switch)."
        ),
    ),
    "9. Revoke": (silent("What a revoke costs could not be read; the table's ruling is recorded."),),
}
"""What each text of the family says in its own words, and what none of them says and we decided for all."""


def build_clauses(source: str, *own_clauses: ClausesByPoint) -> tuple[Clause, ...]:
    """What the family has in common, as read in ``source``, and what is this ruleset's own, in order."""
    return sort_clauses(
        clause for part in (SHARED_CLAUSES, *own_clauses) for clause in cite_clauses(source, part)
    )


FLAG_VALUES: Final = (False, True)
HOUSE_SWITCHES: Final = (
    HouseSwitch("matadors", "when matadors are compelled", "matadors", POLICIES["matadors"]),
    HouseSwitch("remis-en-quatre", "one trick against four and four is bête", "remis_en_quatre", FLAG_VALUES),
    HouseSwitch("all-pass", "who deals after all have passed", "all_pass", POLICIES["all_pass"]),
    HouseSwitch("sits-out", "who sits out of four", "sits_out", POLICIES["sits_out"]),
    HouseSwitch("sitter-pays", "who sits out pays and receives", "sitter_pays", FLAG_VALUES),
    HouseSwitch("talon-may-be-seen", "the leftover talon may be looked at", "talon_may_be_seen", FLAG_VALUES),
)
"""Single points that any table may agree on otherwise."""
