"""``la-bete``: "L'Hombre – La Bete", the Danish game told in English, anticlockwise (source 000)."""

from typing import Final

from engine.rulesets.danish_family import (
    HOUSE_SWITCHES,
    LOW_CONTRACTS,
    NAMINGS_AFTER_SIMPLE,
    SOLO,
    SPADE_SOLO,
    build_bids,
    build_clauses,
    build_contracts,
    build_namings,
)
from engine.rulesets.model import GivingUpTerms, Ruleset, SlamTerms, Tariff, ours, silent, stated

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

CLAUSES: Final = {
    "1. Ranking": (stated("Red trumps: SA, 7, CA, the red ace (ponto), K, Q, J, 2 to 6."),),
    "2. Deal": (
        stated("Anticlockwise, from forehand, who sits to the dealer's right.", "seating_mismatch"),
        stated("The first dealer is chosen at random; the deal passes to the right.", "seating_mismatch"),
        stated(
            "Of four at the table, the player opposite the dealer sits out and does not bid.",
            "seating_mismatch",
        ),
        ours("Partners may be recorded; this has no effect."),
        stated("If all three pass, it is a wash-out, and forehand deals next.", "seating_mismatch"),
        silent("Not stated: how long a session lasts."),
    ),
    "3. Auction": (
        stated(
            "Simple game < spade game < tourné < simple nolo < grand tourné < solo < pure nolo "
            "and spade solo < nolo ouvert.",
            "bid_too_low",
        ),
        ours(
            "Pure nolo and spade solo are equal, and the first one said outranks the other; the "
            "list is garbled.",
            "bid_too_low",
        ),
        stated("Self: the elder, directly after being outbid, takes over the same bid.", "self"),
        stated(
            "Grand tourné needs both black aces, dealt; the custom is to show them with the bid.",
            "black aces",
        ),
    ),
    "3. Naming": (
        stated(
            "After simple game: simple game in clubs, diamonds or hearts, spade game, tourné or simple nolo.",
            "contract_not_allowed",
        ),
        stated(
            "After solo: solo in clubs, diamonds or hearts, or spade solo, which is usually tolerated.",
            "contract_not_allowed",
        ),
        stated("After any other bid: the bid itself.", "contract_not_allowed"),
        stated(
            "In the tournés the turned card's suit is trumps: spades for spadille, clubs for basta.",
            "talon_mismatch",
        ),
    ),
    "4. Exchange": (
        stated(
            "Declarer first, then the defenders in order of play: from none to what the talon holds.",
            "wrong_seat",
            "exchange_count",
        ),
        ours("In solo too the defenders exchange in order of play after declarer.", "wrong_seat"),
        stated("Defenders exchange against every game, and never against a nolo.", "exchange_not_allowed"),
        ours("If declarer draws none, the turned card stays on top."),
        stated("Fouled up by declarer: the contract is lost."),
        ours("It is paid as bête."),
        stated("Fouled up by a defender, who pays declarer's winnings for both."),
        stated("The rest of the talon stays face down.", "talon_seen"),
    ),
    "5. Play": (
        ours(
            "A matador is compelled only by a higher matador that was led; spadille never.",
            "revoke",
            "matador_withheld",
        ),
    ),
    "5. Nolo ouvert": (stated("Declarer lays the hand open with declarer's own first card."),),
    "6. Outcome": (
        stated("Codille: fewer tricks than a defender, 1-4-4 among them."),
        stated("Pure nolo and nolo ouvert end with declarer's second trick; simple nolo is played out."),
    ),
    "6. All nine tricks": (
        stated("Announced on winning the fifth trick at the latest."),
        stated("The lead to the sixth after winning the first five is always a try."),
        stated("1 more from each; failed, 1 to each, and the game is still paid."),
        ours("If the try is lost before the game is won, it costs nothing extra and the game goes on."),
    ),
    "6. Giving up": (
        stated(
            "For bête, hand faced, after the exchange until declarer has played: in a game, not "
            "in solo or spade solo."
        ),
    ),
    "7. Payments": (
        stated(
            "Won or bête: simple game, spade game and tourné 1; simple nolo, grand tourné and solo 2.",
            *LOW_CONTRACTS,
        ),
        stated("Pure nolo and spade solo 3; nolo ouvert 5.", "pure-nolo", "spade-solo", "nolo-ouvert"),
        stated(
            "Codille: 2 more in pure nolo and spade solo, 3 in nolo ouvert.",
            "pure-nolo",
            "spade-solo",
            "nolo-ouvert",
        ),
        ours("Codille in “low contracts” is 1 more: read as all others.", *LOW_CONTRACTS),
        stated("Codille in simple nolo: 1 more for each trick beyond the first.", "simple-nolo"),
    ),
}

LA_BETE: Final = Ruleset(
    id="la-bete",
    revision=1,
    words="L'Hombre – La Bete",
    source=SOURCE,
    bids=build_bids(
        "simple < spade-game < tourne < simple-nolo < grand-tourne < solo < pure-nolo = spade-solo "
        "< nolo-ouvert"
    ),
    contracts=build_contracts(),
    naming=build_namings(simple=NAMINGS_AFTER_SIMPLE, solo=(SOLO, SPADE_SOLO)),
    tariff=TARIFF,
    foul="as-bete",
    remis_en_quatre=False,
    slam=SlamTerms(worth=1, announced="until-sixth-lead"),
    giving_up=GivingUpTerms(bete_from="play", bete_until="declarers-first-card", codille_any_time=False),
    switches=HOUSE_SWITCHES,
    clauses=build_clauses(SOURCE, CLAUSES),
)
