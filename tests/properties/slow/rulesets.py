"""The Danish family in tables, read from the rules concordance and the source texts alone.

For each ruleset: `order` of bids, equal ranks in one list; `naming`, what a winning bid may name where
that is more than itself; `least` a declarer exchanges; `solo_order` and `order_after` of the defenders;
`privilege` of the matadors; `slam`, when all nine tricks may be announced ("led": never, but led for);
`give_up`; `payments` from or to each: won, bête, and codille by tricks beyond two (nolo: beyond the first
that makes it one); `ouvert`, the tricks that end nolo ouvert.
"""

from typing import Any

Rules = dict[str, Any]

SMALL = ["simple", "spade-game", "tourne", "simple-nolo"]
BY_TRICKS = {"won": 2, "bete": 2, "codille": [3, 4, 5, 6, 7, 8, 9, 10]}


def flat(won: int, codille: int, bete: int | None = None) -> dict[str, Any]:
    return {"won": won, "bete": won if bete is None else bete, "codille": [codille]}


ENGLISH_PAYMENTS = {
    "simple": flat(1, 2),
    "spade-game": flat(1, 2),
    "tourne": flat(1, 2),
    "simple-nolo": BY_TRICKS,
    "grand-tourne": flat(2, 3),
    "solo": flat(2, 3),
    "spade-solo": flat(3, 5),
    "pure-nolo": flat(3, 5),
    "nolo-ouvert": flat(5, 8),
}
UNION_PAYMENTS = {
    "simple": flat(1, 2),
    "spade-game": flat(1, 2),
    "simple-nolo": flat(2, 3),
    "tourne": flat(2, 3),
    "grand-tourne": flat(3, 4),
    "solo": flat(3, 4),
    "spade-solo": flat(4, 5),
    "pure-nolo": flat(4, 5),
    "nolo-ouvert": flat(6, 7),
}

LA_BETE: Rules = {
    "order": [["simple"], ["spade-game"], ["tourne"], ["simple-nolo"], ["grand-tourne"], ["solo"],
              ["pure-nolo", "spade-solo"], ["nolo-ouvert"]],
    "naming": {"simple": SMALL, "solo": ["solo", "spade-solo"]},
    "least": {},
    "order_after": "next",
    "solo_order": "next",
    "privilege": "higher",
    "red_ace_low": False,
    "four_four_is_bete": False,
    "slam": "announced",
    "give_up": "english",
    "foul": "for-both",
    "payments": ENGLISH_PAYMENTS,
    "ouvert": 2,
    "laid_open": "after-own-card",
}  # fmt: skip

LINEAR = [["simple"], ["spade-game"], ["tourne"], ["simple-nolo"], ["grand-tourne"], ["solo"], ["spade-solo"],
          ["pure-nolo"], ["nolo-ouvert"]]  # fmt: skip
UPWARDS = [bid for [bid] in LINEAR]

GAMERULES: Rules = {
    **LA_BETE,
    "order": LINEAR,
    "naming": {},
    "order_after": "previous",
    "solo_order": "previous",
    "privilege": "always",
    "slam": "after-fifth",
    "give_up": None,
}
CLOCKWISE: Rules = {
    **LA_BETE,
    "order": LINEAR,
    "naming": {bid: UPWARDS[place:] for place, bid in enumerate(UPWARDS)},
    "red_ace_low": True,
    "slam": "after-fifth",
    "give_up": None,
    "foul": "to-each",
}
DLU: Rules = {
    **LA_BETE,
    "order": [["simple"], ["spade-game"], ["simple-nolo", "tourne"], ["grand-tourne"], ["solo"],
              ["spade-solo", "pure-nolo"], ["nolo-ouvert"]],
    "naming": {"simple": SMALL},
    "least": {"tourne": 2, "grand-tourne": 2, "simple-nolo": 1},
    "solo_order": "sits-first",
    "privilege": "beats",
    "four_four_is_bete": True,
    "slam": None,
    "give_up": "union",
    "foul": None,
    "payments": UNION_PAYMENTS,
    "ouvert": 1,
    "laid_open": "after-lead",
}  # fmt: skip
FIVE_MATADORS: Rules = {
    **DLU,
    "order": [["simple"], ["simple-nolo", "spade-game"], ["tourne"], ["grand-tourne"], ["solo"],
              ["spade-solo", "pure-nolo"], ["nolo-ouvert"]],
    "payments": {
        **UNION_PAYMENTS,
        "simple-nolo": {"won": 1, "bete": 1, "codille": [3, 4, 5, 6]},
        "solo": flat(4, 5),
        "spade-solo": flat(5, 6),
        "pure-nolo": flat(5, 7),
        "nolo-ouvert": flat(6, 8),
    },
}  # fmt: skip
TOURNAMENT: Rules = {
    **DLU,
    "naming": {"simple": [*SMALL, "grand-tourne"], "solo": ["solo", "spade-solo"]},
    "least": {**DLU["least"], "simple": 1, "spade-game": 1},
    "slam": "announced",
    "answers_as_self": [("tourne", "simple-nolo"), ("simple-nolo", "tourne")],
}

# Icelandic lomber: what the account of 1985 does not say is None, and nothing can be said of the payment.
LOMBER: Rules = {
    **LA_BETE,
    "order": [["simple"], ["spade-game"], ["tourne"], ["simple-nolo"], ["grand-tourne"], ["grandissimo"],
              ["solo"], ["spade-solo"], ["pure-nolo"], ["nolo-ouvert"]],
    "naming": {"simple": SMALL},
    "slam": "after-fifth",
    "foul": None,
    "payments": {
        **ENGLISH_PAYMENTS,
        "grandissimo": flat(2, 3),
        "spade-solo": {"won": 3, "bete": 3, "codille": [None]},
        "pure-nolo": {"won": 3, "bete": 3, "codille": [None]},
        "nolo-ouvert": {"won": 6, "bete": 6, "codille": [None]},
    },
    "laid_open": "after-lead",
    "sitters_pay": True,
}  # fmt: skip

RULESETS: dict[str, Rules] = {
    "la-bete": LA_BETE,
    "gamerules": GAMERULES,
    "clockwise": CLOCKWISE,
    "dlu": DLU,
    "five-matadors": FIVE_MATADORS,
    "dlu-tournament": TOURNAMENT,
    "lomber": LOMBER,
}


def rules_of(opened: dict[str, Any]) -> Rules:
    """The rules a deal is played by, with the house switches that it was opened with."""
    rules = dict(RULESETS[opened["ruleset"]])
    rules["rank"] = {bid: rank for rank, group in enumerate(rules["order"], 1) for bid in group}
    switches = opened.get("switches", {})
    policies = {"can-beat-lead": "beats", "forced-by-higher": "higher", "absolute": "always"}
    if "matadors" in switches:
        rules["privilege"] = policies[switches["matadors"]]
    rules["four_four_is_bete"] = switches.get("remis-en-quatre", rules["four_four_is_bete"])
    pays = switches.get("sitter-pays", rules.get("sitters_pay", False))
    rules["sitters"] = opened["players"].get("sitting_out", []) if pays else []
    return rules
