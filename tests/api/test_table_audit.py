"""The report on a table over HTTP: what is wrong with an evening, for who may know it."""

import json
from collections import Counter

from service.auth.grants import Scope, Terms
from tests.support.api.asking import API, Json, body_of, parameters, send, told
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import TABLE
from tests.support.api.table_audit import deal_id, revoke_that_only_the_hand_shows, stored, with_errors
from tests.tables.trials import reported

HERE = f"tables/{TABLE}/audit"


def codes(report: Json) -> list[tuple[int, str, int]]:
    return [(one["number"], one["code"], one["seq"]) for one in report["faults"]]


def test_each_error_is_named_at_its_deal_and_entry_as_the_engine_names_it() -> None:
    made, planted = with_errors("wrong_settlement", "wrong_dealer", "doubled_entry", "swapped_card")
    report = told(owner_of(stored(made)), HERE)
    engine = reported(made)
    assert codes(report) == [(one.number, one.finding.code, one.finding.seq) for one in engine.faults]
    assert {one[0] for one in codes(report)} == {one.deal + 1 for one in planted}
    assert (report["ok"], report["rescored"]) == (False, None)
    wrong, first = planted[0], report["first"]
    assert (first["deal"], first["seq"]) == (deal_id(wrong.deal + 1), wrong.seq)
    assert first["apart"] == report["apart"]
    assert [one["number"] for one in report["deals"]] == list(range(1, 9))


def test_a_correction_that_comes_with_a_fault_is_accepted_and_puts_it_right() -> None:
    made, _ = with_errors("swapped_card")
    client = owner_of(stored(made))
    (fault,) = told(client, HERE)["faults"]
    deal = f"deals/{fault['deal']}"
    body_of(send(client, f"{deal}/events", fault["corrections"], told(client, deal)["version"]), 201)
    after = told(client, HERE)
    assert (after["ok"], after["faults"]) == (True, [])


def test_sentences_are_told_in_the_language_that_is_asked_for() -> None:
    made, _ = with_errors("doubled_deal", "wrong_settlement")
    answer = owner_of(stored(made)).get(f"{API}/{HERE}", headers={"Accept-Language": "da"})
    sentences = [one["message"] for one in answer.get_json()["faults"]]
    assert any("en gang til" in one for one in sentences)
    assert any(one.startswith("Betalt:") for one in sentences)
    assert "Accept-Language" in answer.headers["Vary"]


def test_the_evening_by_other_rules() -> None:
    made, _ = with_errors()
    rescored = told(owner_of(stored(made)), f"{HERE}?as=la-bete@1")["rescored"]
    assert (rescored["ruleset"], rescored["revision"]) == ("la-bete", 1)
    assert len(rescored["deals"]) == 8
    summed: Counter[str] = Counter()
    for one in rescored["deals"]:
        summed.update(one["difference"] or {})
    assert {name: chips for name, chips in summed.items() if chips} == {
        name: chips for name, chips in rescored["difference"].items() if chips
    }


def test_other_rules_that_there_are_none_of_are_refused() -> None:
    made, _ = with_errors(count=2)
    client = owner_of(stored(made))
    for rules in ("nonesuch", "dlu@99", "dlu@@", "dlu,x", "dlu,nonesuch=yes", ""):
        answer = client.get(f"{API}/{HERE}", query_string={"as": rules})
        assert parameters(answer) == ["as"], rules
        assert answer.get_json()["errors"][0]["detail"]


# --- Who may know it ----------------------------------------------------------------------------------


def test_what_only_a_hidden_hand_shows_is_told_to_nobody_who_may_not_know_it() -> None:
    made = revoke_that_only_the_hand_shows()
    app = stored(made, closed=False)
    assert (2, "revoke") in [one[:2] for one in codes(told(owner_of(app), HERE))]
    hands = {card for one in made.deals[1] if one["type"] == "hand_dealt" for card in one["cards"]}
    shown = {one["card"] for one in made.deals[1] if one["type"] == "card_played"}
    viewer = holding(app, Terms("viewer", Scope("table", TABLE)))
    answer = viewer.get(f"{API}/{HERE}")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "revoke" not in [one[1] for one in codes(answer.get_json())]
    message = json.dumps(answer.get_json()["faults"])
    assert not any(card in message for card in hands - shown)
