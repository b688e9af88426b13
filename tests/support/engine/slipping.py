"""A deal of which all cards are told, and how a finger can slip when it is entered."""

from tests.support.engine.shorthand import Event, a_deal, bids, names, plays, swap

BEGUN = [
    *a_deal("D7 DQ CA H7 S2 CQ C7 C6 C3", "D4 DJ S6 SA H6 S3 CJ DA HQ", "D3 CK S5 C5 H2 SJ C2 D5 D2"),
    *bids("F spade-game, M pass, B pass"),
    *names("F", "spade-game", "S"),
    *swap("F", "C3 H7 C6 C7", "S7 S4 H3 DK"),
    *swap("M", "DA S6 DJ HQ S3 D4", "C4 D6 H4 SK H5 SQ"),
    *swap("B", "H2 D5 SJ", "HA HJ HK"),
]
"""Forehand, who plays in spades, has CQ and DK; middlehand has CJ; backhand leads C5 to the third trick."""
PLAYED = plays(
    "F-H3 M-H4 B-HK B-D2 F-D7 M-D6 B-C5 F-CQ M-CJ F-DK M-H6 B-D3 F-S7 M-SK B-S5 "
    "M-SA B-C2 F-CA M-SQ B-CK F-S4 M-C4 B-HA F-S2 F-DQ M-H5 B-HJ"
)
FIRST = len(BEGUN) + 1
"""The entry of the first card played."""
QUEEN = 7
"""Which of the cards played, counted from 0, is the queen of clubs."""


def unseen(events: list[Event]) -> list[Event]:
    """The same where nobody's cards are known before they are played."""
    told = [one for one in events if one["type"] != "hand_dealt"]
    return [{**one, "cards": ["??"] * len(one["cards"])} if "cards" in one else one for one in told]


def tapped_twice(at: int) -> list[Event]:
    return [*PLAYED[: at + 1], PLAYED[at], *PLAYED[at + 1 :]]


def not_tapped(at: int) -> list[Event]:
    return [*PLAYED[:at], *PLAYED[at + 1 :]]


def tapped_for(at: int, seat: str) -> list[Event]:
    return [*PLAYED[:at], {**PLAYED[at], "seat": seat}, *PLAYED[at + 1 :]]
