"""A pile of slips over HTTP: read without being stored, stored in one step, and to the ledger the same."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.eventstore import EventStore
from service.eventstore.ids import new_id
from tests.support.api.asking import API, Json, body_of, problem, send, told
from tests.support.api.recording import TABLE, recorded_table

HERE = f"tables/{TABLE}"
NAMES = ("Anna", "Bo", "Carl", "Dorthe")
ROWS = [
    {"contract": "so", "trump": "h", "declarer": "D", "outcome": "+5"},
    {"contract": "pas"},
    {"contract": "bedre", "declarer": "An", "outcome": "bet", "note": "sent"},
    {"contract": "kn", "declarer": "Bo", "outcome": "kruk 3"},
]


@pytest.fixture(autouse=True)
def table(store: EventStore) -> str:
    return recorded_table(store, players=list(NAMES), chip_value="0.25")


def read(client: FlaskClient, *rows: Json, **more: Any) -> Json:
    sent = {"rows": list(rows), "lang": "da", **more}
    answer: Json = body_of(client.post(f"{API}/{HERE}/slip-batches:read", json=sent))
    return answer


def stacked(read: Json) -> list[list[Json]]:
    return [[{**event, "id": new_id()} for event in row["events"]] for row in read["rows"] if row["events"]]


def store_pile(client: FlaskClient, deals: Any, **query: str) -> TestResponse:
    return send(client, f"{HERE}/slip-batches", deals, 1, **query)


def ledger(client: FlaskClient) -> Json:
    answer: Json = told(client, f"{HERE}/ledger")
    return answer


def test_what_is_read_is_what_the_ledger_says_once_it_is_stored(client: FlaskClient) -> None:
    pile = read(client, *ROWS)
    assert (pile["version"], pile["players"]) == (1, list(NAMES))
    assert [row["faults"] for row in pile["rows"]] == [[]] * 4
    assert ledger(client)["lines"] == []
    deals = stacked(pile)
    answer = store_pile(client, deals)
    assert answer.status_code == 201, answer.text
    assert answer.headers["ETag"] == '"5"'
    lines = ledger(client)["lines"]
    assert [line["totals"] for line in lines] == [row["totals"] for row in pile["rows"]]
    assert [line["chips"] for line in lines] == [row["chips"] for row in pile["rows"]]
    assert [line["seating"] for line in lines] == [row["seating"] for row in pile["rows"]]
    assert [line["number"] for line in lines] == [1, 2, 3, 4]
    assert [one["code"] for one in ledger(client)["findings"]] == []
    third = told(client, f"deals/{lines[2]['deal']}/events")["events"]
    assert [event["type"] for event in third] == ["deal_opened", "result_recorded", "note_added"]


def test_the_same_again_is_stored_once_and_more_behind_it_is_added(client: FlaskClient) -> None:
    deals = stacked(read(client, *ROWS))
    assert store_pile(client, deals[:2]).status_code == 201
    again = store_pile(client, deals[:2])
    assert (again.status_code, again.headers["ETag"]) == (200, '"3"')
    assert store_pile(client, deals).status_code == 201
    assert len(ledger(client)["lines"]) == 4
    other = [[deals[0][0], {**deals[0][1], "trump": "D"}]]
    assert store_pile(client, other).status_code == 409


def test_all_is_stored_or_nothing(client: FlaskClient) -> None:
    deals = stacked(read(client, *ROWS))
    wrong = [*deals[:2], [deals[2][0], {"type": "result_recorded", "contract": 7}]]
    answer = store_pile(client, wrong)
    assert (answer.status_code, answer.get_json()["errors"][0]["pointer"]) == (422, "/2/1/contract")
    misplaced = [deals[0], [deals[1][0], {"type": "table_closed"}]]
    assert store_pile(client, misplaced).get_json()["errors"][0]["pointer"] == "/1/1"
    bodies: list[Any] = [{}, [], [[]], [[7]], "x"]
    for body in bodies:
        assert store_pile(client, body).status_code == 422, body
    assert (
        store_pile(client, [[{"players": {}}, *[{"type": "note_added", "text": "x"}] * 500]]).status_code
        == 413
    )
    assert ledger(client)["lines"] == []
    deals = stacked(read(client, ROWS[0], {**ROWS[0], "outcome": "vundet 2-5-2"}))
    answer = store_pile(client, deals, mode="strict")
    assert problem(answer) == (422, "against-the-rules")
    assert answer.get_json()["errors"][0]["pointer"] == "/1/1"
    assert ledger(client)["lines"] == []
    assert store_pile(client, deals).status_code == 201


def test_who_comes_second_is_told(client: FlaskClient) -> None:
    deals = stacked(read(client, *ROWS))
    assert send(client, f"{HERE}/deals", {}, 1).status_code == 201
    assert body_of(store_pile(client, deals), 412)["version"] == 2
    assert client.post(f"{API}/{HERE}/slip-batches", json=deals).status_code == 428
    assert read(client, ROWS[0])["rows"][0]["number"] == 2


def test_what_an_opening_leaves_out_is_as_the_deals_before_it_leave_it(client: FlaskClient) -> None:
    result = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "won"}
    assert store_pile(client, [[{}, result], [{"type": "deal_opened"}, result]]).status_code == 201
    lines = ledger(client)["lines"]
    assert [line["seating"]["dealer"] for line in lines] == ["Dorthe", "Anna"]
    assert [line["number"] for line in lines] == [1, 2]


def test_rows_that_are_not_whole_keep_their_places(client: FlaskClient) -> None:
    pile = read(client, {}, {"contract": "so"}, {"contract": "quatsch", "declarer": "Bo"}, ROWS[0])
    assert [row["number"] for row in pile["rows"]] == [1, 2, 3, 4]
    assert [row["blank"] for row in pile["rows"]] == [True, False, False, False]
    assert [row["missing"] for row in pile["rows"]] == [[], ["declarer", "outcome"], ["outcome"], []]
    (fault,) = pile["rows"][2]["faults"]
    assert (fault["column"], fault["read"]) == ("contract", '"quatsch"')
    assert fault["message"].startswith('I stedet for "quatsch": skriv en melding')
    assert [bool(row["events"]) for row in pile["rows"]] == [False, False, False, True]
    assert [row["seating"]["dealer"] for row in pile["rows"]] == ["Dorthe", "Anna", "Bo", "Carl"]
    (row,) = read(client, {**ROWS[0], "outcome": "vundet 2-5-2"})["rows"]
    assert [one["code"] for one in row["findings"]] == ["result_mismatch"]
    assert row["events"]
    _, row = read(client, ROWS[0], {**ROWS[1], "dealer": "Carl"})["rows"]
    assert [one["code"] for one in row["findings"]] == ["seating_mismatch"]
    send(client, f"{HERE}/events", {"type": "table_closed"}, 1)
    assert read(client, *ROWS)["rows"] == [], "nobody is due at a closed table"


def test_paper_is_compared_in_chips_and_in_money(client: FlaskClient) -> None:
    plain = read(client, *ROWS)["rows"]
    totals = [" ".join(str(row["totals"][name]) for name in NAMES) for row in plain]
    same = [{**row, "paper": paper} for row, paper in zip(ROWS, totals, strict=True)]
    assert [row["differs"] for row in read(client, *same)["rows"]] == [{}] * 4
    first = plain[0]["totals"]
    wrong = [{**ROWS[0], "paper": f"{first['Anna'] + 1} ?"}]
    assert read(client, *wrong)["rows"][0]["differs"] == {"Anna": str(first["Anna"] + 1)}
    money = " ".join(str(first[name] * 0.25).replace(".", ",") for name in NAMES)
    assert read(client, {**ROWS[0], "paper": money})["rows"][0]["differs"] == {}
    chips = " ".join(str(plain[2]["chips"].get(name, 0)) for name in NAMES)
    third = [*ROWS[:2], {**ROWS[2], "paper": chips}]
    assert read(client, *third, paper_shows="chips")["rows"][2]["differs"] == {}
    assert read(client, *third)["rows"][2]["differs"] != {}
    (fault,) = read(client, {**ROWS[0], "paper": "ingenting"})["rows"][0]["faults"]
    assert fault["column"] == "paper"


def test_what_is_pasted_is_taken_apart(client: FlaskClient) -> None:
    text = "Nr;Melder;Melding;Stik;Anna\n1;Bo;solo;5;3\n"
    pile = client.post(f"{API}/{HERE}/slip-batches:parse", json={"text": text, "lang": "da"}).get_json()
    assert pile == {
        "head": ["Nr", "Melder", "Melding", "Stik", "Anna"],
        "columns": ["number", "declarer", "contract", "outcome", "player:Anna"],
        "rows": [["1", "Bo", "solo", "5", "3"]],
        "passed_over": [],
    }
