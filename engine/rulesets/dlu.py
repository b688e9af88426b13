"""``dlu``: the Dansk L'hombre-Union table as netlhombre.dk plays it (source 004)."""

from typing import Final

from engine.rulesets.danish_family import (
    HOUSE_SWITCHES,
    NAMINGS_AFTER_SIMPLE,
    build_bids,
    build_clauses,
    build_contracts,
    build_namings,
)
from engine.rulesets.model import GivingUpTerms, Ruleset, Tariff, ours, silent, stated

SOURCE: Final = "netlhombre.dk, rules page, table of the Dansk L'hombre-Union"

BIDS: Final = build_bids(
    "simple < spade-game < simple-nolo = tourne < grand-tourne < solo < spade-solo = pure-nolo < nolo-ouvert"
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

CLAUSES: Final = {
    "1. Ranking": (
        stated("Red trumps: SA, 7, CA, the red ace (ponto), K, Q, J, 2 to 6."),
        stated("Further trumps in a row from the top are called matadors too: a word only."),
    ),
    "2. Deal": (
        stated("Anticlockwise; forehand sits to the dealer's right.", "seating_mismatch"),
        ours("The deal passes to the right.", "seating_mismatch"),
        stated("If all three pass, the cards are dealt again with the same forehand.", "seating_mismatch"),
        stated("With more than three at the table, players sit out in turn.", "seating_mismatch"),
        ours("The player opposite the dealer sits out.", "seating_mismatch"),
        stated("An evening is a number of deals, or a time."),
    ),
    "3. Auction": (
        stated("Self: only the elder of a duel, directly after being outbid.", "self"),
        stated("A bid of equal rank does not outbid.", "bid_too_low"),
        stated("Grand tourné needs both black aces, and they are shown with the bid.", "black aces"),
        ours("They have to be dealt; whether they are shown is not judged.", "black aces"),
    ),
    "3. Naming": (
        stated(
            "After simple game: simple game in clubs, diamonds or hearts, spade game, tourné or simple nolo.",
            "contract_not_allowed",
        ),
        stated("The winner of solo names clubs, diamonds or hearts.", "contract_not_allowed"),
        stated("After any other bid: the bid itself.", "contract_not_allowed"),
        stated("In the tournés the turned card's suit is trumps.", "talon_mismatch"),
        ours("This also holds when a black ace is turned."),
    ),
    "4. Exchange": (
        stated("Simple game and spade game: any number, or none.", "exchange_count"),
        stated("Tourné and grand tourné: at least two, the turned card among them.", "exchange_count"),
        stated("Simple nolo: at least one.", "exchange_count"),
        stated("Declarer first, then the defenders in order of play.", "wrong_seat"),
        stated("If declarer may not exchange, the defender who sits first begins.", "wrong_seat"),
        stated(
            "Defenders against every game, up to what is left of the talon, and never against a nolo.",
            "exchange_not_allowed",
            "exchange_count",
        ),
        stated("Nobody can buy cards that were discarded."),
        stated("The rest of the talon is set aside unseen.", "talon_seen"),
        silent("Not stated what a foul in the exchange pays: the director rules."),
    ),
    "5. Play": (
        stated(
            "A player whose trumps are all matadors need not follow if one of them beats the card led.",
            "revoke",
            "matador_withheld",
        ),
        stated("Also if that happens later in the play.", "revoke", "matador_withheld"),
    ),
    "5. Nolo ouvert": (stated("Declarer lays the hand open right after the lead to trick 1."),),
    "6. Outcome": (
        stated("Codille: fewer tricks than a defender."),
        stated("But one trick against four and four (remis en quatre) is bête."),
        stated("Play stops at declarer's fifth trick.", "play_after_end"),
        stated("Nolo ouvert: one trick is already codille, and ends it.", "play_after_end"),
        ours("Pure nolo ends with declarer's second trick; simple nolo is played out.", "play_after_end"),
    ),
    "6. All nine tricks": (stated("None: play stops at the fifth trick."),),
    "6. Giving up": (
        stated(
            "For bête until two cards have been played: simple game, spade game, tourné and grand tourné."
        ),
        stated("For codille, at any time."),
    ),
}

RATE_CLAUSES: Final = {
    "3. Auction": (
        stated("Simple game 1 < spade game 2 < simple nolo and tourné 3 < grand tourné 4.", "bid_too_low"),
        stated("… < solo 5 < spade solo and pure nolo 6 < nolo ouvert 7.", "bid_too_low"),
    ),
    "7. Payments": (
        stated(
            "Simple game and spade game 1, codille 2; simple nolo and tourné 2, codille 3.",
            "simple",
            "spade-game",
            "simple-nolo",
            "tourne",
        ),
        stated(
            "Grand tourné and solo 3, codille 4; spade solo and pure nolo 4, codille 5.",
            "grand-tourne",
            "solo",
            "spade-solo",
            "pure-nolo",
        ),
        stated("Nolo ouvert 6, codille 7; the bête of 6 in the table cannot occur.", "nolo-ouvert"),
        ours(
            "Codille in simple nolo is always 3, as in the table; a general sentence counts each "
            "trick up to five.",
            "simple-nolo",
        ),
    ),
}

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
    clauses=build_clauses(SOURCE, CLAUSES, RATE_CLAUSES),
)
