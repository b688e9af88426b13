"""``ombre``: English Ombre after Lord Aldenham, as David Parlett tells it (source 003).

This revision covers the auction, the four games, the exchange, the play and the payments
of a deal. Surrender and the optional extras are recorded, but not yet judged or paid.
"""

from typing import Final

from engine.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from engine.rulesets.model import ALL_SUITS, Bid, Clause, Contract, Naming, Pool, Ruleset, Slam, Words

SOURCE: Final = "David Parlett, Ombre, after Lord Aldenham's treatise"

BIDS: Final = (
    Bid("play", 1, Words("play", "spil")),
    Bid("higher", 3, Words("higher", "højere"), only_over=("play",)),
    Bid("voltereta", 4, Words("voltereta", "voltereta")),
    Bid("solo", 5, Words("solo", "solo")),
    Bid("oros", 6, Words("diamonds (oros)", "ruder (oros)")),
)

CONTRACTS: Final = (
    Contract("play", Words("play", "spil"), "game", "chosen", (0, 9), True),
    Contract("voltereta", Words("voltereta", "voltereta"), "game", "turned", (0, 9), True),
    Contract("solo", Words("solo", "solo"), "game", "chosen", None, True, first_defender_most=8),
    Contract(
        "oros",
        Words("diamonds (oros)", "ruder (oros)"),
        "game",
        "diamonds",
        None,
        True,
        first_defender_most=8,
    ),
)

PLAY: Final = Naming("play", ALL_SUITS)
VOLTERETA: Final = Naming("voltereta")
SOLO: Final = Naming("solo", (CLUBS, HEARTS, SPADES))
OROS: Final = Naming("oros", (DIAMONDS,))

NAMING: Final = (
    ("play", (PLAY, VOLTERETA, SOLO, OROS)),
    ("higher", (VOLTERETA, SOLO, OROS)),
    ("voltereta", (VOLTERETA, SOLO, OROS)),
    ("solo", (SOLO, OROS)),
    ("oros", (OROS,)),
)

CLAUSES: Final = (
    Clause(
        "3. Auction",
        "Forehand, middlehand, backhand in rounds, until one is left or all have passed.",
        SOURCE,
        True,
    ),
    Clause("3. Auction", "The elder of two may hold an equal bid; recorded as self.", SOURCE, True),
    Clause(
        "3. Naming",
        "After play: any of the four games; after another bid: one worth at least that.",
        SOURCE,
        True,
    ),
    Clause(
        "4. Exchange",
        "Ombre, then the defenders in order; the first may yield, the other may hand it back.",
        SOURCE,
    ),
    Clause("4. Exchange", "In solo and oros the first to draw takes at most eight.", SOURCE),
    Clause("5. Play", "A matador is compelled only by a higher matador led; spadille never.", SOURCE),
    Clause(
        "6. Outcome",
        "Sacada: five tricks or 4-3-2; puesta 4-4-1, 3-3-3; codille where a defender has most.",
        SOURCE,
    ),
    Clause("6. Outcome", "One trick for Ombre and four for each defender is puesta.", SOURCE, True),
    Clause("6. Vole", "With the first five tricks won, the lead to the sixth is the challenge.", SOURCE),
    Clause(
        "8. Payments", "Sacada: the pool, and 5 (voltereta 7, solo and oros 8) from each opponent.", SOURCE
    ),
    Clause("8. Payments", "Primeras: 1 more from each; added to voltereta and solo too.", SOURCE, True),
    Clause(
        "8. Payments",
        "Estuches: counted in the hand with which play begins; 1 each, at most 5.",
        SOURCE,
        True,
    ),
    Clause(
        "8. Payments", "Puesta: into the pool as much as lies there and the base for each opponent.", SOURCE
    ),
    Clause("8. Payments", "Codille: the same sum, to the defender who delivered it.", SOURCE),
    Clause(
        "8. Payments",
        "Vole, won or lost: 30 instead of base and primeras; the pool is taken in both cases.",
        SOURCE,
        True,
    ),
    Clause(
        "8. Extras", "Surrender and the optional extras are recorded, not yet judged or paid.", SOURCE, True
    ),
)

OMBRE: Final = Ruleset(
    id="ombre",
    revision=1,
    words=Words("English Ombre (Aldenham, Parlett)", "Engelsk l'hombre (Aldenham, Parlett)"),
    source=SOURCE,
    bids=BIDS,
    contracts=CONTRACTS,
    naming=NAMING,
    pool=Pool(
        stake=5,
        bases=(("play", 5), ("voltereta", 7), ("solo", 8), ("oros", 8)),
        primeras=1,
        estuches_most=5,
        vole=30,
    ),
    auction="rounds",
    self_right="elder",
    may_yield=True,
    slam=Slam(worth=30, announced=False),
    chip=Words("fish", "fisk"),
    clauses=CLAUSES,
)
