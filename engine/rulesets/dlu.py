"""``dlu``: the Dansk L'hombre-Union table as netlhombre.dk plays it (source 004)."""

from typing import Final

from engine.rulesets.danish import AFTER_SIMPLE, HOUSE_SWITCHES, bids, contracts, naming
from engine.rulesets.model import Clause, GivingUp, Ruleset, Tariff, Words

SOURCE: Final = "netlhombre.dk, rules page, table of the Dansk L'hombre-Union"

BIDS: Final = bids(
    ("simple",),
    ("spade-game",),
    ("simple-nolo", "tourne"),
    ("grand-tourne",),
    ("solo",),
    ("spade-solo", "pure-nolo"),
    ("nolo-ouvert",),
)

CONTRACTS: Final = contracts(tourne_least=2, nolo_least=1, ouvert_ends_at=1, laid_open="after-lead")

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

CLAUSES: Final = (
    Clause("2. Deal", "Anticlockwise; forehand sits to the dealer's right.", SOURCE),
    Clause("2. Deal", "The deal passes to the right.", SOURCE, ours=True),
    Clause("2. Deal", "Where all three pass, the cards are dealt again with the same forehand.", SOURCE),
    Clause(
        "2. Deal",
        "With more than three at the table the player opposite the dealer sits out.",
        SOURCE,
        ours=True,
    ),
    Clause("3. Auction", "Two duels: forehand against middlehand, the survivor against backhand.", SOURCE),
    Clause("3. Auction", "Self: only the elder of a duel, directly after being outbid.", SOURCE),
    Clause("3. Auction", "An elder who repeats the standing bid by name has said self.", SOURCE, ours=True),
    Clause("3. Auction", "A bid of equal rank does not outbid.", SOURCE, ours=True),
    Clause("3. Auction", "Tourné respect needs both black aces, dealt, and shown with the bid.", SOURCE),
    Clause(
        "3. Naming", "The winner of spil names simple in C, D or H, bedre spil, tourné or købe-nolo.", SOURCE
    ),
    Clause("3. Naming", "The winner of solo names clubs, diamonds or hearts.", SOURCE),
    Clause("4. Exchange", "Declarer first, then the defenders in order of play.", SOURCE),
    Clause("4. Exchange", "Where declarer may not exchange, the defender who sits first begins.", SOURCE),
    Clause("4. Exchange", "Tourné and tourné respect: at least two, the turned card among them.", SOURCE),
    Clause("4. Exchange", "Købe-nolo: at least one; defenders do not exchange in a nolo.", SOURCE),
    Clause("4. Exchange", "What is left of the talon is set aside unseen.", SOURCE),
    Clause(
        "5. Play", "A holder of none but matadors need not follow a trump that one of them beats.", SOURCE
    ),
    Clause("5. Nolo ouvert", "Declarer lays his hand open right after the lead to trick 1.", SOURCE),
    Clause("6. Outcome", "Won with more tricks than either defender; bête where one has as many.", SOURCE),
    Clause("6. Outcome", "Both defenders four (remis en quatre) is bête.", SOURCE),
    Clause("6. Outcome", "Play stops at declarer's fifth trick; there is no tout.", SOURCE),
    Clause("6. Outcome", "Nolo ouvert: one trick is already kruk.", SOURCE),
    Clause("6. Outcome", "Købe-nolo is played out.", SOURCE, ours=True),
    Clause(
        "6. Giving up",
        "For bête until two cards have been played, in spil and tourné; for kruk at any time.",
        SOURCE,
    ),
    Clause("7. Payments", "Købe-nolo kruk is a flat 3.", SOURCE, ours=True),
)

DLU: Final = Ruleset(
    id="dlu",
    revision=1,
    words=Words("Danish Ombre Union (DLU)", "Dansk L'hombre-Union (DLU)"),
    source=SOURCE,
    bids=BIDS,
    contracts=CONTRACTS,
    naming=naming(simple=AFTER_SIMPLE),
    tariff=TARIFF,
    all_pass="same-dealer",
    matadors="can-beat-lead",
    first_without_declarer="sits-first",
    giving_up=GivingUp(bete_from="naming", bete_until="second-card", codille_any_time=True),
    switches=HOUSE_SWITCHES,
    clauses=CLAUSES,
)
