"""``ombre``: English Ombre after Lord Aldenham, as David Parlett tells it (source 003).

The four games, surrender, reserved puestas, and every optional extra behind its switch.
"""

from typing import Final

from engine.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from engine.rulesets.danish import FLAG, HOUSE_SWITCHES
from engine.rulesets.model import (
    ALL_SUITS,
    Bid,
    Clause,
    Contract,
    Naming,
    Pool,
    Ruleset,
    Slam,
    Surrender,
    Switch,
    Words,
)

SOURCE: Final = "David Parlett, Ombre, after Lord Aldenham's treatise"

BIDS: Final = (
    Bid("play", 1, Words("play", "spil")),
    Bid("favor", 2, Words("favor", "favor"), extra="favor"),
    Bid("higher", 3, Words("higher", "højere"), only_over=("play", "favor")),
    Bid("voltereta", 4, Words("voltereta", "voltereta")),
    Bid("solo", 5, Words("solo", "solo")),
    Bid("oros", 6, Words("diamonds (oros)", "ruder (oros)")),
    Bid("vole", 7, Words("vole", "vole"), extra="vole-challenge", challenges_slam=True),
    Bid("gascarille", 0, Words("gascarille", "gascarille"), extra="gascarille", after_all_pass=True),
    Bid("countervole", 0, Words("countervole", "countervole"), extra="countervole", after_all_pass=True),
)

CONTRACTS: Final = (
    Contract("play", Words("play", "spil"), "game", "chosen", (0, 9), True),
    Contract("favor", Words("favor", "favor"), "game", "diamonds", (0, 9), True, extra="favor"),
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
    Contract(
        "gascarille",
        Words("gascarille", "gascarille"),
        "game",
        "chosen-after-draw",
        (8, 8),
        True,
        extra="gascarille",
    ),
    Contract(
        "countervole",
        Words("countervole", "countervole"),
        "nolo",
        "chosen",
        None,
        False,
        ends_at=1,
        codille_from=None,
        extra="countervole",
        must_hold_trump=True,
    ),
)

PLAY: Final = Naming("play", ALL_SUITS)
FAVOR: Final = Naming("favor", (DIAMONDS,))
VOLTERETA: Final = Naming("voltereta")
SOLO: Final = Naming("solo", (CLUBS, HEARTS, SPADES))
OROS: Final = Naming("oros", (DIAMONDS,))

NAMING: Final = (
    ("play", (PLAY, VOLTERETA, SOLO, OROS)),
    ("favor", (FAVOR, VOLTERETA, SOLO, OROS)),
    ("higher", (VOLTERETA, SOLO, OROS)),
    ("voltereta", (VOLTERETA, SOLO, OROS)),
    ("solo", (SOLO, OROS)),
    ("oros", (OROS,)),
    ("vole", (SOLO, OROS)),
    ("gascarille", (Naming("gascarille"),)),
    ("countervole", (Naming("countervole", ALL_SUITS),)),
)

BASES: Final = (
    ("play", 5),
    ("favor", 5),
    ("voltereta", 7),
    ("solo", 8),
    ("oros", 8),
    ("gascarille", 8),
    ("countervole", 5),
)

POOL_SWITCHES: Final = (
    Switch(
        "estuches-most",
        Words("most estuches paid", "flest estucher, der betales"),
        "pool.estuches_most",
        (1, 9),
        spans=True,
    ),
    Switch(
        "reserve-at",
        Words("puestas are set aside from this pool on", "puester lægges til side fra denne pulje"),
        "pool.reserve_at",
        (0, 1000),
        spans=True,
    ),
)
"""House rules of a game round a pool."""

SWITCHES: Final = (
    *HOUSE_SWITCHES,
    *POOL_SWITCHES,
    Switch(
        "forced-spadille",
        Words("spadille must play when all pass", "spadille tvinges, når alle passer"),
        "extras.forced-spadille",
        FLAG,
    ),
    Switch(
        "gascarille",
        Words("gascarille when all pass", "gascarille, når alle passer"),
        "extras.gascarille",
        FLAG,
    ),
    Switch(
        "countervole",
        Words("countervole when all pass", "countervole, når alle passer"),
        "extras.countervole",
        FLAG,
    ),
    Switch(
        "favor",
        Words("favor: play in diamonds outbids play", "favor: spil i ruder går over spil"),
        "extras.favor",
        FLAG,
    ),
    Switch(
        "vole-challenge",
        Words("the vole may be challenged in the auction", "volen kan meldes i auktionen"),
        "extras.vole-challenge",
        FLAG,
    ),
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
    Clause("2. Deal", "Deal and play move to the right; forehand sits to the dealer's right.", SOURCE),
    Clause("2. Deal", "One lady, or one gentleman, deals first; else the first king dealt round.", SOURCE),
    Clause(
        "2. Deal",
        "Of four at the table the dealer sits out; the player on his left is backhand.",
        SOURCE,
        True,
    ),
    Clause(
        "2. Deal",
        "Where all pass the pool grows by the next dealer's stake; the deal moves on.",
        SOURCE,
        True,
    ),
    Clause(
        "4. Exchange", "What is left of the talon may be looked at by all, where agreed (a switch).", SOURCE
    ),
    Clause("8. Pool", "The dealer stakes 5 before each deal.", SOURCE),
    Clause("8. Pool", "Who sits out pays and receives as an opponent.", SOURCE),
    Clause(
        "8. Payments",
        "For voltereta a puesta is as the pool and 7, for solo 8, for each opponent.",
        SOURCE,
        True,
    ),
    Clause(
        "8. Surrender", "Offered until the fourth trick is begun; accepted by both it is a puesta.", SOURCE
    ),
    Clause("8. Surrender", "Offered after his own exchange at the earliest, in a game, once.", SOURCE, True),
    Clause(
        "8. Surrender",
        "Who forbids it becomes Ombre; he may not surrender, and has to win five or 4-3-2.",
        SOURCE,
    ),
    Clause(
        "8. Surrender",
        "He wins: the first pays him the codille; he takes the pool, and the base of the others.",
        SOURCE,
        True,
    ),
    Clause(
        "8. Surrender",
        "He is bested: both pay puesta into the pool, twins that are played for together.",
        SOURCE,
    ),
    Clause("8. Surrender", "What he pays for a codille the source does not say.", SOURCE, silent=True),
    Clause("8. Surrender", "Primeras, estuches and vole are not his.", SOURCE, True),
    Clause(
        "8. Reserved puestas",
        "Set aside once the pool is as large as agreed, else at the loser's choice.",
        SOURCE,
    ),
    Clause("8. Reserved puestas", "The pool won, they come back one by one, the largest first.", SOURCE),
    Clause(
        "8. Extras", "Forced spadille: when all pass its holder must play, as one who bid play.", SOURCE, True
    ),
    Clause(
        "8. Extras", "Gascarille: when all pass one exchanges eight, then names trumps; base 5 and 3.", SOURCE
    ),
    Clause(
        "8. Extras",
        "Countervole: when all pass one undertakes to lose every trick, in trumps of which he holds one.",
        SOURCE,
    ),
    Clause(
        "8. Extras", "Countervole: nobody exchanges; base 5; his first trick ends it as a puesta.", SOURCE
    ),
    Clause("8. Extras", "A countervole won is paid no estuches and no primeras.", SOURCE, True),
    Clause("8. Extras", "After all have passed the elder undertakes first.", SOURCE, True),
    Clause("8. Extras", "Favor: play in diamonds outbids play, and may be raised.", SOURCE),
    Clause("8. Extras", "The vole challenged in the auction: a solo that outbids every solo.", SOURCE),
    Clause(
        "8. Extras",
        "So challenged and lost before the first five are won: 30 to each, the pool stays.",
        SOURCE,
        True,
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
        bases=BASES,
        primeras=1,
        estuches_most=5,
        vole=30,
    ),
    auction="rounds",
    self_right="elder",
    sits_out="dealer",
    sitter_pays=True,
    may_yield=True,
    slam=Slam(worth=30, announced="never"),
    surrender=Surrender(before_trick=4),
    forced_bid="play",
    switches=SWITCHES,
    chip=Words("fish", "fisk"),
    clauses=CLAUSES,
)
