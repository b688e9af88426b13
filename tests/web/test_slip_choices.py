"""What a slip offers follows from a ruleset's data alone: every choice is one that the engine can judge."""

from typing import Any

import pytest

from engine import audit
from engine.rulesets import PUBLISHED, Rules, find, rules_with
from schemas.wire.reader import read_entry
from service.http.web.slip_choices import choices_of

PLAYERS = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}
NAMES = [rules.ruleset.id for rules in PUBLISHED]


def judged(rules: Rules, **result: Any) -> Any:
    opened = {
        "type": "deal_opened", "ruleset": rules.ruleset.id, "players": PLAYERS,
        **({"pool": 15} if rules.ruleset.pool else {}),
    }  # fmt: skip
    events = [opened, {"type": "result_recorded", **result}]
    return audit(tuple(read_entry(event, seq) for seq, event in enumerate(events, 1)))


@pytest.mark.parametrize("name", NAMES)
def test_every_choice_is_one_that_the_rules_know(name: str) -> None:
    rules = find(PUBLISHED, name)
    assert rules is not None
    offered = choices_of(rules, "en")
    assert [one["id"] for one in offered["contracts"]] == list(rules.contracts)
    for contract in offered["contracts"]:
        for outcome in contract["outcomes"]:
            for trump in contract["trumps"] or [None]:
                named = {"trump": trump} if trump else {}
                found = judged(
                    rules, declarer="middlehand", contract=contract["id"], outcome=outcome, **named
                )
                wrong = [one.message for one in found.findings if one.severity in ("error", "impossible")]
                assert wrong == [], (contract["id"], outcome, trump)


def test_a_nolo_that_one_trick_makes_kodille_is_never_bete() -> None:
    rules = find(PUBLISHED, "dlu")
    assert rules is not None
    by_id = {one["id"]: one for one in choices_of(rules, "da")["contracts"]}
    assert by_id["nolo-ouvert"]["outcomes"] == ["won", "codille"]
    assert by_id["nolo-ouvert"]["pays"] == {"won": 6, "bete": None, "codille": [7]}
    assert by_id["simple"]["trumps"] == ["C", "D", "H"]
    assert by_id["tourne"]["trumps"] == ["C", "D", "H", "S"]
    assert by_id["spade-game"]["trumps"] == by_id["simple-nolo"]["trumps"] == []


def test_what_a_table_agrees_on_is_offered() -> None:
    rules = find(PUBLISHED, "ombre")
    assert rules is not None
    plain = {one["id"] for one in choices_of(rules, "en")["contracts"]}
    agreed = choices_of(rules_with(rules.ruleset, (("gascarille", True),)), "en")
    assert {one["id"] for one in agreed["contracts"]} - plain == {"gascarille"}
