"""``gamerules``: "L'Hombre (Ombre)", a short retelling with its own oddities (source 001)."""

from typing import Final

from engine.rulesets.danish import HOUSE_SWITCHES, bids, contracts, naming
from engine.rulesets.la_bete import TARIFF
from engine.rulesets.model import Clause, Ruleset, Slam, Words

SOURCE: Final = "L'Hombre (Ombre), a retelling"

CLAUSES: Final = (
    Clause("2. Deal", "Play moves to the right; forehand sits to the dealer's right.", SOURCE),
    Clause("2. Deal", "The deal rotates to the left, against the order of play.", SOURCE),
    Clause("2. Deal", "The dealer deals to himself first.", SOURCE),
    Clause(
        "2. Deal",
        "Of four at the table the player opposite the dealer sits out, or the dealer (a switch).",
        SOURCE,
    ),
    Clause("2. Deal", "Where all three pass the hand is a wash-out; the deal moves on.", SOURCE, True),
    Clause("3. Auction", "Two duels: forehand against middlehand, the survivor against backhand.", SOURCE),
    Clause(
        "3. Auction",
        "Self: a bid equal to the one before; only the elder, directly after being outbid.",
        SOURCE,
        True,
    ),
    Clause("3. Auction", "Pure nolo outranks spade solo.", SOURCE, True),
    Clause("3. Auction", "Grand tourné needs both black aces in hand.", SOURCE),
    Clause("3. Naming", "The last bid is the contract.", SOURCE),
    Clause(
        "4. Exchange", "Declarer first, then the defenders to the left: against the order of play.", SOURCE
    ),
    Clause("4. Exchange", "From none to as many as the talon holds.", SOURCE),
    Clause("4. Exchange", "Defenders exchange against a game, not against a nolo.", SOURCE),
    Clause("4. Exchange", "A fouled-up procedure loses the contract; paid as in la-bete.", SOURCE, True),
    Clause("4. Exchange", "What is left of the talon stays there.", SOURCE),
    Clause("5. Play", "Matadors never have to be played to a trump lead.", SOURCE),
    Clause("5. Nolo ouvert", "Declarer shows his hand after his own first card.", SOURCE),
    Clause(
        "6. Outcome",
        "Won: five tricks, or 4-3-2; bête: 4-4-1 or 3-3-3; kodille: fewer than a defender.",
        SOURCE,
    ),
    Clause("6. Outcome", "Pure nolo and nolo ouvert end with declarer's second trick.", SOURCE),
    Clause(
        "6. All nine tricks",
        "Announced after winning the fifth trick; the lead to the sixth is a try.",
        SOURCE,
    ),
    Clause(
        "6. All nine tricks", "1 more from each; failed, 1 to each, the game being paid all the same.", SOURCE
    ),
    Clause("6. Giving up", "Not stated: there is none.", SOURCE, True),
    Clause(
        "7. Payments",
        "Pure nolo and spade solo, of which no rate is printed: 3, as in la-bete.",
        SOURCE,
        True,
    ),
    Clause("7. Payments", "Simple nolo: 2; kodille 1 more for each trick beyond the first.", SOURCE, True),
)

GAMERULES: Final = Ruleset(
    id="gamerules",
    revision=1,
    words=Words("L'Hombre (a short retelling)", "L'hombre (kort genfortælling)"),
    source=SOURCE,
    bids=bids(
        ("simple",),
        ("spade-game",),
        ("tourne",),
        ("simple-nolo",),
        ("grand-tourne",),
        ("solo",),
        ("spade-solo",),
        ("pure-nolo",),
        ("nolo-ouvert",),
    ),
    contracts=contracts(given_up=False),
    naming=naming(),
    tariff=TARIFF,
    next_dealer="against-order-of-play",
    matadors="absolute",
    defender_order="against-order-of-play",
    foul="as-bete",
    remis_en_quatre=False,
    slam=Slam(worth=1, announced="after-fifth-trick"),
    switches=HOUSE_SWITCHES,
    clauses=CLAUSES,
)
