"""The engine's answer for a record beside a search that tries every complete deal."""

import random

from engine import effective, fold_all
from engine.core.cards import CODES, SEAT_NAMES, SUITS, codes_in
from engine.core.log import Log
from engine.inference.answer import hidden_cards
from engine.inference.deals import Deal, how_many, witness
from engine.inference.evidence import Evidence, evidence
from engine.play.state import State
from tests.support.engine.shorthand import log_from
from tests.support.hidden.naive import (
    Event,
    Policy,
    World,
    agrees,
    broken,
    drawers,
    led_by_winners,
    rearranged,
    whole,
)
from tests.support.hidden.records import covered, cut, deal, unsure_cards, with_hands


def policy_of(state: State) -> Policy:
    ruleset, trump = state.opening.rules.ruleset, state.bargain.trump
    named = None if trump is None or trump == 4 else "aces" if trump == 5 else SUITS[trump]
    return Policy(named, ruleset.matadors, ruleset.red_trumps == "ace-after-jack")


def examined(events: list[Event]) -> tuple[Evidence, Log, State]:
    history = effective(log_from(events))
    state = fold_all(history.entries)
    return evidence(history.entries, state, 50_000), history.entries, state


def seen_in(worlds: list[World], visible: list[Event]) -> dict[tuple[int, int], set[str]]:
    """For each hidden card of the record, by entry and place, what it is in these worlds."""
    found: dict[tuple[int, int], set[str]] = {}
    laid, depths, talon = 0, drawers(visible), talon_told(visible)
    drawn = iter(range(13))
    for seq, one in enumerate(visible, 1):
        kind, seat = one["type"], one.get("seat", "")
        if kind == "card_played":
            if one["card"][1] == "?":
                found[seq, 0] = {world.plays[laid][2] for world in worlds}
            laid += 1
            continue
        for index, card in enumerate(one.get("cards", ())):
            depth = index if kind == "talon_laid" else next(drawn) if kind == "cards_drawn" else None
            if card[1] == "?" and depth is not None:
                told, known = talon.get(depth), set(talon.values())
                there = {c for world in worlds for c in world.under(depths[depth]) - known}
                found[seq, index] = {told} if told and worlds else there
            elif card[1] == "?":
                known = {card for card in one["cards"] if card[1] != "?"}
                found[seq, index] = {c for world in worlds for c in world.told(kind, seat) - known}
    return found


def talon_told(visible: list[Event]) -> dict[int, str]:
    """The cards of the talon by depth, as the talon, the card turned or what was drawn tells them."""
    drawn = [card for one in visible if one["type"] == "cards_drawn" for card in one["cards"]]
    lists = [one["cards"] for one in visible if one["type"] == "talon_laid"]
    lists += [[one["card"]] for one in visible if one["type"] == "talon_turned"]
    return {depth: card for cards in (*lists, drawn) for depth, card in enumerate(cards) if card[1] != "?"}


def plays_of(visible: list[Event]) -> list[int]:
    """The seqs of the played cards."""
    return [seq for seq, one in enumerate(visible, 1) if one["type"] == "card_played"]


def as_world(one: Deal) -> World:
    """A witness of the engine as a world of the naive search; its plays in the order of the record."""

    def by_seat(masks: tuple[int, ...]) -> dict[str, frozenset[str]]:
        return {seat: frozenset(codes_in(mask)) for seat, mask in zip(SEAT_NAMES, masks, strict=True)}

    plays = sorted((p.seq, p.trick, SEAT_NAMES[p.seat], CODES[p.card]) for p in one.plays if p.seq)
    laid = tuple((trick, seat, card) for _, trick, seat, card in plays)
    left = frozenset(codes_in(one.left))
    return World(by_seat(one.dealt), by_seat(one.away), by_seat(one.drawn), left, laid)


def compared(visible: list[Event], world: World, unsure: list[str]) -> None:
    """Holds the engine's answer to the naive one, on both levels."""
    found, entries, state = examined(visible)
    worlds = [one for one in rearranged(world, unsure) if agrees(one, visible)]
    assert worlds
    policy = policy_of(state)
    offences = set.intersection(*(broken(one, policy) for one in worlds))
    assert set(found.offences) == {plays_of(visible)[number] for number in offences}
    kept = [one for one in worlds if broken(one, policy) <= offences and led_by_winners(one, policy)]
    hidden = hidden_cards(found, entries)
    for level, those, lawful in ((found.physical, worlds, False), (found.lawful, kept, True)):
        assert level.agrees is bool(those)
        assert level.decided
        expected = seen_in(those, visible)
        answer = {(one.seq, one.place): one.lawful if lawful else one.physical for one in hidden}
        assert {key: set(codes_in(cards)) for key, cards in answer.items()} == expected
        one = witness(found, lawful)
        assert one is None if not those else one is not None and as_world(one) in those
        count = how_many(found, lawful)
        assert count.least <= len(those) <= (count.most or len(those))
        assert not count.exact or count.least == len(those)


def compared_once(rng: random.Random, ruleset: str) -> None:
    """A random record with random gaps and hidden cards, held to every deal that there can be."""
    events = with_hands(cut(rng, deal(rng, ruleset)))
    unsure = unsure_cards(rng, events, rng.randint(2, 4))
    compared(covered(rng, events, unsure, rng.choice((0.5, 1.0))), whole(events), unsure)
