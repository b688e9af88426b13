"""The random deals that the engine and the slow model are compared on show the whole game.

That they are legal, and that their planted faults are the only ones, the comparison with the engine shows.
"""

import random
from collections import Counter

import pytest

from engine.rulesets import PUBLISHED_RULESETS
from tests.properties.slow import generator, model
from tests.properties.slow.__main__ import COMPARED


def test_every_ruleset_has_a_second_reading() -> None:
    assert set(COMPARED) == {rules.ruleset.id for rules in PUBLISHED_RULESETS}


@pytest.mark.parametrize("contract", sorted(model.TARIFF))
def test_random_deals_of_a_contract_end_in_every_way(contract: str) -> None:
    ends = {"won", "bete", "codille", "abandoned"} - ({"bete"} if contract == "nolo-ouvert" else set())
    for seed in range(200):
        rng = random.Random(f"{contract} {seed}")
        gives_up = rng.random() < 0.12
        plan = generator.random_plan(rng, contract)
        deal = generator.go_on(generator.deal_hands(rng, plan), rng, plan, gives_up=gives_up)
        score = model.score_of(deal)
        assert (score["decided"], score["contract"]) == (True, contract), seed
        assert sum(score["payments"].values()) == 0, seed
        ends.discard(score["outcome"])
        if not ends:
            break
    assert not ends


def test_random_deals_have_auctions_and_exchanges_of_all_kinds() -> None:
    deals = [generator.random_deal(random.Random(seed)) for seed in range(120)]
    calls = [[event["bid"] for event in deal if event["type"] == "bid_made"] for deal in deals]
    assert {"self", *model.RANK_OF_BID} <= {call for words in calls for call in words}
    assert ["pass"] * 3 in calls
    assert max(map(len, calls)) >= 8
    sizes = {len(e["cards"]) for deal in deals for e in deal if e["type"] == "cards_discarded"}
    assert sizes == set(range(10))


def test_a_recorder_who_sees_less_hides_cards_of_every_kind() -> None:
    hidden: Counter[str] = Counter()
    for seed in range(30):
        rng = random.Random(seed)
        deal = generator.random_deal(rng, talon=True)
        seen = generator.hide(deal, rng)
        hidden.update(one["type"] for one in seen if "?" in str(one.get("card", one.get("cards"))))
        hidden.update({"left out": len(deal) - len(seen)})
    assert set(hidden) == {
        "hand_dealt", "talon_laid", "cards_discarded", "cards_drawn", "card_played", "left out",
    }  # fmt: skip
