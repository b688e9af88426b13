"""``gamerules``: "L'Hombre (Ombre)", a short retelling with its own oddities (source 001)."""

from typing import Final

from engine.rulesets.danish_family import (
    HOUSE_SWITCHES,
    build_bids,
    build_clauses,
    build_contracts,
    build_namings,
)
from engine.rulesets.la_bete import TARIFF
from engine.rulesets.model import Clause, Ruleset, SlamTerms

SOURCE: Final = "L'Hombre (Ombre), a retelling"

CLAUSES: Final = build_clauses(
    SOURCE,
    Clause("1. Ranking", "Red trumps: SA, 7, CA, the red ace (ponto), K, Q, J, 2 to 6.", SOURCE),
    Clause("2. Deal", "Play moves to the right; forehand sits to the dealer's right.", SOURCE),
    Clause(
        "2. Deal",
        "The first dealer is picked at random; the deal rotates to the left, against the order of play.",
        SOURCE,
    ),
    Clause("2. Deal", "The dealer deals to himself first.", SOURCE),
    Clause("2. Deal", "Of four at the table the player opposite the dealer sits out, or the dealer.", SOURCE),
    Clause("2. Deal", "Opposite, where nothing is agreed (a switch).", SOURCE, ours=True),
    Clause("2. Deal", "Where all three pass it is a wash-out.", SOURCE),
    Clause("2. Deal", "The deal then moves on.", SOURCE, ours=True),
    Clause("2. Deal", "How long a session lasts.", SOURCE, silent=True),
    Clause(
        "3. Auction",
        "Simple < spade game < tourné < simple nolo < grand tourné < solo < spade solo < pure nolo < "
        "nolo ouvert.",
        SOURCE,
        on=("bid_too_low",),
    ),
    Clause(
        "3. Auction",
        "Pure nolo outranks spade solo; the text says both that they are equal and that it does.",
        SOURCE,
        ours=True,
        on=("bid_too_low",),
    ),
    Clause("3. Auction", "Self: a bid equal to the one before.", SOURCE, on=("self",)),
    Clause(
        "3. Auction", "Only the elder says it, directly after being outbid.", SOURCE, ours=True, on=("self",)
    ),
    Clause(
        "3. Auction",
        "Grand tourné needs both black aces in hand; the tradition is to show them with the bid.",
        SOURCE,
        on=("black aces",),
    ),
    Clause(
        "3. Naming",
        "The last bid is the contract; in simple and solo declarer names trumps.",
        SOURCE,
        on=("contract_not_allowed",),
    ),
    Clause("3. Naming", "In the tournés the turned card's suit is trumps.", SOURCE, on=("talon_mismatch",)),
    Clause("3. Naming", "So it is when a black ace is turned.", SOURCE, ours=True),
    Clause(
        "4. Exchange",
        "Declarer first, then the defenders to the left: against the order of play.",
        SOURCE,
        on=("wrong_seat",),
    ),
    Clause("4. Exchange", "From none to as many as the talon holds.", SOURCE, on=("exchange_count",)),
    Clause(
        "4. Exchange",
        "Defenders exchange against every game, and never against a nolo.",
        SOURCE,
        on=("exchange_not_allowed",),
    ),
    Clause("4. Exchange", "If declarer draws none the turned card stays on top.", SOURCE, ours=True),
    Clause(
        "4. Exchange", "Where the procedure is fouled up the contract is lost and has to be paid.", SOURCE
    ),
    Clause(
        "4. Exchange",
        "Declarer pays it as bête; a defender pays declarer's winnings for both, as in la-bete.",
        SOURCE,
        ours=True,
    ),
    Clause("4. Exchange", "What is left of the talon stays there.", SOURCE, on=("talon_seen",)),
    Clause(
        "5. Play",
        "Matadors never have to be played to a trump lead.",
        SOURCE,
        on=("revoke", "matador_withheld"),
    ),
    Clause("5. Nolo ouvert", "Declarer shows his hand after his own first card.", SOURCE),
    Clause("6. Outcome", "Kodille: fewer tricks than a defender, 1-4-4 among them.", SOURCE),
    Clause("6. Outcome", "Pure nolo and nolo ouvert end with declarer's second trick.", SOURCE),
    Clause("6. Outcome", "Simple nolo is played out, as in la-bete.", SOURCE, ours=True),
    Clause(
        "6. All nine tricks",
        "Announced after winning the fifth trick; the lead to the sixth is a try.",
        SOURCE,
    ),
    Clause(
        "6. All nine tricks", "1 more from each; failed, 1 to each, the game being paid all the same.", SOURCE
    ),
    Clause("6. Giving up", "Not stated: there is none.", SOURCE, ours=True),
    Clause(
        "7. Payments",
        "Won or bête: simple, spade game and tourné 1; simple nolo, grand tourné and solo 2; nolo ouvert 5.",
        SOURCE,
        on=("simple", "spade-game", "tourne", "simple-nolo", "grand-tourne", "solo", "nolo-ouvert"),
    ),
    Clause(
        "7. Payments",
        "Pure nolo and spade solo, of which no rate is printed: 3, as in la-bete.",
        SOURCE,
        ours=True,
        on=("pure-nolo", "spade-solo"),
    ),
    Clause(
        "7. Payments",
        "Kodille: 1 more in low contracts, 2 in pure nolo and spade solo, 3 in nolo ouvert.",
        SOURCE,
        on=(
            "simple",
            "spade-game",
            "tourne",
            "simple-nolo",
            "grand-tourne",
            "solo",
            "pure-nolo",
            "spade-solo",
            "nolo-ouvert",
        ),
    ),
    Clause(
        "7. Payments",
        "Simple nolo kodille, “1 per trick taken”: 1 more for each beyond the first, as in la-bete.",
        SOURCE,
        ours=True,
        on=("simple-nolo",),
    ),
)

GAMERULES: Final = Ruleset(
    id="gamerules",
    revision=1,
    words="L'Hombre (a short retelling)",
    source=SOURCE,
    bids=build_bids(
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
    contracts=build_contracts(bete_on_giving_up=False),
    naming=build_namings(),
    tariff=TARIFF,
    next_dealer="against-order-of-play",
    matadors="absolute",
    defender_order="against-order-of-play",
    foul="as-bete",
    remis_en_quatre=False,
    slam=SlamTerms(worth=1, announced="after-fifth-trick"),
    switches=HOUSE_SWITCHES,
    clauses=CLAUSES,
)
