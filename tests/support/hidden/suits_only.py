"""A short record that is hard to decide: hands of which little more than the suits is known."""

from tests.support.engine.shorthand import Event, a_deal, bids, names, plays

SUITS = "S? H? D? C? ?? S? H? D? C?"


def suits_only() -> list[Event]:
    """Three hands known by suit, and a trick that nobody saw: the product of their shares has no end."""
    events = [*a_deal(SUITS, SUITS, SUITS), *bids("F solo, M pass, B pass"), *names("F", "solo", "H")]
    return [*events, *plays("F-?? M-?? B-??")]
