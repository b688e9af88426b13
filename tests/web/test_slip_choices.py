"""What a slip and the recorder offer follows from the rules: the engine can judge every choice."""

from typing import Any

import pytest

from engine import audit
from engine.rulesets import PUBLISHED, Rules, find, rules_with
from schemas.wire.reader import read_entry
from service.http.web.record_choices import record_choices
from service.http.web.slip_choices import choices_of
from tests.support.engine.shorthand import opened

NAMES = list(dict.fromkeys(rules.ruleset.id for rules in PUBLISHED))


def rules_of(name: str) -> Rules:
    rules = find(PUBLISHED, name)
    assert rules is not None
    return rules


def faults(rules: Rules, **result: Any) -> list[str]:
    pool: dict[str, Any] = {"pool": 15} if rules.ruleset.pool else {}
    slip = {"type": "result_recorded", "declarer": "middlehand", **result}
    events = [*opened(ruleset=rules.ruleset.id, **pool), slip]
    found = audit(tuple(read_entry(event, seq) for seq, event in enumerate(events, 1)))
    return [str(one.message) for one in found.findings if one.severity in ("error", "impossible")]


@pytest.mark.parametrize("name", NAMES)
def test_every_choice_and_call_is_one_that_the_rules_know(name: str) -> None:
    rules = rules_of(name)
    offered = choices_of(rules, "en")
    assert [one["id"] for one in offered["contracts"]] == list(rules.contracts)
    for contract in offered["contracts"]:
        for outcome in contract["outcomes"]:
            for trump in contract["trumps"] or [None]:
                named = {"trump": trump} if trump else {}
                assert faults(rules, contract=contract["id"], outcome=outcome, **named) == []
    for language in ("da", "en"):
        calls = record_choices(rules, language)["calls"]
        assert [one["id"] for one in calls[:2]] == ["pass", "self"]
        assert {one["id"] for one in calls[2:]} == set(rules.bids)
        assert all(one["name"] for one in calls[2:])


def test_a_nolo_that_one_trick_makes_codille_is_never_bete() -> None:
    by_id = {one["id"]: one for one in choices_of(rules_of("dlu"), "da")["contracts"]}
    assert by_id["nolo-ouvert"]["outcomes"] == ["won", "codille"]
    assert by_id["nolo-ouvert"]["pays"] == {"won": 6, "bete": None, "codille": [7]}
    assert by_id["simple"]["trumps"] == ["C", "D", "H"]
    assert by_id["tourne"]["trumps"] == ["C", "D", "H", "S"]
    assert by_id["spade-game"]["trumps"] == by_id["simple-nolo"]["trumps"] == []


def test_what_a_table_agrees_on_is_offered() -> None:
    rules = rules_of("ombre")
    plain = {one["id"] for one in choices_of(rules, "en")["contracts"]}
    agreed = choices_of(rules_with(rules.ruleset, (("gascarille", True),)), "en")
    assert {one["id"] for one in agreed["contracts"]} - plain == {"gascarille"}
