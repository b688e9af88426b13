"""Who may do what: every role at every route and method that the application has."""

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.app import create_app
from service.auth.grants import ROLES, Grant, GrantSet, GrantTerms, Member, Role, Scope
from service.eventstore import MemoryStore, StreamInfo
from tests.support.api.asking import API, ELSEWHERE, NOTE, body_of, fetch, problem, send
from tests.support.api.clients import holding, of_app, owner_of, showing, token_for
from tests.support.api.contract import contract, operations
from tests.support.api.recording import DEAL, OPENING, PLAYERS, TABLE, recorded_table

OTHER_TABLE = "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4e00"
VIEWER = GrantTerms("viewer", Scope("table", TABLE))
CALLERS: dict[str, tuple[GrantTerms, ...]] = {
    "A": (),
    "V": (VIEWER,),
    "P": (GrantTerms("player", Scope("deal", DEAL), seat="forehand"),),
    "N": (GrantTerms("player", Scope("table", TABLE), person="Anna"),),
    "R": (GrantTerms("recorder", Scope("deal", DEAL)),),
    "T": (GrantTerms("recorder", Scope("table", TABLE)),),
    "O": (GrantTerms("organiser", Scope("table", TABLE)),),
    "X": (GrantTerms("recorder", Scope("table", OTHER_TABLE)),),
    "C": (GrantTerms("recorder"),),
    "G": (GrantTerms("organiser"),),
    "W": (GrantTerms("owner"),),
}
"""What each caller holds: A stands for anybody, without a token."""
ALL = "".join(CALLERS)


@pytest.fixture(scope="module")
def app() -> Flask:
    store = MemoryStore()
    recorded_table(store)
    recorded_table(store, OTHER_TABLE)
    made = create_app(store)
    body_of(send(owner_of(made), f"tables/{TABLE}/deals", {**OPENING, "id": DEAL}, 1), 201)
    return made


@pytest.fixture(scope="module")
def callers(app: Flask) -> dict[str, FlaskClient]:
    return {letter: holding(app, *terms) for letter, terms in CALLERS.items()}


def a_member_at_the_table(app: Flask) -> str:
    member = of_app(app).register.add_member(Member("", "Frida")).id
    version = fetch(owner_of(app), f"tables/{TABLE}")["version"]
    send(owner_of(app), f"tables/{TABLE}/events", {"type": "player_joined", "player": member}, version)
    return member


NAMED: dict[str, Callable[[Flask], str]] = {
    "deal": lambda _: DEAL,
    "table": lambda _: TABLE,
    "season": lambda _: "all",
    "other": lambda _: "belinda-as-printed",
    "filename": lambda _: "css/page.css",
    "module": lambda _: "evening",
    "lang": lambda _: "da",
    "ruleset": lambda _: "dlu",
    "name": lambda _: "belinda",
    "grant": lambda app: of_app(app).register.create_grant(VIEWER).grant.id,
    "session": lambda app: of_app(app).register.create_session(token_for(app, VIEWER)).session.id,
    "member": lambda app: of_app(app).register.add_member(Member("", "Dorte")).id,
}
PARTS = re.compile(r"<(?:[^:<>]+:)?([^<>]+)>")


class Row(NamedTuple):
    """A route and method, who may, from whom it is hidden, and how it is asked.

    Who is not among these is not allowed; without a token the answer is that a login is required.
    """

    rule: str
    may: str = ALL
    hidden: str = ""
    body: Any = None
    version: str = "*"
    method: str = "GET"
    named: dict[str, Callable[[Flask], str]] = {}  # noqa: RUF012

    def path(self, app: Flask) -> str:
        return PARTS.sub(lambda found: (NAMED | self.named)[found[1]](app), self.rule)

    def refused(self) -> dict[str, int]:
        """The status that each caller gets who may not."""
        others = set(ALL) - set(self.may) - set(self.hidden)
        statuses = dict.fromkeys(self.hidden, 404) | dict.fromkeys(others, 403)
        return statuses | ({"A": 401} if "A" in others else {})


def name_parameter(name: str) -> dict[str, Callable[[Flask], str]]:
    return {"name": lambda _: name}


OF_DEAL: Any = {"may": "VPNRTOCGW", "hidden": "X"}
OF_TABLE: Any = {"may": "VNTOCGW", "hidden": "PRX"}
AT_TABLE: Any = {"may": "TOCGW", "hidden": "PRX", "method": "POST"}
POST: Any = {"method": "POST"}
PUT: Any = {"method": "PUT"}
DELETE: Any = {"method": "DELETE"}
CLUB = {"based_on": "dlu", "words": {"en": "The club", "da": "Klubben"}}
CALLED = {"type": "irregularity_noted", "seat": "forehand", "kind": "misdeal"}
RULES = {"type": "ruleset_published", "ruleset": {**CLUB, "id": "our-club"}}
EMPTY_TABLE = {"ruleset": "dlu", "players": []}
RECORD = (
    "", "/state", "/legal", "/score", "/findings", "/replay", "/audit", "/evidence", "/odds", "/events",
    "/events.jsonl", "/events.deal", "/state.svg", "/state.png", "/variations",
)  # fmt: skip
RECORD_PAGES = ("", "/compare", "/compare/<other>", "/file", "/hidden-cards", "/print", "/report", "/write")
ROWS = [
    *map(Row, (
        "/", "/library", "/game", "/examples", "/deals", "/tables", "/enter", "/api/docs", "/sw.js",
        "/healthz", "/manifest.webmanifest", "/readyz", "/metrics", "/write", "/seasons", "/seasons/<season>",
        "/rules", "/verify",
        "/rules/<ruleset>",
        "/tables/blank",
        "/replays/<name>/embed", "/replays/<name>/readings/<other>", "/static/<path:filename>",
                *(f"/replays/<name>{page}" for page in RECORD_PAGES),
        *(f"{API}/replays/<name>{part}" for part in RECORD),
        *(f"{API}/{path}" for path in (
            "openapi.json", "openapi.yaml", "healthz", "readyz", "rulesets", "rulesets/<ruleset>", "replays",
            "deals", "tables", "session", "checkpoint", "checkpoint/key", "checkpoint/leaves",
            "checkpoint/consistency", "seasons", "seasons/<season>", "seasons/<season>/standings.csv",
        )),
    )),
    Row("/problems/<name>", named=name_parameter("not-found")),
    Row("/static/styles/<name>.css", named=name_parameter("replay")),
    Row("/static/texts/<lang>.js"),
    Row("/static/cards/<letters>.svg", named={"letters": lambda _: "da"}),
    Row("/rules/<ruleset>/compare/<other>", named={"other": lambda _: "ombre"}),
    Row("/offline/<name>", named=name_parameter("slip")),
    *(Row(f"/deals/<stream:deal>{page}", **OF_DEAL) for page in (*RECORD_PAGES, "/record")),
    # Nobody has published it: tests/browser/test_publishing.py.
    Row("/deals/<stream:deal>/embed", "", ALL),
    # It has no other reading: tests/unit/http/web/test_pages.py.
    Row("/deals/<stream:deal>/readings/<other>", "", "VPNRTOCGWX"),
    Row("/deals/new", "CGW"),
    Row("/tables/new", "GW"),
    Row("/members", "GW"),
    Row("/members/<member>", "GW", "VPNRTOXC"),
    *(Row(f"/tables/<stream:table>{page}", **OF_TABLE)
      for page in ("", "/sheet", "/report", "/blank", "/record")),
    Row("/tables/<stream:table>/slip-batch", "TOCGW", "PRX"),
    *(Row(f"{API}/deals/<stream:deal>{part}", **OF_DEAL) for part in (*RECORD, "/live", "/proof")),
    *(Row(f"{API}/tables/<stream:table>{part}", **OF_TABLE)
      for part in ("", "/events", "/events.deal", "/events.jsonl", "/audit", "/ledger", "/ledger.csv",
                   "/live", "/export.jsonl", "/slips.csv", "/proof")),
    *(Row(f"{API}/{path}", body=[OPENING], **POST)
      for path in ("validate", "score", "evidence", "odds", "replay")),
    Row(f"{API}/compare", body=[OPENING, OPENING], **POST),
    Row(f"{API}/import", "CGW", body=[OPENING], **POST),
    Row(f"{API}/import", "GW", body=[{"type": "table_opened", **EMPTY_TABLE}], **POST),
    Row(f"{API}/import", "GW", body=[RULES], **POST),
    Row(f"{API}/deals", "CGW", body=OPENING, **POST),
    Row(f"{API}/tables", "GW", body=EMPTY_TABLE, **POST),
    Row(f"{API}/deals/<stream:deal>/events", "RTOCGW", "X", CALLED, **POST),
    Row(f"{API}/deals/<stream:deal>/events", "PNRTOCGW", "X", NOTE, **POST),
    Row(f"{API}/tables/<stream:table>/events", body={"type": "player_joined", "player": "Dorte"},
        version='"1"', **AT_TABLE),
    Row(f"{API}/tables/<stream:table>/events", "NTOCGW", "PRX", NOTE, **POST),
    Row(f"{API}/tables/<stream:table>/slip-batches", body=[[{"players": PLAYERS}]], version='"1"',
        **AT_TABLE),
    Row(f"{API}/tables/<stream:table>/slip-batches:read", body={"rows": [{"contract": "solo"}]}, **AT_TABLE),
    Row(f"{API}/tables/<stream:table>/slip-batches:parse", body={"text": "solo;Bo"}, **AT_TABLE),
    Row(f"{API}/tables/<stream:table>/deals", body={"players": PLAYERS}, version='"1"', **AT_TABLE),
    Row(f"{API}/session", **DELETE),
    Row(f"{API}/session", body={"token": None}, **POST),
    Row(f"{API}/sessions", "W"),
    Row(f"{API}/sessions/<stream:session>", "W", **DELETE),
    Row(f"{API}/grants", "OGW"),
    Row(f"{API}/grants", "OGW", body={"role": "viewer", "table": TABLE}, **POST),
    Row(f"{API}/grants", "GW", body={"role": "viewer"}, **POST),
    Row(f"{API}/grants", "W", body={"role": "owner"}, **POST),
    Row(f"{API}/grants/<stream:grant>", "OGW", "VPNRTXC"),
    Row(f"{API}/grants/<stream:grant>", "OGW", "VPNRTXC", **DELETE),
    Row(f"{API}/rulesets/<ruleset>", "GW", body=CLUB, named={"ruleset": lambda _: "our-club"}, **PUT),
    Row(f"{API}/export.jsonl", "W"),
    Row(f"{API}/members", "GW"),
    Row(f"{API}/members", "GW", body={"name": "Eva"}, **POST),
    Row(f"{API}/members/<member>", "GW"),
    Row(f"{API}/members/<member>", "GW", body={"name": "Eva"}, **PUT),
    Row(f"{API}/members/<member>", "GW", **DELETE),
    Row(f"{API}/members/<member>/figures", "GW", "VPNRTOXC"),
    Row(f"{API}/members/<member>/figures", "VNTOCGW", "PRX", named={"member": a_member_at_the_table}),
]  # fmt: skip


def asked(app: Flask, client: FlaskClient, row: Row) -> TestResponse:
    body = {"token": token_for(app, VIEWER)} if row.body == {"token": None} else row.body
    headers = {} if row.method == "GET" else {"If-Match": row.version}
    answer = client.open(row.path(app), method=row.method, json=body, headers=headers)
    # A live stream is not to go on.
    answer.close()
    return answer


def test_every_route_and_method_is_in_the_matrix(app: Flask) -> None:
    routes = {(rule.rule, method) for rule in app.url_map.iter_rules() for method in rule.methods or ()}
    asked = {(rule, method) for rule, method in routes if method not in ("HEAD", "OPTIONS")}
    assert {(row.rule, row.method) for row in ROWS} == asked


SLOW = ("/odds", "/evidence", "/report", "/audit", "/hidden-cards")
"""Ends of the addresses whose answers take long to work out."""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.rule}")
def test_permissions(app: Flask, callers: dict[str, FlaskClient], row: Row) -> None:
    # What is there for anybody is there for whoever shows something too: few of them are asked.
    open_to_all = (row.may, row.method) == (ALL, "GET")
    letters = ALL if not open_to_all else "A" if row.rule.endswith(SLOW) else "APX"
    statuses = {letter: asked(app, callers[letter], row).status_code for letter in letters}
    refused = {letter: status for letter, status in statuses.items() if status in (401, 403, 404)}
    assert refused == row.refused()
    assert all(status < 500 for status in statuses.values())


def least_role(rows: Iterable[Row]) -> Role | None:
    """The lowest role that may ask one of the rows; None where everybody may."""
    callers = {letter for row in rows for letter in row.may}
    roles = {terms.role for letter in callers for terms in CALLERS[letter]}
    return None if "A" in callers else next(role for role in reversed(ROLES) if role in roles)


def test_the_contract_says_who_may() -> None:
    published = contract()
    rows_of: dict[str, list[Row]] = {}
    for row in ROWS:
        operation = published["paths"].get(PARTS.sub(r"{\1}", row.rule), {}).get(row.method.lower())
        if operation:
            rows_of.setdefault(operation["operationId"], []).append(row)
    assert set(published["components"]["securitySchemes"]) == {"token", "session"}
    for name, operation in operations().items():
        role = least_role(rows_of[name])
        required, roles = [named for named in operation["security"] if named], [role] if role else []
        assert required == [{"token": roles}, {"session": roles}] or (required, role) == ([], None), name
        # A viewer may see what is published, and that may everybody.
        assert ({} in operation["security"] or not required) == (role in (None, "viewer")), name
        assert operation["description"].rpartition("\n\n")[2].startswith(("Requires", "Open to everybody")), (
            name
        )


def test_who_may_not_is_told_nothing_of_what_was_sent(app: Flask, callers: dict[str, FlaskClient]) -> None:
    for row in [row for row in ROWS if row.body is not None and row.may != ALL]:
        for letter in set("AV") - set(row.may):
            answer = callers[letter].open(
                row.path(app), method=row.method, data="{", content_type="application/json",
                headers={"If-Match": row.version},
            )  # fmt: skip
            assert answer.status_code == row.refused()[letter], (row.rule, letter)


def test_head_is_answered_as_get_is(app: Flask, callers: dict[str, FlaskClient]) -> None:
    for row in [row for row in ROWS if row.method == "GET" and not row.rule.endswith(SLOW)]:
        path = row.path(app)
        for letter in "AW":
            head, got = callers[letter].head(path), callers[letter].get(path)
            got.close()
            assert (head.status_code, head.data) == (got.status_code, b""), (row.rule, letter)
        assert callers["A"].options(path).data == b"", row.rule


def test_a_token_that_does_not_hold_opens_nothing(app: Flask) -> None:
    grant, token = of_app(app).register.create_grant(GrantTerms("owner"))
    of_app(app).register.revoke_grant(grant.id)
    for row in [row for row in ROWS if row.may != ALL]:
        answer = asked(app, showing(app, token), row)
        assert problem(answer) == (401, "invalid-token"), row.rule
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_lists_hold_what_the_caller_may_read(callers: dict[str, FlaskClient]) -> None:
    for letter in "VNTOCGW":
        assert DEAL in [one["id"] for one in fetch(callers[letter], f"deals?table={TABLE}")["deals"]]
    for letter in "PR":
        assert [one["id"] for one in fetch(callers[letter], "deals")["deals"]] == [DEAL]
        assert fetch(callers[letter], "tables")["tables"] == []
    for letter in "AX":
        assert fetch(callers[letter], "deals") == {"deals": [], "damaged": []}
    assert [one["id"] for one in fetch(callers["X"], "tables")["tables"]] == [OTHER_TABLE]
    nowhere = DEAL[:-4] + "ffff"
    for letter in "AX":
        there, not_there = (callers[letter].get(f"{API}/deals/{deal}") for deal in (DEAL, nowhere))
        assert there.text.replace(DEAL, nowhere) == not_there.text
        assert there.status_code == not_there.status_code
    for letter, client in callers.items():
        answer = client.get("/metrics", environ_overrides=ELSEWHERE)
        assert answer.status_code == {"A": 401, "W": 200}.get(letter, 403), letter


def test_grants_that_reach_a_record_keep_their_order_and_the_first_end_is_reported() -> None:
    table, deal, soon, late = Scope("table", "t"), Scope("deal", "d"), "2026-12-01", "2027-01-01"
    player = GrantTerms("player", table, person="Anna", expires_at=soon)
    viewer = GrantTerms("viewer", deal, expires_at=late)
    terms = (viewer, GrantTerms("organiser"), player, GrantTerms("recorder", Scope("table", "u")))
    made = [Grant(str(number), one, "") for number, one in enumerate(terms)]
    grants = GrantSet(made)
    reached = {
        StreamInfo("d", "t", "deal", 1): "012",
        StreamInfo("e", "t", "deal", 1): "12",
        StreamInfo("t", "t", "table", 1): "12",
        StreamInfo("d", "d", "table", 1): "1",
        StreamInfo("u", "u", "table", 1): "13",
        None: "1",
    }
    assert {of: "".join(one.id for one in grants.find_covering(of)) for of in reached} == reached
    assert (grants.earliest_expiry, GrantSet(made[1:2]).earliest_expiry) == (soon, None)
    assert list(grants.personal_grants) == made[1:]
