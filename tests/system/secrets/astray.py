"""Tokens where none belongs: asked of every route in every way, no answer repeats one."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

import orjson
from flask import Flask

from schemas.notation import format_notation_log
from schemas.wire.event_reader import read_entry
from service.app import create_app
from service.auth.grants import GrantTerms
from service.auth.tokens import SESSION_PREFIX, TOKEN_PREFIX, generate_secret
from service.eventstore import MemoryStore
from tests.support.api.clients import of_app, token_for
from tests.support.api.recording import DEAL, TABLE, recorded_deal, recorded_table


class Repeated(AssertionError):
    """An answer repeats a token; the message says which."""


API: Final = "/api/v1"
OWN_PAGE: Final = {"Sec-Fetch-Site": "same-origin"}
ASTRAY: Final = generate_secret(TOKEN_PREFIX)
"""A token that somebody puts where none belongs."""

PARTS: Final = {
    "deal": DEAL, "table": TABLE, "letters": "da", "name": "belinda", "other": "belinda-as-printed",
    "filename": "css/page.css", "module": "evening", "lang": "da",
    "ruleset": "dlu", "grant": DEAL, "session": DEAL,
    "member": "m-abcdefgh234567ab", "season": "all",
}  # fmt: skip

WAYS: Final[dict[str, dict[str, Any]]] = {
    "nowhere": {},
    "as a token that does not hold": {"headers": {"Authorization": f"Bearer {ASTRAY}"}},
    "as a password": {"headers": {"Authorization": f"Basic {ASTRAY}"}},
    "as a session": {"headers": {"Cookie": f"spadille-80={ASTRAY}; {ASTRAY}=1"}},
    "in headers that are kept": {
        "headers": {"X-Request-Id": ASTRAY, "User-Agent": ASTRAY, "Referer": ASTRAY}
    },
    "in headers that are read": {
        "headers": {"If-Match": ASTRAY, "If-None-Match": ASTRAY, "Last-Event-ID": ASTRAY, "Range": ASTRAY}
    },
    "in what is accepted": {"headers": {"Accept": f"{ASTRAY}/*", "Accept-Language": ASTRAY}},
    "as the origin": {"headers": {"Origin": f"http://{ASTRAY}", "Sec-Fetch-Site": ASTRAY}},
    "as the host": {"headers": {"Host": ASTRAY}},
    "as the type of the body": {"data": b"{}", "content_type": f"{ASTRAY}/json"},
    "in the body": {"json": {"type": ASTRAY, ASTRAY: [ASTRAY], "token": ASTRAY, "id": ASTRAY}},
    "in a body that is no JSON": {"data": ASTRAY.encode(), "content_type": "application/json"},
    "in lines": {"data": ASTRAY.encode(), "content_type": "application/jsonl"},
    "in the notation": {"data": ASTRAY.encode(), "content_type": "text/vnd.spadille.deal"},
    "in the query": {"query_string": f"viewer={ASTRAY}&{ASTRAY}=1&after={ASTRAY}"},
    "in the query, disguised": {"query_string": "after=%25252573padille_t_" + ASTRAY[11:]},
    "in the language": {"query_string": f"lang={ASTRAY}"},
}


def small_app() -> Flask:
    store = MemoryStore()
    recorded_table(store)
    recorded_deal(store)
    return create_app(store)


def requests(app: Flask) -> Iterator[tuple[str, str]]:
    for rule in app.url_map.iter_rules():
        path = rule.rule
        for name in rule.arguments:
            path = path.replace(f"<stream:{name}>", PARTS[name]).replace(f"<{name}>", PARTS[name])
            path = path.replace(f"<path:{name}>", PARTS[name])
        for method in sorted((rule.methods or set()) - {"OPTIONS"}):
            yield method, path


TOO_LONG: Final = (f"{API}/openapi.json", "/api/docs", "/static/", "state.png", "/replays", "/rulesets")
"""Addresses of what takes long to make and has no secret in it: asked once each."""


def hold_all(app: Flask, at_once: int | None = None) -> int:
    """Ask every route in ``at_once`` ways, or in all; return how often. Raises `Repeated`."""
    token = token_for(app, GrantTerms("owner"))
    session = of_app(app).register.create_session(token_for(app, GrantTerms("owner"))).secret
    secrets = [token, session, ASTRAY]
    ways, count = list(WAYS.items()), 0
    for number, (method, path) in enumerate(requests(app)):
        slow = any(part in path for part in TOO_LONG)
        shown = {"Cookie": f"spadille-80={session}", **OWN_PAGE}
        if number % 2 or (path == f"{API}/session" and method in ("POST", "DELETE")):
            shown = {"Authorization": f"Bearer {token}"}
        turns = 1 if slow else at_once or len(ways)
        for turn in range(turns):
            way, sent = ways[(number * turns + turn) % len(ways)]
            asked = {**sent, "headers": {**shown, **sent.get("headers", {})}}
            if number % 3:
                asked["headers"].setdefault("Accept", "text/html")
            told = all_of(app, method, path, asked)
            if [one for one in secrets if one[11:] in told] or (TOKEN_PREFIX in told and not slow):
                raise Repeated(f"{method} {path}, {way}: {told[:1000]}")
            count += 1
    return count


PLAYERS: Final = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}
OPENING: Final = {"type": "deal_opened", "ruleset": "dlu", "players": PLAYERS}
SAID: Final = "Log in by {} today"
NOTED: Final = {"type": "note_added", "text": SAID}
TEXTS: Final[tuple[tuple[str, str, Any], ...]] = (
    ("POST", "members?confirm=similar-name", {"name": SAID}),
    ("POST", "members?confirm=similar-name", {"name": "Anna", "note": SAID}),
    ("POST", "grants", {"role": "viewer", "deal": DEAL, "label": SAID}),
    ("POST", "deals", [{**OPENING, "title": SAID}, NOTED]),
    ("POST", "deals", {**OPENING, "players": {**PLAYERS, "backhand": SAID}}),
    ("POST", f"deals/{DEAL}/events", NOTED),
    ("POST", f"deals/{DEAL}/events", [{"type": "ruling_made", "text": SAID}, NOTED]),
    ("POST", "tables", {"type": "table_opened", "ruleset": "dlu", "players": ["Anna", "Bo", SAID]}),
    ("POST", f"tables/{TABLE}/events", NOTED),
    ("POST", "import", [{**OPENING, "source": SAID}]),
    ("POST", "validate", [{**OPENING, "title": SAID}]),
    ("POST", "score", [{**OPENING, "title": SAID}]),
    ("PUT", "rulesets/ours", {"based_on": "dlu", "words": {"en": "Ours", "da": "Vores"}, "source": SAID}),
)  # fmt: skip
"""Texts that are taken, told or recorded, where nothing of ours stands in them."""


def format_notation_events(events: list[Any]) -> str:
    """Events in the notation; each `deal_opened` begins a deal."""
    starts = [index for index, event in enumerate(events) if event["type"] == "deal_opened"]
    deals = [events[start:end] for start, end in pairwise([*starts, len(events)])]
    return "\n".join(
        format_notation_log(tuple(read_entry(event, seq) for seq, event in enumerate(deal, 1)))
        for deal in deals
    )


def bodies_of(sent: Any, word: str) -> Iterator[tuple[bytes, str]]:
    """The body in each form that there is of it, with the word in its texts."""
    text = orjson.dumps(sent).replace(SAID.encode(), SAID.format(word).encode())
    yield text, "application/json"
    escaped = "".join(f"\\u{ord(one):04X}" for one in word)
    yield text.replace(word.encode(), escaped.encode()), "application/json"
    events = orjson.loads(text)
    events = events if isinstance(events, list) else [events]
    if "type" in events[0]:
        yield b"".join(orjson.dumps(one) + b"\n" for one in events), "application/jsonl"
    if events[0].get("type") == "deal_opened":
        yield format_notation_events(events).encode(), "text/vnd.spadille.deal"


def hold_texts(app: Flask) -> int:
    """Send each text with and without a token: refused or taken; return how often. Raises `Repeated`."""
    owner = {"Authorization": f"Bearer {token_for(app, GrantTerms('owner'))}", "If-Match": "*"}
    client, count = app.test_client(use_cookies=False), 0
    for method, path, sent in TEXTS:
        secrets = [generate_secret(prefix) for prefix in (TOKEN_PREFIX, SESSION_PREFIX)]
        for secret in (*secrets, TOKEN_PREFIX + "0" * 49):
            before, is_secret = stored_counts(app), not secret.endswith("0" * 49)
            for body, form in bodies_of(sent, secret):
                sent_as: dict[str, Any] = {"data": body, "content_type": form, "headers": owner}
                answer = client.open(f"{API}/{path}", method=method, **sent_as)
                told = (answer.status_code, answer.get_json().get("type"))
                refused = told == (400, "/problems/secret-in-body") and secret[11:] not in answer.text
                taken = answer.status_code in (200, 201, 415)
                if not (refused if is_secret else taken) or (is_secret and stored_counts(app) != before):
                    raise Repeated(f"{method} {path} as {form}: {told}, with a secret: {is_secret}")
                count += is_secret
    return count


def stored_counts(app: Flask) -> tuple[int, int, int]:
    register = of_app(app).register
    return of_app(app).store.head(), len(register.list_members()), len(register.list_grants())


def all_of(app: Flask, method: str, path: str, asked: dict[str, Any]) -> str:
    """All that is answered, headers too. Raises `Repeated` where it is an error of ours."""
    answer = app.test_client(use_cookies=False).open(path, method=method, **asked)
    data = b"" if answer.mimetype == "text/event-stream" else answer.get_data()
    answer.close()
    if answer.status_code >= 500:
        raise Repeated(f"{method} {path}: {answer.status}")
    return data.decode("utf-8", "replace") + str(answer.headers)
