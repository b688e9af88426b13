"""Seasons over HTTP: what many evenings come to, for whoever may read them."""

import csv
from datetime import date
from decimal import Decimal
from io import StringIO

import pytest
from flask import Flask

from schemas.i18n.catalogs import gettext
from service.auth.grants import GrantTerms, Scope
from service.projections.seasons import parse_season, season_containing
from service.records.demo_evening import DEMO_PLAYERS, DEMO_TITLE
from tests.support.api.asking import API, problem
from tests.support.api.clients import holding, of_app
from tests.support.api.seasons import FOUR, LOST, SOLO, Club
from tests.support.projector import all_made

FIGURES = ("played", "sat_out", "declared", "won", "bete", "codille", "chips")


@pytest.fixture
def club(app: Flask) -> Club:
    return Club(app)


def test_a_season_is_a_span_of_days() -> None:
    autumn = season_containing(date(2025, 11, 21))
    assert (autumn.id, autumn.first, autumn.last) == ("2025-26", date(2025, 8, 1), date(2026, 7, 31))
    assert season_containing(date(2026, 7, 31)) == autumn == parse_season("2025-26")
    assert season_containing(date(1999, 8, 1)).id == "1999-00"
    assert parse_season("2025") == ("2025", date(2025, 1, 1), date(2025, 12, 31))
    span = parse_season("2025-09-01--2025-12-31")
    assert span is not None and date(2025, 12, 31) in span and date(2026, 1, 1) not in span
    wrong = ("2025-27", "0000", "0000-01", "9999-00", "2025-12-31--2025-09-01", "2025-02-30--2025-03-01", "x")
    assert [parse_season(one) for one in ("", *wrong)] == [None] * 8


def test_a_season_is_the_sum_of_its_ledgers(club: Club) -> None:
    tables = [
        club.evening("2025-09-04", SOLO, LOST, chip_value="0.25", currency="kr", title="Torsdag"),
        club.evening("2025-10-02", LOST, players=FOUR, chip_value="0.1", currency="EUR"),
        club.evening("2026-01-08", SOLO, SOLO, players=("Bo", "Dora", "Gast")),
        club.evening("2025-11-06", SOLO, {"outcome": "passed_out"}, ruleset="ombre"),
    ]
    club.evening("2025-05-01", SOLO)
    club.evening("2025-12-04")  # a table at which nothing was played
    seasons = club.get("/seasons")["seasons"]
    assert [(one["id"], one["evenings"]) for one in seasons] == [("2025-26", 4), ("2024-25", 1)]
    season = club.get("/seasons/2025-26")
    days = [one["day"] for one in season["evenings"]]
    assert days == ["2025-09-04", "2025-10-02", "2025-11-06", "2026-01-08"]
    ledgers = {table: club.get(f"/tables/{table}/ledger") for table in tables}
    for one in season["evenings"]:
        ledger = ledgers[one["table"]]
        assert (one["totals"], one["shares"]) == (ledger["totals"], ledger["shares"])
    for one in season["standings"]:
        player = one["player"]
        own = [each for each in ledgers.values() if player in each["totals"]]
        figures = [row for each in own for row in each["figures"] if row["player"] == player]
        for name in FIGURES:
            assert one[name] == sum(row[name] for row in figures)
        assert one["evenings"] == len(figures)
        assert one["share"] == sum(each["shares"].get(player, 0) for each in own)
        assert one["settled"] == one["chips"] + one["share"]
        worth: dict[str | None, Decimal] = {}
        for each in [each for each in own if each["chip_value"]]:
            value = (each["totals"][player] + each["shares"].get(player, 0)) * Decimal(each["chip_value"])
            worth[each["currency"]] = worth.get(each["currency"], Decimal(0)) + value
        assert {each["currency"]: Decimal(each["amount"]) for each in one["money"]} == worth
    settled = [one["settled"] for one in season["standings"]]
    assert (sum(settled), settled) == (0, sorted(settled, reverse=True))
    assert season["standings"][0]["place"] == 1
    assert season["names"][club.members["Anna"]] == "Anna Larsen"
    assert sum(one["evenings"] for one in club.get("/seasons/all")["standings"]) == 4 + 3 + 3 + 3 + 3
    assert len(club.get("/seasons/2025-09-04--2025-10-01")["evenings"]) == 1


def correction(seq: int, *events: dict[str, object]) -> dict[str, object]:
    return {"type": "correction_made", "reason": "Mistaken.", "replaces": [seq], "with": [*events]}


@pytest.mark.parametrize("is_projected", [False, True])
def test_an_evening_is_of_its_date_whenever_it_was_recorded(
    app: Flask, club: Club, is_projected: bool
) -> None:
    store = of_app(app).store
    dated = club.evening("2025-09-04", SOLO, date="2019-11-27")
    year = club.evening("2025-09-04", SOLO, title="Old", date="1766")
    corrected = club.evening("2025-09-04", SOLO, title="Corrected")
    if is_projected:
        all_made(store)
    opening, *_ = club.get(f"/tables/{corrected}/events")["events"]
    opened = {name: opening[name] for name in ("type", "ruleset", "players", "title")}
    club.post(f"/tables/{corrected}/events", correction(1, {**opened, "date": "2025-08"}), 2)
    for _ in range(2):
        seasons = club.get("/seasons")["seasons"]
        assert [one["id"] for one in seasons] == ["2025-26", "2019-20", "1765-66"]
        evenings = club.get("/seasons/all")["evenings"]
        assert [(one["table"], one["day"], one["date"]) for one in evenings] == [
            (year, "1766-01-01", "1766"),
            (dated, "2019-11-27", "2019-11-27"),
            (corrected, "2025-08-01", "2025-08"),
        ]
        all_made(store)
    page = club.client.get("/seasons/all?lang=en").text
    assert "27 November 2019" in page and "August 2025" in page
    assert "27 November 2019" in club.client.get("/tables?lang=en").text
    (deal,) = club.get(f"/deals?table={dated}")["deals"]
    assert deal["date"] == "2019-11-27"
    assert "27 November 2019" in club.client.get(f"/deals/{deal['id']}?lang=en").text
    assert "27 November 2019" in club.client.get("/deals?lang=en").text


@pytest.mark.parametrize("is_projected", [False, True])
def test_a_table_that_is_set_aside_or_made_up_counts_nowhere(
    app: Flask, club: Club, is_projected: bool
) -> None:
    store = of_app(app).store
    kept, mistaken = club.evening("2025-09-04", SOLO), club.evening("2025-09-04", SOLO, title="Again")
    club.evening("2025-09-04", SOLO, players=DEMO_PLAYERS, title=gettext(DEMO_TITLE, "da"))
    figures = f"/members/{club.members['Anna']}/figures"
    if is_projected:
        all_made(store)
    club.post(f"/tables/{mistaken}/events", {"type": "table_voided", "reason": "Opened twice."}, 2)
    for _ in range(2):
        assert [one["evenings"] for one in club.get("/seasons")["seasons"]] == [1]
        assert [one["table"] for one in club.get("/seasons/all")["evenings"]] == [kept]
        assert club.get(figures)["total"]["evenings"] == 1
        all_made(store)
    ledger, summary = club.get(f"/tables/{mistaken}/ledger"), club.get(f"/tables/{mistaken}")
    assert ledger["voided"] == summary["voided"] == "Opened twice."
    assert len(ledger["lines"]) == 1 and club.get(f"/tables/{kept}/ledger")["voided"] is None
    assert club.get(f"/tables/{mistaken}/audit")["voided"] == "Opened twice."
    for page in ("/tables", f"/tables/{mistaken}/report"):
        assert "counts nowhere: Opened twice." in club.client.get(f"{page}?lang=en").text
    club.post(f"/tables/{mistaken}/events", correction(3), 3)
    assert club.get(figures)["total"]["evenings"] == 2


def test_rows_for_programs_and_for_a_danish_spreadsheet(club: Club) -> None:
    club.evening("2025-09-04", SOLO, chip_value="0.25", currency="kr", title="=Torsdag")
    club.evening("2025-10-02", LOST, players=("Anna", "Bo", "Gast"))
    answer = club.client.get(f"{API}/seasons/all/standings.csv")
    assert answer.content_type == "text/csv; charset=utf-8"
    head, *rows = csv.reader(StringIO(answer.text))
    assert head[12:] == ["money, kr", "2025-09-04 =Torsdag", "2025-10-02"]
    by_name = {row[1]: row for row in rows}
    assert set(by_name) == {"Anna Larsen", "Bo Larsen", "Carl Larsen", "Gast"}
    assert by_name["Anna Larsen"][-3:-1] == ["1.50", "6"]
    assert by_name["Gast"][-3:-1] == ["", ""]
    answer = club.client.get(f"{API}/seasons/2025-26/standings.csv?lang=da")
    assert answer.data.startswith(b"\xef\xbb\xbf")
    head, *rows = csv.reader(StringIO(answer.data.decode("utf-8-sig")), delimiter=";")
    assert head[:4] == ["plads", "spiller", "aftener", "spil"]
    assert head[12:] == ["penge, kr", "2025-09-04 =Torsdag", "2025-10-02"]
    assert ("Anna Larsen", "1,50") in [(row[1], row[12]) for row in rows]
    assert "Stillingen 2025-26.csv" in answer.headers["Content-Disposition"]
    assert club.client.get(f"{API}/seasons/all/standings.csv?lang=fr").status_code == 422


def test_who_may_see_one_table_sees_no_other(app: Flask, club: Club) -> None:
    one = club.evening("2025-09-04", SOLO, title="Hemmelig")
    other = club.evening("2025-09-11", LOST, players=("Dora", "Bo", "Carl"), title="En anden")
    viewer = holding(app, GrantTerms("viewer", Scope("table", one)))
    assert [each["evenings"] for each in viewer.get(f"{API}/seasons").get_json()["seasons"]] == [1]
    season = viewer.get(f"{API}/seasons/all")
    told = season.get_json()
    assert [each["table"] for each in told["evenings"]] == [one]
    assert {each["evenings"] for each in told["standings"]} == {1}
    assert {each["player"] for each in told["standings"]} == {club.members[name] for name in FOUR[:3]}
    bo = viewer.get(f"{API}/members/{club.members['Bo']}/figures")
    rows = viewer.get(f"{API}/seasons/all/standings.csv")
    for answer in (season, bo, rows):
        assert answer.headers["Cache-Control"] == "no-store"
        for hidden in (other, "En anden", club.members["Dora"], "Dora"):
            assert hidden not in answer.text
    assert len(bo.get_json()["evenings"]) == 1
    assert viewer.get(f"{API}/members/{club.members['Dora']}/figures").status_code == 404
    assert app.test_client().get(f"{API}/seasons/all").get_json()["standings"] == []
    # What is published is told by short names.
    club.post("/grants", {"role": "viewer", "table": one, "public": True})
    public = app.test_client().get(f"{API}/seasons/all")
    assert public.get_json()["names"][club.members["Anna"]] == "Anna"
    assert "Larsen" not in public.text


def test_what_a_member_did_until_it_is_forgotten(club: Club) -> None:
    club.evening("2025-09-04", SOLO, LOST, chip_value="0.25", currency="kr")
    late = club.evening("2026-09-03", SOLO, players=("Bo", "Anna", "Gast"))
    club.evening("2025-10-02", SOLO, players=("Bo", "Carl", "Dora"))
    anna = club.members["Anna"]
    did = club.get(f"/members/{anna}/figures")
    first, second = did["evenings"]
    assert (first["day"], first["season"]) == ("2026-09-03", "2026-27")
    assert (second["day"], second["season"]) == ("2025-09-04", "2025-26")
    for name in FIGURES:
        assert did["total"][name] == sum(one["figures"][name] for one in did["evenings"])
    assert (first["table"], first["money"]) == (late, None)
    assert Decimal(second["money"]) == second["settled"] * Decimal("0.25")
    newcomer = club.post("/members", {"name": "Ib Ibsen"})["id"]
    told = club.get(f"/members/{newcomer}/figures")
    assert (told["total"], told["evenings"], told["names"]) == (None, [], {newcomer: "Ib Ibsen"})
    assert club.client.delete(f"{API}/members/{anna}").status_code == 204
    season = club.get("/seasons/all")
    assert (season["names"][anna], sum(one["settled"] for one in season["standings"])) == (None, 0)
    assert "Anna" not in club.client.get(f"{API}/seasons/all/standings.csv").text
    assert club.client.get(f"{API}/members/{anna}/figures").status_code == 404
    assert problem(club.client.get(f"{API}/seasons/last-winter")) == (404, "unknown-season")
