"""``la-bete``: "L'Hombre – La Bete", the Danish game told in English, anticlockwise (source 000)."""

from typing import Final

from engine.rulesets.danish import (
    AFTER_SIMPLE,
    HOUSE_SWITCHES,
    SOLO,
    SPADE_SOLO,
    bids,
    contracts,
    naming,
)
from engine.rulesets.model import Clause, GivingUp, Ruleset, Slam, Tariff, Words

SOURCE: Final = "L'Hombre – La Bete"

TARIFF: Final = (
    ("simple", Tariff(1, 1, (2,))),
    ("spade-game", Tariff(1, 1, (2,))),
    ("tourne", Tariff(1, 1, (2,))),
    ("simple-nolo", Tariff(2, 2, (3, 4, 5, 6, 7, 8, 9, 10))),
    ("grand-tourne", Tariff(2, 2, (3,))),
    ("solo", Tariff(2, 2, (3,))),
    ("spade-solo", Tariff(3, 3, (5,))),
    ("pure-nolo", Tariff(3, 3, (5,))),
    ("nolo-ouvert", Tariff(5, 5, (8,))),
)

CLAUSES: Final = (
    Clause("2. Deal", "Anticlockwise; forehand sits to the dealer's right.", SOURCE),
    Clause("2. Deal", "The first dealer is chosen at random; the deal passes to the right.", SOURCE),
    Clause("2. Deal", "Where all three pass the hand is a wash-out and the deal moves on.", SOURCE),
    Clause(
        "2. Deal", "Of four at the table the player opposite the dealer sits out and does not bid.", SOURCE
    ),
    Clause("2. Deal", "Partners may be recorded; nothing follows from it.", SOURCE, True),
    Clause("3. Auction", "Two duels: forehand against middlehand, the survivor against backhand.", SOURCE),
    Clause("3. Auction", "Self: the elder, directly after being outbid, takes over the same bid.", SOURCE),
    Clause("3. Auction", "An elder who repeats the standing bid by name has said self.", SOURCE, True),
    Clause(
        "3. Auction",
        "Pure nolo and spade solo are equal: the first of them outranks the other.",
        SOURCE,
        True,
    ),
    Clause("3. Auction", "Grand tourné needs both black aces, dealt.", SOURCE),
    Clause("3. Naming", "After simple: simple in C, D or H, spade game, tourné or simple nolo.", SOURCE),
    Clause("3. Naming", "After solo: solo in C, D or H, or spade solo.", SOURCE),
    Clause(
        "4. Exchange", "Declarer first, then the defenders in order of play, as many as they wish.", SOURCE
    ),
    Clause(
        "4. Exchange", "In solo too the defenders exchange in order of play after declarer.", SOURCE, True
    ),
    Clause("4. Exchange", "Defenders do not exchange against a nolo.", SOURCE),
    Clause("4. Exchange", "The turned card is the first that declarer draws.", SOURCE),
    Clause("4. Exchange", "If he draws none it stays on top of the talon.", SOURCE, True),
    Clause("4. Exchange", "Fouled up by declarer: the contract is lost, paid as bête.", SOURCE, True),
    Clause("4. Exchange", "Fouled up by a defender: he pays declarer's winnings for both.", SOURCE),
    Clause("4. Exchange", "What is left of the talon stays face down.", SOURCE),
    Clause("5. Play", "A matador is compelled only by a higher matador that was led.", SOURCE, True),
    Clause("5. Nolo ouvert", "Declarer lays his hand open with his own first card.", SOURCE),
    Clause(
        "6. Outcome",
        "Won: five tricks, or 4-3-2; bête: 4-4-1 or 3-3-3; kodille: fewer than a defender.",
        SOURCE,
    ),
    Clause("6. Outcome", "Nolo: no trick wins, one is bête, two or more are kodille.", SOURCE),
    Clause("6. Outcome", "Pure nolo and nolo ouvert end with declarer's second trick.", SOURCE),
    Clause("6. All nine tricks", "Announced at the latest on winning the fifth trick.", SOURCE),
    Clause(
        "6. All nine tricks", "The lead to the sixth after winning the first five is always a try.", SOURCE
    ),
    Clause(
        "6. All nine tricks", "1 more from each; failed, 1 to each, the game being paid all the same.", SOURCE
    ),
    Clause(
        "6. Giving up",
        "For bête after the exchange until declarer has played, but not in solo and spade solo.",
        SOURCE,
    ),
    Clause("7. Payments", "Kodille: 1 more, in pure nolo and spade solo 2, in nolo ouvert 3.", SOURCE, True),
    Clause("7. Payments", "Simple nolo kodille: 1 more for each trick beyond the first.", SOURCE),
)

LA_BETE: Final = Ruleset(
    id="la-bete",
    revision=1,
    words=Words("L'Hombre – La Bete", "L'hombre – La Bete"),
    source=SOURCE,
    bids=bids(
        ("simple",),
        ("spade-game",),
        ("tourne",),
        ("simple-nolo",),
        ("grand-tourne",),
        ("solo",),
        ("pure-nolo", "spade-solo"),
        ("nolo-ouvert",),
    ),
    contracts=contracts(),
    naming=naming(simple=AFTER_SIMPLE, solo=(SOLO, SPADE_SOLO)),
    tariff=TARIFF,
    foul="as-bete",
    remis_en_quatre=False,
    slam=Slam(worth=1, announced="until-sixth-lead"),
    giving_up=GivingUp(bete_from="play", bete_until="declarers-first-card", codille_any_time=False),
    switches=HOUSE_SWITCHES,
    clauses=CLAUSES,
)
