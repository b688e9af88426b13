"""What the rulesets of the Danish family share: their nine bids and contracts, and house switches.

Each ruleset says for itself what differs: ranks, least exchanges, nolo ouvert, namings, payments.
"""

from typing import Final

from engine.cards import SPADES
from engine.ranking import MATADOR_POLICIES
from engine.rulesets.model import PLAIN_SUITS, POLICIES, Bid, Contract, Naming, Switch, Words

BID_WORDS: Final = {
    "simple": Words("simple game", "spil"),
    "spade-game": Words("spade game", "bedre spil"),
    "simple-nolo": Words("simple nolo", "købe-nolo"),
    "tourne": Words("tourné", "tourné"),
    "grand-tourne": Words("grand tourné", "tourné respect"),
    "solo": Words("solo", "solo"),
    "spade-solo": Words("spade solo", "solo spar"),
    "pure-nolo": Words("pure nolo", "ren nolo"),
    "nolo-ouvert": Words("nolo ouvert", "nolo ouvert"),
}
SIMPLE_CONTRACT: Final = Words("simple game", "alm. spil")
"""Spil as a contract has another Danish word than spil as a bid."""

SIMPLE: Final = Naming("simple", PLAIN_SUITS)
SPADE_GAME: Final = Naming("spade-game", (SPADES,))
TOURNE: Final = Naming("tourne")
SIMPLE_NOLO: Final = Naming("simple-nolo")
GRAND_TOURNE: Final = Naming("grand-tourne")
SOLO: Final = Naming("solo", PLAIN_SUITS)
SPADE_SOLO: Final = Naming("spade-solo", (SPADES,))
PURE_NOLO: Final = Naming("pure-nolo")
NOLO_OUVERT: Final = Naming("nolo-ouvert")

Namings = tuple[tuple[str, tuple[Naming, ...]], ...]

THEMSELVES: Final[Namings] = (
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
AFTER_SIMPLE: Final = (SIMPLE, SPADE_GAME, TOURNE, SIMPLE_NOLO)
"""What the winner of spil may name (RULES 3)."""


def naming(**others: tuple[Naming, ...]) -> Namings:
    """Each bid names itself, but ``others``."""
    return tuple((bid, others.get(bid.replace("-", "_"), names)) for bid, names in THEMSELVES)


def bids(*order: tuple[str, ...]) -> tuple[Bid, ...]:
    """The bids from the lowest rank to the highest; those in one group are of equal rank."""
    return tuple(
        Bid(bid, rank, BID_WORDS[bid], needs_black_aces=bid == "grand-tourne")
        for rank, group in enumerate(order, 1)
        for bid in group
    )


def contracts(
    *,
    game_least: int = 0,
    tourne_least: int = 0,
    nolo_least: int = 0,
    ouvert_ends_at: int = 2,
    laid_open: str = "after-own-card",
    given_up: bool = True,
) -> tuple[Contract, ...]:
    """The nine contracts, with what differs among the rulesets (RULES 4–6).

    The least that a declarer has to exchange; nolo ouvert's last trick, which is also its kodille,
    and when it is laid open; whether the four smaller games may be given up for bête.
    """
    words = BID_WORDS
    return (
        Contract(
            "simple", SIMPLE_CONTRACT, "game", "chosen", (game_least, 9), True, bete_on_giving_up=given_up
        ),
        Contract(
            "spade-game",
            words["spade-game"],
            "game",
            "spades",
            (game_least, 9),
            True,
            bete_on_giving_up=given_up,
        ),
        Contract(
            "tourne", words["tourne"], "game", "turned", (tourne_least, 9), True, bete_on_giving_up=given_up
        ),
        Contract("simple-nolo", words["simple-nolo"], "nolo", "none", (nolo_least, 9), False),
        Contract(
            "grand-tourne",
            words["grand-tourne"],
            "game",
            "turned",
            (tourne_least, 9),
            True,
            needs_black_aces=True,
            bete_on_giving_up=given_up,
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


FLAG: Final = (False, True)
HOUSE_SWITCHES: Final = (
    Switch(
        "matadors",
        Words("when matadors are compelled", "hvornår matadorer tvinges"),
        "matadors",
        MATADOR_POLICIES,
    ),
    Switch(
        "remis-en-quatre",
        Words("one trick against four and four is bête", "remis en quatre er bet"),
        "remis_en_quatre",
        FLAG,
    ),
    Switch(
        "all-pass",
        Words("who deals after all have passed", "hvem giver, når alle har passet"),
        "all_pass",
        POLICIES["all_pass"],
    ),
    Switch(
        "sits-out",
        Words("who sits out of four", "hvem sidder over af fire"),
        "sits_out",
        POLICIES["sits_out"],
    ),
    Switch(
        "sitter-pays",
        Words("who sits out pays and receives", "oversidderen betaler og får"),
        "sitter_pays",
        FLAG,
    ),
    Switch(
        "talon-may-be-seen",
        Words("the leftover talon may be looked at", "resten af talonen må ses"),
        "talon_may_be_seen",
        FLAG,
    ),
)
"""Single points that any table may agree on otherwise."""
