"""Writes the examples of the API's contract: requests as they are sent, and what is really answered.

python docs/examples.py          writes them again
python docs/examples.py --check  says whether they are out of step, and fails if they are

The application answers its owner from a store of its own, in memory, at one fixed moment, with a key, a
secret and salts that anybody can guess. Long lists are cut short; ids, times and secrets that differ each
time are replaced.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import orjson
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.app import create_app
from service.eventstore import MemoryStore
from service.eventstore.merkle.leaves import SALT_BYTES
from service.http.api.openapi.examples import EXAMPLES_FILE, request_example
from service.http.api.routes.identity import render_qr_code
from service.transparency.notary import Notary
from service.transparency.signed_notes import Signer
from tests.support.api.clients import owner_of

MOMENT: Final = "2026-11-20T19:30:05.250Z"
DEAL: Final = "018f5e2a-0000-7000-8000-000000000001"
TABLE: Final = "018f5e2a-0000-7000-8000-000000000004"
STARTED: Final = "018f5e2a-0000-7000-8000-000000000005"
OWNERS_GRANT: Final = "018f5e2a-0000-7000-8000-000000000009"
NOBODY: Final = "018f5e2a-0000-7000-8000-00000000dead"
API: Final = "/api/v1"
SOME_ID: Final = re.compile(
    r"\bm-[0-9a-z]{8,}\b|(?!018f5e2a-)[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"
)
SOME_MOMENT: Final = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
SOME_TOKEN: Final = re.compile(r"spadille_t_[0-9A-Za-z]+")
TOKEN: Final = "spadille_t_" + "0" * 49
UNKNOWN_ASKER: Final = "login-required"
OF_DEAL, OF_TABLE = f"{API}/deals/{DEAL}", f"{API}/tables/{TABLE}"
BELINDA: Final = f"{API}/replays/belinda"
LIST: Final = 2
"""So many items of a list of objects, or of lists, are shown."""
TEXT: Final = 600
"""So many characters of a text are shown, whole lines of it."""

Json = dict[str, Any]


class Ask(NamedTuple):
    """A request that is sent, and the operation or the problem that its answer is an example of."""

    of: str
    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = {}


def event(number: int, type_: str, **fields: Any) -> Json:
    """An event with an id of its own."""
    return {"type": type_, "id": f"018f5e2a-0000-7000-8000-0000000001{number:02}", **fields}


PLAYERS: Final = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}
HANDS: Final = {
    "forehand": ["HJ", "H7", "S7", "C5", "CK", "HK", "C7", "HA", "DQ"],
    "middlehand": ["D6", "S4", "H6", "D4", "CA", "S6", "D7", "CQ", "S2"],
    "backhand": ["DK", "S5", "C4", "SK", "SQ", "D3", "D2", "SJ", "D5"],
}
OPENED: Final = [
    event(0, "deal_opened", ruleset="dlu", players=PLAYERS, title="The fifth trick") | {"id": DEAL},
    *(event(n, "hand_dealt", seat=seat, cards=cards) for n, (seat, cards) in enumerate(HANDS.items(), 1)),
]
SOLO: Final = event(11, "bid_made", seat="forehand", bid="solo")
PLAYED: Final = [
    event(12, "bid_made", seat="middlehand", bid="pass"),
    event(13, "bid_made", seat="backhand", bid="pass"),
    event(14, "contract_named", seat="forehand", contract="solo", trump="H"),
    event(15, "cards_discarded", seat="middlehand", cards=[]),
    event(16, "cards_discarded", seat="backhand", cards=["D5", "C4"]),
    event(17, "cards_drawn", seat="backhand", cards=["CJ", "DA"]),
    event(18, "card_played", seat="forehand", card="H7"),
    event(19, "card_played", seat="middlehand", card="CA"),
]
SLIP: Final = [
    {"type": "deal_opened", "ruleset": "dlu", "players": PLAYERS},
    {
        "type": "result_recorded",
        "declarer": "middlehand",
        "contract": "solo",
        "trump": "H",
        "tricks": {"forehand": 3, "middlehand": 4, "backhand": 2},
    },
]


TABLE_OPENED: Final = {"id": TABLE, "ruleset": "dlu", "players": ["Anna", "Bo", "Carl"], "mode": "strict"}
FIRST_DEAL: Final = {"id": STARTED, "title": "The first one"}
DORTE_JOINS: Final = event(32, "player_joined", player="Dorte")
CARL_FOLLOWS: Final = event(41, "card_played", seat="backhand", card="D3")


WHAT_IF: Final = event(51, "deal_opened", ruleset="dlu", players=PLAYERS, branch={"deal": DEAL, "at": 4})
A_GAME: Final = event(52, "bid_made", seat="forehand", bid="simple")
BELINDAS: Final = event(
    53, "deal_opened", ruleset="ombre", players=PLAYERS, branch={"deal": "belinda", "at": 26}
)


SLIP_BATCH: Final = [
    [
        event(61, "deal_opened"),
        event(62, "result_recorded", declarer="middlehand", contract="solo", trump="H", outcome="won"),
    ],
    [event(63, "deal_opened"), event(64, "result_recorded", outcome="passed_out")],
]


def if_match(version: int) -> Json:
    """The header that names a version."""
    return {"If-Match": f'"{version}"'}


ASKED: Final[Sequence[Ask]] = (
    Ask("deals_record_deal", "POST", f"{API}/deals", OPENED),
    Ask("deals_append_events", "POST", f"{OF_DEAL}/events", SOLO, if_match(4)),
    Ask("", "POST", f"{OF_DEAL}/events", PLAYED, if_match(5)),
    Ask("tables_record_table", "POST", f"{API}/tables", TABLE_OPENED),
    Ask("tables_record_start", "POST", f"{OF_TABLE}/deals", FIRST_DEAL, if_match(1)),
    Ask(
        "",
        "POST",
        f"{API}/deals/{STARTED}/events",
        event(31, "result_recorded", declarer="forehand", contract="solo", outcome="won"),
        if_match(1),
    ),
    Ask(
        "slip_batches_read",
        "POST",
        f"{OF_TABLE}/slip-batches:read",
        {"rows": [*request_example("slip_batches_read")["rows"], {"contract": "sollo"}]},
    ),
    Ask(
        "slip_batches_parse", "POST", f"{OF_TABLE}/slip-batches:parse", request_example("slip_batches_parse")
    ),
    Ask("tables_append_events", "POST", f"{OF_TABLE}/events", DORTE_JOINS, if_match(2)),
    Ask("deals_list_deals", "GET", f"{API}/deals?limit=1"),
    Ask("deals_show_deal", "GET", OF_DEAL),
    Ask("deals_list_events", "GET", f"{OF_DEAL}/events?limit=2"),
    Ask("deals_download_events", "GET", f"{OF_DEAL}/events.jsonl"),
    Ask("deals_download_text", "GET", f"{OF_DEAL}/events.deal"),
    *(Ask(f"deals_{one}", "GET", f"{OF_DEAL}/{one}") for one in ("state", "legal", "score", "findings")),
    Ask("deals_replay", "GET", f"{OF_DEAL}/replay?at=1"),
    Ask("deals_audit", "GET", f"{OF_DEAL}/audit?at=2"),
    Ask("deals_evidence", "GET", f"{OF_DEAL}/evidence?viewer=forehand&witness=lawful"),
    Ask("deals_odds", "GET", f"{OF_DEAL}/odds?viewer=forehand&deals=5"),
    Ask("tables_list_tables", "GET", f"{API}/tables"),
    Ask("tables_show_table", "GET", OF_TABLE),
    Ask("tables_list_events", "GET", f"{OF_TABLE}/events?limit=2"),
    Ask("tables_download_events", "GET", f"{OF_TABLE}/events.jsonl"),
    Ask("tables_download_text", "GET", f"{OF_TABLE}/events.deal"),
    Ask("tables_show_ledger", "GET", f"{OF_TABLE}/ledger"),
    Ask("tables_show_audit", "GET", f"{OF_TABLE}/audit"),
    Ask("tables_download_ledger", "GET", f"{OF_TABLE}/ledger.csv"),
    Ask("logs_validate", "POST", f"{API}/validate?name=slip", SLIP),
    Ask("logs_score", "POST", f"{API}/score?name=slip", SLIP),
    Ask("logs_replay", "POST", f"{API}/replay", SLIP),
    Ask("logs_evidence", "POST", f"{API}/evidence", request_example("logs_evidence")),
    Ask("logs_odds", "POST", f"{API}/odds?deals=5", request_example("logs_evidence")),
    Ask(
        "logs_compare",
        "POST",
        f"{API}/compare?first=phone&second=book",
        [*SLIP, SLIP[0], {**SLIP[1], "trump": "D"}],
    ),
    Ask("rulesets_list_rulesets", "GET", f"{API}/rulesets"),
    Ask("rulesets_show_ruleset", "GET", f"{API}/rulesets/dlu"),
    Ask("replays_list_replays", "GET", f"{API}/replays"),
    Ask("replays_show_replay", "GET", BELINDA),
    Ask("replays_list_events", "GET", f"{BELINDA}/events?limit=2"),
    Ask("replays_download_events", "GET", f"{BELINDA}/events.jsonl"),
    Ask("replays_download_text", "GET", f"{BELINDA}/events.deal"),
    Ask("files_import_file", "POST", f"{API}/import", SLIP),
    Ask("files_export_table", "GET", f"{OF_TABLE}/export.jsonl"),
    Ask("files_export_everything", "GET", f"{API}/export.jsonl"),
    Ask(
        "rulesets_publish_ruleset",
        "PUT",
        f"{API}/rulesets/our-club",
        request_example("rulesets_publish_ruleset"),
    ),
    Ask("files_export_slips", "GET", f"{OF_TABLE}/slips.csv"),
    Ask("transparency_show_checkpoint", "GET", f"{API}/checkpoint"),
    Ask("transparency_show_key", "GET", f"{API}/checkpoint/key"),
    Ask("transparency_list_leaves", "GET", f"{API}/checkpoint/leaves?limit=3"),
    Ask("transparency_show_consistency", "GET", f"{API}/checkpoint/consistency?from=4"),
    Ask("transparency_prove_deal", "GET", f"{API}/deals/{STARTED}/proof"),
    Ask("transparency_prove_table", "GET", f"{OF_TABLE}/proof"),
    Ask("members_enrol_member", "POST", f"{API}/members", request_example("members_enrol_member")),
    Ask("members_list_members", "GET", f"{API}/members"),
    Ask("members_show_member", "GET", f"{API}/members/{{members_enrol_member}}"),
    Ask(
        "members_amend_member",
        "PUT",
        f"{API}/members/{{members_enrol_member}}",
        request_example("members_amend_member"),
    ),
    Ask("seasons_list_seasons", "GET", f"{API}/seasons"),
    Ask("seasons_show_season", "GET", f"{API}/seasons/all"),
    Ask("seasons_download_standings", "GET", f"{API}/seasons/all/standings.csv"),
    Ask("seasons_show_figures", "GET", f"{API}/members/{{members_enrol_member}}/figures"),
    Ask(
        "identity_make_grant",
        "POST",
        f"{API}/grants",
        {**request_example("identity_make_grant"), "deal": DEAL},
    ),
    Ask("identity_list_grants", "GET", f"{API}/grants"),
    Ask("identity_show_grant", "GET", f"{API}/grants/{{identity_make_grant}}"),
    Ask("identity_log_in", "POST", f"{API}/session", {"token": TOKEN}),
    Ask("identity_show_session", "GET", f"{API}/session"),
    Ask("identity_list_sessions", "GET", f"{API}/sessions"),
    Ask("identity_revoke_grant", "DELETE", f"{API}/grants/{{identity_make_grant}}"),
    Ask("", "POST", f"{API}/deals", [WHAT_IF, A_GAME]),
    Ask("", "POST", f"{API}/deals", BELINDAS),
    Ask("deals_list_variations", "GET", f"{OF_DEAL}/variations"),
    Ask("replays_list_variations", "GET", f"{BELINDA}/variations"),
    Ask("slip_batches_start", "POST", f"{OF_TABLE}/slip-batches", SLIP_BATCH, if_match(3)),
    Ask("health_show_health", "GET", f"{API}/healthz"),
    Ask("health_show_readiness", "GET", f"{API}/readyz"),
)
"""Every request, in the order in which they are sent; those of no operation only prepare others."""

PROBLEMS: Final[Sequence[Ask]] = (
    Ask("malformed-json", "POST", f"{API}/deals", b'{"type": "deal_opened",}'),
    Ask("malformed-header", "POST", f"{OF_DEAL}/events", SOLO, {"If-Match": "17"}),
    Ask("cross-site-request", "POST", f"{API}/deals", OPENED, {"Origin": "https://elsewhere.example"}),
    Ask("other-session", "POST", f"{OF_DEAL}/events", SOLO, {**if_match(13), "Spadille-Session": NOBODY}),
    Ask("login-required", "GET", OF_DEAL),
    Ask("invalid-token", "GET", OF_DEAL, None, {"Authorization": f"Bearer {TOKEN}"}),
    Ask("unknown-grant", "GET", f"{API}/grants/{NOBODY}"),
    Ask("unknown-member", "GET", f"{API}/members/m-nobody"),
    Ask("unknown-season", "GET", f"{API}/seasons/last-winter"),
    Ask("similar-name", "POST", f"{API}/members", {"name": "Anna  ANDERSEN"}),
    Ask("not-found", "GET", f"{API}/deal"),
    Ask("unknown-deal", "GET", f"{API}/deals/{NOBODY}"),
    Ask("unknown-table", "GET", f"{API}/tables/{NOBODY}"),
    Ask("unknown-point", "GET", f"{OF_DEAL}/state?at=99"),
    Ask("unknown-replay", "GET", f"{API}/replays/belindas"),
    Ask("unknown-ruleset", "GET", f"{API}/rulesets/whist"),
    Ask("method-not-allowed", "DELETE", OF_DEAL),
    Ask("id-conflict", "POST", f"{OF_DEAL}/events", {**SOLO, "bid": "tourne"}, if_match(13)),
    Ask(
        "revision-taken",
        "PUT",
        f"{API}/rulesets/our-club",
        {**request_example("rulesets_publish_ruleset"), "revision": 1, "tariff": []},
    ),
    Ask(
        "invalid-ruleset",
        "PUT",
        f"{API}/rulesets/our-club",
        {**request_example("rulesets_publish_ruleset"), "policies": {"sitter_pays": "yes"}},
    ),
    Ask("stale-version", "POST", f"{OF_DEAL}/events", CARL_FOLLOWS, if_match(12)),
    Ask("too-large", "POST", f"{OF_DEAL}/events", [{"type": "gap_noted"}] * 501, if_match(13)),
    Ask("unsupported-media-type", "POST", f"{API}/deals", b"<deal/>", {"Content-Type": "text/xml"}),
    Ask("wrong-host", "GET", f"{API}/healthz", None, {"Host": "cards.example"}),
    Ask(
        "invalid-event",
        "POST",
        f"{OF_DEAL}/events",
        {"type": "card_played", "seat": "backhand", "card": "D9"},
        if_match(13),
    ),
    Ask("invalid-parameter", "GET", f"{OF_DEAL}/state?at=first"),
    Ask(
        "wrong-stream",
        "POST",
        f"{OF_DEAL}/events",
        {"type": "player_joined", "player": "Dorte"},
        if_match(13),
    ),
    Ask(
        "against-the-rules",
        "POST",
        f"{OF_DEAL}/events?mode=strict",
        event(42, "card_played", seat="forehand", card="HA"),
        if_match(13),
    ),
    Ask(
        "wrong-branch",
        "POST",
        f"{API}/deals",
        event(54, "deal_opened", ruleset="dlu", players=PLAYERS, branch={"deal": DEAL, "at": 99}),
    ),
    Ask("unreadable-log", "POST", f"{API}/score", [{"type": "tea"}]),
    Ask("version-required", "POST", f"{OF_DEAL}/events", CARL_FOLLOWS),
)
"""Requests that are answered with a problem, by its name."""


def sent(client: FlaskClient, ask: Ask) -> TestResponse:
    """The answer to a request."""
    body = {"data": ask.body} if isinstance(ask.body, bytes) else {"json": ask.body} if ask.body else {}
    headers = {"Content-Type": "application/json", **ask.headers} if ask.body else dict(ask.headers)
    return client.open(ask.path, method=ask.method, headers=headers, **body)


def shown(answer: TestResponse) -> Any:
    """What of an answer is shown."""
    if answer.is_json:
        return short(answer.get_json())
    text = answer.get_data(as_text=True)
    return text if len(text) <= TEXT else text[: text.rindex("\n", 0, TEXT) + 1]


def short(value: Any) -> Any:
    """A value of JSON with its lists of objects and of lists cut."""
    if isinstance(value, dict):
        return {name: short(member) for name, member in value.items()}
    if isinstance(value, list):
        return [
            short(one)
            for one in (value[:LIST] if any(isinstance(one, dict | list) for one in value) else value)
        ]
    return value


class Steady:
    """Puts what is the same each time in the place of ids, times and secrets that are not."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        self._given: dict[str, str] = {}
        self._token = ""

    def shown(self, value: Any) -> Any:
        """A value of JSON, or a text, without anything that differs each time."""
        if isinstance(value, dict):
            told = {self.shown(name): self.shown(member) for name, member in value.items()}
            if told.get("qr"):
                # A long drawing of a token: the beginning of that of the token shown.
                told["qr"] = f"{render_qr_code(told['link'])[:80]}…"
            return {**told, "used_on": MOMENT[:10]} if told.get("used_on") else told
        if isinstance(value, list):
            return [self.shown(one) for one in value]
        if not isinstance(value, str):
            return value
        text = SOME_ID.sub(lambda found: self._steady(found[0]), value)
        return SOME_TOKEN.sub(TOKEN, SOME_MOMENT.sub(MOMENT, text))

    def _steady(self, real: str) -> str:
        number = len(self._ids)
        made = (
            f"m-{number:016}" if real.startswith("m-") else f"018f5e2a-0000-7000-8000-0000000002{number:02}"
        )
        return self._ids.setdefault(real, made)

    def learn(self, ask: Ask, answer: TestResponse) -> None:
        """Remembers the id, and the token, that something was given: later requests name them."""
        told = answer.get_json() if answer.is_json else None
        if isinstance(told, dict) and "id" in told:
            self._given[ask.of] = told["id"]
            self._token = told.get("token") or self._token

    def real(self, ask: Ask) -> Ask:
        """The request with what its example only stands for: ``{…}`` is an id that an operation gave."""
        body = {"token": self._token} if ask.body == {"token": TOKEN} else ask.body
        return ask._replace(path=ask.path.format(**self._given), body=body)


def examples() -> Json:
    """All that was asked and answered."""
    # The grant that records an entry stands in it, and so in what proves it.
    ids = (f"018f5e2a-0000-7000-8000-0000000003{number:02}" for number in count())
    with (
        patch("service.auth.access_register.new_id", lambda: next(ids)),
        patch("service.eventstore.append_plan.new_salts", lambda many: [bytes(SALT_BYTES)] * many),
        patch("service.eventstore.memory.new_secret", lambda: bytes(SALT_BYTES)),
    ):
        return _examples()


def _examples() -> Json:
    store = MemoryStore(lambda: MOMENT)
    notary = Notary([Signer("spadille/example", bytes(range(32)))])
    # The grant stands in what it records, and so in the hash of each event.
    with patch("service.auth.access_register.new_id", lambda: OWNERS_GRANT):
        client = owner_of(create_app(store, notary=notary))
    operations: Json = {}
    problems: Json = {}
    steady = Steady()
    for ask in ASKED:
        answer = sent(client, steady.real(ask))
        steady.learn(ask, answer)
        assert answer.status_code < 300, f"{ask.path}: {answer.get_data(as_text=True)}"
        if ask.of:
            operations[ask.of] = steady.shown(shown(answer))
    for ask in PROBLEMS:
        asker = client.application.test_client() if ask.of == UNKNOWN_ASKER else client
        problem = sent(asker, ask).get_json()
        assert problem["type"] == f"/problems/{ask.of}", problem
        problems[ask.of] = steady.shown(short(problem))
    return {"operations": operations, "problems": problems}


def written() -> bytes:
    """The examples as they stand in their file."""
    return orjson.dumps(examples(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def out_of_step() -> bool:
    """Whether what is answered is no longer what the file says."""
    return not EXAMPLES_FILE.is_file() or EXAMPLES_FILE.read_bytes() != written()


def main() -> int:
    """Writes the examples, or checks them."""
    if "--check" in sys.argv[1:]:
        stale = out_of_step()
        print(
            "The examples are out of step; run python docs/examples.py"
            if stale
            else "The examples are in step."
        )
        return int(stale)
    EXAMPLES_FILE.write_bytes(written())
    return 0


if __name__ == "__main__":
    sys.exit(main())
