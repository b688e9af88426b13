"""Every complete deal that agrees with a record, found by trying all: sharing no line with the engine.

A world says of each unsure card where it lies and when it was played. What is visible of the record is
compared with it one entry after another; the rules are those of `tests.properties.slow.cards`.
"""

from collections.abc import Iterator
from itertools import permutations
from typing import Any, NamedTuple

from tests.properties.slow.cards import playable, trick_winner

Event = dict[str, Any]
SEATS = ("forehand", "middlehand", "backhand")
TELLING = ("hand_dealt", "cards_discarded", "cards_drawn", "hand_held", "talon_seen")
PRIVILEGE = {"forced-by-higher": "higher", "can-beat-lead": "beats", "absolute": "always"}


class Policy(NamedTuple):
    """The rules of play that count here."""

    trump: str | None
    privilege: str
    red_ace_low: bool


class World(NamedTuple):
    """A complete deal: by seat what was dealt, laid away, drawn; what is left; each play in order."""

    dealt: dict[str, frozenset[str]]
    away: dict[str, frozenset[str]]
    drawn: dict[str, frozenset[str]]
    left: frozenset[str]
    plays: tuple[tuple[int, str, str], ...]

    def told(self, kind: str, seat: str) -> frozenset[str]:
        """The cards of which an entry of this kind tells; a hand is told of at the end."""
        if kind == "talon_seen":
            return self.left
        if kind == "hand_held":
            played = {card for _, who, card in self.plays if who == seat}
            return self.hand(seat) - played
        return {"hand_dealt": self.dealt, "cards_discarded": self.away, "cards_drawn": self.drawn}[kind][seat]

    def hand(self, seat: str) -> frozenset[str]:
        """With what a seat began to play."""
        return self.dealt[seat] - self.away[seat] | self.drawn[seat]

    def under(self, drawer: str) -> frozenset[str]:
        """The cards of the talon that a seat draws; what is left, where nobody does."""
        return self.drawn[drawer] if drawer else self.left


def drawers(events: list[Event]) -> list[str]:
    """Who draws each of the thirteen cards of the talon, the top first; "" what nobody draws."""
    drawn = [one["seat"] for one in events if one["type"] == "cards_drawn" for _ in one["cards"]]
    return drawn + [""] * (13 - len(drawn))


def whole(events: list[Event]) -> World:
    """The world of a record in which every card is known; its talon is what nobody was dealt."""
    dealt = {one["seat"]: frozenset(one["cards"]) for one in events if one["type"] == "hand_dealt"}
    away: dict[str, frozenset[str]] = {seat: frozenset() for seat in SEATS}
    drawn: dict[str, frozenset[str]] = {seat: frozenset() for seat in SEATS}
    plays: list[tuple[int, str, str]] = []
    for one in events:
        if one["type"] == "cards_discarded":
            away[one["seat"]] = frozenset(one["cards"])
        elif one["type"] == "cards_drawn":
            drawn[one["seat"]] = frozenset(one["cards"])
        elif one["type"] == "card_played":
            plays.append((one.get("trick", len(plays) // 3 + 1), one["seat"], one["card"]))
    pack = {suit + rank for suit in "CDHS" for rank in "234567AJKQ"}
    left = pack.difference(*dealt.values(), *drawn.values())
    return World(dealt, away, drawn, frozenset(left), tuple(plays))


def rearranged(world: World, unsure: list[str]) -> Iterator[World]:
    """Every world that differs only in where the unsure cards lie and when they were played, each once."""
    seen = set()
    for moved in permutations(unsure):
        to = dict(zip(unsure, moved, strict=True))
        for one in _replayed(_renamed(world, to), set(unsure)):
            key = (*(part[seat] for part in (one.dealt, one.away, one.drawn) for seat in SEATS), one.plays)
            if key not in seen:
                seen.add(key)
                yield one


def _renamed(world: World, to: dict[str, str]) -> World:
    def renamed(cards: frozenset[str]) -> frozenset[str]:
        return frozenset(to.get(card, card) for card in cards)

    dealt, away, drawn = (
        {seat: renamed(part[seat]) for seat in SEATS} for part in (world.dealt, world.away, world.drawn)
    )
    plays = tuple((trick, seat, to.get(card, card)) for trick, seat, card in world.plays)
    return World(dealt, away, drawn, renamed(world.left), plays)


def _replayed(world: World, unsure: set[str]) -> Iterator[World]:
    """Every order in which the unsure cards of a hand can have been played, or not at all."""
    worlds = [world]
    for seat in SEATS:
        loose = sorted(world.hand(seat) & unsure)
        slots = [i for i, (_, who, card) in enumerate(world.plays) if who == seat and card in unsure]
        after = []
        for one in worlds:
            for order in permutations(loose, len(slots)):
                plays = list(one.plays)
                for slot, card in zip(slots, order, strict=True):
                    plays[slot] = (*plays[slot][:2], card)
                after.append(one._replace(plays=tuple(plays)))
        worlds = after
    yield from worlds


def agrees(world: World, visible: list[Event]) -> bool:
    """Whether the world fits everything that the record shows as matter."""
    played, depths = iter(world.plays), drawers(visible)
    for one in visible:
        kind, seat = one["type"], one.get("seat", "")
        fits = True
        if kind in ("talon_laid", "talon_turned"):
            lying = zip(one.get("cards") or [one["card"]], depths, strict=False)
            fits = all(card[1] == "?" or card in world.under(who) for card, who in lying)
        elif kind == "card_played":
            fits = _fits([one["card"]], {next(played)[2]})
        elif kind in TELLING:
            fits = _fits(one["cards"], world.told(kind, seat))
        if not fits:
            return False
    return True


def _fits(told: list[str], there: Any) -> bool:
    """Whether these may be the cards there: the known ones among them, of each suit as many as are told."""
    known = [card for card in told if card[1] != "?"]
    if not set(known) <= set(there) or len(told) != len(there):
        return False
    rest = set(there) - set(known)
    return all(sum(card[0] == suit for card in rest) >= told.count(suit + "?") for suit in "CDHS")


def broken(world: World, policy: Policy) -> set[int]:
    """The plays, counted from 0, that did not follow although they had to; a second card need not."""
    hands = {seat: set(world.hand(seat)) for seat in SEATS}
    found: set[int] = set()
    led: dict[int, str] = {}
    for number, (trick, seat, card) in enumerate(world.plays):
        lead, may = led.setdefault(trick, card), sorted(hands[seat])
        due = playable(may, lead if lead != card else None, policy.trump, PRIVILEGE[policy.privilege])
        if number not in seconds(world) and card not in due:
            found.add(number)
        hands[seat].discard(card)
    return found


def seconds(world: World) -> set[int]:
    """The plays, counted from 0, that were the second of a seat to the same trick."""
    to = [(trick, seat) for trick, seat, _ in world.plays]
    return {number for number, one in enumerate(to) if one in to[:number]}


def without_seconds(world: World) -> World:
    """The world with those plays alone that count."""
    plays = enumerate(world.plays)
    return world._replace(plays=tuple(one for number, one in plays if number not in seconds(world)))


def led_by_winners(world: World, policy: Policy) -> bool:
    """Whether who led to a trick had won the one before."""
    plays = world.plays
    for first in range(3, len(plays), 3):
        trick = [(seat, card) for _, seat, card in plays[first - 3 : first]]
        if plays[first][1] != trick_winner(trick, policy.trump, policy.red_ace_low):
            return False
    return True
