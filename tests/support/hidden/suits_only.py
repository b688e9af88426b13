"""A short record that is hard to decide: hands of which little more than the suits is known."""

from typing import Any, Final

SEATS: Final = ("forehand", "middlehand", "backhand")
SUITS: Final = ["S?", "H?", "D?", "C?", "??", "S?", "H?", "D?", "C?"]


def suits_only() -> list[dict[str, Any]]:
    """Three hands known by suit, and a trick that nobody saw: the product of their shares has no end."""
    players = dict(zip(SEATS, ("Anna", "Bo", "Carl"), strict=True))
    return [
        {"type": "deal_opened", "ruleset": "dlu", "players": players},
        *({"type": "hand_dealt", "seat": seat, "cards": SUITS} for seat in SEATS),
        {"type": "bid_made", "seat": "forehand", "bid": "solo"},
        {"type": "bid_made", "seat": "middlehand", "bid": "pass"},
        {"type": "bid_made", "seat": "backhand", "bid": "pass"},
        {"type": "contract_named", "seat": "forehand", "contract": "solo", "trump": "H"},
        *({"type": "card_played", "seat": seat, "card": "??"} for seat in SEATS),
    ]  # fmt: skip
