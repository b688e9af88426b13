"""``tresillo``: the Spanish game with its favoured suit, round a pool; incomplete where its sources are.

What the sources that could be read leave open is played as in English Ombre, and marked as ours.
"""

from dataclasses import replace
from typing import Final

from engine.rulesets.danish_family import HOUSE_SWITCHES, PACK
from engine.rulesets.model import (
    ALL_SUITS,
    Bid,
    Clause,
    Contract,
    HouseSwitch,
    Naming,
    Ruleset,
    SurrenderTerms,
    cite_clauses,
    ours,
    silent,
    stated,
)
from engine.rulesets.ombre import OMBRE, POOL_SWITCHES
from engine.rulesets.policies import POLICIES

SOURCE: Final = "H. Fournier, Tresillo, rules of the Vitoria card makers"
RULEBOOK_SOURCE: Final = "Reglamentos de juegos de naipes: Tresillo"
COMMISSION_SOURCE: Final = "Spadille's commission for tresillo"
OMBRE_SOURCE: Final = "After English Ombre"


def section(number: int, text: str, *on: str) -> Clause:
    """What the rule book states in this section."""
    return stated(text, *on, source=f"{RULEBOOK_SOURCE}, section {number}")


def as_in_ombre(text: str, *on: str) -> Clause:
    """What no source that could be read states, and is taken from English Ombre."""
    return ours(text, *on, source=OMBRE_SOURCE)


BIDS: Final = (
    Bid("play", 1, "play"),
    Bid("favoured-play", 2, "play in the favoured suit"),
    Bid("voltereta", 3, "voltereta"),
    Bid("solo", 4, "solo"),
    Bid("favoured-solo", 5, "solo in the favoured suit"),
)

CONTRACTS: Final = (
    Contract("play", "play", "game", "chosen", (0, 9), True, favoured_form="favoured-play"),
    Contract("favoured-play", BIDS[1].words, "game", "favoured", (0, 9), True),
    Contract("voltereta", "voltereta", "game", "turned", (0, 9), True),
    Contract(
        "solo", "solo", "game", "chosen", None, True, first_defender_most=8, favoured_form="favoured-solo"
    ),
    Contract("favoured-solo", BIDS[4].words, "game", "favoured", None, True, first_defender_most=8),
)

PLAY: Final = Naming("play", ALL_SUITS)
FAVOURED_PLAY: Final = Naming("favoured-play")
VUELTA: Final = Naming("voltereta")
SOLO: Final = Naming("solo", ALL_SUITS)
FAVOURED_SOLO: Final = Naming("favoured-solo")


CLAUSES: Final = {
    "1. Ranking": (
        section(
            7,
            "Trumps: spadille (espada, SA), manille (mala, black 2, red 7), basto (CA), a red ace "
            "(punto); then K, Q, J and so on.",
        ),
        section(7, "Plain suits: black K, Q, J, 7 to 2; red K, Q, J, A, 2 to 7."),
    ),
    "1. Pack": (as_in_ombre(PACK.text),),
    "2. Deal": (
        as_in_ombre("Anticlockwise; the deal passes in the order of play.", "seating_mismatch"),
        as_in_ombre("Three at a time, nine to each of three; thirteen are left.", "hand_size"),
        stated(
            "Of four at the table, the dealer (zángano) sits out, and pays and receives like the others.",
            "seating_mismatch",
        ),
        as_in_ombre("If all pass, the deal moves on; the next stake is added.", "seating_mismatch"),
    ),
    "3. Auction": (
        as_in_ombre("In rounds; the elder may hold an equal bid.", "wrong_seat", "self"),
        as_in_ombre("Play (entrada) < voltereta (vuelta) < solo.", "bid_too_low"),
        stated(
            "Palo de favor: a game in the favoured suit outranks the same game in another.", "bid_too_low"
        ),
        section(
            8, "The table agrees on the favoured suit once for all, usually a short (black) one (a switch)."
        ),
        as_in_ombre("In voltereta the turned card makes trumps, so it cannot be bid in the favoured suit."),
        as_in_ombre("A player who has passed may not come in again.", "passed"),
    ),
    "3. Naming": (
        as_in_ombre("The bid, or one that is worth more.", "contract_not_allowed"),
        as_in_ombre("The favoured suit is named by its own contract alone.", "contract_not_allowed"),
        as_in_ombre("In voltereta the suit of the top card of the talon is trumps.", "talon_mismatch"),
    ),
    "4. Exchange": (
        as_in_ombre(
            "In play and voltereta the player exchanges any number; in solo only the opponents.",
            "exchange_count",
            "exchange_not_allowed",
        ),
        as_in_ombre("The player, then the opponents; the first of them may yield.", "wrong_seat"),
        as_in_ombre("In solo the first to draw takes eight at most.", "exchange_count"),
        silent("What a foul in the exchange pays was not read."),
        as_in_ombre(
            "First the discard, face down, then as many cards from the top of the talon.",
            "exchange_mismatch",
            "talon_mismatch",
        ),
        as_in_ombre("The rest is looked at only if the table agrees (a switch).", "talon_seen"),
    ),
    "5. Play": (
        as_in_ombre(
            "Forehand leads; suit is followed; the highest trump wins, else the highest of the suit led.",
            "revoke",
            "wrong_seat",
        ),
        as_in_ombre(
            "A matador is compelled only by a higher matador that was led.", "revoke", "matador_withheld"
        ),
    ),
    "6. Outcome": (
        stated("Won with more tricks than each opponent: five, or 4-3-2."),
        section(20, "Bête (puesta) if an opponent has as many; codille (codillo) if one has more."),
        as_in_ombre("One trick against four and four is puesta."),
    ),
    "6. All nine tricks": (as_in_ombre("With the first five tricks won, the lead to the sixth is the try."),),
    "8. Surrender": (
        section(
            20,
            "In play the player may surrender before playing to the fourth trick.",
            "abandon_not_allowed",
        ),
        as_in_ombre("Here before anybody has played to it.", "abandon_not_allowed"),
        section(20, "Both agree: puesta. One continues it and becomes the player."),
        section(20, "The new player wins: gets the first player's puesta."),
        as_in_ombre("With the pool, and the base from the other opponents, as in Ombre."),
        section(20, "The new player ties: two puestas, twins."),
        section(20, "The new player has fewer tricks than the first: pays the first player's puesta."),
        section(20, "The third player has most: the first pays puesta, the new player codille."),
        as_in_ombre("Neither of the two is computed here: the payment stays open."),
        section(20, "A surrendered voltereta cannot be continued, and a solo has to be played out."),
        as_in_ombre("Here both are allowed: a voltereta may be continued, a solo surrendered, as in Ombre."),
    ),
    "8. Pool": (as_in_ombre("The dealer stakes 5 before each deal."),),
    "8. Payments": (
        as_in_ombre("Won: the pool, and 5 from each opponent, 7 in voltereta, 8 in solo."),
        stated("Games in the favoured suit pay more.", source=COMMISSION_SOURCE),
        silent("Not stated how much more: what favoured play and favoured solo pay stays open."),
        as_in_ombre("A voltereta that turns the favoured suit is paid as any other."),
        as_in_ombre("Puesta: as much as lies in the pool and the base for each opponent."),
        as_in_ombre("Codille: the same sum, to the opponent who delivered it."),
        as_in_ombre("Primeras 1, estuches 1 each up to 5, vole 30: from each, as in Ombre."),
    ),
    "8. Reserved puestas": (as_in_ombre("Set aside as agreed, or at the loser's choice, as in Ombre."),),
}

_POOL: Final = OMBRE.pool
assert _POOL is not None

TRESILLO: Final = Ruleset(
    id="tresillo",
    revision=1,
    words="Spanish tresillo",
    source=SOURCE,
    bids=BIDS,
    contracts=CONTRACTS,
    naming=(
        ("play", (PLAY, FAVOURED_PLAY, VUELTA, SOLO, FAVOURED_SOLO)),
        ("favoured-play", (FAVOURED_PLAY, VUELTA, SOLO, FAVOURED_SOLO)),
        ("voltereta", (VUELTA, SOLO, FAVOURED_SOLO)),
        ("solo", (SOLO, FAVOURED_SOLO)),
        ("favoured-solo", (FAVOURED_SOLO,)),
    ),
    pool=replace(_POOL, bases=(("play", 5), ("voltereta", 7), ("solo", 8))),
    auction="rounds",
    self_right="elder",
    sits_out="dealer",
    sitter_pays=True,
    may_yield=True,
    slam=OMBRE.slam,
    surrender=SurrenderTerms(before_trick=4),
    switches=(
        *HOUSE_SWITCHES,
        *POOL_SWITCHES,
        HouseSwitch("favoured-suit", "the favoured suit", "favoured", POLICIES["favoured"]),
    ),
    chip="ficha",
    clauses=cite_clauses(SOURCE, CLAUSES),
)
