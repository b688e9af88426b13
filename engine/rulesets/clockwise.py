"""``clockwise``: the "Three Player Variation", clockwise, over an agreed number of hands (source 002)."""

from typing import Final

from engine.rulesets.danish_family import (
    GRAND_TOURNE,
    HOUSE_SWITCHES,
    NOLO_OUVERT,
    PURE_NOLO,
    SIMPLE,
    SIMPLE_NOLO,
    SOLO,
    SPADE_GAME,
    SPADE_SOLO,
    TOURNE,
    build_bids,
    build_clauses,
    build_contracts,
)
from engine.rulesets.la_bete import TARIFF
from engine.rulesets.model import Clause, Ruleset, SlamTerms

SOURCE: Final = "L'Hombre, Three Player Variation"

CONTRACTS_IN_RISING_ORDER: Final = (
    SIMPLE,
    SPADE_GAME,
    TOURNE,
    SIMPLE_NOLO,
    GRAND_TOURNE,
    SOLO,
    SPADE_SOLO,
    PURE_NOLO,
    NOLO_OUVERT,
)
"""The contracts from the lowest to the highest: after a bid, it or any that ranks higher (RULES 3)."""

CLAUSES: Final = build_clauses(
    SOURCE,
    Clause("1. Ranking", "Red trumps: SA, 7, CA, K, Q, J, A, 2 to 6; the red ace is no ponto.", SOURCE),
    Clause(
        "2. Deal",
        "Clockwise, from forehand on, who sits to the dealer's left; the deal passes to the left.",
        SOURCE,
    ),
    Clause("2. Deal", "Who deals first.", SOURCE, silent=True),
    Clause("2. Deal", "Three play.", SOURCE),
    Clause("2. Deal", "With four the player opposite the dealer sits out.", SOURCE, ours=True),
    Clause("2. Deal", "Where all three pass the hand is thrown in and the deal passes on.", SOURCE),
    Clause("2. Deal", "An agreed number of hands, a multiple of the players.", SOURCE),
    Clause(
        "3. Auction",
        "Simple < spade game < tourné < simple nolo < grand tourné < solo < spade solo < pure nolo < "
        "nolo ouvert.",
        SOURCE,
        on=("bid_too_low",),
    ),
    Clause(
        "3. Auction",
        "Self: the elder, directly after being outbid, takes over the same bid.",
        SOURCE,
        on=("self",),
    ),
    Clause("3. Auction", "A bid has to be higher than the standing one.", SOURCE, on=("bid_too_low",)),
    Clause(
        "3. Auction",
        "Grand tourné needs both black aces at the deal; customarily they are shown with the bid.",
        SOURCE,
        on=("black aces",),
    ),
    Clause("3. Naming", "The bid, or any contract that ranks higher.", SOURCE, on=("contract_not_allowed",)),
    Clause(
        "3. Naming",
        "A grand tourné so named needs both black aces too.",
        SOURCE,
        ours=True,
        on=("black aces",),
    ),
    Clause(
        "3. Naming",
        "In the tournés the turned card's suit is trumps: spades for spadille, clubs for basta.",
        SOURCE,
        on=("talon_mismatch",),
    ),
    Clause(
        "4. Exchange",
        "Declarer, then the defender on his left, then the other: from none to what the talon holds.",
        SOURCE,
        on=("wrong_seat", "exchange_count"),
    ),
    Clause(
        "4. Exchange",
        "In simple nolo declarer alone, in solo the defenders alone.",
        SOURCE,
        on=("exchange_not_allowed",),
    ),
    Clause(
        "4. Exchange",
        "“As the contract permits”: defenders against every game, and never against a nolo.",
        SOURCE,
        ours=True,
        on=("exchange_not_allowed",),
    ),
    Clause("4. Exchange", "If declarer draws none the turned card stays on top.", SOURCE, ours=True),
    Clause(
        "4. Exchange", "Who fouls up the exchange pays the value of the game to each other player.", SOURCE
    ),
    Clause(
        "4. Exchange", "What is left of the talon stays face down.", SOURCE, ours=True, on=("talon_seen",)
    ),
    Clause(
        "5. Play",
        "A matador is compelled only by a higher matador that was led; spadille never.",
        SOURCE,
        ours=True,
        on=("revoke", "matador_withheld"),
    ),
    Clause("5. Nolo ouvert", "Declarer lays his hand open after his own first card.", SOURCE),
    Clause("6. Outcome", "Kodille: fewer tricks than a defender, 1-4-4 among them.", SOURCE),
    Clause(
        "6. Outcome",
        "Pure nolo and nolo ouvert end with declarer's second trick; simple nolo is played out.",
        SOURCE,
    ),
    Clause(
        "6. All nine tricks", "Announced on winning the fifth trick; the lead to the sixth is enough.", SOURCE
    ),
    Clause(
        "6. All nine tricks", "1 more from each; failed, 1 to each, the game being paid all the same.", SOURCE
    ),
    Clause("6. Giving up", "Not stated: there is none.", SOURCE, ours=True),
    Clause(
        "7. Payments",
        "Won or bête: simple and tourné 1; simple nolo, grand tourné and solo 2; pure nolo 3; nolo ouvert 5.",
        SOURCE,
        on=("simple", "tourne", "simple-nolo", "grand-tourne", "solo", "pure-nolo", "nolo-ouvert"),
    ),
    Clause(
        "7. Payments",
        "Spade game, of which no rate is printed, pays 1 as simple does.",
        SOURCE,
        ours=True,
        on=("spade-game",),
    ),
    Clause(
        "7. Payments",
        "Spade solo, of which no rate is printed, pays 3 as pure nolo does.",
        SOURCE,
        ours=True,
        on=("spade-solo",),
    ),
    Clause(
        "7. Payments",
        "Kodille: 1 more, in spade solo and pure nolo 2, in nolo ouvert 3.",
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
        "Simple nolo kodille: 1 more for each trick beyond the first.",
        SOURCE,
        on=("simple-nolo",),
    ),
)

CLOCKWISE: Final = Ruleset(
    id="clockwise",
    revision=1,
    words="Three Player Variation, clockwise",
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
    naming=tuple(
        (lowest.contract, CONTRACTS_IN_RISING_ORDER[place:])
        for place, lowest in enumerate(CONTRACTS_IN_RISING_ORDER)
    ),
    tariff=TARIFF,
    direction="clockwise",
    red_trumps="ace-after-jack",
    foul="value-to-each",
    remis_en_quatre=False,
    slam=SlamTerms(worth=1, announced="after-fifth-trick"),
    switches=HOUSE_SWITCHES,
    clauses=CLAUSES,
)
