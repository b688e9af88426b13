"""What the engine answers about a deal, in short words for tables of examples."""

from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from tests.support.engine.shorthand import SEATS, Event, codes, legal_after, score_after

LETTERS = {seat: letter for letter, seat in SEATS.items()}


def findings(events: list[Event], book: RulesetBook = PUBLISHED_RULESETS) -> str:
    """Every finding: ``"revoke"`` at the last entry, ``"11 revoke"`` at another, ``""`` for none."""
    last = len(events)
    return ", ".join(code if seq == last else f"{seq} {code}" for seq, code in codes(events, book))


def payment(events: list[Event], book: RulesetBook = PUBLISHED_RULESETS) -> str:
    """The outcome and the chips of each seat, ``"won 2 -1 -1"``; ``"open"`` where it is not decided."""
    told = score_after(events, book)
    chips = [told["payments"][seat] for seat in SEATS.values()] if told["decided"] else []
    return " ".join(map(str, [told["outcome"], *chips])) if told["decided"] else "open"


def turn(events: list[Event], book: RulesetBook = PUBLISHED_RULESETS) -> str:
    """Who is to do what, ``"F bid"``; ``"- turn"`` where it may be anybody, ``"over"`` where nobody is."""
    due = legal_after(events, book)
    return f"{LETTERS.get(due['seat'], '-')} {due['action']}" if due else "over"


def asked(events: list[Event], action: str, book: RulesetBook = PUBLISHED_RULESETS) -> str:
    """The seats that may do this as well, ``"F M"``."""
    also = (legal_after(events, book) or {}).get("also", [])
    return " ".join(LETTERS[one["seat"]] for one in also if one["action"] == action)
