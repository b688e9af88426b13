"""``clockwise``: the "Three Player Variation", clockwise, over an agreed number of hands (source 002)."""

from typing import Final

from engine.rulesets.danish_family import (
    HOUSE_SWITCHES,
    LOW_CONTRACTS,
    NAMING_BY_BID,
    build_bids,
    build_clauses,
    build_contracts,
)
from engine.rulesets.la_bete import TARIFF
from engine.rulesets.model import Ruleset, SlamTerms, ours, silent, stated

SOURCE: Final = "L'Hombre, Three Player Variation"

BIDS: Final = build_bids(
    "simple < spade-game < tourne < simple-nolo < grand-tourne < solo < spade-solo < pure-nolo < nolo-ouvert"
)
NAMINGS_IN_RISING_ORDER: Final = tuple(NAMING_BY_BID[bid.id] for bid in BIDS)
"""The contracts from the lowest to the highest: after a bid, it or any that ranks higher (RULES 3)."""

CLAUSES: Final = {
    "1. Ranking": (stated("Red trumps: SA, 7, CA, K, Q, J, A, 2 to 6; the red ace is no ponto."),),
    "2. Deal": (
        stated(
            "Clockwise, from forehand, who sits to the dealer's left; the deal passes to the left.",
            "seating_mismatch",
        ),
        silent("Not stated: who deals first."),
        stated("Three play.", "seating_mismatch"),
        ours("With four, the player opposite the dealer sits out.", "seating_mismatch"),
        stated("If all three pass, the hand is thrown in and the deal passes on.", "seating_mismatch"),
        stated("An agreed number of hands, a multiple of the players."),
    ),
    "3. Auction": (
        stated(
            "Simple game < spade game < tourné < simple nolo < grand tourné < solo < spade solo < "
            "pure nolo < nolo ouvert.",
            "bid_too_low",
        ),
        stated("Self: the elder, directly after being outbid, takes over the same bid.", "self"),
        stated("A bid has to be higher than the standing one.", "bid_too_low"),
        stated(
            "Grand tourné needs both black aces at the deal; customarily they are shown with the bid.",
            "black aces",
        ),
    ),
    "3. Naming": (
        stated("The bid, or any contract that ranks higher.", "contract_not_allowed"),
        ours("A grand tourné so named needs both black aces too.", "black aces"),
        stated(
            "In the tournés the turned card's suit is trumps: spades for spadille, clubs for basta.",
            "talon_mismatch",
        ),
    ),
    "4. Exchange": (
        stated(
            "Declarer, then the defender on declarer's left, then the other: from none to what "
            "the talon holds.",
            "wrong_seat",
            "exchange_count",
        ),
        stated("In simple nolo declarer alone, in solo the defenders alone.", "exchange_not_allowed"),
        ours(
            "“As the contract permits”: defenders against every game, and never against a nolo.",
            "exchange_not_allowed",
        ),
        ours("If declarer draws none, the turned card stays on top."),
        stated("A player who fouls up the exchange pays the value of the game to each other player."),
        ours("The rest of the talon stays face down.", "talon_seen"),
    ),
    "5. Play": (
        ours(
            "A matador is compelled only by a higher matador that was led; spadille never.",
            "revoke",
            "matador_withheld",
        ),
    ),
    "5. Nolo ouvert": (stated("Declarer lays the hand open after declarer's own first card."),),
    "6. Outcome": (
        stated("Codille: fewer tricks than a defender, 1-4-4 among them."),
        stated("Pure nolo and nolo ouvert end with declarer's second trick; simple nolo is played out."),
    ),
    "6. All nine tricks": (
        stated("Announced on winning the fifth trick; the lead to the sixth is enough."),
        stated("1 more from each; failed, 1 to each, and the game is still paid."),
    ),
    "6. Giving up": (ours("Not stated: there is none."),),
    "7. Payments": (
        stated(
            "Won or bête: simple game and tourné 1; simple nolo, grand tourné and solo 2; pure "
            "nolo 3; nolo ouvert 5.",
            "simple",
            "tourne",
            "simple-nolo",
            "grand-tourne",
            "solo",
            "pure-nolo",
            "nolo-ouvert",
        ),
        ours("Spade game, for which no rate is printed, pays 1, as simple game does.", "spade-game"),
        ours("Spade solo, for which no rate is printed, pays 3, as pure nolo does.", "spade-solo"),
        stated(
            "Codille: 1 more, in spade solo and pure nolo 2, in nolo ouvert 3.",
            *LOW_CONTRACTS,
            "pure-nolo",
            "spade-solo",
            "nolo-ouvert",
        ),
        stated("Codille in simple nolo: 1 more for each trick beyond the first.", "simple-nolo"),
    ),
}

CLOCKWISE: Final = Ruleset(
    id="clockwise",
    revision=1,
    words="Three Player Variation, clockwise",
    source=SOURCE,
    bids=BIDS,
    contracts=build_contracts(bete_on_giving_up=False),
    naming=tuple((bid.id, NAMINGS_IN_RISING_ORDER[place:]) for place, bid in enumerate(BIDS)),
    tariff=TARIFF,
    direction="clockwise",
    red_trumps="ace-after-jack",
    foul="value-to-each",
    remis_en_quatre=False,
    slam=SlamTerms(worth=1, announced="after-fifth-trick"),
    switches=HOUSE_SWITCHES,
    clauses=build_clauses(SOURCE, CLAUSES),
)
