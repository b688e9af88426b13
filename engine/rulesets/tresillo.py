"""``tresillo``: the Spanish game with its favoured suit, round a pool; incomplete where its sources are."""

from dataclasses import replace
from typing import Final

from engine.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from engine.rulesets.danish import HOUSE_SWITCHES
from engine.rulesets.model import (
    ALL_SUITS,
    POLICIES,
    Bid,
    Clause,
    Contract,
    Naming,
    Ruleset,
    Surrender,
    Switch,
    Words,
)
from engine.rulesets.ombre import OMBRE, POOL_SWITCHES

SOURCE: Final = "H. Fournier, Tresillo, rules of the Vitoria card makers"
RULEBOOK: Final = "Reglamentos de juegos de naipes: Tresillo, sections 7, 8 and 20"
OURS: Final = "After English Ombre"

SUITS: Final = (CLUBS, DIAMONDS, HEARTS, SPADES)

BIDS: Final = (
    Bid("play", 1, Words("play", "spil")),
    Bid("favoured-play", 2, Words("play in the favoured suit", "spil i favoritfarven")),
    Bid("voltereta", 3, Words("voltereta", "voltereta")),
    Bid("solo", 4, Words("solo", "solo")),
    Bid("favoured-solo", 5, Words("solo in the favoured suit", "solo i favoritfarven")),
)

CONTRACTS: Final = (
    Contract("play", Words("play", "spil"), "game", "chosen", (0, 9), True, favoured_form="favoured-play"),
    Contract("favoured-play", BIDS[1].words, "game", "favoured", (0, 9), True),
    Contract("voltereta", Words("voltereta", "voltereta"), "game", "turned", (0, 9), True),
    Contract(
        "solo",
        Words("solo", "solo"),
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
SOLO: Final = Naming("solo", SUITS)
FAVOURED_SOLO: Final = Naming("favoured-solo")

CLAUSES: Final = (
    Clause("1. Ranking", "As in Ombre: espada, mala, basto, and the red ace (punto) fourth.", RULEBOOK),
    Clause(
        "2. Deal",
        "Of four at the table the dealer (zángano) sits out, and pays and receives like the others.",
        SOURCE,
    ),
    Clause("2. Deal", "Direction, rotation and an all-pass as in Ombre.", OURS, True),
    Clause("3. Auction", "Entrada (play) < vuelta (voltereta) < solo, in rounds as in Ombre.", OURS, True),
    Clause(
        "3. Auction", "Palo de favor: a game in the favoured suit outranks the same in another suit.", SOURCE
    ),
    Clause(
        "3. Auction",
        "The favoured suit is agreed once for all, often a short suit (a switch here).",
        RULEBOOK,
    ),
    Clause("3. Naming", "The bid, or one that is worth more.", OURS, True),
    Clause("4. Exchange", "As in Ombre; whoever is first to draw in solo takes eight at most.", OURS, True),
    Clause("5. Play", "A matador is compelled only by a higher matador that was led.", OURS, True),
    Clause(
        "6. Outcome",
        "Won: five tricks, or 4-3-2; puesta where another has as many; codillo where more.",
        SOURCE,
    ),
    Clause(
        "8. Surrender",
        "Before the fourth trick; who defends it becomes the player; twins as in Ombre.",
        RULEBOOK,
    ),
    Clause(
        "8. Surrender",
        "That a vuelta cannot be defended, nor a solo surrendered, is not judged.",
        RULEBOOK,
        silent=True,
    ),
    Clause("8. Payments", "Pool, stake and bases of Ombre.", OURS, True),
    Clause(
        "8. Payments",
        "Games in the favoured suit pay more; how much is for the table to say.",
        SOURCE,
        silent=True,
    ),
)

_POOL: Final = OMBRE.pool
assert _POOL is not None

TRESILLO: Final = Ruleset(
    id="tresillo",
    revision=1,
    words=Words("Spanish tresillo", "Spansk tresillo"),
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
    surrender=Surrender(before_trick=4),
    switches=(
        *HOUSE_SWITCHES,
        *POOL_SWITCHES,
        Switch(
            "favoured-suit",
            Words("the favoured suit", "favoritfarven"),
            "favoured",
            POLICIES["favoured"],
        ),
    ),
    chip=Words("ficha", "jeton"),
    clauses=CLAUSES,
)
