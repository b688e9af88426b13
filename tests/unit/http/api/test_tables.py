"""Tables over HTTP: opening, appending, starting deals, and slip batches that are read and stored."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.eventstore import EventStore
from service.eventstore.ids import new_id
from tests.support.api.asking import API, NOTE, Json, body_of, correction, fetch, problem, send
from tests.support.api.recording import DEAL, PLAYERS, TABLE, recorded_deal, recorded_table

HERE = f"tables/{TABLE}"
ADDRESS = f"{API}/{HERE}"
OPENING = {"ruleset": "dlu", "players": ["Anna", "Bo", "Carl"], "id": TABLE}


@pytest.fixture
def table(client: FlaskClient, store: EventStore) -> FlaskClient:
    recorded_table(store)
    return client


def start(client: FlaskClient, version: int, **opening: Any) -> TestResponse:
    return send(client, f"{HERE}/deals", {"players": PLAYERS, **opening}, version)


def append(client: FlaskClient, events: Any, version: int | str) -> TestResponse:
    return send(client, f"{HERE}/events", events, version)


def joined(name: str, **more: Any) -> Json:
    return {"type": "player_joined", "player": name, **more}


def test_a_table_is_opened_once(client: FlaskClient) -> None:
    first = client.post(f"{API}/tables", json=OPENING)
    assert (first.status_code, first.headers["Location"], first.headers["ETag"]) == (201, ADDRESS, '"1"')
    assert client.post(f"{API}/tables", json={**OPENING, "type": "table_opened"}).status_code == 200
    assert [table["id"] for table in fetch(client, "tables")["tables"]] == [TABLE]


def test_at_a_closed_table_it_is_said_why_no_deal_starts_and_what_to_do(table: FlaskClient) -> None:
    append(table, {"type": "table_closed"}, 1)
    answer = send(table, f"{HERE}/deals", {}, 2)
    assert problem(answer) == (422, "invalid-event")
    detail = answer.get_json()["detail"]
    assert "Entry 2 closed the table" in detail and "`replaces` [2]" in detail
    assert answer.get_json()["errors"] == [{"pointer": "/players", "detail": detail}]
    # What it says to do works: either way.
    assert start(table, 2).status_code == 201
    assert append(table, correction(replaces=[2]), 3).status_code == 201
    assert send(table, f"{HERE}/deals", {}, 4).status_code == 201


def test_where_the_table_cannot_say_who_plays_it_says_so(client: FlaskClient) -> None:
    body_of(client.post(f"{API}/tables", json={**OPENING, "players": ["Anna", "Bo"]}), 201)
    few = "The table has too few players for a deal: Anna, Bo."
    for opening, said in (({}, few), ({"ruleset": "ombre"}, "other rules than the table,")):
        detail = body_of(send(client, f"{HERE}/deals", opening, 1), 422)["detail"]
        assert said in detail and "`players`" in detail


def test_a_table_says_who_sits_there(table: FlaskClient) -> None:
    append(table, [joined("Dorthe", place=2)], 1)
    append(table, correction(joined("Dorte", place=2), replaces=[2]), 2)
    append(table, [{"type": "player_left", "player": "Carl"}, {"type": "table_closed"}], 3)
    now = fetch(table, HERE)
    assert (now["players"], now["closed"], now["version"]) == (["Anna", "Dorte", "Bo"], True, 5)
    append(table, {"type": "seats_set", "players": ["Bo", "Anna", "Dorte"]}, 5)
    assert fetch(table, HERE)["players"] == ["Bo", "Anna", "Dorte"]


def test_a_deal_is_started_by_the_rules_of_its_table(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store, switches={"talon": True}, revision=1)
    answer = start(client, 1, id=DEAL)
    assert (answer.status_code, answer.headers["Location"]) == (201, f"{API}/deals/{DEAL}")
    (opening,) = answer.get_json()["events"]
    expected = {"type": "deal_opened", "ruleset": "dlu", "revision": 1, "switches": {"talon": True}}
    assert {**expected, "table": TABLE, "number": 1}.items() <= opening.items()
    (noted,) = answer.get_json()["table"]["events"]
    assert (noted["type"], noted["deal"], noted["number"], noted["seq"]) == ("deal_started", DEAL, 1, 2)
    assert fetch(client, HERE)["next_number"] == 2
    (other,) = start(client, 2, ruleset="ombre").get_json()["events"]
    assert (other["number"], other["ruleset"], "switches" in other) == (2, "ombre", False)
    assert len(fetch(client, f"deals?table={TABLE}")["deals"]) == 2
    # It leads back to its table.
    deal = fetch(client, f"deals/{DEAL}")
    assert (deal["table"], deal["number"], deal["links"]["table"]) == (TABLE, 1, ADDRESS)
    lines = client.get(f"{ADDRESS}/events", headers={"Accept": "application/jsonl"}).data.splitlines()
    assert len(lines) == fetch(client, f"{HERE}/events")["version"] == 3


def test_a_deal_by_rules_that_nobody_published_is_a_fact_too(client: FlaskClient, store: EventStore) -> None:
    recorded_table(store, ruleset="nobody-knows")
    assert start(client, 1, ruleset="nobody-knows").status_code == 201
    (opening,) = start(client, 2, ruleset="dlu").get_json()["events"]
    assert opening["revision"] == 1, "the newest of the rules that it names"


def test_a_start_sent_twice_is_one_deal(table: FlaskClient, store: EventStore) -> None:
    start(table, 1, id=DEAL)
    start(table, 2)
    assert body_of(start(table, 1, id=DEAL))["table"]["version"] == 3, "the table's version now"
    for taken in (recorded_deal(store, deal=f"{DEAL[:-1]}b"), TABLE):
        assert problem(start(table, 3, id=taken)) == (409, "id-conflict")
    stale = start(table, 2, id=f"{DEAL[:-1]}a")
    assert (stale.status_code, stale.headers["ETag"]) == (412, '"3"')
    assert table.get(f"{API}/deals/{DEAL[:-1]}a").status_code == 404
    assert store.stream_version(TABLE) == 3


def test_an_opening_that_does_not_fit_is_refused(table: FlaskClient) -> None:
    for opening in ({"table": "another"}, {"type": "bid_made"}, {"players": 3}, {"id": 7}, {"strange": 1}):
        assert start(table, 1, **opening).status_code == 422, opening
    assert send(table, f"{HERE}/deals", [{"players": PLAYERS}], 1).status_code == 422, "a list"
    assert table.post(f"{ADDRESS}/deals", json={"players": PLAYERS}).status_code == 428
    assert send(table, f"{HERE}/deals", {"players": PLAYERS}, "*").status_code == 428
    assert start(table, 1, number=None, table=TABLE).status_code == 201


def test_a_card_is_not_played_at_a_table(table: FlaskClient) -> None:
    card = {"type": "card_played", "seat": "forehand", "card": "SK"}
    assert problem(append(table, card, 1)) == (422, "wrong-stream")
    assert append(table, {"type": "deal_started", "deal": DEAL, "number": 1}, 1).status_code == 422
    assert append(table, NOTE, "*").status_code == 201


def test_a_table_that_is_not_there_is_reported(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store)
    for path in (HERE, f"tables/{DEAL}", f"{HERE}/ledger", f"{HERE}/ledger.csv", f"{HERE}/export.jsonl",
                 f"deals?table={TABLE}", f"tables?after={TABLE}"):  # fmt: skip
        assert problem(client.get(f"{API}/{path}")) == (404, "unknown-table"), path


NAMES = ("Anna", "Bo", "Carl", "Dorthe")
ROWS = [
    {"contract": "so", "trump": "h", "declarer": "D", "outcome": "+5"},
    {"contract": "pas"},
    {"contract": "bedre", "declarer": "An", "outcome": "bet", "note": "sent"},
    {"contract": "kn", "declarer": "Bo", "outcome": "kruk 3"},
]


@pytest.fixture
def four(client: FlaskClient, store: EventStore) -> FlaskClient:
    recorded_table(store, players=list(NAMES), chip_value="0.25")
    return client


def read_slips(client: FlaskClient, *rows: Json, **more: Any) -> Any:
    sent = {"rows": list(rows), "lang": "da", **more}
    return body_of(client.post(f"{ADDRESS}/slip-batches:read", json=sent))


def stacked(read: Json) -> list[list[Json]]:
    return [[{**event, "id": new_id()} for event in row["events"]] for row in read["rows"] if row["events"]]


def store_batch(client: FlaskClient, deals: Any, **query: str) -> TestResponse:
    return send(client, f"{HERE}/slip-batches", deals, 1, **query)


def ledger(client: FlaskClient) -> Any:
    return fetch(client, f"{HERE}/ledger")


def test_what_is_read_is_what_the_ledger_says_once_it_is_stored(four: FlaskClient) -> None:
    batch = read_slips(four, *ROWS)
    assert (batch["version"], batch["players"]) == (1, list(NAMES))
    assert [row["faults"] for row in batch["rows"]] == [[]] * 4
    assert ledger(four)["lines"] == []
    answer = store_batch(four, stacked(batch))
    assert answer.status_code == 201, answer.text
    assert answer.headers["ETag"] == '"5"'
    lines = ledger(four)["lines"]
    for part in ("totals", "chips", "seating"):
        assert [line[part] for line in lines] == [row[part] for row in batch["rows"]], part
    assert [line["number"] for line in lines] == [1, 2, 3, 4]
    assert [one["code"] for one in ledger(four)["findings"]] == []
    third = fetch(four, f"deals/{lines[2]['deal']}/events")["events"]
    assert [event["type"] for event in third] == ["deal_opened", "result_recorded", "note_added"]


def test_the_same_again_is_stored_once_and_more_behind_it_is_added(four: FlaskClient) -> None:
    deals = stacked(read_slips(four, *ROWS))
    assert store_batch(four, deals[:2]).status_code == 201
    again = store_batch(four, deals[:2])
    assert (again.status_code, again.headers["ETag"]) == (200, '"3"')
    assert store_batch(four, deals).status_code == 201
    assert len(ledger(four)["lines"]) == 4
    assert store_batch(four, [[deals[0][0], {**deals[0][1], "trump": "D"}]]).status_code == 409


def test_all_is_stored_or_nothing(four: FlaskClient) -> None:
    deals = stacked(read_slips(four, *ROWS))
    answer = store_batch(four, [*deals[:2], [deals[2][0], {"type": "result_recorded", "contract": 7}]])
    assert (answer.status_code, answer.get_json()["errors"][0]["pointer"]) == (422, "/2/1/contract")
    misplaced = [deals[0], [deals[1][0], {"type": "table_closed"}]]
    assert store_batch(four, misplaced).get_json()["errors"][0]["pointer"] == "/1/1"
    bodies: list[Any] = [{}, [], [[]], [[7]], "x"]
    for body in bodies:
        assert store_batch(four, body).status_code == 422, body
    assert store_batch(four, [[{"players": {}}, *[NOTE] * 500]]).status_code == 413
    assert ledger(four)["lines"] == []
    deals = stacked(read_slips(four, ROWS[0], {**ROWS[0], "outcome": "vundet 2-5-2"}))
    answer = store_batch(four, deals, mode="strict")
    assert problem(answer) == (422, "against-the-rules")
    assert answer.get_json()["errors"][0]["pointer"] == "/1/1"
    assert ledger(four)["lines"] == []
    assert store_batch(four, deals).status_code == 201


def test_who_comes_second_is_told(four: FlaskClient) -> None:
    deals = stacked(read_slips(four, *ROWS))
    assert send(four, f"{HERE}/deals", {}, 1).status_code == 201
    assert body_of(store_batch(four, deals), 412)["version"] == 2
    assert four.post(f"{ADDRESS}/slip-batches", json=deals).status_code == 428
    assert read_slips(four, ROWS[0])["rows"][0]["number"] == 2


def test_what_an_opening_leaves_out_is_as_the_deals_before_it_leave_it(four: FlaskClient) -> None:
    result = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "won"}
    assert store_batch(four, [[{}, result], [{"type": "deal_opened"}, result]]).status_code == 201
    lines = ledger(four)["lines"]
    assert [line["seating"]["dealer"] for line in lines] == ["Dorthe", "Anna"]
    assert [line["number"] for line in lines] == [1, 2]


def test_rows_that_are_not_whole_keep_their_places(four: FlaskClient) -> None:
    batch = read_slips(four, {}, {"contract": "so"}, {"contract": "quatsch", "declarer": "Bo"}, ROWS[0])
    assert [row["number"] for row in batch["rows"]] == [1, 2, 3, 4]
    assert [row["blank"] for row in batch["rows"]] == [True, False, False, False]
    assert [row["missing"] for row in batch["rows"]] == [[], ["declarer", "outcome"], ["outcome"], []]
    (fault,) = batch["rows"][2]["faults"]
    assert (fault["column"], fault["read"]) == ("contract", '"quatsch"')
    assert fault["message"].startswith("I stedet for »quatsch«: skriv en melding")
    assert [bool(row["events"]) for row in batch["rows"]] == [False, False, False, True]
    assert [row["seating"]["dealer"] for row in batch["rows"]] == ["Dorthe", "Anna", "Bo", "Carl"]
    (row,) = read_slips(four, {**ROWS[0], "outcome": "vundet 2-5-2"})["rows"]
    assert [one["code"] for one in row["findings"]] == ["result_mismatch"]
    assert row["events"]
    _, row = read_slips(four, ROWS[0], {**ROWS[1], "dealer": "Carl"})["rows"]
    assert [one["code"] for one in row["findings"]] == ["seating_mismatch"]
    send(four, f"{HERE}/events", {"type": "table_closed"}, 1)
    assert read_slips(four, *ROWS)["rows"] == [], "nobody is due at a closed table"


def test_paper_is_compared_in_chips_and_in_money(four: FlaskClient) -> None:
    plain = read_slips(four, *ROWS)["rows"]
    totals = [" ".join(str(row["totals"][name]) for name in NAMES) for row in plain]
    same = [{**row, "paper": paper} for row, paper in zip(ROWS, totals, strict=True)]
    assert [row["differs"] for row in read_slips(four, *same)["rows"]] == [{}] * 4
    first = plain[0]["totals"]
    wrong = [{**ROWS[0], "paper": f"{first['Anna'] + 1} ?"}]
    assert read_slips(four, *wrong)["rows"][0]["differs"] == {"Anna": str(first["Anna"] + 1)}
    money = " ".join(str(first[name] * 0.25).replace(".", ",") for name in NAMES)
    assert read_slips(four, {**ROWS[0], "paper": money})["rows"][0]["differs"] == {}
    chips = " ".join(str(plain[2]["chips"].get(name, 0)) for name in NAMES)
    third = [*ROWS[:2], {**ROWS[2], "paper": chips}]
    assert read_slips(four, *third, paper_shows="chips")["rows"][2]["differs"] == {}
    assert read_slips(four, *third)["rows"][2]["differs"] != {}
    (fault,) = read_slips(four, {**ROWS[0], "paper": "ingenting"})["rows"][0]["faults"]
    assert fault["column"] == "paper"


def test_what_is_pasted_is_taken_apart(four: FlaskClient) -> None:
    text = "Nr;Melder;Melding;Stik;Anna\n1;Bo;solo;5;3\n"
    assert body_of(four.post(f"{ADDRESS}/slip-batches:parse", json={"text": text, "lang": "da"})) == {
        "head": ["Nr", "Melder", "Melding", "Stik", "Anna"],
        "columns": ["number", "declarer", "contract", "outcome", "player:Anna"],
        "rows": [["1", "Bo", "solo", "5", "3"]],
        "passed_over": [],
    }
