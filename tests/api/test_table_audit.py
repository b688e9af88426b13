"""The report on a table over HTTP: what is wrong with an evening, for who may know it."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.identity.grants import Scope, Terms
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import TABLE
from tests.support.api.table_audit import (
    API,
    Json,
    deal_id,
    revoke_that_only_the_hand_shows,
    stored,
    with_errors,
)
from tests.tables.trials import reported

HERE = f"{API}/tables/{TABLE}/audit"


def asked(client: FlaskClient, path: str = HERE, **more: Any) -> Json:
    answer = client.get(path, **more)
    assert answer.status_code == 200, answer.text
    told: Json = answer.get_json()
    return told


def codes(told: Json) -> list[tuple[int, str, int]]:
    return [(one["number"], one["code"], one["seq"]) for one in told["faults"]]


def test_each_error_is_named_at_its_deal_and_entry_as_the_engine_names_it() -> None:
    made, planted = with_errors("wrong_settlement", "wrong_dealer", "doubled_entry", "swapped_card")
    told = asked(owner_of(stored(made)))
    engine = reported(made)
    assert codes(told) == [(one.number, one.finding.code, one.finding.seq) for one in engine.faults]
    assert {one[0] for one in codes(told)} == {one.deal + 1 for one in planted}
    assert told["ok"] is False
    wrong = planted[0]
    assert (told["first"]["deal"], told["first"]["seq"]) == (deal_id(wrong.deal + 1), wrong.seq)
    assert told["first"]["apart"] == told["apart"]
    assert [one["number"] for one in told["deals"]] == list(range(1, 9))
    assert told["rescored"] is None


def test_a_correction_that_comes_with_a_fault_is_accepted_and_puts_it_right() -> None:
    made, _ = with_errors("swapped_card")
    client = owner_of(stored(made))
    (fault,) = asked(client)["faults"]
    deal = f"{API}/deals/{fault['deal']}"
    version = client.get(deal).get_json()["version"]
    done = client.post(f"{deal}/events", json=fault["corrections"], headers={"If-Match": f'"{version}"'})
    assert done.status_code == 201, done.text
    again = asked(client)
    assert (again["ok"], again["faults"]) == (True, [])


def test_sentences_are_told_in_the_language_that_is_asked_for() -> None:
    made, _ = with_errors("doubled_deal", "wrong_settlement")
    client = owner_of(stored(made))
    answer = client.get(HERE, headers={"Accept-Language": "da"})
    sentences = [one["message"] for one in answer.get_json()["faults"]]
    assert any("en gang til" in one for one in sentences)
    assert any(one.startswith("Betalt:") for one in sentences)
    assert "Accept-Language" in answer.headers["Vary"]


def test_the_evening_by_other_rules() -> None:
    made, _ = with_errors()
    client = owner_of(stored(made))
    told = asked(client, f"{HERE}?as=la-bete@1")["rescored"]
    assert (told["ruleset"], told["revision"]) == ("la-bete", 1)
    assert len(told["deals"]) == 8
    summed: dict[str, int] = {}
    for one in told["deals"]:
        for name, chips in (one["difference"] or {}).items():
            summed[name] = summed.get(name, 0) + chips
    assert {name: chips for name, chips in summed.items() if chips} == {
        name: chips for name, chips in told["difference"].items() if chips
    }


@pytest.mark.parametrize("rules", ["nonesuch", "dlu@99", "dlu@@", "dlu,x", "dlu,nonesuch=yes", ""])
def test_other_rules_that_there_are_none_of_are_refused(rules: str) -> None:
    made, _ = with_errors(count=2)
    answer = owner_of(stored(made)).get(HERE, query_string={"as": rules})
    assert answer.status_code == 422
    told = answer.get_json()
    assert told["errors"][0]["parameter"] == "as"
    assert told["errors"][0]["detail"]


def test_who_has_the_report_is_told_so() -> None:
    made, _ = with_errors(count=3)
    client = owner_of(stored(made))
    first = client.get(HERE)
    assert first.headers["Cache-Control"] == "private, no-cache"
    again = client.get(HERE, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


# --- Who may know it ----------------------------------------------------------------------------------


def test_what_only_a_hidden_hand_shows_is_told_to_nobody_who_may_not_know_it() -> None:
    made = revoke_that_only_the_hand_shows()
    app = stored(made, closed=False)
    told = asked(owner_of(app))
    assert (2, "revoke") in [one[:2] for one in codes(told)]
    hands = {card for one in made.deals[1] if one["type"] == "hand_dealt" for card in one["cards"]}
    shown = {one["card"] for one in made.deals[1] if one["type"] == "card_played"}
    viewer = holding(app, Terms("viewer", Scope("table", TABLE)))
    answer = viewer.get(HERE)
    assert answer.headers["Cache-Control"] == "no-store"
    assert "revoke" not in [one[1] for one in codes(answer.get_json())]
    message = json.dumps(answer.get_json()["faults"])
    assert not any(card in message for card in hands - shown)


def test_whoever_may_not_read_the_table_is_not_told_that_it_is_there() -> None:
    made, _ = with_errors(count=2)
    app = stored(made)
    assert holding(app).get(HERE).status_code == 401
    stranger = holding(app, Terms("viewer", Scope("deal", deal_id(1))))
    assert stranger.get(HERE).status_code == 404
