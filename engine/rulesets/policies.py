"""The policies that the engine knows by name, and what each means (RULES 2–6)."""

from typing import Final

POLICY_LABELS: Final[dict[str, str]] = {
    "direction": "direction",
    "next_dealer": "next dealer",
    "sits_out": "who sits out",
    "all_pass": "all pass",
    "auction": "auction",
    "self_right": "self",
    "red_trumps": "red trumps",
    "matadors": "matadors",
    "defender_order": "defenders exchange",
    "first_without_declarer": "where declarer may not",
    "foul": "foul in the exchange",
    "revoke": "correcting a revoke",
    "favoured": "favoured suit",
}
"""The name of each point."""

POLICY_MEANINGS: Final[dict[str, dict[str, str]]] = {
    "direction": {
        "anticlockwise": "Deal and play move to the right.",
        "clockwise": "Deal and play move to the left.",
    },
    "next_dealer": {
        "in-order-of-play": "The next in the order of play deals next.",
        "against-order-of-play": "The one before in the order of play deals next.",
    },
    "sits_out": {
        "opposite-dealer": "Of four, the player opposite the dealer sits out.",
        "dealer": "Of four, the dealer sits out.",
    },
    "all_pass": {
        "next-dealer": "Thrown in; the deal moves on.",
        "same-dealer": "Dealt again by the same dealer.",
    },
    "auction": {
        "duels": "Forehand against middlehand, then the winner against backhand.",
        "rounds": "In rounds; players who have passed are skipped.",
    },
    "self_right": {
        "elder-outbid": "The elder of a duel, directly after being outbid, may take over the same bid.",
        "outbid": "The player who has just been outbid may take over the same bid.",
        "elder": "The elder of two may hold an equal bid.",
    },
    "red_trumps": {
        "ponto-fourth": "The red ace of trumps (ponto) is the fourth trump.",
        "ace-after-jack": "The red ace of trumps ranks below the jack.",
    },
    "matadors": {
        "forced-by-higher": "A matador is compelled only by a higher matador that was led.",
        "can-beat-lead": "A player with only matadors need not follow if one of them beats the card led.",
        "absolute": "Matadors never have to be played.",
    },
    "defender_order": {
        "in-order-of-play": "In the order of play after the declarer.",
        "against-order-of-play": "Against the order of play.",
    },
    "first_without_declarer": {
        "sits-first": "The defender who sits first begins.",
        "after-declarer": "The defender after the declarer begins.",
    },
    "foul": {
        "not-stated": "Not stated: the director rules.",
        "as-bete": "Declarer pays as bête; a defender pays declarer's winnings for all.",
        "value-to-each": "The offender pays the value of the game to each.",
    },
    "revoke": {
        "not-stated": "Not stated how long a revoke can be corrected: the table rules.",
        "until-folded": "A revoke can be corrected until the trick is folded; then it is established.",
    },
    "favoured": {
        "none": "There is none.",
        "C": "Clubs outrank the others and pay more.",
        "D": "Diamonds outrank the others and pay more.",
        "H": "Hearts outrank the others and pay more.",
        "S": "Spades outrank the others and pay more.",
    },
}
"""For each point of a ruleset that is a policy: its policies, and what each means in one sentence."""

POLICIES: Final = {point: tuple(meanings) for point, meanings in POLICY_MEANINGS.items()}
"""The names of the policies of each point."""

CONTRACT_POLICIES: Final[dict[str, tuple[str, ...]]] = {
    "aim": ("game", "nolo"),
    "trump": ("chosen", "chosen-after-draw", "spades", "diamonds", "favoured", "turned", "aces", "none"),
    "laid_open": ("never", "after-lead", "after-own-card"),
}
"""The same for each contract."""

ZERO_MEANINGS: Final[dict[str, str]] = {
    "most": "There is no limit.",
    "reserve_at": "The loser of a puesta chooses.",
}
"""What 0 means for a number of a ruleset."""
