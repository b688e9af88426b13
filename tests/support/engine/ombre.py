"""Deals of ombre with hearts for trumps."""

from typing import Any

from tests.support.engine.shorthand import Event, named, opened, plays, said, stands, turned


def ombre(contract: str = "play", hand: str = "SA D2 D3 D4 D5 D6 DJ DQ DK", **more: Any) -> list[Event]:
    """Forehand plays, hearts being trumps and ten fish in the pool; nobody exchanges anything."""
    events = opened(hand, ruleset="ombre", pool=10, **more) + said(f"F {contract}, M pass, B pass")
    events += named("F", contract, None if contract == "voltereta" else "H")
    events += turned("H4") if contract == "voltereta" else []
    return events + (stands("M B") if contract == "solo" else stands())


def leading(hand: str, count: int) -> list[Event]:
    """Forehand leads the first ``count`` cards of that hand; the others can neither follow nor trump."""
    leads = zip(hand.split()[:count], "234567JQK", strict=False)
    return plays(" ".join(f"F-{card} M-C{rank} B-S{rank}" for card, rank in leads))
