"""``lomber``: the Icelandic game, as an account of 1985 tells it; incomplete where that is silent."""

from typing import Final

from engine.rulesets.danish import (
    AFTER_SIMPLE,
    BID_WORDS,
    HOUSE_SWITCHES,
    SOLO,
    contracts,
    naming,
)
from engine.rulesets.model import (
    Bid,
    Clause,
    Contract,
    GivingUp,
    Naming,
    Ruleset,
    Slam,
    Switch,
    Tariff,
    Words,
)

SOURCE: Final = "Múlaþing 14 (1985), pp. 192–199, on lomber in East Iceland"
HOUSE: Final = "Spadille's commission for Icelandic lomber"

GRANDISSIMO_WORDS: Final = Words("grandissimo", "grandissimo")
RISING: Final = (
    "simple",
    "spade-game",
    "tourne",
    "simple-nolo",
    "grand-tourne",
    "grandissimo",
    "solo",
    "spade-solo",
    "pure-nolo",
    "nolo-ouvert",
)
"""The bids from the lowest to the highest, each of a rank of its own."""

BIDS: Final = tuple(
    Bid(bid, rank, BID_WORDS.get(bid, GRANDISSIMO_WORDS), needs_black_aces=bid == "grand-tourne")
    for rank, bid in enumerate(RISING, 1)
)

GRANDISSIMO: Final = Contract("grandissimo", GRANDISSIMO_WORDS, "game", "aces", None, True)

CONTRACTS: Final = (*contracts(), GRANDISSIMO)

TARIFF: Final = (
    ("simple", Tariff(1, 1, (2,))),
    ("spade-game", Tariff(1, 1, (2,))),
    ("tourne", Tariff(1, 1, (2,))),
    ("simple-nolo", Tariff(2, 2, (3, 4, 5, 6, 7, 8, 9, 10))),
    ("grand-tourne", Tariff(2, 2, (3,))),
    ("grandissimo", Tariff(2, 2, (3,))),
    ("solo", Tariff(2, 2, (3,))),
    ("spade-solo", Tariff(3, 3, ())),
    ("pure-nolo", Tariff(3, 3, ())),
    ("nolo-ouvert", Tariff(6, None, ())),
)

CLAUSES: Final = (
    Clause("1. Ranking", "As in the Danish game; ponto is the fourth red trump.", SOURCE, True),
    Clause("1. Ranking", "Grandissimo: no trump suit; spadille and basta are the only trumps.", SOURCE),
    Clause("2. Deal", "Forehand sits to the dealer's right and speaks first.", SOURCE),
    Clause("2. Deal", "The deal passes in the order of play.", SOURCE, True),
    Clause("2. Deal", "Of four at the table the player opposite the dealer sits out.", SOURCE, True),
    Clause(
        "2. Deal",
        "Where all pass the deal moves on; that who sits out may play mort is not built.",
        SOURCE,
        True,
    ),
    Clause(
        "3. Auction",
        "Spil < betra spil < túrnir < kúpp < grand-túrnir < grandissimo < sóló < spaðasóló < nóló < yfir.",
        HOUSE,
    ),
    Clause(
        "3. Auction", "Who is outbid may say the same; so forehand, and middlehand against backhand.", SOURCE
    ),
    Clause("3. Auction", "Grand-túrnir needs both black aces, dealt, and shown.", SOURCE),
    Clause(
        "3. Naming", "Spil may be turned into kúpp; into betra spil and túrnir as in la-bete.", SOURCE, True
    ),
    Clause("3. Naming", "Sóló names clubs, diamonds or hearts.", SOURCE, True),
    Clause("4. Exchange", "Declarer first, then the defenders; in kúpp they do not exchange.", SOURCE),
    Clause("4. Exchange", "In sóló and grandissimo only the defenders exchange.", SOURCE),
    Clause("4. Exchange", "What a foul in the exchange pays.", SOURCE, silent=True),
    Clause("5. Play", "Suit is followed; the matadors are free but for a higher matador led.", SOURCE),
    Clause(
        "5. Play",
        "In grandissimo a spadille lead forces basta; a basta lead does not force spadille.",
        SOURCE,
    ),
    Clause("6. Outcome", "Won: five tricks, or 4-3-2; 3-3-3 is lost as a bête.", SOURCE),
    Clause("6. Outcome", "One trick against four and four is krúkk.", SOURCE, True),
    Clause("6. Outcome", "Hrein nóló and ouvert end with declarer's second trick.", SOURCE, True),
    Clause(
        "6. All nine tricks",
        "Tótus is said after winning the first five: 1 more from each, or to each.",
        SOURCE,
    ),
    Clause(
        "6. Giving up",
        "For one bête after buying, in the small games and grand-túrnir; not in kúpp or sóló.",
        SOURCE,
    ),
    Clause("7. Payments", "Spil, betra spil and túrnir 1, krúkk 2; grand-túrnir 2, krúkk 3.", SOURCE),
    Clause(
        "7. Payments",
        "Kúpp 2, and lost 1 more for each further trick, with an agreed limit of 4, 5 or 6.",
        SOURCE,
    ),
    Clause("7. Payments", "Sóló and grandissimo 2, krúkk 3.", SOURCE),
    Clause("7. Payments", "Spaðasóló and hrein nóló 3.", SOURCE),
    Clause(
        "7. Payments", "What krúkk costs in spaðasóló and hrein nóló could not be read.", SOURCE, silent=True
    ),
    Clause("7. Payments", "Ouvert wins 6; what it costs when lost could not be read.", SOURCE, silent=True),
    Clause(
        "7. Payments", "Who sits out pays and receives as an opponent: into the pot, equally.", HOUSE, True
    ),
)

LOMBER: Final = Ruleset(
    id="lomber",
    revision=1,
    words=Words("Icelandic lomber", "Islandsk lomber"),
    source=SOURCE,
    bids=BIDS,
    contracts=CONTRACTS,
    naming=(*naming(simple=AFTER_SIMPLE, solo=(SOLO,)), ("grandissimo", (Naming("grandissimo"),))),
    tariff=TARIFF,
    remis_en_quatre=False,
    sitter_pays=True,
    slam=Slam(worth=1, announced="after-fifth-trick"),
    giving_up=GivingUp(bete_from="play", bete_until="declarers-first-card", codille_any_time=False),
    switches=(
        *HOUSE_SWITCHES,
        Switch(
            "kupp-most",
            Words("the most that a lost kúpp costs", "det meste, en tabt købe-nolo koster"),
            "tariff.simple-nolo.most",
            (0, 4, 5, 6),
        ),
    ),
    chip=Words("bit", "bet"),
    clauses=CLAUSES,
)
