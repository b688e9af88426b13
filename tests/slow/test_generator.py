"""The random deals that the slow model plays are lawful, whole and of every kind."""

import random
from collections import Counter

import pytest

from tests.slow import generator, model
from tests.slow.faults import FAULTS
from tests.slow.model import Event


def allowed(before: list[Event], event: Event) -> bool:
    """Whether this event is a legal next one, by the answers of the model."""
    kind, due, state = event["type"], model.legal(before) if before else None, model.fold(before)
    if kind == "deal_opened":
        return not before
    if kind == "hand_dealt":
        others = {card for hand in state["dealt"].values() for card in hand}
        return len(event["cards"]) == 9 == len(set(event["cards"]) - others)
    if kind == "talon_laid":
        return {*event["cards"], *(c for hand in state["dealt"].values() for c in hand)} == set(model.PACK)
    if kind == "cards_shown":
        return set(event["cards"]) <= set(state["hands"][event["seat"]])
    if kind == "deal_settled":
        return bool(event["payments"] == model.score(before)["payments"])
    if kind == "deal_abandoned":
        open_now = model.also(before)[0]
        return event.get("pays") in (None, "codille", open_now["pays"]) and event["seat"] == open_now["seat"]
    if due is None or event.get("seat") != due["seat"]:
        return False
    return _fits(before, event, due, state)


def _fits(before: list[Event], event: Event, due: generator.Due, state: model.Deal) -> bool:
    act = (event["type"], due["action"])
    if act == ("bid_made", "bid"):
        return event["bid"] in due["calls"]
    if act == ("contract_named", "name"):
        trumps = {entry["contract"]: entry["trumps"] or [None] for entry in due["contracts"]}
        choices = trumps.get(event["contract"], [])
        return event.get("trump", choices[0] if len(choices) == 1 else "?") in choices
    if act == ("talon_turned", "turn"):
        return not any(event["card"] in hand for hand in state["hands"].values())
    if act == ("cards_discarded", "exchange"):
        held = set(event["cards"]) <= set(state["hands"][due["seat"]])
        return held and due["min"] <= len(event["cards"]) <= due["max"]
    if act == ("cards_drawn", "draw"):
        order = generator.talon_order(before, random.Random(0))
        laid = any(other["type"] == "talon_laid" for other in before)
        top = order[: due["count"]] if laid else [state["turned"]] if state["turned"] in order else []
        fresh = set(event["cards"]) <= set(order) and event["cards"][: len(top)] == top
        return fresh and len(event["cards"]) == due["count"]
    return act == ("card_played", "play") and event["card"] in due["cards"]


def check_legal(deal: list[Event]) -> None:
    for number, event in enumerate(deal):
        assert allowed(deal[:number], event), (number + 1, event, model.legal(deal[:number]))


@pytest.mark.parametrize("first", range(0, 300, 25))
def test_a_random_deal_is_legal_whole_and_pays_nobody_out_of_nothing(first: int) -> None:
    for seed in range(first, first + 25):
        talon = seed % 2 == 0
        deal = generator.random_deal(random.Random(seed), talon=talon)
        check_legal(deal)
        given = _cards_of(deal, "hand_dealt") + _cards_of(deal, "talon_laid" if talon else "cards_drawn")
        assert len(given) == len(set(given)), seed
        assert not talon or sorted(given) == sorted(model.PACK), seed
        assert (model.legal(deal), model.also(deal)) == (None, []), seed
        score = model.score(deal)
        assert score["decided"], seed
        assert sum(score["payments"].values()) == 0, seed


def _cards_of(deal: list[Event], kind: str) -> list[str]:
    return [card for event in deal if event["type"] == kind for card in event["cards"]]


def test_what_is_decided_stays_decided_and_what_comes_was_reachable() -> None:
    for seed in range(60):
        deal = generator.random_deal(random.Random(seed))
        final = model.score(deal)
        for length in range(4, len(deal)):
            score = model.score(deal[:length])
            if final["outcome"] == "abandoned" or score["contract"] is None:
                continue
            if score["decided"]:
                assert (score["outcome"], score["payments"]) == (final["outcome"], final["payments"])
            else:
                assert score["reachable"][final["outcome"]] == final["payments"]


def test_random_deals_show_the_whole_game() -> None:
    rng = random.Random(7)
    deals = [generator.random_deal(rng) for _ in range(500)]
    scores = [model.score(deal) for deal in deals]
    played_out = {(score["contract"], score["outcome"]) for score in scores}
    for contract in model.TARIFF:
        for outcome in ("won", "bete", "codille", "abandoned"):
            assert (contract, outcome) in played_out or (contract, outcome) == ("nolo-ouvert", "bete")
    assert (None, "passed_out") in played_out
    calls = [[event["bid"] for event in deal if event["type"] == "bid_made"] for deal in deals]
    assert any("self" in words for words in calls)
    assert max(map(len, calls)) >= 8
    sizes = Counter(len(e["cards"]) for deal in deals for e in deal if e["type"] == "cards_discarded")
    assert set(sizes) == set(range(10))


@pytest.mark.parametrize("contract", sorted(model.TARIFF))
def test_a_contract_can_be_asked_for(contract: str) -> None:
    for seed in range(10):
        deal = generator.random_deal(random.Random(seed), contract=contract)
        assert model.score(deal)["contract"] == contract
        shown = [event["cards"] for event in deal if event["type"] == "cards_shown"]
        if contract == "nolo-ouvert":
            lead = next(n for n, event in enumerate(deal) if event["type"] == "card_played")
            assert deal[lead + 1]["type"] == "cards_shown"
            assert len(deal[lead + 1]["cards"]) == (8 if model.score(deal)["declarer"] == "forehand" else 9)
        elif contract == "grand-tourne":
            assert shown == [["SA", "CA"]]


@pytest.mark.parametrize("action", ["bid", "name", "turn", "exchange", "draw", "play"])
def test_a_deal_breaks_off_where_asked(action: str) -> None:
    for seed in range(5):
        deal = generator.random_deal(random.Random(seed), contract="tourne", talon=True, stop=action)
        assert (model.legal(deal) or {})["action"] == action
        assert len([event for event in deal if event["type"] in ("hand_dealt", "talon_laid")]) == 4
        assert len(generator.random_deal(random.Random(seed), stop=6)) == 6


def test_a_recorder_who_sees_less_writes_no_card_wrong() -> None:
    hidden: Counter[str] = Counter()
    for seed in range(100):
        rng = random.Random(seed)
        deal = generator.random_deal(rng, talon=True)
        seen = generator.hide(deal, rng)
        whole = iter(deal)
        for event in seen:
            truth = next(other for other in whole if _same_but_for_cards(event, other))
            for card, true in zip(_cards(event), _cards(truth), strict=True):
                assert card in (true, "??", true[0] + "?")
                hidden[f"{event['type']} {card[1]}"] += card != true
        left_out = Counter(event["type"] for event in deal)
        left_out.subtract(event["type"] for event in seen)
        hidden.update(left_out)
        assert {kind for kind, count in left_out.items() if count} <= {"hand_dealt", "talon_laid"}
    veiled = ["hand_dealt", "talon_laid", "cards_discarded", "cards_drawn", "card_played"]
    assert all(hidden[f"{kind} ?"] for kind in veiled)
    assert hidden["hand_dealt"]
    assert hidden["talon_laid"]
    assert not hidden["cards_shown ?"]
    assert not hidden["talon_turned ?"]


def _cards(event: Event) -> list[str]:
    return [event["card"]] if "card" in event else event.get("cards", [])


def _same_but_for_cards(event: Event, other: Event) -> bool:
    rest, others = ({k: v for k, v in e.items() if k not in ("card", "cards")} for e in (event, other))
    return rest == others


# --- Faults -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_planted_fault_is_the_only_one(name: str) -> None:
    for seed in range(15):
        events, seq, codes = FAULTS[name](random.Random(seed))
        faulty = {
            number for number, event in enumerate(events, 1) if not allowed(events[: number - 1], event)
        }
        undue_draw = {seq + 1} if codes == {"exchange_not_allowed"} else set()
        assert faulty == {seq} | undue_draw, seed


def test_a_deal_goes_on_after_most_faults() -> None:
    breaking_off = {name for name in FAULTS if all(_breaks_off(name, seed) for seed in range(5))}
    assert breaking_off == {
        "bid_out_of_turn",
        "bid_after_pass",
        "contract_by_a_loser",
        "abandoned_too_late",
        "nolo_abandoned_as_bete",
        "solo_abandoned_as_bete",
        "wrong_settlement",
    }


def _breaks_off(name: str, seed: int) -> bool:
    events, seq, _ = FAULTS[name](random.Random(seed))
    return len(events) == seq
