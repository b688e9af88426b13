"""``dlu``: the Dansk L'hombre-Union table as netlhombre.dk plays it (source 004)."""

from typing import Final

from engine.rulesets.danish_family import (
    HOUSE_SWITCHES,
    NAMINGS_AFTER_SIMPLE,
    build_bids,
    build_clauses,
    build_contracts,
    build_namings,
    sort_clauses,
)
from engine.rulesets.model import Clause, GivingUpTerms, Ruleset, Tariff

SOURCE: Final = "netlhombre.dk, rules page, table of the Dansk L'hombre-Union"

BIDS: Final = build_bids(
    ("simple",),
    ("spade-game",),
    ("simple-nolo", "tourne"),
    ("grand-tourne",),
    ("solo",),
    ("spade-solo", "pure-nolo"),
    ("nolo-ouvert",),
)

CONTRACTS: Final = build_contracts(
    tourne_min_exchange=2, nolo_min_exchange=1, ouvert_ends_at=1, laid_open="after-lead"
)

TARIFF: Final = (
    ("simple", Tariff(1, 1, (2,))),
    ("spade-game", Tariff(1, 1, (2,))),
    ("tourne", Tariff(2, 2, (3,))),
    ("simple-nolo", Tariff(2, 2, (3,))),
    ("grand-tourne", Tariff(3, 3, (4,))),
    ("solo", Tariff(3, 3, (4,))),
    ("spade-solo", Tariff(4, 4, (5,))),
    ("pure-nolo", Tariff(4, 4, (5,))),
    ("nolo-ouvert", Tariff(6, None, (7,))),
)

CLAUSES: Final = build_clauses(
    SOURCE,
    Clause("1. Ranking", "Red trumps: SA, 7, CA, the red ace (ponto), K, Q, J, 2 to 6.", SOURCE),
    Clause(
        "1. Ranking", "Further trumps in a row from the top are called matadors too: a word only.", SOURCE
    ),
    Clause("2. Deal", "Anticlockwise; forehand sits to the dealer's right.", SOURCE),
    Clause("2. Deal", "The deal passes to the right.", SOURCE, ours=True),
    Clause("2. Deal", "Where all three pass, the cards are dealt again with the same forehand.", SOURCE),
    Clause("2. Deal", "With more than three at the table they sit out in turn.", SOURCE),
    Clause("2. Deal", "Who sits out is the player opposite the dealer.", SOURCE, ours=True),
    Clause("2. Deal", "An evening is a number of deals, or a time.", SOURCE),
    Clause(
        "3. Auction", "Self: only the elder of a duel, directly after being outbid.", SOURCE, on=("self",)
    ),
    Clause("3. Auction", "A bid of equal rank does not outbid.", SOURCE, on=("bid_too_low",)),
    Clause(
        "3. Auction",
        "Tourné respect needs both black aces, and they are shown with the bid.",
        SOURCE,
        on=("black aces",),
    ),
    Clause(
        "3. Auction",
        "They have to be dealt; that they were not shown is not judged.",
        SOURCE,
        ours=True,
        on=("black aces",),
    ),
    Clause(
        "3. Naming",
        "The winner of spil names simple in C, D or H, bedre spil, tourné or købe-nolo.",
        SOURCE,
        on=("contract_not_allowed",),
    ),
    Clause(
        "3. Naming",
        "The winner of solo names clubs, diamonds or hearts.",
        SOURCE,
        on=("contract_not_allowed",),
    ),
    Clause("3. Naming", "After any other bid: the bid itself.", SOURCE, on=("contract_not_allowed",)),
    Clause(
        "3. Naming",
        "In tourné and tourné respect the turned card's suit is trumps.",
        SOURCE,
        on=("talon_mismatch",),
    ),
    Clause("3. Naming", "So it is when a black ace is turned.", SOURCE, ours=True),
    Clause(
        "4. Exchange",
        "Spil and bedre spil: as many as declarer likes, or none.",
        SOURCE,
        on=("exchange_count",),
    ),
    Clause(
        "4. Exchange",
        "Tourné and tourné respect: at least two, the turned card among them.",
        SOURCE,
        on=("exchange_count",),
    ),
    Clause("4. Exchange", "Købe-nolo: at least one.", SOURCE, on=("exchange_count",)),
    Clause("4. Exchange", "Declarer first, then the defenders in order of play.", SOURCE, on=("wrong_seat",)),
    Clause(
        "4. Exchange",
        "Where declarer may not exchange, the defender who sits first begins.",
        SOURCE,
        on=("wrong_seat",),
    ),
    Clause(
        "4. Exchange",
        "Defenders against every game, up to what is left of the talon, and never against a nolo.",
        SOURCE,
        on=("exchange_not_allowed", "exchange_count"),
    ),
    Clause("4. Exchange", "What was discarded cannot be bought by another.", SOURCE),
    Clause("4. Exchange", "What is left of the talon is set aside unseen.", SOURCE, on=("talon_seen",)),
    Clause(
        "4. Exchange",
        "What a foul in the exchange pays is not stated: the director rules.",
        SOURCE,
        silent=True,
    ),
    Clause(
        "5. Play",
        "Whose trumps are all matadors need not follow, if one of them beats the card led.",
        SOURCE,
        on=("revoke", "matador_withheld"),
    ),
    Clause(
        "5. Play", "Also where it comes to that later in the play.", SOURCE, on=("revoke", "matador_withheld")
    ),
    Clause("5. Nolo ouvert", "Declarer lays his hand open right after the lead to trick 1.", SOURCE),
    Clause("6. Outcome", "Kruk: fewer tricks than a defender.", SOURCE),
    Clause("6. Outcome", "But one trick against four and four (remis en quatre) is bête.", SOURCE),
    Clause("6. Outcome", "Play stops at declarer's fifth trick.", SOURCE, on=("play_after_end",)),
    Clause(
        "6. Outcome", "Nolo ouvert: one trick is already kruk, and ends it.", SOURCE, on=("play_after_end",)
    ),
    Clause(
        "6. Outcome",
        "Pure nolo ends with declarer's second trick; købe-nolo is played out.",
        SOURCE,
        ours=True,
        on=("play_after_end",),
    ),
    Clause("6. All nine tricks", "None: play stops at the fifth trick.", SOURCE),
    Clause(
        "6. Giving up",
        "For bête until two cards have been played: spil, bedre spil, tourné and tourné respect.",
        SOURCE,
    ),
    Clause("6. Giving up", "For kruk, at any time.", SOURCE),
)

RATE_CLAUSES: Final = (
    Clause(
        "3. Auction",
        "Spil 1 < bedre spil 2 < købe-nolo and tourné 3 < tourné respect 4.",
        SOURCE,
        on=("bid_too_low",),
    ),
    Clause(
        "3. Auction", "… < solo 5 < solo spar and ren nolo 6 < nolo ouvert 7.", SOURCE, on=("bid_too_low",)
    ),
    Clause(
        "7. Payments",
        "Spil and bedre spil 1, kruk 2; købe-nolo and tourné 2, kruk 3.",
        SOURCE,
        on=("simple", "spade-game", "simple-nolo", "tourne"),
    ),
    Clause(
        "7. Payments",
        "Tourné respect and solo 3, kruk 4; solo spar and ren nolo 4, kruk 5.",
        SOURCE,
        on=("grand-tourne", "solo", "spade-solo", "pure-nolo"),
    ),
    Clause(
        "7. Payments",
        "Nolo ouvert 6, kruk 7; the bête of 6 in the table cannot occur.",
        SOURCE,
        on=("nolo-ouvert",),
    ),
    Clause(
        "7. Payments",
        "Købe-nolo kruk is a flat 3, as in the table; a general sentence counts each trick up to five.",
        SOURCE,
        ours=True,
        on=("simple-nolo",),
    ),
)

DLU: Final = Ruleset(
    id="dlu",
    revision=1,
    words="Danish Ombre Union (DLU)",
    source=SOURCE,
    bids=BIDS,
    contracts=CONTRACTS,
    naming=build_namings(simple=NAMINGS_AFTER_SIMPLE),
    tariff=TARIFF,
    all_pass="same-dealer",
    matadors="can-beat-lead",
    first_without_declarer="sits-first",
    giving_up=GivingUpTerms(bete_from="naming", bete_until="second-card", codille_any_time=True),
    switches=HOUSE_SWITCHES,
    clauses=sort_clauses((*CLAUSES, *RATE_CLAUSES)),
)
