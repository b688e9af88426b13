"""Who may do what: every role at every route and method that the application has."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.api.who_may import ALL as ALL_MAY
from service.api.who_may import WHO
from service.app import create_app
from service.identity.grants import ROLES, Member, Role, Scope, Terms
from service.store import MemoryStore
from tests.support.api.clients import holding, of_app, owner_of, token_for
from tests.support.api.recording import DEAL, OPENING, PLAYERS, TABLE, recorded_table

OTHER_TABLE = "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4e00"
ANSWERED, CREATED = range(200, 300), 201
API = "/api/v1"

CALLERS = {
    "A": "everybody",
    "V": "viewer of the table",
    "P": "player in a seat of the deal",
    "N": "player at the table, by name",
    "R": "recorder of the deal",
    "T": "recorder of the table",
    "O": "organiser of the table",
    "X": "recorder of another table",
    "C": "recorder of everything",
    "G": "organiser of everything",
    "W": "owner",
}
TERMS = {
    "V": Terms("viewer", Scope("table", TABLE)),
    "P": Terms("player", Scope("deal", DEAL), seat="forehand"),
    "N": Terms("player", Scope("table", TABLE), person="Anna"),
    "R": Terms("recorder", Scope("deal", DEAL)),
    "T": Terms("recorder", Scope("table", TABLE)),
    "O": Terms("organiser", Scope("table", TABLE)),
    "X": Terms("recorder", Scope("table", OTHER_TABLE)),
    "C": Terms("recorder"),
    "G": Terms("organiser"),
    "W": Terms("owner"),
}
ALL = "".join(CALLERS)
NOTE = {"type": "note_added", "text": "A long think."}


@pytest.fixture(scope="module")
def app() -> Flask:
    store = MemoryStore()
    recorded_table(store)
    recorded_table(store, OTHER_TABLE)
    made = create_app(store)
    opening = {**OPENING, "id": DEAL}
    started = owner_of(made).post(f"{API}/tables/{TABLE}/deals", json=opening, headers={"If-Match": '"1"'})
    assert started.status_code == CREATED, started.text
    return made


@pytest.fixture(scope="module")
def callers(app: Flask) -> dict[str, FlaskClient]:
    return {letter: holding(app, *([TERMS[letter]] if letter in TERMS else [])) for letter in CALLERS}


class Row(NamedTuple):
    """A route and method, who may, what the others who show a token get, and how it is asked."""

    rule: str
    method: str
    may: str
    otherwise: dict[int, str]
    path: Callable[[Flask], str]
    body: Any = None
    headers: dict[str, str] = {}  # noqa: RUF012


def at(path: str) -> Callable[[Flask], str]:
    return lambda _: path


def read(rule: str, path: str | None = None, may: str = ALL, **otherwise: str) -> Row:
    by_status = {int(name[1:]): letters for name, letters in otherwise.items()}
    return Row(rule, "GET", may, by_status, at(path or rule))


def of_deal(rule: str, **more: Any) -> Row:
    return read(f"{API}/deals/<stream:deal>{rule}", f"{API}/deals/{DEAL}{rule}", "VPNRTOCGW", _404="X")


def of_table(rule: str) -> Row:
    return read(f"{API}/tables/<stream:table>{rule}", f"{API}/tables/{TABLE}{rule}", "VNTOCGW", _404="PRX")


def of_replay(rule: str) -> Row:
    return read(f"{API}/replays/<name>{rule}", f"{API}/replays/belinda{rule}")


def a_grant(app: Flask) -> str:
    return f"{API}/grants/{of_app(app).register.make(TERMS['V']).grant.id}"


def a_session(app: Flask) -> str:
    token = token_for(app, TERMS["V"])
    return f"{API}/sessions/{of_app(app).register.enter(token).session.id}"


def a_member(app: Flask) -> str:
    return f"{API}/members/{of_app(app).register.enrol(Member('', 'Dorte')).id}"


def a_member_at_the_table(app: Flask) -> str:
    member = of_app(app).register.enrol(Member("", "Frida")).id
    owner = owner_of(app)
    version = owner.get(f"{API}/tables/{TABLE}").get_json()["version"]
    joins = {"type": "player_joined", "player": member}
    owner.post(f"{API}/tables/{TABLE}/events", json=joins, headers={"If-Match": f'"{version}"'})
    return f"{API}/members/{member}/figures"


OF_A_DEAL = (
    "", "/state", "/legal", "/score", "/findings", "/replay", "/audit", "/evidence", "/likely", "/events",
    "/events.jsonl",
    "/events.deal",
    "/state.svg", "/state.png",
)  # fmt: skip
OF_A_TABLE = (
    "", "/events", "/events.deal", "/events.jsonl", "/audit", "/ledger", "/ledger.csv", "/live",
    "/export.jsonl", "/slips.csv", "/proof",
)  # fmt: skip
EMPTY_TABLE = {"ruleset": "dlu", "players": []}
TABLE_LOG = {"type": "table_opened", **EMPTY_TABLE}
CALLED = {"type": "irregularity_noted", "seat": "forehand", "kind": "misdeal"}
CLUB = {"based_on": "dlu", "words": {"en": "The club", "da": "Klubben"}}
RULES = {"type": "ruleset_published", "ruleset": {**CLUB, "id": "our-club"}}
VIEWER = {"role": "viewer", "table": TABLE}
ANY = {"If-Match": "*"}
FIRST = {"If-Match": '"1"'}
NO_MEMBERS = {403: "VPNRTOXC"}
ROWS = [
    *(
        read(rule)
        for rule in (
            "/", "/deals", "/tables", "/enter", "/api/docs", "/sw.js", "/manifest.webmanifest",
            f"{API}/openapi.json", f"{API}/openapi.yaml", f"{API}/healthz", "/healthz", f"{API}/readyz",
            "/readyz", "/metrics", f"{API}/rulesets",
            f"{API}/replays", f"{API}/deals", f"{API}/tables", f"{API}/session", f"{API}/checkpoint",
            f"{API}/checkpoint/key", f"{API}/checkpoint/leaves", f"{API}/checkpoint/consistency",
        )
    ),
    read("/replays/<name>", "/replays/belinda"),
    read("/replays/<name>/file", "/replays/belinda/file"),
    read("/replays/<name>/print", "/replays/belinda/print"),
    read("/replays/<name>/report", "/replays/belinda/report"),
    read("/write"),
    read("/replays/<name>/write", "/replays/belinda/write"),
    read("/deals/<stream:deal>/write", f"/deals/{DEAL}/write", "VPNRTOCGW", _404="X"),
    read("/replays/<name>/embed", "/replays/belinda/embed"),
    read("/replays/<name>/readings/<other>", "/replays/belinda/readings/belinda-as-printed"),
    read("/problems/<name>", "/problems/not-found"),
    read("/offline/<name>", "/offline/slip"),
    read("/static/<path:filename>", "/static/css/page.css"),
    read(f"{API}/rulesets/<ruleset>", f"{API}/rulesets/dlu"),
    read("/deals/<stream:deal>", f"/deals/{DEAL}", "VPNRTOCGW", _404="X"),
    read("/deals/<stream:deal>/file", f"/deals/{DEAL}/file", "VPNRTOCGW", _404="X"),
    read("/deals/<stream:deal>/print", f"/deals/{DEAL}/print", "VPNRTOCGW", _404="X"),
    read("/deals/<stream:deal>/report", f"/deals/{DEAL}/report", "VPNRTOCGW", _404="X"),
    # Nobody has published it: tests/web/test_publishing.py.
    read("/deals/<stream:deal>/embed", f"/deals/{DEAL}/embed", "", _404="AVPNRTOXCGW"),
    read("/tables/new", may="GW", _403="VPNRTOXC"),
    read("/seasons"),
    read("/seasons/<season>", "/seasons/all"),
    read("/members", may="GW", _403="VPNRTOXC"),
    Row("/members/<member>", "GET", "GW", {404: "VPNRTOXC"}, lambda app: a_member(app).removeprefix(API)),
    read("/tables/blank"),
    read("/deals/new", may="CGW", _403="VPNRTOX"),
    read("/deals/<stream:deal>/record", f"/deals/{DEAL}/record", "VPNRTOCGW", _404="X"),
    read("/tables/<stream:table>/record", f"/tables/{TABLE}/record", "VNTOCGW", _404="PRX"),
    read("/tables/<stream:table>/pile", f"/tables/{TABLE}/pile", "TOCGW", _403="VN", _404="PRX"),
    *(
        read(f"/tables/<stream:table>{rule}", f"/tables/{TABLE}{rule}", "VNTOCGW", _404="PRX")
        for rule in ("", "/sheet", "/report", "/blank")
    ),
    *(of_deal(rule) for rule in (*OF_A_DEAL, "/live", "/proof", "/variations")),
    *(of_replay(rule) for rule in (*OF_A_DEAL, "/variations")),
    *(of_table(rule) for rule in OF_A_TABLE),
    Row(f"{API}/validate", "POST", ALL, {}, at(f"{API}/validate"), [OPENING]),
    Row(f"{API}/score", "POST", ALL, {}, at(f"{API}/score"), [OPENING]),
    Row(f"{API}/compare", "POST", ALL, {}, at(f"{API}/compare"), [OPENING, OPENING]),
    Row(f"{API}/evidence", "POST", ALL, {}, at(f"{API}/evidence"), [OPENING]),
    Row(f"{API}/likely", "POST", ALL, {}, at(f"{API}/likely"), [OPENING]),
    Row(f"{API}/replay", "POST", ALL, {}, at(f"{API}/replay"), [OPENING]),
    Row(f"{API}/import", "POST", "CGW", {403: "VPNRTOX"}, at(f"{API}/import"), [OPENING]),
    Row(f"{API}/import", "POST", "GW", {403: "VPNRTOXC"}, at(f"{API}/import"), [TABLE_LOG]),
    Row(f"{API}/deals", "POST", "CGW", {403: "VPNRTOX"}, at(f"{API}/deals"), OPENING),
    Row(f"{API}/tables", "POST", "GW", {403: "VPNRTOXC"}, at(f"{API}/tables"), EMPTY_TABLE),
    Row(f"{API}/deals/<stream:deal>/events", "POST", "RTOCGW", {403: "VPN", 404: "X"},
        at(f"{API}/deals/{DEAL}/events"), CALLED, ANY),
    Row(f"{API}/deals/<stream:deal>/events", "POST", "PNRTOCGW", {403: "V", 404: "X"},
        at(f"{API}/deals/{DEAL}/events"), NOTE, ANY),
    Row(f"{API}/tables/<stream:table>/events", "POST", "TOCGW", {403: "VN", 404: "PRX"},
        at(f"{API}/tables/{TABLE}/events"), {"type": "player_joined", "player": "Dorte"}, FIRST),
    Row(f"{API}/tables/<stream:table>/events", "POST", "NTOCGW", {403: "V", 404: "PRX"},
        at(f"{API}/tables/{TABLE}/events"), NOTE, ANY),
    Row(f"{API}/tables/<stream:table>/pile", "POST", "TOCGW", {403: "VN", 404: "PRX"},
        at(f"{API}/tables/{TABLE}/pile"), [[{"players": PLAYERS}]], FIRST),
    Row(f"{API}/tables/<stream:table>/pile/reading", "POST", "TOCGW", {403: "VN", 404: "PRX"},
        at(f"{API}/tables/{TABLE}/pile/reading"), {"rows": [{"contract": "solo"}]}),
    Row(f"{API}/tables/<stream:table>/pile/pasted", "POST", "TOCGW", {403: "VN", 404: "PRX"},
        at(f"{API}/tables/{TABLE}/pile/pasted"), {"text": "solo;Bo"}),
    Row(f"{API}/tables/<stream:table>/deals", "POST", "TOCGW", {403: "VN", 404: "PRX"},
        at(f"{API}/tables/{TABLE}/deals"), {"players": PLAYERS}, FIRST),
    Row(f"{API}/session", "DELETE", ALL, {}, at(f"{API}/session")),
    Row(f"{API}/session", "POST", ALL, {}, at(f"{API}/session"), {"token": None}),
    Row(f"{API}/sessions", "GET", "W", {403: "VPNRTOXCG"}, at(f"{API}/sessions")),
    Row(f"{API}/sessions/<stream:session>", "DELETE", "W", {403: "VPNRTOXCG"}, a_session),
    Row(f"{API}/grants", "GET", "OGW", {403: "VPNRTXC"}, at(f"{API}/grants")),
    Row(f"{API}/grants", "POST", "OGW", {403: "VPNRTXC"}, at(f"{API}/grants"), VIEWER),
    Row(f"{API}/grants", "POST", "GW", {403: "VPNRTXCO"}, at(f"{API}/grants"), {"role": "viewer"}),
    Row(f"{API}/grants", "POST", "W", {403: "VPNRTXCOG"}, at(f"{API}/grants"), {"role": "owner"}),
    Row(f"{API}/grants/<stream:grant>", "GET", "OGW", {404: "VPNRTXC"}, a_grant),
    Row(f"{API}/grants/<stream:grant>", "DELETE", "OGW", {404: "VPNRTXC"}, a_grant),
    Row(f"{API}/rulesets/<ruleset>", "PUT", "GW", NO_MEMBERS, at(f"{API}/rulesets/our-club"), CLUB),
    Row(f"{API}/import", "POST", "GW", NO_MEMBERS, at(f"{API}/import"), [RULES]),
    Row(f"{API}/export.jsonl", "GET", "W", {403: "VPNRTOXCG"}, at(f"{API}/export.jsonl")),
    Row(f"{API}/members", "GET", "GW", NO_MEMBERS, at(f"{API}/members")),
    Row(f"{API}/members", "POST", "GW", NO_MEMBERS, at(f"{API}/members"), {"name": "Eva"}),
    Row(f"{API}/members/<member>", "GET", "GW", NO_MEMBERS, a_member),
    Row(f"{API}/members/<member>", "PUT", "GW", NO_MEMBERS, a_member, {"name": "Eva"}),
    Row(f"{API}/members/<member>", "DELETE", "GW", NO_MEMBERS, a_member),
    Row(f"{API}/members/<member>/figures", "GET", "GW", {404: "VPNRTOXC"},
        lambda app: f"{a_member(app)}/figures"),
    Row(f"{API}/members/<member>/figures", "GET", "VNTOCGW", {404: "PRX"}, a_member_at_the_table),
    read(f"{API}/seasons"),
    read(f"{API}/seasons/<season>", f"{API}/seasons/all"),
    read(f"{API}/seasons/<season>/standings.csv", f"{API}/seasons/all/standings.csv"),
]  # fmt: skip


def asked(app: Flask, client: FlaskClient, row: Row) -> TestResponse:
    body = row.body
    if body == {"token": None}:
        body = {"token": token_for(app, TERMS["V"])}
    answer = client.open(row.path(app), method=row.method, json=body, headers=row.headers)
    # A live stream is not to go on.
    answer.close()
    return answer


def routes_of(app: Flask) -> Iterator[tuple[str, str]]:
    for rule in app.url_map.iter_rules():
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            yield rule.rule, method


def test_every_route_and_method_is_in_the_matrix(app: Flask) -> None:
    assert {(row.rule, row.method) for row in ROWS} == set(routes_of(app))


def test_a_route_that_is_not_in_the_matrix_is_noticed() -> None:
    other = create_app()
    other.add_url_rule("/new", view_func=lambda: "", methods=["PATCH"])
    assert set(routes_of(other)) - {(row.rule, row.method) for row in ROWS} == {("/new", "PATCH")}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.rule} {row.body or ''}"[:70])
def test_who_may(app: Flask, callers: dict[str, FlaskClient], row: Row) -> None:
    told = {letter: asked(app, client, row).status_code for letter, client in callers.items()}
    expected = {letter: status for status, letters in row.otherwise.items() for letter in letters}
    if "A" not in row.may:
        # But where a frame is told nothing, not even that there is something.
        expected.setdefault("A", 401)
    refused = {letter: status for letter, status in told.items() if status in (401, 403, 404)}
    assert refused == expected
    assert set(row.may) == set(CALLERS) - set(expected)
    assert all(status < 500 for status in told.values())


ROLE_OF = {letter: TERMS[letter].role if letter in TERMS else None for letter in CALLERS}


def least_role(rows: Iterable[Row]) -> Role | None:
    """The lowest role that may ask one of the rows; None where everybody may."""
    roles = {ROLE_OF[letter] for row in rows for letter in row.may}
    return None if None in roles else next(role for role in reversed(ROLES) if role in roles)


def test_the_contract_says_who_may(app: Flask) -> None:
    published = app.test_client().get(f"{API}/openapi.json").get_json()
    rows_of: dict[str, list[Row]] = {}
    for row in ROWS:
        address = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", row.rule)
        operation = published["paths"].get(address, {}).get(row.method.lower())
        if operation:
            rows_of.setdefault(operation["operationId"], []).append(row)
    assert set(rows_of) == set(WHO)
    assert {name: least_role(rows) for name, rows in rows_of.items()} == {
        name: who.least for name, who in WHO.items()
    }


def test_the_contract_says_how_to_show_oneself(app: Flask) -> None:
    published = app.test_client().get(f"{API}/openapi.json").get_json()
    assert set(published["components"]["securitySchemes"]) == {"token", "session"}
    operations = [
        one for path in published["paths"].values() for one in path.values() if isinstance(one, dict)
    ]
    for operation in operations:
        who = WHO[operation["operationId"]]
        assert operation["description"].endswith(who.says)
        required = [named for named in operation["security"] if named]
        roles = [who.least] if who.least else []
        assert required == ([] if who == ALL_MAY else [{"token": roles}, {"session": roles}])
        assert ({} in operation["security"] or not required) == who.open


def test_head_is_answered_as_get_is_and_options_tell_nothing(
    app: Flask, callers: dict[str, FlaskClient]
) -> None:
    for row in ROWS:
        if row.method != "GET":
            continue
        path = row.path(app)
        for letter, client in callers.items():
            head, got = client.head(path), client.get(path)
            got.close()
            assert (head.status_code, head.data) == (got.status_code, b""), (row.rule, letter)
        assert callers["A"].options(path).data == b"", row.rule


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.may != ALL], ids=lambda row: f"{row.method} {row.rule}"
)
def test_a_token_that_does_not_hold_opens_nothing(app: Flask, row: Row) -> None:
    grant, token = of_app(app).register.make(Terms("owner"))
    of_app(app).register.revoke(grant.id)
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    answer = asked(app, client, row)
    assert (answer.status_code, answer.get_json()["type"]) == (401, "/problems/invalid-token")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_who_may_not_read_a_record_is_not_told_that_it_is_there(
    callers: dict[str, FlaskClient],
) -> None:
    nowhere = DEAL[:-4] + "ffff"
    for letter in "AX":
        there, not_there = (
            callers[letter].get(f"{API}/deals/{deal}{rule}") for rule in ("",) for deal in (DEAL, nowhere)
        )
        assert there.text.replace(DEAL, nowhere) == not_there.text
        assert there.status_code == not_there.status_code


def test_lists_hold_what_the_caller_may_read(callers: dict[str, FlaskClient]) -> None:
    deals = {a: [d["id"] for d in c.get(f"{API}/deals?table={TABLE}").get_json().get("deals", [])]
             for a, c in callers.items() if a in "VNTOCGW"}  # fmt: skip
    assert all(DEAL in found for found in deals.values())
    for letter in "PR":
        assert [one["id"] for one in callers[letter].get(f"{API}/deals").get_json()["deals"]] == [DEAL]
        assert callers[letter].get(f"{API}/tables").get_json()["tables"] == []
    assert callers["A"].get(f"{API}/deals").get_json() == {"deals": [], "damaged": []}
    assert [one["id"] for one in callers["X"].get(f"{API}/tables").get_json()["tables"]] == [OTHER_TABLE]
    assert callers["X"].get(f"{API}/deals").get_json() == {"deals": [], "damaged": []}


def test_what_is_published_is_there_for_everybody(app: Flask) -> None:
    everybody, register = holding(app), of_app(app).register
    grant = register.make(Terms("viewer", Scope("table", TABLE), public=True)).grant
    try:
        assert everybody.get(f"{API}/deals/{DEAL}/state").status_code == 200
        assert DEAL in everybody.get("/deals").text
        assert everybody.get(f"{API}/deals/{DEAL}/state?viewer=all").status_code == 401
        assert everybody.post(f"{API}/deals/{DEAL}/events", json=NOTE, headers=ANY).status_code == 401
    finally:
        register.revoke(grant.id)
    assert everybody.get(f"{API}/deals/{DEAL}/state").status_code == 401


def test_from_elsewhere_only_the_owner_sees_how_busy_it_is(callers: dict[str, FlaskClient]) -> None:
    for letter, client in callers.items():
        answer = client.get("/metrics", environ_overrides={"REMOTE_ADDR": "192.0.2.7"})
        assert answer.status_code == {"A": 401, "W": 200}.get(letter, 403), letter
