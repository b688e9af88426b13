"""``la-bete``: "L'Hombre – La Bete", the Danish game told in English, anticlockwise (source 000)."""

from typing import Final

from engine.rulesets.danish_family import (
    HOUSE_SWITCHES,
    NAMINGS_AFTER_SIMPLE,
    SOLO,
    SPADE_SOLO,
    build_bids,
    build_clauses,
    build_contracts,
    build_namings,
)
from engine.rulesets.model import Clause, GivingUpTerms, Ruleset, SlamTerms, Tariff

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

CLAUSES: Final = build_clauses(
    SOURCE,
    Clause("1. Ranking", "Red trumps: SA, 7, CA, the red ace (ponto), K, Q, J, 2 to 6.", SOURCE),
    Clause("2. Deal", "Anticlockwise, from forehand on, who sits to the dealer's right.", SOURCE),
    Clause("2. Deal", "The first dealer is chosen at random; the deal passes to the right.", SOURCE),
    Clause(
        "2. Deal", "Of four at the table the player opposite the dealer sits out and does not bid.", SOURCE
    ),
    Clause("2. Deal", "Partners may be recorded; nothing follows from it.", SOURCE, ours=True),
    Clause("2. Deal", "Where all three pass it is a wash-out, and forehand deals next.", SOURCE),
    Clause("2. Deal", "How long a session lasts.", SOURCE, silent=True),
    Clause(
        "3. Auction",
        "Simple < spade game < tourné < simple nolo < grand tourné < solo < pure nolo and spade solo < "
        "nolo ouvert.",
        SOURCE,
        on=("bid_too_low",),
    ),
    Clause(
        "3. Auction",
        "Pure nolo and spade solo are equal, the first said outranks the other; the list is garbled.",
        SOURCE,
        ours=True,
        on=("bid_too_low",),
    ),
    Clause(
        "3. Auction",
        "Self: the elder, directly after being outbid, takes over the same bid.",
        SOURCE,
        on=("self",),
    ),
    Clause(
        "3. Auction",
        "Grand tourné needs both black aces, dealt; the custom is to show them with the bid.",
        SOURCE,
        on=("black aces",),
    ),
    Clause(
        "3. Naming",
        "After simple: simple in C, D or H, spade game, tourné or simple nolo.",
        SOURCE,
        on=("contract_not_allowed",),
    ),
    Clause(
        "3. Naming",
        "After solo: solo in C, D or H, or spade solo, which is usually tolerated.",
        SOURCE,
        on=("contract_not_allowed",),
    ),
    Clause("3. Naming", "After any other bid: the bid itself.", SOURCE, on=("contract_not_allowed",)),
    Clause(
        "3. Naming",
        "In the tournés the turned card's suit is trumps: spades for spadille, clubs for basta.",
        SOURCE,
        on=("talon_mismatch",),
    ),
    Clause(
        "4. Exchange",
        "Declarer first, then the defenders in order of play: from none to what the talon holds.",
        SOURCE,
        on=("wrong_seat", "exchange_count"),
    ),
    Clause(
        "4. Exchange",
        "In solo too the defenders exchange in order of play after declarer.",
        SOURCE,
        ours=True,
        on=("wrong_seat",),
    ),
    Clause(
        "4. Exchange",
        "Defenders exchange against every game, and never against a nolo.",
        SOURCE,
        on=("exchange_not_allowed",),
    ),
    Clause("4. Exchange", "If declarer draws none the turned card stays on top.", SOURCE, ours=True),
    Clause("4. Exchange", "Fouled up by declarer: the contract is lost.", SOURCE),
    Clause("4. Exchange", "It is paid as bête.", SOURCE, ours=True),
    Clause("4. Exchange", "Fouled up by a defender: he pays declarer's winnings for both.", SOURCE),
    Clause("4. Exchange", "What is left of the talon stays face down.", SOURCE, on=("talon_seen",)),
    Clause(
        "5. Play",
        "A matador is compelled only by a higher matador that was led; spadille never.",
        SOURCE,
        ours=True,
        on=("revoke", "matador_withheld"),
    ),
    Clause("5. Nolo ouvert", "Declarer lays his hand open with his own first card.", SOURCE),
    Clause("6. Outcome", "Kodille: fewer tricks than a defender, 1-4-4 among them.", SOURCE),
    Clause(
        "6. Outcome",
        "Pure nolo and nolo ouvert end with declarer's second trick; simple nolo is played out.",
        SOURCE,
    ),
    Clause("6. All nine tricks", "Announced at the latest on winning the fifth trick.", SOURCE),
    Clause(
        "6. All nine tricks", "The lead to the sixth after winning the first five is always a try.", SOURCE
    ),
    Clause(
        "6. All nine tricks", "1 more from each; failed, 1 to each, the game being paid all the same.", SOURCE
    ),
    Clause(
        "6. All nine tricks",
        "Lost before the game is won, a try costs nothing of its own and the game goes on.",
        SOURCE,
        ours=True,
    ),
    Clause(
        "6. Giving up",
        "For bête, hand faced, after the exchange until he has played: in a game, not in solo or spade solo.",
        SOURCE,
    ),
    Clause(
        "7. Payments",
        "Won or bête: simple, spade game and tourné 1; simple nolo, grand tourné and solo 2.",
        SOURCE,
        on=("simple", "spade-game", "tourne", "simple-nolo", "grand-tourne", "solo"),
    ),
    Clause(
        "7. Payments",
        "Pure nolo and spade solo 3; nolo ouvert 5.",
        SOURCE,
        on=("pure-nolo", "spade-solo", "nolo-ouvert"),
    ),
    Clause(
        "7. Payments",
        "Kodille: 2 more in pure nolo and spade solo, 3 in nolo ouvert.",
        SOURCE,
        on=("pure-nolo", "spade-solo", "nolo-ouvert"),
    ),
    Clause(
        "7. Payments",
        "Kodille in “low contracts” is 1 more: read as all others.",
        SOURCE,
        ours=True,
        on=("simple", "spade-game", "tourne", "simple-nolo", "grand-tourne", "solo"),
    ),
    Clause(
        "7. Payments",
        "Simple nolo kodille: 1 more for each trick beyond the first.",
        SOURCE,
        on=("simple-nolo",),
    ),
)

LA_BETE: Final = Ruleset(
    id="la-bete",
    revision=1,
    words="L'Hombre – La Bete",
    source=SOURCE,
    bids=build_bids(
        ("simple",),
        ("spade-game",),
        ("tourne",),
        ("simple-nolo",),
        ("grand-tourne",),
        ("solo",),
        ("pure-nolo", "spade-solo"),
        ("nolo-ouvert",),
    ),
    contracts=build_contracts(),
    naming=build_namings(simple=NAMINGS_AFTER_SIMPLE, solo=(SOLO, SPADE_SOLO)),
    tariff=TARIFF,
    foul="as-bete",
    remis_en_quatre=False,
    slam=SlamTerms(worth=1, announced="until-sixth-lead"),
    giving_up=GivingUpTerms(bete_from="play", bete_until="declarers-first-card", codille_any_time=False),
    switches=HOUSE_SWITCHES,
    clauses=CLAUSES,
)
