"""A table's ledger over HTTP, and deals that are started as the ledger has them due."""

import csv
import re
from io import StringIO
from typing import Any
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.store import MemoryStore
from tests.support.api.clients import owner_of

Json = dict[str, Any]


@pytest.fixture
def client() -> FlaskClient:
    return owner_of(create_app(MemoryStore()))


class Table:
    """A table over HTTP."""

    def __init__(self, client: FlaskClient, **opening: Any) -> None:
        self.client = client
        told = client.post(
            "/api/v1/tables", json={"ruleset": "ombre", "players": ["Anna", "Bo", "Carl"], **opening}
        )
        assert told.status_code == 201, told.get_json()
        self.at, self.version = told.headers["Location"], told.get_json()["version"]

    def start(self, **opening: Any) -> Json:
        told = self.client.post(f"{self.at}/deals", json=opening, headers={"If-Match": f'"{self.version}"'})
        assert told.status_code == 201, told.get_json()
        self.version = told.get_json()["table"]["version"]
        answer: Json = told.get_json()
        return answer

    def deal(self, *events: Json, **opening: Any) -> str:
        started = self.start(**opening)
        for version, event in enumerate(events, 1):
            told = self.client.post(
                f"/api/v1/deals/{started['deal']}/events", json=event, headers={"If-Match": f'"{version}"'}
            )
            assert told.status_code == 201, told.get_json()
        return str(started["deal"])

    def ledger(self) -> Json:
        answer: Json = self.client.get(f"{self.at}/ledger").get_json()
        return answer


def slip(outcome: str) -> Json:
    return {
        "type": "result_recorded",
        "declarer": "forehand",
        "contract": "play",
        "trump": "H",
        "outcome": outcome,
    }


def test_a_deal_is_started_as_the_ledger_has_it_due(client: FlaskClient) -> None:
    table = Table(client)
    opened = table.start()["events"][0]
    assert opened["players"]["forehand"] == "Anna"
    assert (opened["dealer"], opened["pool"], opened["number"]) == ("Carl", 5, 1)
    opened = table.start()["events"][0]
    assert (opened["dealer"], opened["number"]) == ("Anna", 2)


def test_what_is_stated_stands(client: FlaskClient) -> None:
    table = Table(client)
    players = {"forehand": "Bo", "middlehand": "Anna", "backhand": "Carl"}
    opened = table.start(players=players, pool=30)["events"][0]
    assert (opened["players"]["forehand"], opened["pool"], "dealer" in opened) == ("Bo", 30, False)
    codes = [one["code"] for one in table.ledger()["findings"]]
    assert codes == ["seating_mismatch", "pool_mismatch"]


def test_who_sits_out_is_filled_in_beside_the_players_who_are_due(client: FlaskClient) -> None:
    table = Table(client, players=["Anna", "Bo", "Carl", "Dora"])
    active = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}
    deal = "018f5e2a-0000-7000-8000-000000000009"
    started = table.start(id=deal, players=active)
    assert started["events"][0]["players"] == {**active, "sitting_out": ["Dora"]}
    opening = {"id": deal, "players": active}
    told = client.post(f"{table.at}/deals", json=opening, headers={"If-Match": '"1"'})
    assert (told.status_code, told.get_json()["events"]) == (200, started["events"])


def test_with_six_the_pool_is_that_of_the_players_game(client: FlaskClient) -> None:
    table = Table(client, players=["Anna", "Bo", "Carl", "Dora", "Else", "Finn"])
    table.deal(slip("bete"))
    players = {"forehand": "Finn", "middlehand": "Bo", "backhand": "Dora"}
    opened = table.start(players=players)["events"][0]
    assert (opened["pool"], "dealer" in opened) == (5, False)
    assert table.start()["events"][0]["pool"] == 25


def test_a_deal_that_was_set_aside_comes_with_the_next_opening(client: FlaskClient) -> None:
    table = Table(client)
    table.deal(slip("bete"), {"type": "puesta_reserved", "seat": "forehand"})
    opened = table.start()["events"][0]
    assert (opened["pool"], opened["reserved"]) == (10, [15])


def test_under_other_rules_than_the_tables_nothing_is_filled_in_but_the_number(client: FlaskClient) -> None:
    table = Table(client)
    players = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}
    opened = table.start(ruleset="dlu", players=players)["events"][0]
    assert opened["number"] == 1
    assert not {"dealer", "pool", "reserved"} & set(opened)


def test_the_ledger_of_an_evening(client: FlaskClient) -> None:
    table = Table(client, chip_value="0.5", currency="kr", plan={"deals": 12})
    won = table.deal(slip("won"))
    table.deal(slip("bete"))
    told = table.ledger()
    assert [line["outcome"] for line in told["lines"]] == ["won", "bete"]
    assert told["lines"][0]["deal"] == won
    assert told["lines"][0]["chips"] == {"Anna": 15, "Bo": -5, "Carl": -5}
    assert sum(told["totals"].values()) + told["pots"][0]["pool"] == 0
    assert told["deals_left"] == 10
    assert told["standings"][0]["money"] is not None
    assert told["following"][0]["pool"] == told["pots"][0]["pool"] + 5
    assert sum(debt["chips"] for debt in told["owes"]) > 0


def test_the_ledger_in_rows(client: FlaskClient) -> None:
    table = Table(client, players=["=Anna", "Bo", "Carl"])
    table.deal(slip("won"))
    for answer in (
        client.get(f"{table.at}/ledger.csv"),
        client.get(f"{table.at}/ledger", headers={"Accept": "text/csv"}),
    ):
        assert answer.mimetype == "text/csv"
        head, first = list(csv.reader(StringIO(answer.text)))
        assert "'=Anna" in head
        row = dict(zip(head, first, strict=True))
        assert (row["dealer"], row["forehand"], row["outcome"]) == ("Carl", "'=Anna", "won")
        assert (row["stake"], row["pool before"], row["pool"]) == ("5", "5", "0")
        assert (row["Bo, total"], row["Carl"]) == ("-5", "-10")


def test_a_danish_spreadsheet_opens_it_in_columns(client: FlaskClient) -> None:
    """Semicolons, a mark that says UTF-8, Danish heads and words, a file that is called so."""
    table = Table(client, players=["Søren; den ældre", "=Bo", "Carl"], title="Torsdag 1/2: æøå")
    table.deal(slip("won"))
    answer = client.get(f"{table.at}/ledger.csv?lang=da")
    assert answer.data.startswith(b"\xef\xbb\xbf")
    head, row = csv.reader(StringIO(answer.data.decode("utf-8-sig")), delimiter=";")
    told = dict(zip(head, row, strict=True))
    assert {"nr": "1", "giver": "Carl", "trumf": "hjerter", "resultat": "vundet"}.items() <= told.items()
    assert (told["forhånd"], told["mellemhånd"]) == ("Søren; den ældre", "'=Bo")
    assert told["Carl i alt"].lstrip("-").isdigit()
    assert "deal" not in head and "bemærkning" not in head
    name = unquote(answer.headers["Content-Disposition"].split("filename*=UTF-8''")[1])
    assert re.fullmatch(r"Regnskab 20\d\d-\d\d-\d\d Torsdag 1 2 æøå\.csv", name)


def test_an_english_one_has_commas_and_words(client: FlaskClient) -> None:
    table = Table(client)
    table.deal(slip("bete"))
    answer = client.get(f"{table.at}/ledger.csv?lang=en")
    (row,) = csv.DictReader(StringIO(answer.data.decode("utf-8-sig")))
    assert (row["number"], row["trump"], row["outcome"]) == ("1", "hearts", "bête")
    assert 'filename="Score sheet 20' in answer.headers["Content-Disposition"]


def test_programs_are_answered_as_ever(client: FlaskClient) -> None:
    table = Table(client)
    table.deal(slip("won"))
    answer = client.get(f"{table.at}/ledger.csv")
    assert answer.text.startswith("number,deal,game,dealer,")
    assert "Content-Disposition" not in answer.headers
    assert client.get(f"{table.at}/ledger.csv?lang=fr").status_code == 422


def test_a_line_says_the_trumps_however_the_deal_is_known(client: FlaskClient) -> None:
    """By its slip, by its bidding, by the card that was turned; and none in nolo."""
    table = Table(client, ruleset="dlu")
    named = [
        {"type": "bid_made", "seat": "forehand", "bid": "solo"},
        {"type": "bid_made", "seat": "middlehand", "bid": "pass"},
        {"type": "bid_made", "seat": "backhand", "bid": "pass"},
        {"type": "contract_named", "seat": "forehand", "contract": "solo", "trump": "C"},
    ]
    turned = [
        {**named[0], "bid": "tourne"}, *named[1:3],
        {"type": "contract_named", "seat": "forehand", "contract": "tourne"},
        {"type": "talon_turned", "card": "D5"},
    ]  # fmt: skip
    table.deal({**slip("won"), "contract": "solo"})
    table.deal(*named, {"type": "result_recorded", "outcome": "won"})
    table.deal(*turned)
    table.deal({**slip("won"), "contract": "pure-nolo", "trump": None})
    table.deal({"type": "result_recorded", "outcome": "passed_out"})
    lines = table.ledger()["lines"]
    assert [(line["contract"], line["trump"]) for line in lines] == [
        ("solo", "H"), ("solo", "C"), ("tourne", "D"), ("pure-nolo", None), (None, None),
    ]  # fmt: skip
    rows = csv.DictReader(StringIO(client.get(f"{table.at}/ledger.csv").text))
    assert [row["trump"] for row in rows] == ["H", "C", "D", "", ""]


def test_a_correction_in_the_middle_changes_the_ledger(client: FlaskClient) -> None:
    table = Table(client)
    first = table.deal(slip("won"))
    table.deal(slip("won"))
    before = table.ledger()["totals"]
    correction = {"type": "correction_made", "replaces": [2], "with": [slip("bete")], "reason": "misread"}
    told = client.post(f"/api/v1/deals/{first}/events", json=correction, headers={"If-Match": '"2"'})
    assert told.status_code == 201
    after = table.ledger()
    assert after["totals"] != before
    assert [one["code"] for one in after["findings"]] == ["pool_mismatch"]
    assert sum(after["totals"].values()) + sum(pot["pool"] for pot in after["pots"]) == 0


def test_a_table_that_is_not_there_has_no_ledger(client: FlaskClient) -> None:
    for path in ("ledger", "ledger.csv"):
        assert client.get(f"/api/v1/tables/018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f/{path}").status_code == 404
