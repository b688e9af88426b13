"""A table's ledger, deals that are started as it has them due, and the report on the table."""

import csv
import re
from io import StringIO
from typing import Any
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.api.asking import API, Json, body_of, correction, fetch, parameters, send
from tests.support.api.clients import owner_of
from tests.support.api.recording import TABLE
from tests.support.api.table_audit import deal_id, stored, with_errors
from tests.support.tables.trials import reported

ANNA_FIRST = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}


class Table:
    def __init__(self, client: FlaskClient, **opening: Any) -> None:
        self.client = client
        sent = {"ruleset": "ombre", "players": ["Anna", "Bo", "Carl"], **opening}
        self.at = f"tables/{body_of(client.post(f'{API}/tables', json=sent), 201)['table']}"
        self.version = 1

    def start(self, **opening: Any) -> Any:
        answer = body_of(send(self.client, f"{self.at}/deals", opening, self.version), 201)
        self.version = answer["table"]["version"]
        return answer

    def opening(self, **opening: Any) -> Any:
        return self.start(**opening)["events"][0]

    def deal(self, *events: Json) -> str:
        deal = str(self.start()["deal"])
        body_of(send(self.client, f"deals/{deal}/events", list(events), 1), 201)
        return deal

    def ledger(self) -> Any:
        return fetch(self.client, f"{self.at}/ledger")

    def sheet(self, asked: str = "", **headers: str) -> TestResponse:
        return self.client.get(f"{API}/{self.at}/ledger{asked}", headers=headers)


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return Table(client)


def slip_event(outcome: str, **more: Any) -> Json:
    played = {"declarer": "forehand", "contract": "play", "trump": "H", "outcome": outcome}
    return {"type": "result_recorded", **played, **more}


def test_a_deal_is_started_as_the_ledger_has_it_due(table: Table) -> None:
    opened = table.opening()
    assert opened["players"]["forehand"] == "Anna"
    assert (opened["dealer"], opened["pool"], opened["number"]) == ("Carl", 5, 1)
    table.deal(slip_event("bete"), {"type": "puesta_reserved", "seat": "forehand"})
    opened = table.opening()
    assert (opened["dealer"], opened["number"]) == ("Bo", 3)
    assert (opened["pool"], opened["reserved"]) == (15, [20])


def test_a_corrected_opening_changes_who_dealt_who_sat_where_and_who_sat_out(client: FlaskClient) -> None:
    table = Table(client, ruleset="dlu", players=["Anna", "Bo", "Carl", "Dora"])
    deal = table.deal(
        {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "won"}
    )
    opened, _ = fetch(client, f"deals/{deal}/events")["events"]
    assert opened["players"] == {
        **ANNA_FIRST,
        "middlehand": "Carl",
        "backhand": "Dora",
        "sitting_out": ["Bo"],
    }
    fields = ("type", "ruleset", "revision", "table", "number")
    seats = {"forehand": "Dora", "middlehand": "Bo", "backhand": "Carl", "sitting_out": ["Anna"]}
    corrected = {**{name: opened[name] for name in fields}, "players": seats, "dealer": "Carl"}
    body_of(send(client, f"deals/{deal}/events", [correction(corrected, replaces=[1])], 2), 201)
    [line] = table.ledger()["lines"]
    assert line["seating"] == {**seats, "dealer": "Carl"}
    assert (line["declarer"], line["chips"]) == ("Dora", {"Dora": 6, "Bo": -3, "Carl": -3})
    assert fetch(client, f"deals/{deal}")["players"] == seats
    figures = {one["player"]: one["sat_out"] for one in table.ledger()["figures"]}
    assert figures == {"Anna": 1, "Bo": 0, "Carl": 0, "Dora": 0}


def test_what_is_stated_stands(table: Table) -> None:
    opened = table.opening(players={**ANNA_FIRST, "forehand": "Bo", "middlehand": "Anna"}, pool=30)
    assert (opened["players"]["forehand"], opened["pool"], "dealer" in opened) == ("Bo", 30, False)
    assert [one["code"] for one in table.ledger()["findings"]] == ["seating_mismatch", "pool_mismatch"]
    # By other rules than the table's nothing is filled in but the number.
    opened = table.opening(ruleset="dlu", players=ANNA_FIRST)
    assert opened["number"] == 2
    assert not {"dealer", "pool", "reserved"} & set(opened)


def test_who_sits_out_is_filled_in_next_to_the_players_who_are_due(client: FlaskClient) -> None:
    table = Table(client, players=["Anna", "Bo", "Carl", "Dora"])
    opening = {"id": "018f5e2a-0000-7000-8000-000000000009", "players": ANNA_FIRST}
    started = table.start(**opening)
    assert started["events"][0]["players"] == {**ANNA_FIRST, "sitting_out": ["Dora"]}
    assert body_of(send(client, f"{table.at}/deals", opening, 1))["events"] == started["events"]


def test_the_ledger_of_an_evening(client: FlaskClient) -> None:
    table = Table(client, chip_value="0.5", currency="kr", plan={"deals": 12})
    won = table.deal(slip_event("won"))
    table.deal(slip_event("bete"))
    ledger = table.ledger()
    assert [line["outcome"] for line in ledger["lines"]] == ["won", "bete"]
    assert ledger["lines"][0]["deal"] == won
    assert ledger["lines"][0]["chips"] == {"Anna": 15, "Bo": -5, "Carl": -5}
    assert sum(ledger["totals"].values()) + ledger["pots"][0]["pool"] == 0
    assert (ledger["deals_left"], ledger["standings"][0]["money"] is None) == (10, False)
    assert ledger["following"][0]["pool"] == ledger["pots"][0]["pool"] + 5
    assert sum(debt["chips"] for debt in ledger["owes"]) > 0
    # A correction of the first deal changes what follows.
    body_of(send(client, f"deals/{won}/events", correction(slip_event("bete"), replaces=[2]), 2), 201)
    after = table.ledger()
    assert after["totals"] != ledger["totals"]
    assert [one["code"] for one in after["findings"]] == ["pool_mismatch"]


def test_the_ledger_in_rows_for_programs_and_for_spreadsheets(client: FlaskClient) -> None:
    table = Table(client, players=["=Anna", "Bo", "Carl"])
    table.deal(slip_event("won"))
    for answer in (table.sheet(".csv"), table.sheet(Accept="text/csv")):
        assert answer.mimetype == "text/csv"
        assert answer.text.startswith("number,deal,game,dealer,")
        assert "Content-Disposition" not in answer.headers
        head, first = list(csv.reader(StringIO(answer.text)))
        assert "'=Anna" in head
        row = dict(zip(head, first, strict=True))
        assert (row["dealer"], row["forehand"], row["outcome"]) == ("Carl", "'=Anna", "won")
        assert (row["stake"], row["pool before"], row["pool"]) == ("5", "5", "0")
        assert (row["Bo, total"], row["Carl"]) == ("-5", "-10")
    assert table.sheet(".csv?lang=fr").status_code == 422
    # For a spreadsheet: semicolons, a mark that says UTF-8, Danish heads and words, a file that is called so.
    table = Table(client, players=["Søren; den ældre", "=Bo", "Carl"], title="Torsdag 1/2: æøå")
    table.deal(slip_event("won"))
    answer = table.sheet(".csv?lang=da")
    assert answer.data.startswith(b"\xef\xbb\xbf")
    head, first = csv.reader(StringIO(answer.data.decode("utf-8-sig")), delimiter=";")
    row = dict(zip(head, first, strict=True))
    assert {"nr": "1", "giver": "Carl", "trumf": "hjerter", "resultat": "vundet"}.items() <= row.items()
    assert (row["forhånd"], row["mellemhånd"]) == ("Søren; den ældre", "'=Bo")
    assert row["Carl i alt"].lstrip("-").isdigit()
    assert "deal" not in head and "bemærkning" not in head
    name = unquote(answer.headers["Content-Disposition"].split("filename*=UTF-8''")[1])
    assert re.fullmatch(r"Regnskab 20\d\d-\d\d-\d\d Torsdag 1 2 æøå\.csv", name)
    table.deal(slip_event("bete"))
    answer = table.sheet(".csv?lang=en")
    (_, row) = csv.DictReader(StringIO(answer.data.decode("utf-8-sig")))
    assert (row["number"], row["trump"], row["outcome"]) == ("2", "hearts", "bête")
    assert 'filename="Score sheet 20' in answer.headers["Content-Disposition"]


def test_a_line_says_the_trumps_however_the_deal_is_known(client: FlaskClient) -> None:
    """By its slip, by its bidding, by the card that was turned; and none in nolo."""
    table = Table(client, ruleset="dlu")
    passes = [{"type": "bid_made", "seat": seat, "bid": "pass"} for seat in ("middlehand", "backhand")]
    bid = {"type": "bid_made", "seat": "forehand", "bid": "solo"}
    named = {"type": "contract_named", "seat": "forehand", "contract": "solo", "trump": "C"}
    turning = {"type": "contract_named", "seat": "forehand", "contract": "tourne"}
    table.deal(slip_event("won", contract="solo"))
    table.deal(bid, *passes, named, {"type": "result_recorded", "outcome": "won"})
    table.deal({**bid, "bid": "tourne"}, *passes, turning, {"type": "talon_turned", "card": "D5"})
    table.deal(slip_event("won", contract="pure-nolo", trump=None))
    table.deal({"type": "result_recorded", "outcome": "passed_out"})
    known = [("solo", "H"), ("solo", "C"), ("tourne", "D"), ("pure-nolo", None), (None, None)]
    assert [(line["contract"], line["trump"]) for line in table.ledger()["lines"]] == known
    rows = csv.DictReader(StringIO(table.sheet(".csv").text))
    assert [row["trump"] for row in rows] == ["H", "C", "D", "", ""]


HERE = f"tables/{TABLE}/audit"


def fault_codes(report: Json) -> list[tuple[int, str, int]]:
    return [(one["number"], one["code"], one["seq"]) for one in report["faults"]]


def test_each_error_is_named_at_its_deal_and_entry_as_the_engine_names_it() -> None:
    made, planted = with_errors("wrong_settlement", "wrong_dealer", "doubled_entry", "swapped_card")
    report = fetch(owner_of(stored(made)), HERE)
    due = [(one.number, one.finding.code, one.finding.seq) for one in reported(made).faults]
    assert fault_codes(report) == due
    assert {one[0] for one in fault_codes(report)} == {one.deal + 1 for one in planted}
    assert (report["ok"], report["rescored"]) == (False, None)
    wrong, first = planted[0], report["first"]
    assert (first["deal"], first["seq"]) == (deal_id(wrong.deal + 1), wrong.seq)
    assert first["apart"] == report["apart"]
    assert [one["number"] for one in report["deals"]] == list(range(1, 9))


def test_the_evening_by_other_rules() -> None:
    made, _ = with_errors()
    client = owner_of(stored(made))
    rescored = fetch(client, f"{HERE}?rescore_with=la-bete@1")["rescored"]
    assert (rescored["ruleset"], rescored["revision"]) == ("la-bete", 1)
    assert len(rescored["deals"]) == 8
    for rules in ("nonesuch", "dlu,x"):
        answer = client.get(f"{API}/{HERE}", query_string={"as": rules})
        assert parameters(answer) == ["as"], rules
        assert answer.get_json()["errors"][0]["detail"]
