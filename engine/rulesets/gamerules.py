"""``gamerules``: "L'Hombre (Ombre)", a short retelling with its own oddities (source 001)."""

from typing import Final

from engine.rulesets.danish_family import (
    HOUSE_SWITCHES,
    LOW_CONTRACTS,
    build_bids,
    build_clauses,
    build_contracts,
    build_namings,
)
from engine.rulesets.la_bete import TARIFF
from engine.rulesets.model import Ruleset, SlamTerms, ours, silent, stated

SOURCE: Final = "L'Hombre (Ombre), a retelling"

CLAUSES: Final = {
    "1. Ranking": (stated("Red trumps: SA, 7, CA, the red ace (ponto), K, Q, J, 2 to 6."),),
    "2. Deal": (
        stated("Play moves to the right; forehand sits to the dealer's right.", "seating_mismatch"),
        stated(
            "The first dealer is picked at random; the deal rotates to the left, against the order of play.",
            "seating_mismatch",
        ),
        stated("The dealer gets the first packet."),
        stated(
            "Of four at the table, the player opposite the dealer or the dealer sits out.", "seating_mismatch"
        ),
        ours("The player opposite, unless the table agrees otherwise (a switch).", "seating_mismatch"),
        stated("If all three pass, it is a wash-out."),
        ours("The deal then moves on.", "seating_mismatch"),
        silent("Not stated: how long a session lasts."),
    ),
    "3. Auction": (
        stated(
            "Simple game < spade game < tourné < simple nolo < grand tourné < solo < spade solo < "
            "pure nolo < nolo ouvert.",
            "bid_too_low",
        ),
        ours(
            "Pure nolo outranks spade solo; the text says both this and that they are equal.",
            "bid_too_low",
        ),
        stated("Self: a bid equal to the one before.", "self"),
        ours("Only the elder says it, directly after being outbid.", "self"),
        stated(
            "Grand tourné needs both black aces in hand; the tradition is to show them with the bid.",
            "black aces",
        ),
    ),
    "3. Naming": (
        stated(
            "The last bid is the contract; in simple game and solo declarer names trumps.",
            "contract_not_allowed",
        ),
        stated("In the tournés the turned card's suit is trumps.", "talon_mismatch"),
        ours("This also holds when a black ace is turned."),
    ),
    "4. Exchange": (
        stated("Declarer first, then the defenders to the left: against the order of play.", "wrong_seat"),
        stated("From none to as many as the talon holds.", "exchange_count"),
        stated("Defenders exchange against every game, and never against a nolo.", "exchange_not_allowed"),
        ours("If declarer draws none, the turned card stays on top."),
        stated("If the procedure is fouled up, the contract is lost and has to be paid."),
        ours("Declarer pays it as bête; a defender pays declarer's winnings for both, as in la-bete."),
        stated("The rest of the talon stays there.", "talon_seen"),
    ),
    "5. Play": (stated("Matadors never have to be played to a trump lead.", "revoke", "matador_withheld"),),
    "5. Nolo ouvert": (stated("Declarer shows the hand after declarer's own first card."),),
    "6. Outcome": (
        stated("Codille: fewer tricks than a defender, 1-4-4 among them."),
        stated("Pure nolo and nolo ouvert end with declarer's second trick."),
        ours("Simple nolo is played out, as in la-bete."),
    ),
    "6. All nine tricks": (
        stated("Announced after winning the fifth trick; the lead to the sixth is a try."),
        stated("1 more from each; failed, 1 to each, and the game is still paid."),
    ),
    "6. Giving up": (ours("Not stated: there is none."),),
    "7. Payments": (
        stated(
            "Won or bête: simple game, spade game and tourné 1; simple nolo, grand tourné and "
            "solo 2; nolo ouvert 5.",
            *LOW_CONTRACTS,
            "nolo-ouvert",
        ),
        ours(
            "Pure nolo and spade solo, for which no rate is printed: 3, as in la-bete.",
            "pure-nolo",
            "spade-solo",
        ),
        stated(
            "Codille: 1 more in low contracts, 2 in pure nolo and spade solo, 3 in nolo ouvert.",
            *LOW_CONTRACTS,
            "pure-nolo",
            "spade-solo",
            "nolo-ouvert",
        ),
        ours(
            "Codille in simple nolo, “1 per trick taken”: 1 more for each beyond the first, as in la-bete.",
            "simple-nolo",
        ),
    ),
}

GAMERULES: Final = Ruleset(
    id="gamerules",
    revision=1,
    words="L'Hombre (a short retelling)",
    source=SOURCE,
    bids=build_bids(
        "simple < spade-game < tourne < simple-nolo < grand-tourne < solo < spade-solo < pure-nolo "
        "< nolo-ouvert"
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
    clauses=build_clauses(SOURCE, CLAUSES),
)
