"""``ombre``: English Ombre after Lord Aldenham, as David Parlett tells it (source 003).

The four games, surrender, reserved puestas, and every optional extra behind its switch.
"""

from typing import Final

from engine.core.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from engine.rulesets.danish_family import FLAG_VALUES, HOUSE_SWITCHES
from engine.rulesets.model import (
    ALL_SUITS,
    Bid,
    Clause,
    Contract,
    HouseSwitch,
    Naming,
    PoolTerms,
    Ruleset,
    SlamTerms,
    SurrenderTerms,
)

SOURCE: Final = "David Parlett, Ombre, after Lord Aldenham's treatise"

BIDS: Final = (
    Bid("play", 1, "play"),
    Bid("favor", 2, "favor", extra="favor"),
    Bid("higher", 3, "higher", only_over=("play", "favor")),
    Bid("voltereta", 4, "voltereta"),
    Bid("solo", 5, "solo"),
    Bid("oros", 6, "diamonds (oros)"),
    Bid("vole", 7, "vole", extra="vole-challenge", challenges_slam=True),
    Bid("gascarille", 0, "gascarille", extra="gascarille", after_all_pass=True),
    Bid(
        "countervole",
        0,
        "countervole",
        extra="countervole",
        after_all_pass=True,
    ),
)

CONTRACTS: Final = (
    Contract("play", "play", "game", "chosen", (0, 9), True),
    Contract("favor", "favor", "game", "diamonds", (0, 9), True, extra="favor"),
    Contract("voltereta", "voltereta", "game", "turned", (0, 9), True),
    Contract("solo", "solo", "game", "chosen", None, True, first_defender_most=8),
    Contract(
        "oros",
        "diamonds (oros)",
        "game",
        "diamonds",
        None,
        True,
        first_defender_most=8,
    ),
    Contract(
        "gascarille",
        "gascarille",
        "game",
        "chosen-after-draw",
        (8, 8),
        True,
        extra="gascarille",
    ),
    Contract(
        "countervole",
        "countervole",
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

POOL_BASES: Final = (
    ("play", 5),
    ("favor", 5),
    ("voltereta", 7),
    ("solo", 8),
    ("oros", 8),
    ("gascarille", 8),
    ("countervole", 5),
)

POOL_SWITCHES: Final = (
    HouseSwitch(
        "estuches-most",
        "most estuches paid",
        "pool.estuches_most",
        (1, 9),
        spans=True,
    ),
    HouseSwitch(
        "reserve-at",
        "puestas are set aside from this pool on",
        "pool.reserve_at",
        (0, 1000),
        spans=True,
    ),
)
"""House rules of a game round a pool."""

SWITCHES: Final = (
    *HOUSE_SWITCHES,
    *POOL_SWITCHES,
    HouseSwitch(
        "forced-spadille",
        "spadille must play when all pass",
        "extras.forced-spadille",
        FLAG_VALUES,
    ),
    HouseSwitch(
        "gascarille",
        "gascarille when all pass",
        "extras.gascarille",
        FLAG_VALUES,
    ),
    HouseSwitch(
        "countervole",
        "countervole when all pass",
        "extras.countervole",
        FLAG_VALUES,
    ),
    HouseSwitch(
        "favor",
        "favor: play in diamonds outbids play",
        "extras.favor",
        FLAG_VALUES,
    ),
    HouseSwitch(
        "vole-challenge",
        "the vole may be challenged in the auction",
        "extras.vole-challenge",
        FLAG_VALUES,
    ),
)

ALL_PASS_CLAUSES: Final = (
    Clause("8. Extras", "Each is off until the table agrees on it (a switch).", SOURCE),
    Clause("8. Extras", "Forced spadille: where all pass whoever holds spadille has to play.", SOURCE),
    Clause("8. Extras", "He plays as one who has won by play.", SOURCE, ours=True),
    Clause(
        "8. Extras",
        "Gascarille: where all pass one discards eight, draws eight, then names trumps; base 5 and 3.",
        SOURCE,
    ),
    Clause(
        "8. Extras",
        "Countervole: where all pass one undertakes to lose every trick, in trumps of which he holds one.",
        SOURCE,
    ),
    Clause(
        "8. Extras", "Countervole: nobody exchanges; base 5; his first trick ends it as a puesta.", SOURCE
    ),
    Clause("8. Extras", "A countervole won is paid no estuches and no primeras.", SOURCE, ours=True),
    Clause("8. Extras", "After all have passed the elder undertakes first.", SOURCE, ours=True),
    Clause(
        "8. Extras",
        "Favor: play in diamonds outbids play; outbid by voltereta or solo it may be raised to oros.",
        SOURCE,
    ),
    Clause("8. Extras", "Favor exchanges, and pays a base of 5, as play does.", SOURCE, ours=True),
    Clause("8. Extras", "The vole challenged in the auction: a solo that outbids every solo.", SOURCE),
    Clause("8. Extras", "It outbids oros too.", SOURCE, ours=True),
    Clause(
        "8. Extras",
        "So challenged and lost before the first five are won: 30 to each, the pool stays.",
        SOURCE,
        ours=True,
    ),
)

CLAUSES_BEFORE_PLAY: Final = (
    Clause(
        "1. Ranking",
        "Matadors: spadille (SA), manille (black 2, red 7), basto (CA); the red ace (punto) is fourth.",
        SOURCE,
    ),
    Clause(
        "1. Ranking",
        "Its table of ranks is lost. Plain suits: black K, Q, J, 7 to 2; red K, Q, J, A, 2 to 7.",
        SOURCE,
        ours=True,
    ),
    Clause("2. Deal", "Deal and play move to the right; forehand sits to the dealer's right.", SOURCE),
    Clause("2. Deal", "One lady, or one gentleman, deals first; else the first king dealt round.", SOURCE),
    Clause("2. Deal", "Nine cards to each in batches of three; the other thirteen are the stock.", SOURCE),
    Clause("2. Deal", "Of four at the table the dealer sits out.", SOURCE),
    Clause("2. Deal", "The player on his left is then backhand.", SOURCE, ours=True),
    Clause("2. Deal", "Where all pass the pool is increased, and the deal passes to the right.", SOURCE),
    Clause("2. Deal", "It is increased by the next dealer's stake.", SOURCE, ours=True),
    Clause("2. Deal", "How long a session lasts.", SOURCE, silent=True),
    Clause("3. Auction", "Play < voltereta < solo < diamonds (oros).", SOURCE, on=("bid_too_low",)),
    Clause(
        "3. Auction",
        "Over play: “I bid higher”, one of the higher games, not yet said which.",
        SOURCE,
        on=("bid_too_low",),
    ),
    Clause(
        "3. Auction",
        "Over favor too; any higher game that is named outbids it.",
        SOURCE,
        ours=True,
        on=("bid_too_low",),
    ),
    Clause(
        "3. Auction",
        "Forehand, middlehand, backhand in rounds, until one is left or all have passed.",
        SOURCE,
        ours=True,
        on=("wrong_seat",),
    ),
    Clause("3. Auction", "A higher game may be named from the first.", SOURCE, ours=True),
    Clause("3. Auction", "Of two who make the same bid the elder has priority.", SOURCE, on=("self",)),
    Clause("3. Auction", "He holds it by saying self.", SOURCE, ours=True, on=("self",)),
    Clause("3. Naming", "After play: any of the four games.", SOURCE, on=("contract_not_allowed",)),
    Clause(
        "3. Naming",
        "After another bid: one worth at least that.",
        SOURCE,
        ours=True,
        on=("contract_not_allowed",),
    ),
    Clause(
        "3. Naming",
        "In voltereta the suit of the top card of the stock is trumps.",
        SOURCE,
        on=("talon_mismatch",),
    ),
    Clause("3. Naming", "So it is when a black ace is turned.", SOURCE, ours=True),
    Clause(
        "4. Exchange",
        "In play and voltereta Ombre exchanges as many as he likes, or none.",
        SOURCE,
        on=("exchange_count", "exchange_not_allowed"),
    ),
    Clause(
        "4. Exchange",
        "The turned card is the first that he draws; if he draws none it stays on top.",
        SOURCE,
        ours=True,
    ),
    Clause(
        "4. Exchange",
        "Then the next in order, or, if he yields, the other, who may take it or leave it.",
        SOURCE,
        on=("wrong_seat",),
    ),
    Clause(
        "4. Exchange",
        "In solo and oros the first to draw takes at most eight.",
        SOURCE,
        on=("exchange_count",),
    ),
    Clause(
        "4. Exchange",
        "What is left of the talon may be looked at, then by all: some say so.",
        SOURCE,
        on=("talon_seen",),
    ),
    Clause("4. Exchange", "Here where the table agrees (a switch).", SOURCE, ours=True, on=("talon_seen",)),
    Clause("4. Exchange", "What a foul in the exchange pays.", SOURCE, silent=True),
)

PLAY_CLAUSES: Final = (
    Clause(
        "5. Play",
        "Forehand leads; suit is followed; the highest trump wins, else the highest of the suit led.",
        SOURCE,
        on=("revoke", "wrong_seat"),
    ),
    Clause(
        "5. Play",
        "A matador is compelled only by a higher matador led; spadille never.",
        SOURCE,
        on=("revoke", "matador_withheld"),
    ),
    Clause("6. Outcome", "Sacada: five tricks or 4-3-2; puesta: 4-4-1 or 3-3-3.", SOURCE),
    Clause("6. Outcome", "Codille: an opponent wins five tricks, or a dominant four.", SOURCE),
    Clause("6. Outcome", "One trick for Ombre and four for each defender is puesta.", SOURCE),
    Clause("6. Vole", "With the first five tricks won, the lead to the sixth is the challenge.", SOURCE),
    Clause("6. Vole", "A lost trick then ends the deal.", SOURCE),
)

PAYMENT_CLAUSES: Final = (
    Clause("8. Pool", "The dealer stakes 5 before each deal.", SOURCE),
    Clause("8. Payments", "Sacada: the pool, and 5 from each opponent; voltereta 7, solo 8.", SOURCE),
    Clause("8. Payments", "Oros 8, being a solo.", SOURCE),
    Clause("8. Payments", "Primeras, the first five tricks: 6 instead of 5 from each.", SOURCE),
    Clause("8. Payments", "1 more in voltereta and solo too.", SOURCE, ours=True),
    Clause(
        "8. Payments",
        "Estuches: 1 for each trump in a row from spadille, held or lacked; at most 5, or as agreed.",
        SOURCE,
    ),
    Clause("8. Payments", "They are counted in the hand with which play begins.", SOURCE, ours=True),
    Clause("8. Payments", "Puesta: into the pool as much as lies there and 5 for each opponent.", SOURCE),
    Clause(
        "8. Payments",
        "For voltereta a puesta is as the pool and 7, for solo 8, for each opponent.",
        SOURCE,
        ours=True,
    ),
    Clause("8. Payments", "Codille: the same sum, to the defender who delivered it.", SOURCE),
    Clause("8. Payments", "The pool then stays.", SOURCE, ours=True),
    Clause("8. Payments", "Vole, won or lost: 30 from or to each instead of the base.", SOURCE),
    Clause(
        "8. Payments",
        "Estuches count with it, primeras do not; the pool is taken in both cases.",
        SOURCE,
        ours=True,
    ),
    Clause("8. Payments", "Of four, who sits out pays and receives as an opponent: 15 for 10.", SOURCE),
    Clause(
        "8. Surrender", "Offered until the fourth trick is begun; accepted by both it is a puesta.", SOURCE
    ),
    Clause(
        "8. Surrender", "Offered after his own exchange at the earliest, in a game, once.", SOURCE, ours=True
    ),
    Clause(
        "8. Surrender",
        "Who forbids it becomes Ombre; he may not surrender, and has to win five or 4-3-2.",
        SOURCE,
    ),
    Clause("8. Surrender", "He wins: the first takes his puesta back and pays codille to him.", SOURCE),
    Clause(
        "8. Surrender", "He takes the pool too, and the base from the other opponents.", SOURCE, ours=True
    ),
    Clause(
        "8. Surrender",
        "He is bested: two puestas are paid, twins that are played for together.",
        SOURCE,
    ),
    Clause("8. Surrender", "What he pays for a codille the source does not say.", SOURCE, silent=True),
    Clause("8. Surrender", "Primeras, estuches and vole are not his.", SOURCE, ours=True),
    Clause(
        "8. Reserved puestas",
        "Set aside once the pool is as large as agreed, else at the loser's choice.",
        SOURCE,
    ),
    Clause("8. Reserved puestas", "The pool won, they come back one by one, the largest first.", SOURCE),
)

CLAUSES: Final = (
    *CLAUSES_BEFORE_PLAY,
    *PLAY_CLAUSES,
    *PAYMENT_CLAUSES,
    *ALL_PASS_CLAUSES,
    Clause(
        "9. Revoke",
        "Established when the trick is folded; the revoker is beasted, and play may be taken back.",
        "The Court Gamester, p. 25",
    ),
    Clause("9. Revoke", "Nothing is computed: the table's ruling is recorded.", SOURCE, ours=True),
)

OMBRE: Final = Ruleset(
    id="ombre",
    revision=1,
    words="English Ombre (Aldenham, Parlett)",
    source=SOURCE,
    bids=BIDS,
    contracts=CONTRACTS,
    naming=NAMING,
    pool=PoolTerms(
        stake=5,
        bases=POOL_BASES,
        primeras=1,
        estuches_most=5,
        vole=30,
    ),
    auction="rounds",
    self_right="elder",
    sits_out="dealer",
    sitter_pays=True,
    may_yield=True,
    slam=SlamTerms(worth=30, announced="never"),
    surrender=SurrenderTerms(before_trick=4),
    revoke="until-folded",
    forced_bid="play",
    switches=SWITCHES,
    chip="fish",
    clauses=CLAUSES,
)
