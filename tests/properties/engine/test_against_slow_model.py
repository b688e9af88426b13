"""The engine held against the slow model: another reading of the same rules, sharing no line with it."""

import os
import random
from collections.abc import Iterator
from functools import cache

import pytest

from engine import audit, legal, score
from schemas.answers.states import legal_object, score_object
from tests.properties.slow import generator, model
from tests.properties.slow.__main__ import COMPARED, compared
from tests.properties.slow.faults import FAULTS
from tests.properties.slow.planting import PLANTERS, planted
from tests.support.effort import examples
from tests.support.engine.shorthand import (
    Event,
    Json,
    a_deal,
    audited,
    bids,
    folded,
    log_from,
    names,
    plays,
    score_after,
    stands,
    state_after,
)

DEALS = int(os.environ.get("SPADILLE_DEALS", examples(200)))
FAULTY_DEALS = max(1, DEALS // 25)
"""How many deals are tried with each fault."""


def random_deals(count: int = DEALS) -> Iterator[tuple[int, list[Event]]]:
    for seed in range(count):
        yield seed, generator.random_deal(random.Random(seed), talon=seed % 3 == 0)


def test_the_reasons_of_a_score_add_up_to_its_payments() -> None:
    for seed, deal in random_deals(DEALS // 3):
        told = score_object(score(folded(deal)))
        if told["outcome"] == "passed_out":
            assert told["items"] == [], f"seed {seed}"
            continue
        each = sum(item["each"] for item in told["items"])
        due = {seat: 2 * each if seat == told["declarer"] else -each for seat in model.SEATS}
        assert told["payments"] == due, f"seed {seed}"


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_where_it_is_and_alone(name: str) -> None:
    """What the table plays on afterwards is no offence; a forbidden exchange alone comes as two events."""
    for number in range(FAULTY_DEALS):
        seed = f"{name} {number}"
        deal, seq, codes = FAULTS[name](random.Random(seed))
        told = [(one.seq, one.code) for one in audited(deal).findings if one.code != "incomplete"]
        others = [one for one in told if one[0] != seq or one[1] not in codes]
        assert len(told) > len(others), f"seed {seed!r}: {told}"
        if name == "exchange_in_nolo_by_a_defender":
            others = [one for one in others if one[0] < seq]  # type: ignore[operator]
        assert others == [], f"seed {seed!r}"


def hidden_deals(count: int = DEALS) -> Iterator[tuple[int, list[Event], list[Event]]]:
    """Deals in full, and the same as a recorder wrote them who did not see every card."""
    for seed, deal in random_deals(count):
        yield seed, deal, generator.hide(deal, random.Random(-seed))


def test_hidden_cards_are_no_offence_and_what_they_leave_decided_is_decided_rightly() -> None:
    decided = 0
    for seed, deal, seen in hidden_deals():
        part, full = audited(seen), audited(deal).score
        assert [one for one in part.findings if one.code != "incomplete"] == [], f"seed {seed}"
        if part.score.decided:
            decided += 1
            assert (part.score.outcome, part.score.payments) == (full.outcome, full.payments), f"seed {seed}"
        elif part.score.contract:
            assert full.outcome in dict(part.score.reachable) or full.outcome == "abandoned", f"seed {seed}"
    assert decided > DEALS / 2  # most results are seen although cards are not


def plays_due(deal: list[Event], seen: list[Event]) -> Iterator[tuple[int, Json, Json]]:
    """Wherever a card is due: the length of the hidden record, what the engine lists, what was legal."""
    at = 0
    for length, event in enumerate(seen, 1):
        while (deal[at]["type"], deal[at].get("seat")) != (event["type"], event.get("seat")):
            at += 1  # entries that the hidden record leaves out
        at += 1
        due, truth = legal_object(legal(folded(seen[:length]))), model.legal_of(deal[:at])
        if due and truth and due["action"] == truth["action"] == "play":
            yield length, due, truth


def lead_of(events: list[Event]) -> str | None:
    played = [event["card"] for event in events if event["type"] == "card_played"]
    return played[-(len(played) % 3)] if len(played) % 3 else None


def test_legal_cards_of_a_hidden_deal_are_legal_in_truth() -> None:
    """No card is listed that was not legal, and no list is given out as whole that is not."""
    hidden_leads = 0
    for seed, deal, seen in hidden_deals(DEALS // 3):
        for length, due, truth in plays_due(deal, seen):
            lead = lead_of(seen[:length]) or ""
            hidden_leads += "?" in lead
            whole = not due.get("hidden") and due["seat"] is not None
            right = due["cards"] == truth["cards"] if whole else set(due["cards"]) <= set(truth["cards"])
            where = f"seed {seed}, after entry {length} ({lead} led): {due} against {truth}"
            assert right and due["seat"] in (None, truth["seat"]), where
    assert hidden_leads


@pytest.mark.parametrize("ruleset", sorted(COMPARED))
def test_every_ruleset_is_read_as_the_slow_model_reads_it(ruleset: str) -> None:
    """``python -m tests.properties.slow --deals 10000`` compares many more."""
    deals = DEALS if ruleset == "dlu" else examples(50, 25)
    entries, found = compared(ruleset, range(deals))
    assert found == []
    assert entries > 10 * deals


EACH = examples(6, 2)
"""How many deals are tried with each fault, in each ruleset."""
LOOKED_THROUGH = 150
"""Among so many deals a fault has to find room, where it can occur at all."""
NO_EXCHANGE_DUE = ("la-bete", "gamerules", "clockwise", "lomber", "tresillo")
"""Rulesets in which nobody has to exchange, so that nobody discards too few."""


@cache
def legal_deal(ruleset: str, seed: int) -> list[Event]:
    return COMPARED[ruleset][0](seed)


@pytest.mark.parametrize("ruleset", COMPARED)
@pytest.mark.parametrize("name", PLANTERS)
def test_a_planted_fault_is_found_where_it_is(name: str, ruleset: str) -> None:
    if name == "too_few_discarded" and ruleset in NO_EXCHANGE_DUE:
        return
    deals = (legal_deal(ruleset, seed) for seed in range(LOOKED_THROUGH))
    found = planted(name, deals, COMPARED[ruleset][1], random.Random(name), EACH)
    assert found, f"no deal in {LOOKED_THROUGH} has room for this fault"
    for events, codes in found:
        findings = audit(log_from(events)).findings
        serious = [(one.seq, one.code) for one in findings if one.severity in ("impossible", "error")]
        assert serious, events
        assert {seq for seq, _ in serious} == {len(events)}, (serious, events)
        assert {code for _, code in serious} & codes, (serious, codes, events[-1])
        if name == "revoke":  # the card lies in its trick, and the next one plays
            state = state_after(events)
            assert state["tricks"][-1]["cards"][-1] == events[-1]["card"]
            assert events[-1]["card"] not in state["hands"][events[-1]["seat"]]["cards"]


@pytest.mark.parametrize(
    ("ruleset", "offence"),
    [
        *((name, True) for name in ("la-bete", "clockwise", "ombre", "lomber", "tresillo")),
        *((name, False) for name in ("gamerules", "dlu", "five-matadors", "dlu-tournament")),
    ],
)
def test_a_matador_withheld_from_a_manille_lead(ruleset: str, offence: bool) -> None:
    """Manille is led; middlehand, holding only spadille and basta as trumps, throws a club."""
    hands = ("H7 HA HK HQ HJ H2 H3 D2 D3", "SA CA C2 C3 C4 C5 C6 C7 CJ")
    deal = a_deal(*hands, ruleset=ruleset, pool=5) + bids("F solo, M pass, B pass") + names("F", "solo", "H")
    deal += stands("B M" if ruleset == "gamerules" else "M B") + plays("F-H7 M-C2")
    codes = [one.code for one in audited(deal).findings if one.severity == "error"]
    assert codes == ["revoke"] * offence


CONTRACTS = ("simple", "spade-game", "solo", "spade-solo", "simple-nolo", "pure-nolo")
LAWLESS = examples(60)


def lawless_deal(seed: int) -> list[Event]:
    """A deal of nine tricks in which everybody plays any card in hand."""
    rng = random.Random(seed)
    deal = generator.random_deal(rng, contract=CONTRACTS[seed % len(CONTRACTS)])
    start = next((at for at, event in enumerate(deal) if event["type"] == "card_played"), len(deal))
    state = model.fold(deal[:start])
    return deal[:start] + list(lawless_tricks(state["hands"], state["trump"], rng))


def lawless_tricks(hands: dict[str, list[str]], trump: str | None, rng: random.Random) -> Iterator[Event]:
    """The cards of nine tricks; two in three are such as may be played."""
    turn = model.SEATS[0]
    while any(hands.values()):
        trick: list[tuple[str, str]] = []
        for seat in model.seats_from(turn):
            lead = trick[0][1] if trick else None
            hand = hands[seat]
            card = rng.choice(model.playable(hand, lead, trump) if rng.random() < 0.67 else hand)
            hand.remove(card)
            trick.append((seat, card))
            yield {"type": "card_played", "seat": seat, "card": card}
        turn = model.trick_winner(trick, trump)


def revokes_found(events: list[Event]) -> list[int | str]:
    findings = [one for one in audited(events).findings if one.severity != "info"]
    assert {one.code for one in findings} <= {"revoke"}
    return sorted(one.seq for one in findings)


def until_over(deal: list[Event]) -> list[Event]:
    """The deal up to its end; what was played after it does not count."""
    lengths = (length for length in range(1, len(deal) + 1) if model.legal_of(deal[:length]) is None)
    return deal[: next(lengths, len(deal))]


def test_revokes_do_not_change_what_is_paid() -> None:
    for seed in range(LAWLESS):
        deal = until_over(lawless_deal(seed))
        told, expected = score_after(deal), model.score_of(deal)
        assert {name: told[name] for name in expected} == expected, f"seed {seed}"


def unseen_hands(deal: list[Event]) -> list[Event]:
    """The same with nothing but the play seen."""
    hidden = []
    for event in deal:
        if event["type"] in ("cards_discarded", "cards_drawn"):
            event = {**event, "cards": ["??"] * len(event["cards"])}
        if event["type"] not in ("hand_dealt", "talon_laid", "cards_shown"):
            hidden.append(event)
    return hidden


def proved(deal: list[Event]) -> Iterator[int]:
    """The revokes that the cards seen prove, by their places in the deal.

    A player had the cards played later and none that others played; after nine tricks, no others at all.
    """
    trump = model.fold(deal)["trump"]
    played = [(place, event) for place, event in enumerate(deal, 1) if event["type"] == "card_played"]
    end = len(until_over(deal))
    for number, (place, event) in enumerate(played):
        lead = played[number - number % 3][1]["card"]
        suit = model.suit_of(lead, trump)
        if place > end or not number % 3 or model.suit_of(event["card"], trump) == suit:
            continue
        later = {one["card"] for _, one in played[number:] if one["seat"] == event["seat"]}
        seen = {one["card"] for _, one in played}
        not_held = set(model.PACK) - later if len(played) == 27 else seen - later
        had = {card for card in later if model.suit_of(card, trump) == suit}
        if compels(had, not_held, lead, suit, trump):
            yield place


def compels(had: set[str], had_not: set[str], lead: str, suit: str, trump: str | None) -> bool:
    """Whether a player with these cards of the suit, and without those, had to follow."""
    if suit != trump or not had:
        return bool(had)
    if any(card not in model.matadors(suit) for card in had):
        return True
    freeing = [card for card in model.matadors(suit) if card != lead and model.beats(card, lead, trump)]
    return all(card in had_not for card in freeing)


def test_of_hidden_hands_every_revoke_is_found_that_the_play_proves() -> None:
    number = 0
    for seed in range(2 * LAWLESS):
        deal = lawless_deal(seed)
        seen = deal if seed % 3 else deal[: len(deal) - random.Random(seed).randrange(26)]
        hidden = unseen_hands(seen)
        offset = len(seen) - len(hidden)
        expected = [place - offset for place in proved(seen)]
        assert revokes_found(hidden) == expected, f"seed {seed}"
        number += len(expected)
    assert number > LAWLESS
