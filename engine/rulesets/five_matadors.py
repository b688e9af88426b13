"""``five-matadors``: the table De 5 Matadorer as netlhombre.dk plays it (source 004)."""

from dataclasses import replace
from typing import Final

from engine.rulesets.danish_family import build_bids, build_clauses
from engine.rulesets.dlu import CLAUSES as UNION_CLAUSES
from engine.rulesets.dlu import DLU
from engine.rulesets.model import Tariff, stated

SOURCE: Final = "netlhombre.dk, rules page, table of De 5 Matadorer"

TARIFF: Final = (
    ("simple", Tariff(1, 1, (2,))),
    ("simple-nolo", Tariff(1, 1, (3, 4, 5, 6))),
    ("spade-game", Tariff(1, 1, (2,))),
    ("tourne", Tariff(2, 2, (3,))),
    ("grand-tourne", Tariff(3, 3, (4,))),
    ("solo", Tariff(4, 4, (5,))),
    ("spade-solo", Tariff(5, 5, (6,))),
    ("pure-nolo", Tariff(5, 5, (7,))),
    ("nolo-ouvert", Tariff(6, None, (8,))),
)

RATE_CLAUSES: Final = {
    "3. Auction": (
        stated("Simple game 1 < simple nolo and spade game 2 < tourné 3 < grand tourné 4.", "bid_too_low"),
        stated("… < solo 5 < spade solo and pure nolo 6 < nolo ouvert 7.", "bid_too_low"),
    ),
    "7. Payments": (
        stated(
            "Simple game and spade game 1, codille 2; tourné 2, codille 3; grand tourné 3, codille 4.",
            "simple",
            "spade-game",
            "tourne",
            "grand-tourne",
        ),
        stated(
            "Solo 4, codille 5; spade solo 5, codille 6; pure nolo 5, codille 7.",
            "solo",
            "spade-solo",
            "pure-nolo",
        ),
        stated(
            "Simple nolo 1; codille 3, 4, 5 or 6 for two, three, four, five or more tricks.", "simple-nolo"
        ),
        stated("Nolo ouvert 6, codille 8; the bête of 8 in the table cannot occur.", "nolo-ouvert"),
    ),
}

FIVE_MATADORS: Final = replace(
    DLU,
    id="five-matadors",
    revision=1,
    words="The Five Matadors",
    source=SOURCE,
    bids=build_bids(
        "simple < simple-nolo = spade-game < tourne < grand-tourne < solo < spade-solo = pure-nolo "
        "< nolo-ouvert"
    ),
    tariff=TARIFF,
    clauses=build_clauses(SOURCE, UNION_CLAUSES, RATE_CLAUSES),
)
