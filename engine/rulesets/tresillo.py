"""``tresillo``: the Spanish game with its favoured suit, round a pool; incomplete where its sources are.

What the sources that could be read leave open is played as in English Ombre, and marked as ours.
"""

from dataclasses import replace
from typing import Final

from engine.core.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from engine.rulesets.danish_family import HOUSE_SWITCHES
from engine.rulesets.model import (
    ALL_SUITS,
    POLICIES,
    Bid,
    Clause,
    Contract,
    HouseSwitch,
    Naming,
    Ruleset,
    SurrenderTerms,
)
from engine.rulesets.ombre import OMBRE, POOL_SWITCHES

SOURCE: Final = "H. Fournier, Tresillo, rules of the Vitoria card makers"
RULEBOOK_SOURCE: Final = "Reglamentos de juegos de naipes: Tresillo"
COMMISSION_SOURCE: Final = "Spadille's commission for tresillo"
OMBRE_SOURCE: Final = "After English Ombre"


def cite_section(number: int) -> str:
    """This section of the rule book."""
    return f"{RULEBOOK_SOURCE}, section {number}"


SOLO_SUITS: Final = (CLUBS, DIAMONDS, HEARTS, SPADES)

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
        "solo",
        "solo",
        "game",
        "chosen",
        None,
        True,
        first_defender_most=8,
        favoured_form="favoured-solo",
    ),
    Contract("favoured-solo", BIDS[4].words, "game", "favoured", None, True, first_defender_most=8),
)

PLAY: Final = Naming("play", ALL_SUITS)
FAVOURED_PLAY: Final = Naming("favoured-play")
VUELTA: Final = Naming("voltereta")
SOLO: Final = Naming("solo", SOLO_SUITS)
FAVOURED_SOLO: Final = Naming("favoured-solo")

CLAUSES_BEFORE_PLAY: Final = (
    Clause(
        "1. Ranking",
        "Trumps: espada (SA), mala (black 2, red 7), basto (CA), a red ace (punto); then K, Q, J and so on.",
        cite_section(7),
    ),
    Clause("1. Ranking", "Plain suits: black K, Q, J, 7 to 2; red K, Q, J, A, 2 to 7.", cite_section(7)),
    Clause("2. Deal", "Anticlockwise; the deal passes in the order of play.", OMBRE_SOURCE, ours=True),
    Clause("2. Deal", "Three at a time, nine to each of three; thirteen are left.", OMBRE_SOURCE, ours=True),
    Clause(
        "2. Deal",
        "Of four at the table the dealer (zángano) sits out, and pays and receives like the others.",
        SOURCE,
    ),
    Clause(
        "2. Deal", "Where all pass the deal moves on; the next stake comes on top.", OMBRE_SOURCE, ours=True
    ),
    Clause(
        "3. Auction",
        "In rounds; the elder may hold an equal bid.",
        OMBRE_SOURCE,
        ours=True,
        on=("wrong_seat", "self"),
    ),
    Clause(
        "3. Auction",
        "Entrada (play) < vuelta (voltereta) < solo.",
        OMBRE_SOURCE,
        ours=True,
        on=("bid_too_low",),
    ),
    Clause(
        "3. Auction",
        "Palo de favor: a game in the favoured suit outranks the same game in another.",
        SOURCE,
    ),
    Clause(
        "3. Auction",
        "The favoured suit is agreed once for all, mostly a short, that is a black one (a switch).",
        cite_section(8),
    ),
    Clause(
        "3. Auction",
        "In a vuelta the turned card makes trumps, so it cannot be bid in the favoured suit.",
        OMBRE_SOURCE,
        ours=True,
    ),
    Clause(
        "3. Naming",
        "The bid, or one that is worth more.",
        OMBRE_SOURCE,
        ours=True,
        on=("contract_not_allowed",),
    ),
    Clause(
        "3. Naming",
        "The favoured suit is named by its own contract alone.",
        OMBRE_SOURCE,
        ours=True,
        on=("contract_not_allowed",),
    ),
    Clause(
        "4. Exchange",
        "In entrada and vuelta the player as many as he likes; in solo only the opponents.",
        OMBRE_SOURCE,
        ours=True,
        on=("exchange_count", "exchange_not_allowed"),
    ),
    Clause(
        "4. Exchange",
        "The player, then the opponents; the first of them may yield.",
        OMBRE_SOURCE,
        ours=True,
        on=("wrong_seat",),
    ),
    Clause(
        "4. Exchange",
        "In solo the first to draw takes eight at most.",
        OMBRE_SOURCE,
        ours=True,
        on=("exchange_count",),
    ),
    Clause("4. Exchange", "What a foul in the exchange pays was not read.", SOURCE, silent=True),
)

OUTCOME_CLAUSES: Final = (
    Clause(
        "5. Play",
        "A matador is compelled only by a higher matador that was led.",
        OMBRE_SOURCE,
        ours=True,
        on=("revoke", "matador_withheld"),
    ),
    Clause("6. Outcome", "Won with more tricks than each opponent: five, or 4-3-2.", SOURCE),
    Clause(
        "6. Outcome", "Puesta where an opponent has as many; codillo where one has more.", cite_section(20)
    ),
    Clause("6. Outcome", "One trick against four and four is puesta.", OMBRE_SOURCE, ours=True),
    Clause(
        "6. Vole",
        "With the first five tricks won, the lead to the sixth is the try.",
        OMBRE_SOURCE,
        ours=True,
    ),
)

SURRENDER_CLAUSES: Final = (
    Clause(
        "8. Surrender",
        "The player of an entrada may surrender before he has played to the fourth trick.",
        cite_section(20),
    ),
    Clause("8. Surrender", "Here before anybody has played to it.", OMBRE_SOURCE, ours=True),
    Clause(
        "8. Surrender", "Both content: puesta. One goes on with it: he becomes the player.", cite_section(20)
    ),
    Clause("8. Surrender", "He wins: the first player's puesta is his.", cite_section(20)),
    Clause(
        "8. Surrender",
        "With the pool, and the base from the other opponents, as in Ombre.",
        OMBRE_SOURCE,
        ours=True,
    ),
    Clause("8. Surrender", "He ties: two puestas, twins.", cite_section(20)),
    Clause(
        "8. Surrender",
        "He has fewer tricks than the first player: the puesta of the first is his to pay.",
        cite_section(20),
    ),
    Clause(
        "8. Surrender",
        "The third player has most: the first pays puesta, the new player codillo.",
        cite_section(20),
    ),
    Clause(
        "8. Surrender",
        "Neither of the two is counted here: what is paid stays open.",
        OMBRE_SOURCE,
        ours=True,
    ),
    Clause(
        "8. Surrender",
        "A surrendered vuelta cannot be gone on with, and a solo has to be played out.",
        cite_section(20),
    ),
    Clause(
        "8. Surrender",
        "Here both are let pass: a vuelta may be gone on with, a solo surrendered, as in Ombre.",
        OMBRE_SOURCE,
        ours=True,
    ),
)

PAYMENT_CLAUSES: Final = (
    Clause("8. Pool", "The dealer stakes 5 before each deal.", OMBRE_SOURCE, ours=True),
    Clause(
        "8. Payments",
        "Won: the pool, and 5 from each opponent, 7 for a vuelta, 8 for a solo.",
        OMBRE_SOURCE,
        ours=True,
    ),
    Clause("8. Payments", "Games in the favoured suit pay more.", COMMISSION_SOURCE),
    Clause(
        "8. Payments",
        "How much more is not stated: what favoured play and favoured solo pay stays open.",
        SOURCE,
        silent=True,
    ),
    Clause(
        "8. Payments",
        "A vuelta that turns the favoured suit is paid as any other.",
        OMBRE_SOURCE,
        ours=True,
    ),
    Clause(
        "8. Payments",
        "Puesta: as much as lies in the pool and the base for each opponent.",
        OMBRE_SOURCE,
        ours=True,
    ),
    Clause("8. Payments", "Codillo: the same sum, to who delivered it.", OMBRE_SOURCE, ours=True),
    Clause(
        "8. Payments",
        "Primeras 1, estuches 1 each up to 5, vole 30: from each, as in Ombre.",
        OMBRE_SOURCE,
        ours=True,
    ),
    Clause(
        "8. Reserved puestas",
        "Set aside as agreed, or at the loser's choice, as in Ombre.",
        OMBRE_SOURCE,
        ours=True,
    ),
)

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
        HouseSwitch(
            "favoured-suit",
            "the favoured suit",
            "favoured",
            POLICIES["favoured"],
        ),
    ),
    chip="ficha",
    clauses=(*CLAUSES_BEFORE_PLAY, *OUTCOME_CLAUSES, *SURRENDER_CLAUSES, *PAYMENT_CLAUSES),
)
