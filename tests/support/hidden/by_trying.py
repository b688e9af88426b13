"""The engine's answer for a record beside a search that tries every complete deal."""

import random
from collections import Counter
from typing import NamedTuple

from engine import effective, fold_all
from engine.core.cards import CARD_CODES, SEAT_NAMES, SUIT_LETTERS, codes_in_mask
from engine.core.log import Log
from engine.inference.consistent_deals import CompleteDeal, DealCount, count_deals, find_witness
from engine.inference.evidence import Evidence, build_evidence
from engine.inference.sampling import SampledDeal, sample_deals
from engine.inference.unseen_cards import (
    UnseenCards,
    analyze_unseen_cards,
    count_deals_by_card,
    list_hidden_cards,
)
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
from tests.support.hidden.records import covered, cut, random_record, unsure_cards, with_hands

Key = tuple[tuple[tuple[str, ...], ...], tuple[tuple[int | str, str], ...]]
"""The hands with which play began, and the hidden plays by their entries."""


UNHURRIED = 50_000, 400_000
"""Steps with which deals are counted however long it takes."""


class Tried(NamedTuple):
    """A record with some cards hidden, and every complete deal that agrees with it, found by trying.

    ``worlds``: as matter alone; ``offences``: the entries that are revokes in all of these; ``lawful``: those
    without any other revoke.
    """

    visible: list[Event]
    worlds: list[World]
    offences: set[int]
    lawful: list[World]


def agreeing(visible: list[Event], world: World, unsure: list[str]) -> Tried:
    """Every deal that agrees with what is visible, the true one being ``world``."""
    _, _, state = examined(visible)
    policy = policy_of(state)
    worlds = [one for one in rearranged(world, unsure) if agrees(one, visible)]
    assert worlds, visible
    in_all = set.intersection(*(broken(one, policy) for one in worlds))
    lawful = [one for one in worlds if broken(one, policy) <= in_all and led_by_winners(one, policy)]
    return Tried(visible, worlds, {plays_of(visible)[number] for number in in_all}, lawful)


def a_trial(rng: random.Random, ruleset: str, events: list[Event] | None = None) -> Tried:
    """A random record, or these events, with two to four cards hidden here and there."""
    events = with_hands(events or cut(rng, random_record(rng, ruleset)))
    unsure = unsure_cards(rng, events, rng.randint(2, 4))
    return agreeing(covered(rng, events, unsure, rng.choice((0.5, 1.0))), whole(events), unsure)


def policy_of(state: State) -> Policy:
    ruleset, trump = state.opening.rules.ruleset, state.contract_state.trump
    named = None if trump is None or trump == 4 else "aces" if trump == 5 else SUIT_LETTERS[trump]
    return Policy(named, ruleset.matadors, ruleset.red_trumps == "ace-after-jack")


def examined(events: list[Event]) -> tuple[Evidence, Log, State]:
    history = effective(log_from(events))
    state = fold_all(history.entries)
    return build_evidence(history.entries, state, 50_000), history.entries, state


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


def as_world(one: CompleteDeal) -> World:
    """A witness of the engine as a world of the naive search; its plays in the order of the record."""

    def by_seat(masks: tuple[int, ...]) -> dict[str, frozenset[str]]:
        return {seat: frozenset(codes_in_mask(mask)) for seat, mask in zip(SEAT_NAMES, masks, strict=True)}

    plays = sorted((p.seq, p.trick, SEAT_NAMES[p.seat], CARD_CODES[p.card]) for p in one.plays if p.seq)
    laid = tuple((trick, seat, card) for _, trick, seat, card in plays)
    left = frozenset(codes_in_mask(one.talon_rest))
    return World(by_seat(one.dealt_hands), by_seat(one.discards), by_seat(one.draws), left, laid)


def key_of_world(world: World, visible: list[Event]) -> Key:
    hands = tuple(tuple(sorted(world.hand(seat))) for seat in SEAT_NAMES)
    laid = zip(plays_of(visible), world.plays, strict=True)
    hidden = ((seq, card) for seq, (_, _, card) in laid if visible[seq - 1]["card"][1] == "?")
    return hands, tuple(sorted(hidden))


def key_of(one: SampledDeal) -> Key:
    plays = sorted((seq, CARD_CODES[card]) for seq, card in one.plays.items())
    return tuple(tuple(sorted(codes_in_mask(hand))) for hand in one.hands), tuple(plays)


def keys_of(tried: Tried) -> Counter[Key]:
    """How many lawful deals have the same hands and hidden plays."""
    return Counter(key_of_world(world, tried.visible) for world in tried.lawful)


def compared(tried: Tried) -> None:
    """Hold all that the engine says of the hidden cards of a record to what was found by trying."""
    found, entries, state = examined(tried.visible)
    assert set(found.revokes) == tried.offences
    hidden = list_hidden_cards(found, entries)
    for level, those, lawful in ((found.physical, tried.worlds, False), (found.lawful, tried.lawful, True)):
        assert level.is_consistent is bool(those)
        assert level.is_exact
        answer = {(one.seq, one.place): one.lawful if lawful else one.physical for one in hidden}
        expected = seen_in(those, tried.visible)
        assert {key: set(codes_in_mask(cards)) for key, cards in answer.items()} == expected
        one = find_witness(found, lawful)
        assert one is None if not those else one is not None and as_world(one) in those
        count = count_deals(found, lawful, *UNHURRIED)
        assert count.minimum <= len(those) <= (count.maximum or len(those))
        assert not count.is_exact or count.minimum == len(those)
    if tried.lawful:
        _compared_as_asked(tried, analyze_unseen_cards(entries, state))
        drawn = sample_deals(found.case, seed=1, count=10_000)
        assert drawn is not None and drawn.is_exhaustive
        assert drawn.total == drawn.weight == len(tried.lawful)
        assert {key_of(one): one.weight for one in drawn.deals} == keys_of(tried)


def _compared_as_asked(tried: Tried, made: UnseenCards) -> None:
    """The same as a director asks for it: the cards, the hands, the counts and the shares."""
    for count, those in ((made.physical_count, tried.worlds), (made.lawful_count, tried.lawful)):
        assert count == DealCount(len(those), len(those))
    assert made.contradicting_entries == ()
    found = made.evidence
    for level, those, lawful in ((found.physical, tried.worlds, False), (found.lawful, tried.lawful, True)):
        expected = seen_in(those, tried.visible)
        for card in made.cards:
            can = set(codes_in_mask(card.lawful if lawful else card.physical))
            there = expected[int(card.seq), card.place]
            assert can == there if level.is_exact else can >= there
        for one in made.hands:
            hands = [hand_of(world, SEAT_NAMES[one.seat]) for world in those]
            assert set(codes_in_mask(one.lawful if lawful else one.physical)) == set.union(*hands)
            certain = one.certain_lawful if lawful else one.certain_physical
            assert set(codes_in_mask(certain)) == set.intersection(*hands)
            assert {len(hand) for hand in hands} == {one.size}
    for number, seq in enumerate(plays_of(tried.visible)):
        told = count_deals_by_card(made, seq)
        if tried.visible[seq - 1]["card"][1] == "?":
            laid = Counter(world.plays[number][2] for world in tried.lawful)
            assert told is not None and {CARD_CODES[card]: deals for card, deals in told} == laid
        else:
            assert told is None


def hand_of(world: World, seat: str) -> set[str]:
    """What a seat holds at the end of a world."""
    return set(world.told("hand_held", seat))
